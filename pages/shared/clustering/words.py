"""Words of the book as points: which of them, and by which trained vectors."""

from typing import NamedTuple

import streamlit as st
from torch import Tensor

from lm_core.errors import TextError
from lm_core.experiments.clustering.word_points import frequent_words, word_points
from lm_core.models.embeddings import WordVectors
from lm_core.text.what_was_read import words_as_read
from lm_core.text.word_queries import parse_words
from lm_core.training.checkpoints import list_checkpoints
from pages.shared.models.language_models import model_named
from pages.shared.numbers import percent
from pages.shared.ui.controls import control
from pages.shared.ui.markdown import escaped
from pages.shared.ui.messages import show_error
from pages.shared.ui.times import duration
from pages.shared.ui.what_was_read import show_what_was_changed

_MODELS = ("book-cbow", "library-skip-gram")
_MOST_WORDS, _LONGEST = 500, 8_000


class BookWords(NamedTuple):
    """Words with their points, and where these come from."""

    words: tuple[str, ...]
    points: Tensor
    note: str
    vectors: str


def are_shipped() -> bool:
    """Return whether word vectors come with the lab."""
    return bool(_titles())


def choose_words() -> BookWords:
    """Draw which words are clustered and by which vectors; what cannot be read gets a message."""
    typed = control(
        st.text_input,
        "words",
        "Words to cluster",
        "",
        placeholder=f"{_MOST_WORDS} frequent words of the book, or others that you type",
        max_chars=_LONGEST + 1,  # more is cut here, and then refused rather than read in part
    )
    titles = _titles()
    name = control(st.selectbox, "vectors", "Vectors", list(titles), format_func=titles.__getitem__)
    asked = _asked(typed, model_named(name).model) if typed.strip() else ()
    return _points(name, asked)


def _asked(typed: str, model: WordVectors) -> tuple[str, ...]:
    """Return the typed words that have a vector; none where they cannot be clustered."""
    try:
        found = parse_words(typed, model.vocabulary, fewest=2, most=_MOST_WORDS, longest=_LONGEST)
        if len(found.known) < 2:
            raise TextError("fewer than two of these words have a vector")
    except TextError as error:
        show_error(f"{error}. The frequent words of the book are clustered instead.")
        return ()
    words = (*(model.vocabulary.words[i] for i in found.known), *found.unknown)
    show_what_was_changed(words_as_read(typed, words), "words")
    if found.unknown:
        some = ", ".join(word[:20] for word in found.unknown[:5])
        more = ", …" if len(found.unknown) > 5 else ""
        st.caption(f"Left out, because they have no vector: {escaped(some)}{more}")
    return tuple(model.vocabulary.words[i] for i in found.known)


@st.cache_data(max_entries=1, show_spinner=False)
def _titles() -> dict[str, str]:
    """Return the titles of the word vectors that can be read, by name."""
    return {meta.name: meta.title for meta in list_checkpoints() if meta.name in _MODELS}


@st.cache_resource(max_entries=32, show_spinner=False)
def _points(name: str, asked: tuple[str, ...]) -> BookWords:
    """Return words by a model's vectors: those asked for, or else the book's frequent ones."""
    model, meta = model_named(name).model, model_named(name).meta
    first = next(iter(_titles()))
    words = asked or frequent_words(model_named(first).model.vocabulary, n=_MOST_WORDS)
    found = word_points(model, words)
    which = "words" if asked else "frequent words (without the hundred most frequent)"
    note = (
        f"{len(found.words)} {which} as {found.points.shape[1]} principal components with"
        f" {percent(found.share)} of the variance of their vectors. {meta.title} ·"
        f" {duration(meta.seconds)} on {meta.device} · seed {meta.seed}"
    )
    return BookWords(found.words, found.points, note, meta.title)
