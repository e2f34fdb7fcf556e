"""Which quotation mark comes next, for models that spell what they are told."""

from contextlib import contextmanager

import pytest

from lm_core.analysis.continuations import next_quotation_mark
from lm_core.generation.sampling import SamplingSettings
from lm_core.rng import generator
from lm_core.text.character_vocabulary import FULL
from tests.core.toy_models import SpellingModel


def marks(written, *, prompt="a", length=None, **settings):
    """The count for a model that writes this text, over and over."""
    # Its first letter is predicted after the prompt's first token.
    model = SpellingModel(FULL.encode(written).tolist(), len(FULL))
    return next_quotation_mark(
        model,
        FULL.encode(prompt),
        FULL,
        SamplingSettings(),
        6,
        length or len(written),
        generator(0),
        **settings,
    )


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ('you," he said. "No', (6, 0, 0)),
        ('he said. "No," and', (0, 6, 0)),
        ('left.\n"No', (0, 6, 0)),
        ("and nothing", (0, 0, 6)),
    ],
)
def test_the_first_mark_alone_counts_and_closes_after_a_letter(written, expected):
    assert marks(written) == expected


def test_the_prompt_s_last_character_is_what_the_first_one_follows():
    assert marks('"', prompt="a") == (6, 0, 0)
    assert marks('"', prompt=" ") == (0, 6, 0)


def test_what_comes_too_late_is_not_seen():
    assert marks('and "so', length=4) == (0, 0, 6)


def test_each_call_has_its_turn():
    turns = []

    @contextmanager
    def turn():
        turns.append(1)
        yield

    marks("so", length=9, model_turn=turn)
    assert len(turns) == 9
