"""Train a model in front of the class: on the book, on a text of one's own, on what a model wrote."""

from pathlib import Path

import streamlit as st

from lm_core.errors import RunError, SettingError, TextError
from lm_core.experiments.war_and_peace.experiment import NAME
from lm_core.experiments.war_and_peace.presets import PRESETS, continued
from lm_core.experiments.written_text.experiment import read_written, writing_run
from lm_core.experiments.written_text.synthetic_text import SyntheticText
from lm_core.jobs import jobs
from lm_core.jobs.jobs import Job
from lm_core.jobs.records import RunConfig, RunState
from lm_core.jobs.run_folder import RunFolder
from lm_core.text.catalogue import WAR_AND_PEACE
from lm_core.text.character_vocabulary import SOURCE, CharacterVocabulary
from lm_core.text.corpora import CORPORA, locate, require
from lm_core.text.own_text import LARGEST_BYTES, OwnText, read_own_text
from lm_core.text.training_text import load_book, own_training_text
from lm_core.text.vocabularies import vocabulary_named
from lm_core.training.checkpoints import CheckpointMeta, read_meta
from lm_core.training.model_vocabulary import vocabulary_of
from lm_core.training.recipes import Recipe
from pages.shared.frame.jobs_panel import jobs_panel
from pages.shared.frame.training_form import Material, training_form
from pages.shared.models.pretrained import PRETRAINED
from pages.shared.numbers import percent, significant
from pages.shared.server.component import component
from pages.shared.trainings.training_requests import submit_training, training_setting
from pages.shared.trainings.trainings import OWN_RUNS, live_trainings, name_of_model
from pages.shared.turns import fragment, page_turns
from pages.shared.ui.controls import control
from pages.shared.ui.kept import FOR_YOU_ALONE, kept_upload
from pages.shared.ui.markdown import escaped
from pages.shared.ui.messages import show_error
from pages.shared.ui.visitor import is_presenter, visitor

VIEW = "Train your own"
_BOOK, _OWN, _WRITTEN = "The book", "Your own text", "Written by a model"
_WRITER = "source-lstm"
_PAGE_TOP = component("page_top")
_LARGEST_MB = max(1, LARGEST_BYTES // 1_000_000)
_N_USED = "training_n_used"
_OPENED = "training_opened"


def open_own_training() -> str | None:
    """Turn to the visitor's live training, once when they arrive, unless another view was chosen.

    Returns
    -------
    str or None
        As `pages.shared.ui.visitor.visitor` says; None while nobody trains, when nobody is asked.
    """
    if "view" not in st.session_state:  # the visitor arrives
        st.session_state.pop(_OPENED, None)
    live = live_trainings(NAME)
    if not live:
        return None
    who = visitor()
    own = next((job for job in live if job.status.visitor == who), None)
    # The browser may say only after the first run who the visitor is.
    if own and st.session_state.get(_OPENED) != own.key:
        st.session_state[_OPENED] = own.key
        _open(own)
    return who


def _open(job: Job) -> None:
    """Choose a training and its view, where neither the link nor the visitor has chosen."""
    if not st.session_state.get("view") and "view" not in st.query_params:
        st.session_state["view"] = VIEW
    if "job" not in st.query_params:
        st.session_state["job"] = job.key


def train_your_own(meta: CheckpointMeta, who: str | None) -> None:
    """Draw the choice of a text, the settings of a training, and the trainings of this machine.

    Parameters
    ----------
    meta : CheckpointMeta
        Of the chosen model: a training may start from it.
    who : str or None
        As `open_own_training` says.
    """
    who = who or visitor()
    sources = [_BOOK] * bool(locate(WAR_AND_PEACE.name)) + [_OWN, _WRITTEN]
    source = training_setting(
        st.segmented_control, "text", "Text to learn from", sources, default=sources[0]
    )
    continues = training_setting(
        st.toggle,
        "continue",
        f"Start from {escaped(meta.title)}",
        help="Start from its weights instead of random ones.",
        disabled=meta.name == PRETRAINED,
    )
    continues = continues and meta.name != PRETRAINED  # too large to be trained here
    try:
        vocabulary = vocabulary_of(meta) if continues else None
        material = _material(source or sources[0], vocabulary, who)
        recipes = _recipes(meta, continues)
    except (TextError, SettingError, RunError) as error:
        show_error(error, icon=":material/text_fields:")
    else:
        if material:
            training_form(recipes, material, who)
    st.header("Trainings on this server", anchor=False)
    jobs_panel(who, _use, unit="character")
    _PAGE_TOP(key="training_page_top", data={"request": st.session_state.get(_N_USED, 0)})


def _recipes(meta: CheckpointMeta, continues: bool) -> dict[str, Recipe]:
    """Return what may be trained: the presets, or the recipe that continues the chosen model."""
    if not continues:
        return dict(PRESETS)
    recipe = continued(meta)
    return {recipe.name: recipe}


def _use(job: Job) -> None:
    """Choose a training's model as the one that writes, and show its text at the top of the page."""
    st.session_state[_N_USED] = st.session_state.get(_N_USED, 0) + 1
    st.session_state["model"] = name_of_model(job)
    st.session_state["snapshot"] = read_meta(job.run.checkpoint).steps
    if job.config.characters:  # a vocabulary of its own: our prompt may mean nothing to it
        st.session_state["prompt"] = ""


# Texts ----------------------------------------------------------------------------------------


def _material(source: str, vocabulary: CharacterVocabulary | None, who: str) -> Material | None:
    """Return the text that was chosen, in a vocabulary or its own; None as long as there is none."""
    if source == _BOOK:
        with page_turns.lent():
            return _book(require(WAR_AND_PEACE.name), (vocabulary or SOURCE).name)
    if source == _OWN:
        return _own(vocabulary)
    written = _written(who)
    if written is None:
        return None
    n_characters = len(written.text)
    title = f"{significant(n_characters / 1e6, 2)} M characters by {written.title}"
    return Material(
        title, written.corpus, written.sha256, written.vocabulary, n_characters, written.text
    )


@st.cache_data(max_entries=1, show_spinner="Reading the book")
def _book(path: Path, vocabulary: str) -> Material:
    del path  # part of the key
    book = load_book(vocabulary_named(vocabulary))
    name = WAR_AND_PEACE.name
    return Material(CORPORA[name].title, name, book.sha256, book.vocabulary, len(book.ids))


def _own(vocabulary: CharacterVocabulary | None) -> Material | None:
    st.caption(
        f"Plain text in any alphabet, up to {LARGEST_BYTES / 1e6:g} MB. {FOR_YOU_ALONE} {OWN_RUNS}"
    )
    left, right = st.columns(2)
    with left:
        file = kept_upload("A text file", "training_file", type="txt", most_mb=_LARGEST_MB)
    with right:
        pasted = control(
            st.text_area, "training_pasted", "or paste it here", in_link=False, height=110
        )
    if file is None and not pasted:
        return None
    return _own_material(_read(file.content if file else str(pasted)), vocabulary)


@st.cache_data(max_entries=4, show_spinner="Reading your text")
def _read(content: bytes | str) -> OwnText:
    return read_own_text(content)


def _own_material(own: OwnText, vocabulary: CharacterVocabulary | None) -> Material:
    text = own_training_text(own, vocabulary)
    unknown = float((text.ids == 0).mean())
    lost = (
        f" {percent(unknown, 1)} of it are characters outside this vocabulary." if unknown else ""
    )
    changes = f" What was done to it: {'; '.join(own.changes)}." if own.changes else ""
    read_as = "" if own.encoding == "none" else f", read as {own.encoding}"
    st.caption(
        f"{len(own.text):,} characters{read_as}, {len(text.vocabulary)} different symbols.{lost}{changes}"
    )
    return Material(
        "a text of one's own", text.corpus, text.sha256, text.vocabulary, len(text.ids), own.text,
        is_private=True,
    )  # fmt: skip


def _written(who: str) -> SyntheticText | None:
    """Return the text that a model wrote on this server; None before it was asked to."""
    config = writing_run(_WRITER)
    run = RunFolder.keyed(config.fingerprint())
    job = jobs.job(run.key) if run.path.exists() else None
    if job and job.status.state.is_live:
        fragment(_watch_writing, run_every=1.0)(job.key, who)
        return None
    if job is None or job.status.state is not RunState.FINISHED:
        _offer_writing(config, who)
        return None
    written = _read_written(run)
    st.caption(f"{len(written.text):,} characters, {written.corpus}. They begin:")
    with st.container(border=True):
        st.text(written.text[:200])
    return written


def _offer_writing(config: RunConfig, who: str) -> None:
    st.caption(
        "For a server without the book: a shipped model writes a megabyte, once for everybody. It is"
        " a substitute: a model trained on it learns that model's mistakes too."
    )
    st.button(
        "Write a megabyte",
        icon=":material/edit_note:",
        key="training_write",
        on_click=_write_megabyte,
        args=(config, who),
    )


def _write_megabyte(config: RunConfig, who: str) -> None:
    submit_training(lambda: config, who)


def _cancel(key: str) -> None:
    jobs.cancel(key)


def _watch_writing(key: str, who: str) -> None:
    """Show how far the text has come; redrawn every second until it is written."""
    job = jobs.job(key)
    if not job.status.state.is_live:
        st.rerun()
    waits = f"Waits its turn: {job.n_ahead} before it" if job.n_ahead else "Writing"
    st.progress(job.step / job.status.steps, text=waits)
    if is_presenter() or job.status.visitor == who:
        st.button(
            "Cancel",
            icon=":material/stop:",
            key="training_write_cancel",
            on_click=_cancel,
            args=(key,),
        )


@st.cache_data(max_entries=1, show_spinner=False)
def _read_written(run: RunFolder) -> SyntheticText:
    return read_written(run)
