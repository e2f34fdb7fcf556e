"""A visitor asks for a training: their own settings, whether their class sees it, and what is refused."""

from collections.abc import Callable
from typing import Any, Literal

import streamlit as st

from lm_core.errors import LimitError, LMCoreError
from lm_core.jobs import jobs
from lm_core.jobs.jobs import Job
from lm_core.jobs.records import RunConfig
from pages.shared.rooms.membership import membership
from pages.shared.trainings.training_links import link_of
from pages.shared.trainings.trainings import known_jobs
from pages.shared.ui.controls import control, current_page, follow_link
from pages.shared.ui.markdown import escaped
from pages.shared.ui.messages import show_error
from pages.shared.ui.visitor import address

_REFUSED = "training_refused"
_SEEDS = 99_999  # from so many each student of a class has one of their own


def training_setting(widget: Callable[..., Any], name: str, *args: Any, **settings: Any) -> Any:
    """Draw a control of a training that is about to be started, and return its value; as `control`.

    In a class it is each student's own: the teacher whom they follow changes it for nobody. So links
    carry it outside of a class only, and in one it is kept for the visitor.
    """
    here = membership()
    own = name if here is None else f"class_{name}"
    return control(widget, own, *args, in_link=here is None, **settings)


def choose_training_seed() -> int:
    """Draw the field for a training's seed, and return it.

    Equal settings are one training: of thirty students who press Train, one would have a training
    and twenty-nine would look on. So each student of a class begins with a seed of their own, and
    the link does not carry it: who follows the teacher keeps it. They also see by it how far equal
    settings end apart.
    """
    here = membership()
    own = 1 if here is None else 1 + int(here.member.id, 16) % _SEEDS
    note = (
        None
        if here is None
        else "Choose your own, because equal settings and seeds are one training."
    )
    return int(
        training_setting(
            st.number_input, "train_seed", "Seed of the training", 0, 2**31 - 1, own, help=note
        )
    )


def ask_whether_shared() -> bool:
    """Draw, in a class, the choice to show it a private training; return what is chosen."""
    if membership() is None:
        return False
    return bool(
        control(
            st.checkbox,
            "class_sees_training",
            "My class may read what it writes and use its model",
            in_link=False,
            help="Otherwise your class sees your name and the loss in its ranking, and nothing else of it.",
        )
    )


def train_button(
    key: str,
    label: str = "Train",
    *,
    disabled: bool = False,
    width: Literal["content", "stretch"] = "content",
    help: str | None = None,
) -> bool:
    """Draw the button that starts a training, and return whether it was pressed.

    What it starts is what the page says in the run that a press begins. A callback would be given what
    the button was drawn for, and who types a number and presses at once would train the number before.
    """
    wanted = f"{key}_wanted"
    st.button(
        label,
        icon=":material/model_training:",
        type="primary",
        key=key,
        disabled=disabled,
        width=width,
        help=help,
        on_click=_want,
        args=(wanted,),
    )
    return bool(st.session_state.pop(wanted, False)) and not disabled


def _want(wanted: str) -> None:
    st.session_state[wanted] = True


def submit_training(
    config: Callable[[], RunConfig],
    who: str,
    text: str | None = None,
    *,
    is_private: bool = False,
    is_shared: bool = False,
) -> Job | None:
    """Ask for a training, and return it; `show_refusal` says on the next draw what speaks against it.

    Parameters
    ----------
    config : callable, returns what is to be trained, or raises what speaks against it
    who : str, as `pages.shared.ui.visitor.visitor` says
    text : str, the training text, if its corpus is in no catalogue
    is_private, is_shared : bool, as of `lm_core.jobs.jobs.submit`
    """
    here = membership()
    room, alias = ("", "") if here is None else (here.code, here.member.alias)
    try:
        job = jobs.submit(
            config(),
            text,
            visitor=who,
            address=address(),
            room=room,
            alias=alias,
            is_private=is_private,
            is_shared=is_shared,
        )
    except LMCoreError as error:
        note_refused(error)
        return None
    known_jobs.clear()
    st.session_state.pop(_REFUSED, None)
    st.session_state["job"] = job.key
    return job


def note_refused(error: LMCoreError) -> None:
    """Have `show_refusal` say on this page what speaks against something that was asked for."""
    st.session_state[_REFUSED] = (current_page(), error)


def show_refusal() -> None:
    """Say what speaks against what was asked for last, and lead to the training that is in its way."""
    page, refused = st.session_state.get(_REFUSED, ("", None))
    if refused is None or page != current_page():
        return
    show_error(refused)
    held_by = refused.held_by if isinstance(refused, LimitError) else ""
    in_the_way = next((job for job in known_jobs() if job.key == held_by), None)
    if in_the_way is None or not in_the_way.status.state.is_live:
        del st.session_state[_REFUSED]
    elif st.button(
        f"Go to it: {escaped(in_the_way.config.title)}",
        key="training_in_the_way",
        icon=":material/arrow_forward:",
    ):
        follow_link(link_of(in_the_way))
