"""Words of the book as points, and the words of each cluster."""

from typing import NamedTuple

import streamlit as st
from torch import Tensor

from lm_core.clustering.words import word_points
from lm_core.training.checkpoints import SHIPPED, load_checkpoint
from pages.shared.lesson import duration

WORDS = "words of War and Peace"
_MODELS = ("book-cbow", "library-skip-gram")
_SHOWN = 14


class BookWords(NamedTuple):
    """Words with their points, and where these come from."""

    words: tuple[str, ...]
    points: Tensor
    note: str


def are_shipped() -> bool:
    """Return whether word vectors come with the lab."""
    return _shipped() is not None


def _shipped() -> str | None:
    return next((name for name in _MODELS if (SHIPPED / name / "meta.json").exists()), None)


@st.cache_resource(max_entries=1)
def book_words() -> BookWords:
    """Return frequent words by the trained vectors that come with the lab."""
    checkpoint = load_checkpoint(SHIPPED / _shipped())
    found, meta = word_points(checkpoint.model), checkpoint.meta
    note = (
        f"{len(found.words)} frequent words, the hundred most frequent left out, by the"
        f" {found.points.shape[1]} directions that hold {found.share:.0%} of their vectors'"
        f" variance. {meta.title} · {duration(meta.seconds)} on {meta.device} · seed {meta.seed}"
    )
    return BookWords(found.words, found.points, note)
