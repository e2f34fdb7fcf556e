"""A visitor's own text to learn word vectors from: pasted, told what was read of it."""

from itertools import islice

import streamlit as st

from lm_core.experiments.word2vec.short_text import KeptWords, ShortText, short_text
from lm_core.text.doubts import invisible_characters
from lm_core.text.file_limits import LIMITS
from lm_core.text.own_text import OwnText, read_own_text
from lm_core.text.what_was_read import WhatWasRead
from pages.shared import page
from pages.shared.ui.kept import FOR_YOU_ALONE
from pages.shared.ui.what_was_read import ABOUT_INVISIBLE, INVISIBLE, show_what_was_read

LARGEST_BYTES = LIMITS.short_text
_OWN_KEPT, _OWN_TEXT = "own_text_read", "own_text_decoded"
_PREVIEWED = 8


def own_text(words_kept: KeptWords) -> tuple[str, ShortText] | None:
    """Ask for a text; return it and what of it can be learned from, None until there is one.

    Raises TextError if it cannot be learned from.
    """
    own = _pasted()
    if not own.strip():
        st.info(
            "Paste a text to learn from, then press Ctrl+Enter or leave the field. The vectors"
            " shown until then are those of the synthetic text, because they need a text to learn"
            " from."
        )
        return None
    drops = bool(invisible_characters(own)) and page.switch(
        "own_drop_invisible", INVISIBLE, in_link=False, help=ABOUT_INVISIBLE
    )
    read = _read(own, drop_invisible=bool(drops))
    short = _short(read.text, words_kept)
    facts = ("a pasted text", f"{short.n_words:,} words, capitals as small letters")
    changes = tuple(f"{change[0].upper()}{change[1:]}." for change in read.changes)
    words = zip(short.vocabulary.words, map(str, short.vocabulary.counts), strict=True)
    preview = (("most frequent word", "times"), *islice(words, _PREVIEWED))
    show_what_was_read(WhatWasRead(facts, (*changes, *read.doubts), preview), "own_words")
    return read.text, short


def _pasted() -> str:
    st.caption(f"{FOR_YOU_ALONE} The same is true of what is trained on it: see *My work* above.")
    typed = page.control(
        st.text_area,
        "own_text",
        f"Your text, at most {LARGEST_BYTES // 1000} kB",
        in_link=False,
        persist_state="session",
        height=150,
        placeholder="Paste a few pages: a fairy tale, an article, song texts. Letters of"
        " any script make words; they must be separated by spaces, because that is how words are told apart.",
    )
    return str(typed)


def _read(own: str, *, drop_invisible: bool) -> OwnText:
    """Return a visitor's text as it is read; it is kept for the visit, never shared."""
    kept = st.session_state.get(_OWN_TEXT)
    if kept is None or kept[0] != (own, drop_invisible):
        read = read_own_text(
            own, largest_bytes=LARGEST_BYTES, shortest=1, drop_invisible=drop_invisible
        )
        kept = ((own, drop_invisible), read)
        st.session_state[_OWN_TEXT] = kept
    found: OwnText = kept[1]
    return found


def _short(text: str, words_kept: KeptWords) -> ShortText:
    """Return a visitor's text ready to be learned from; it is kept for the visit, never shared."""
    kept = st.session_state.get(_OWN_KEPT)
    if kept is None or kept[0] != (text, words_kept):
        kept = ((text, words_kept), short_text(text, *words_kept))
        st.session_state[_OWN_KEPT] = kept
    return kept[1]
