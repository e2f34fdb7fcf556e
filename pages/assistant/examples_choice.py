"""Which task is shown by examples, in which form."""

from typing import NamedTuple

import streamlit as st

from lm_core.experiments.assistant.study import LEARNED, RIGHT, SHUFFLED
from lm_core.experiments.assistant.tasks import COPY, NAMED, OPPOSITE, PLURAL, SHORT, TRANSLATE
from pages.shared import page

TASK_TITLES = {COPY: "Repeat", PLURAL: "Plural", OPPOSITE: "Opposite", TRANSLATE: "French"}
STYLE_TITLES = {SHORT: "- dog: chien", NAMED: "translate: dog / answer: chien"}
_CONTROL = {RIGHT: "none", SHUFFLED: "answers shuffled", LEARNED: "words it was tuned on"}
_FIRST = PLURAL


class Asked(NamedTuple):
    """What is shown: a task, a form of the prompt, and what the tuned model is compared with."""

    task: str
    style: str
    compared: str

    @property
    def is_first(self) -> bool:
        """Whether the page opens on it."""
        return self == Asked(_FIRST, SHORT, LEARNED)


def choose_task(screen: page.FirstScreen) -> Asked:
    """Draw the choice of the task, and return it."""
    with screen.controls:
        task = page.segments("task", "Task", TASK_TITLES, _FIRST)
        with st.popover("More", icon=":material/tune:"):
            style = choose_style()
            compared = page.segments("compared", "Beside the tuned model", _CONTROL, LEARNED)
    return Asked(str(task), style, str(compared))


def choose_style() -> str:
    """Draw the choice of the prompt's form, and return it."""
    return page.segments("style", "Form of the prompt", STYLE_TITLES, SHORT)
