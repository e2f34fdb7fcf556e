"""The texts that a model may learn from: the book, one's own, or what a model wrote."""

from pathlib import Path

import streamlit as st

from lm_core.experiments.written_text.experiment import read_written, writing_run
from lm_core.experiments.written_text.synthetic_text import SyntheticText
from lm_core.jobs import jobs
from lm_core.jobs.records import RunState
from lm_core.jobs.run_folder import RunFolder
from lm_core.text.catalogue import WAR_AND_PEACE
from lm_core.text.character_vocabulary import SOURCE, CharacterVocabulary
from lm_core.text.corpora import CORPORA, require
from lm_core.text.own_text import ENCODINGS, LARGEST_BYTES, OwnText, read_own_text
from lm_core.text.training_text import load_book, own_training_text
from lm_core.text.vocabularies import vocabulary_named
from lm_core.text.what_was_read import WhatWasRead
from pages.shared import page
from pages.shared.frame.training_form import Material
from pages.shared.numbers import percent, significant
from pages.shared.trainings.training_requests import submit_training
from pages.shared.trainings.trainings import OWN_RUNS
from pages.shared.ui.encodings import choose_encoding
from pages.shared.ui.kept import FOR_YOU_ALONE, kept_upload
from pages.shared.ui.most_megabytes import most_megabytes
from pages.shared.ui.visitor import is_presenter
from pages.shared.ui.what_was_read import ABOUT_INVISIBLE, INVISIBLE

BOOK, OWN, WRITTEN = SOURCES = ("The book", "Your own text", "Written by a model")
_WRITER = "source-lstm"


def material_of(source: str, vocabulary: CharacterVocabulary | None, who: str) -> Material | None:
    """Return the text that was chosen, in a vocabulary or its own; None as long as there is none."""
    if source == BOOK:
        with page.page_turns.lent():
            return _book(require(WAR_AND_PEACE.name), (vocabulary or SOURCE).name)
    if source == OWN:
        return _own_text(vocabulary)
    written = _written(who)
    if written is None:
        return None
    n = len(written.text)
    title = f"{significant(n / 1e6, 2)} M characters by {written.title}"
    return Material(title, written.corpus, written.sha256, written.vocabulary, n, written.text)


@st.cache_data(max_entries=1, show_spinner="Reading the book")
def _book(path: Path, vocabulary: str) -> Material:
    del path  # part of the key
    book = load_book(vocabulary_named(vocabulary))
    name = WAR_AND_PEACE.name
    return Material(CORPORA[name].title, name, book.sha256, book.vocabulary, len(book.ids))


def _written(who: str) -> SyntheticText | None:
    """Return the text that a model wrote on this server; None before it was asked to."""
    config = writing_run(_WRITER)
    run = RunFolder.keyed(config.fingerprint())
    job = jobs.job(run.key) if run.path.exists() else None
    if job and job.status.state.is_live:
        page.fragment(_watch_writing, run_every=1.0)(job.key, who)
        return None
    if job is None or job.status.state is not RunState.FINISHED:
        st.caption(
            "For a server without the book: a shipped model writes a megabyte, once for everybody."
            " It is a substitute, because a model trained on it learns that model's mistakes too."
        )
        write = "Write a megabyte"
        page.button("training_write", write, "edit_note", submit_training, lambda: config, who)
        return None
    written = _read_written(run)
    st.caption(f"{len(written.text):,} characters, {written.corpus}. They begin:")
    with st.container(border=True):
        st.text(written.text[:200])
    return written


def _watch_writing(key: str, who: str) -> None:
    """Show how far the text has come; redrawn every second until it is written."""
    job = jobs.job(key)
    if not job.status.state.is_live:
        st.rerun()
    waits = f"Waits its turn: {job.n_ahead} before it" if job.n_ahead else "Writing"
    st.progress(job.step / job.status.steps, text=waits)
    if is_presenter() or job.status.visitor == who:
        page.button("training_write_cancel", "Cancel", "stop", jobs.cancel, key)


@st.cache_data(max_entries=1, show_spinner=False)
def _read_written(run: RunFolder) -> SyntheticText:
    return read_written(run)


def _own_text(vocabulary: CharacterVocabulary | None) -> Material | None:
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
    drops = page.switch("training_drop_invisible", INVISIBLE, in_link=False, help=ABOUT_INVISIBLE)
    return _own_material(_read(content, encoding, drops), vocabulary)


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
