"""A visitor's own word vectors, from a file of another program, in place of the shipped ones."""

import streamlit as st

from lm_core.errors import LMCoreError, TextError
from lm_core.models.vector_files import MOST_WORDS, VectorFile, read_vectors
from lm_core.text.file_limits import LIMITS
from lm_core.text.own_text import ENCODINGS
from lm_core.text.word_vocabulary import WORDS, WordVocabulary
from lm_core.training.checkpoints import CheckpointMeta
from pages.shared import page
from pages.shared.ui.kept import FOR_YOU_ALONE, keep_state, kept_state
from pages.shared.ui.markdown import as_code
from pages.shared.ui.most_megabytes import most_megabytes
from pages.shared.ui.own_file import OwnFile, PackedFile

OWN = "own-vectors"  # name of the visitor's own vectors among the models

_FEWEST_WORDS = 12
_FIELDS = ("word", "other", "a", "b", "c")
_LISTS = ("target_1", "target_2", "attribute_1", "attribute_2")
_LISTED = 6
_ENCODING = "own_vectors_encoding"
_ENCODINGS = [codec for codec in ENCODINGS if not codec.startswith("utf-16")]
"""Whose line breaks and spaces are single bytes, as these files have them."""


def own_vectors() -> VectorFile | None:
    """Return the visitor's vectors, if there are some; what is wrong with them is said in their place."""
    kept = _OWN.kept()
    if kept is None:
        return None
    try:
        return _read(kept)
    except LMCoreError as error:
        page.show_error(error)
        return None


def own_meta() -> CheckpointMeta | None:
    """Return what is known of the visitor's vectors; None without any."""
    kept, vectors = _OWN.kept(), own_vectors()
    if kept is None or vectors is None:
        return None
    size, width = vectors.input.shape
    return CheckpointMeta(
        name=OWN,
        title="Your own vectors",
        config={"size": size, "width": width},
        vocabulary=WORDS,
        corpus="",
        corpus_sha256="",
        seed=0,
        steps=0,
        characters_seen=0,
        seconds=0.0,
        device="",
        parameter_count=vectors.input.numel(),
        weights_sha256=f"{kept.sha256} {_encoding()}",
    )


def ask_for_vectors() -> None:
    """Draw the place to drop a file of vectors."""
    most_mb = most_megabytes(LIMITS.vectors)
    st.caption(
        "Or bring vectors of your own: word2vec's text or binary format, GloVe's, fastText's `.vec`, or a"
        f" table, at most {most_mb} MB. The first {MOST_WORDS:,} words are used. {FOR_YOU_ALONE}"
    )
    _OWN.draw("A file of word vectors", most_mb)


def say_what_was_read() -> None:
    """Draw what was read of the visitor's file, and the encoding to be changed."""
    kept, vectors = _OWN.kept(), own_vectors()
    if kept is not None and vectors is not None:
        st.caption(f"Vectors of your file {as_code(kept.name)}.")
        page.show_what_was_read(vectors.read, "own_vectors", _choose_encoding)


def _choose_encoding() -> None:
    st.selectbox(
        "Encoding of the words",
        _ENCODINGS,
        _ENCODINGS.index(_encoding()),
        format_func=ENCODINGS.__getitem__,
        key=f"{_ENCODING}_chosen",
        on_change=_set_encoding,
    )


def _set_encoding() -> None:
    st.session_state[_ENCODING] = st.session_state[f"{_ENCODING}_chosen"]
    keep_state(f"embeddings.{_ENCODING}", _encoding())


def _encoding() -> str:
    return kept_state(_ENCODING, f"embeddings.{_ENCODING}", lambda: _ENCODINGS[0])


def _read(file: PackedFile) -> VectorFile:
    with page.page_turns.lent():
        return _read_once(file.sha256, _encoding(), file)


@st.cache_resource(max_entries=4, show_spinner="Reading the vectors")
def _read_once(sha256: str, encoding: str, _file: PackedFile) -> VectorFile:
    """Return the vectors of a file; a class that drops the same one shares them."""
    del sha256  # the key
    vectors = read_vectors(_file.content, encoding=encoding)
    if len(vectors.vocabulary) < _FEWEST_WORDS:
        raise TextError(
            f"there must be vectors of at least {_FEWEST_WORDS} words to compare, this file has"
            f" {len(vectors.vocabulary)}"
        )
    return vectors


def _take(file: PackedFile) -> VectorFile:
    """Read a file that was just dropped, and open the page on it."""
    st.session_state[_ENCODING] = _ENCODINGS[0]
    vectors = _read(file)
    st.session_state["model"] = OWN
    _open_on(vectors.vocabulary)
    return vectors


def _open_on(vocabulary: WordVocabulary) -> None:
    """Write words of the file into the fields, where it has not got those that stand there."""
    letters = [word for word in vocabulary.words if word.isalpha() and len(word) > 3]
    offered = (letters or list(vocabulary.words))[-_LISTED - len(vocabulary) // 2 :]
    words = (offered * _LISTED)[:_LISTED]
    for name, word in zip(_FIELDS, words, strict=False):
        typed = st.session_state.get(name)
        if (typed or "king") not in vocabulary:
            st.session_state[name] = word
    if "king" not in vocabulary:
        st.session_state["words"] = " ".join(words)
        for i, name in enumerate(_LISTS):
            st.session_state[name] = " ".join((offered * 12)[3 * i : 3 * i + 3])


_OWN = OwnFile("own_vectors", _take)
