"""A text by a model: what it is made of, that it is the same again, and that it may be stopped."""

import hashlib
import itertools

import pytest

from lm_core.errors import SettingError
from lm_core.experiments.written_text.synthetic_text import SyntheticText, write_text
from lm_core.text.character_vocabulary import SOURCE
from lm_core.training.checkpoints import Checkpoint
from tests.core.toy_models import SpellingModel, random_lstm
from tests.small_checkpoints import meta_of


def writer(model, config):
    return Checkpoint(model, meta_of(config))


def lstm_writer():
    model = random_lstm(size=len(SOURCE), hidden=8, layers=1)
    return writer(model, model.config)


def speller(text):
    """A writer that spells a text again and again, whatever it reads."""
    # The prompt has two characters, so what follows it begins with the second of the word.
    return writer(SpellingModel(SOURCE.encode(text[-1:] + text[:-1]).tolist(), len(SOURCE)), {})


def written_by(checkpoint, seed=0, **numbers) -> SyntheticText:
    *_, last = write_text(checkpoint, seed, **numbers)
    return last.written


def test_passages_are_cut_back_to_whole_sentences_and_joined():
    text = written_by(speller("It is. Or not? "), n_characters=60, n_texts=3).text
    assert text == "It is. Or not?" + " It is. Or not?" * 2  # 15 characters, then "It is" once more


def test_a_passage_without_an_end_is_kept():
    assert written_by(speller("abc "), n_characters=8, n_texts=1).text == "abc abc"


def test_same_seed_same_text_and_another_seed_another():
    checkpoint, numbers = lstm_writer(), {"n_characters": 400, "n_texts": 8}
    one, same = (written_by(checkpoint, 3, **numbers) for _ in range(2))
    other = written_by(checkpoint, 4, **numbers)
    assert one == same
    assert one.text != other.text
    assert one.sha256 == hashlib.sha256(one.text.encode()).hexdigest()
    assert (one.model, one.title, one.seed) == ("tiny", "Tiny", 3)
    assert 200 < len(one.text) <= 400 + 8


def test_progress_rises_to_the_whole_and_only_its_end_brings_the_text():
    steps = list(write_text(lstm_writer(), 0, n_characters=50, n_texts=5))
    assert [step.share for step in steps] == pytest.approx([0.1 * i for i in range(1, 11)])
    assert [step.written is None for step in steps] == [True] * 9 + [False]


def test_it_may_be_stopped():
    model = SpellingModel([1, 2], len(SOURCE))
    calls = []
    model.register_forward_hook(lambda *_: calls.append(1))
    writing = write_text(writer(model, {}), 0, n_characters=1_000, n_texts=1)
    assert len(list(itertools.islice(writing, 3))) == 3
    writing.close()
    assert len(calls) == 3  # the prompt, and what follows the first two characters


def test_fewer_characters_than_passages_are_refused():
    with pytest.raises(SettingError, match="n_characters must be at least 256, got 255"):
        next(write_text(lstm_writer(), 0, n_characters=255))
