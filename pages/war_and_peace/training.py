"""Train a model in front of the class: on the book, on a text of one's own, on what a model wrote."""

from pathlib import Path

import streamlit as st

from lm_core.errors import SettingError, TextError
from lm_core.experiments.war_and_peace.presets import PRESETS, continued
from lm_core.experiments.war_and_peace.synthetic_text import SyntheticText, write_text
from lm_core.jobs.jobs import Job
from lm_core.text.catalogue import WAR_AND_PEACE
from lm_core.text.character_vocabulary import SOURCE, CharacterVocabulary
from lm_core.text.corpora import CORPORA, locate
from lm_core.text.own_text import LARGEST_BYTES, OwnText, read_own_text
from lm_core.text.training_text import load_book, own_training_text
from lm_core.text.vocabularies import vocabulary_named
from lm_core.training.checkpoints import CheckpointMeta
from lm_core.training.model_vocabulary import vocabulary_of
from lm_core.training.recipes import Recipe
from pages.shared.models import model_named
from pages.shared.server import model_calls
from pages.shared.ui.controls import control
from pages.shared.ui.jobs_panel import jobs_panel
from pages.shared.ui.training_form import Material, training_form
from pages.shared.ui.trainings import name_of_model
from pages.shared.ui.visitor import visitor

_BOOK, _OWN, _WRITTEN = "The book", "Your own text", "Written by a model"
_WRITER = "source-lstm"
_WRITTEN_KEY = "training_written_text"


def train_your_own(meta: CheckpointMeta) -> None:
    """Draw the choice of a text, the settings of a training, and the trainings of this machine.

    Parameters
    ----------
    meta : CheckpointMeta
        Of the chosen model: a training may start from it.
    """
    who = visitor()
    sources = [_BOOK] * bool(locate(WAR_AND_PEACE.name)) + [_OWN, _WRITTEN]
    source = control(
        st.segmented_control, "text", "Text to learn from", sources, default=sources[0]
    )
    continues = control(
        st.toggle,
        "continue",
        f"Start from {meta.title}",
        help="Start from its weights instead of random ones.",
    )
    try:
        material = _material(source or sources[0], vocabulary_of(meta) if continues else None)
        recipes = _recipes(meta, continues)
    except (TextError, SettingError) as error:
        st.error(str(error), icon=":material/text_fields:")
    else:
        if material:
            training_form(recipes, material, who)
    st.subheader("Trainings on this server", anchor=False)
    jobs_panel(who, _use)


def _recipes(meta: CheckpointMeta, continues: bool) -> dict[str, Recipe]:
    """Return what may be trained: the presets, or the recipe that continues the chosen model."""
    if not continues:
        return dict(PRESETS)
    recipe = continued(meta)
    return {recipe.name: recipe}


def _use(job: Job) -> None:
    """Choose a training's model as the one that writes."""
    st.session_state["model"] = name_of_model(job)
    if job.config.characters:  # a vocabulary of its own: our prompt may mean nothing to it
        st.session_state["prompt"] = ""


# Texts ----------------------------------------------------------------------------------------


def _material(source: str, vocabulary: CharacterVocabulary | None) -> Material | None:
    """Return the text that was chosen, in a vocabulary or its own; None as long as there is none."""
    if source == _BOOK:
        return _book(locate(WAR_AND_PEACE.name), (vocabulary or SOURCE).name)
    if source == _OWN:
        return _own(vocabulary)
    written = _written()
    if written is None:
        return None
    n_characters = len(written.text)
    title = f"{n_characters / 1e6:.2g} M characters by {written.title}"
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
        f"Plain text in any alphabet, up to {LARGEST_BYTES / 1e6:g} MB. It stays on this server until"
        " its training has ended; its model stays longer, and may have memorised parts."
    )
    left, right = st.columns(2)
    with left:
        file = st.file_uploader("A text file", type="txt", key="training_file")
    with right:
        pasted = st.text_area("or paste it here", key="training_pasted", height=110)
    if file is None and not pasted:
        return None
    own = _read(file.getvalue() if file else pasted)
    return _own_material(own, vocabulary, file.name if file else "your text")


@st.cache_data(max_entries=4, show_spinner="Reading your text")
def _read(content: bytes | str) -> OwnText:
    return read_own_text(content)


def _own_material(own: OwnText, vocabulary: CharacterVocabulary | None, name: str) -> Material:
    text = own_training_text(own, vocabulary)
    unknown = float((text.ids == 0).mean())
    lost = f" {unknown:.1%} of it are characters outside this vocabulary." if unknown else ""
    changes = f" What was done to it: {'; '.join(own.changes)}." if own.changes else ""
    read_as = "" if own.encoding == "none" else f", read as {own.encoding}"
    st.caption(
        f"{len(own.text):,} characters{read_as}, {len(text.vocabulary)} different symbols.{lost}{changes}"
    )
    return Material(name, text.corpus, text.sha256, text.vocabulary, len(text.ids), own.text)


def _written() -> SyntheticText | None:
    """Return the text that a model wrote for this visit; None before it was asked to."""
    written = st.session_state.get(_WRITTEN_KEY)
    if written is None:
        st.caption(
            "For a server without the book: a shipped model writes a megabyte, in some seconds. It is"
            " a substitute: a model trained on it learns that model's mistakes too."
        )
        if st.button("Write a megabyte", icon=":material/edit_note:", key="training_write"):
            written = st.session_state[_WRITTEN_KEY] = _write()
    if written is not None:
        st.caption(f"{len(written.text):,} characters, {written.corpus}. They begin:")
        with st.container(border=True):
            st.text(written.text[:200])
    return written


def _write() -> SyntheticText:
    """Let the model write; whatever is touched meanwhile stops it."""
    bar = st.progress(0.0, text="Writing; touch any control to stop")
    writing = write_text(model_named(_WRITER), seed=1)
    while True:
        with model_calls:
            progress = next(writing)
        bar.progress(progress.share, text="Writing; touch any control to stop")
        if progress.written:
            bar.empty()
            return progress.written
