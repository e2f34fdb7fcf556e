"""Beginnings that the language model continues: of four subwords each, so that many are read at once."""

import itertools
from functools import cache

import torch
from torch import Tensor

from lm_core.errors import SettingError
from lm_core.text.vocabularies import FULL_SUBWORDS, SubwordVocabulary, load_subwords

N_PROMPT = 4
"""Subwords of each beginning."""

_PEOPLE = [
    "Prince Andrew",
    "Nicholas",
    "Sonya",
    "The countess",
    "Denisov",
    "Kutuzov",
    "The general",
    "The officer",
    "The Emperor",
    "Napoleon",
    "The count",
    "The doctor",
    "Prince Vasili",
    "Helene",
    "Anatole",
]
_BEGINNINGS = [
    "looked at",
    "turned to",
    "did not",
    "was silent",
    "stopped and",
    "looked round",
    "smiled and",
    "went up",
    "rose and",
    "thought of",
]
_HELD_OUT_EVERY = 7

ALL = tuple(
    f"{person} {beginning}" for person, beginning in itertools.product(_PEOPLE, _BEGINNINGS)
)
HELD_OUT = ALL[::_HELD_OUT_EVERY]
"""Beginnings that nothing is learned from: every figure is measured on them."""
TRAINING = tuple(text for text in ALL if text not in HELD_OUT)


@cache
def vocabulary() -> SubwordVocabulary:
    """Return the subwords that the writer reads."""
    return load_subwords(FULL_SUBWORDS)


def encode_prompts(texts: tuple[str, ...]) -> Tensor:
    """Return beginnings as int64 (N, 4); raises SettingError if one has not four subwords."""
    ids = [vocabulary().encode(text) for text in texts]
    for text, row in zip(texts, ids, strict=True):
        if len(row) != N_PROMPT:
            raise SettingError(
                f"a beginning must have {N_PROMPT} subwords, {text!r} has {len(row)}"
            )
    return torch.tensor([row.tolist() for row in ids])


def texts_of(tokens: Tensor) -> list[str]:
    """Return the texts of tokens (N, T)."""
    return [vocabulary().decode(row) for row in tokens.tolist()]
