"""Train a model in front of the class: on the book, on a text of one's own, on what a model wrote."""

import streamlit as st

from lm_core.errors import RunError, SettingError, TextError
from lm_core.experiments.war_and_peace.experiment import NAME
from lm_core.experiments.war_and_peace.presets import PRESETS, continued
from lm_core.jobs.jobs import Job
from lm_core.text.catalogue import WAR_AND_PEACE
from lm_core.text.corpora import locate
from lm_core.training.checkpoints import CheckpointMeta, read_meta
from lm_core.training.model_vocabulary import vocabulary_of
from lm_core.training.recipes import Recipe
from pages.shared import page
from pages.shared.frame.jobs_panel import jobs_panel
from pages.shared.frame.training_form import training_form
from pages.shared.models.pretrained import PRETRAINED
from pages.shared.server.component import component
from pages.shared.trainings.training_requests import training_setting
from pages.shared.trainings.trainings import live_trainings, name_of_model
from pages.shared.ui.markdown import escaped
from pages.shared.ui.visitor import visitor
from pages.war_and_peace.materials import SOURCES, material_of

VIEW = "Train your own"
_PAGE_TOP = component("page_top")
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
    meta : CheckpointMeta, of the chosen model: a training may start from it
    who : str or None, as `open_own_training` says
    """
    who, is_too_large = who or visitor(), meta.name == PRETRAINED
    sources = SOURCES if locate(WAR_AND_PEACE.name) else SOURCES[1:]
    source = training_setting(
        st.segmented_control, "text", "Text to learn from", list(sources), default=sources[0]
    )
    title, tip = escaped(meta.title), "Start from its weights instead of random ones."
    continues = training_setting(
        st.toggle, "continue", f"Start from {title}", help=tip, disabled=is_too_large
    )
    continues = continues and not is_too_large
    try:
        vocabulary = vocabulary_of(meta) if continues else None
        material = material_of(source or sources[0], vocabulary, who)
        recipes: dict[str, Recipe] = dict(PRESETS)
        if continues:
            recipe = continued(meta)
            recipes = {recipe.name: recipe}
    except (TextError, SettingError, RunError) as error:
        page.show_error(error, icon=":material/text_fields:")
    else:
        if material:
            training_form(recipes, material, who)
    st.header("Trainings on this server", anchor=False)
    jobs_panel(who, _use, unit="character")
    _PAGE_TOP(key="training_page_top", data={"request": st.session_state.get(_N_USED, 0)})


def _use(job: Job) -> None:
    """Choose a training's model as the one that writes, and show its text at the top of the page."""
    st.session_state[_N_USED] = st.session_state.get(_N_USED, 0) + 1
    st.session_state["model"] = name_of_model(job)
    st.session_state["snapshot"] = read_meta(job.run.checkpoint).steps
    if job.config.characters:  # a vocabulary of its own: our prompt may mean nothing to it
        st.session_state["prompt"] = ""
