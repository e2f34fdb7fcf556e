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
from lm_core.text.training_text import load_book
from lm_core.text.vocabularies import vocabulary_named
from pages.shared import page
from pages.shared.frame.training_form import Material
from pages.shared.numbers import significant
from pages.shared.trainings.training_requests import submit_training
from pages.shared.ui.visitor import is_presenter
from pages.war_and_peace.own_text import own_material

BOOK, OWN, WRITTEN = SOURCES = ("The book", "Your own text", "Written by a model")
_WRITER = "source-lstm"


def material_of(source: str, vocabulary: CharacterVocabulary | None, who: str) -> Material | None:
    """Return the text that was chosen, in a vocabulary or its own; None as long as there is none."""
    if source == BOOK:
        with page.page_turns.lent():
            return _book(require(WAR_AND_PEACE.name), (vocabulary or SOURCE).name)
    if source == OWN:
        return own_material(vocabulary)
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
