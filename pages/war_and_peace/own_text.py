"""A visitor's own text to learn from: handed in, told what was read of it, in the encoding that they choose."""

import streamlit as st

from lm_core.text.character_vocabulary import CharacterVocabulary
from lm_core.text.own_text import ENCODINGS, LARGEST_BYTES, OwnText, read_own_text
from lm_core.text.training_text import own_training_text
from lm_core.text.what_was_read import WhatWasRead
from pages.shared import page
from pages.shared.frame.training_form import Material
from pages.shared.numbers import percent
from pages.shared.trainings.trainings import OWN_RUNS
from pages.shared.ui.encodings import choose_encoding
from pages.shared.ui.kept import FOR_YOU_ALONE, kept_upload
from pages.shared.ui.most_megabytes import most_megabytes
from pages.shared.ui.what_was_read import ABOUT_INVISIBLE, INVISIBLE


def own_material(vocabulary: CharacterVocabulary | None) -> Material | None:
    """Ask for a text; return it in a vocabulary or its own, and None until there is one."""
    st.caption(
        f"Plain text in any alphabet, up to {LARGEST_BYTES / 1e6:g} MB. {FOR_YOU_ALONE} {OWN_RUNS}"
    )
    left, right = st.columns(2)
    with left:
        file = kept_upload("A text file", "training_file", most_mb=most_megabytes(LARGEST_BYTES))
    with right:
        pasted = page.control(
            st.text_area, "training_pasted", "or paste it here", in_link=False, height=110
        )
    if file is None and not pasted:
        return None
    content = file.content if file else str(pasted)
    encoding = choose_encoding(file.content, "training_encoding") if file else ""
    drops = page.switch(
        "training_drop_invisible",
        INVISIBLE,
        False,
        in_link=False,
        help=ABOUT_INVISIBLE,
    )
    return _own_material(_read(content, encoding, bool(drops)), vocabulary)


@st.cache_data(max_entries=4, show_spinner="Reading your text")
def _read(content: bytes | str, encoding: str, drop_invisible: bool) -> OwnText:
    return read_own_text(content, encoding=encoding or None, drop_invisible=drop_invisible)


def _own_material(own: OwnText, vocabulary: CharacterVocabulary | None) -> Material:
    text = own_training_text(own, vocabulary)
    unknown = float((text.ids == 0).mean())
    notes = [f"{change[0].upper()}{change[1:]}." for change in own.changes]
    if unknown:
        notes.append(f"{percent(unknown, 1)} of it are characters outside this vocabulary.")
    facts = (
        "a pasted text"
        if own.encoding == "none"
        else f"a text in {ENCODINGS.get(own.encoding, own.encoding)}",
        f"{len(own.text):,} characters, {len(text.vocabulary)} different symbols",
    )
    first = tuple((line[:80],) for line in own.text[:2_000].splitlines() if line.strip())
    preview = (("Its first lines",), *first[:5])
    page.show_what_was_read(WhatWasRead(facts, (*notes, *own.doubts), preview), "training_text")
    return Material(
        "a text of one's own", text.corpus, text.sha256, text.vocabulary, len(text.ids), own.text,
        is_private=True,
    )  # fmt: skip
