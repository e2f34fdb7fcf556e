"""The answers to what a page suggests to try: hidden from a class until its presenter shows them."""

from collections.abc import Sequence
from contextlib import suppress
from functools import partial

import streamlit as st

from lm_core.errors import LMCoreError
from pages.shared.classroom.attempts import attempt
from pages.shared.classroom.following import asks_still
from pages.shared.rooms.membership import Membership, is_at_the_door, membership
from pages.shared.rooms.store import store
from pages.shared.suggestions import Suggestion
from pages.shared.ten_minutes import MINUTES, teaching_steps
from pages.shared.ui.controls import is_presenting
from pages.shared.ui.folds import draw_when_open


def answers_fold(address: str, suggestions: Sequence[Suggestion]) -> None:
    """Fold away the answers for whoever may see them; nothing in the presenter view.

    Whoever is alone may, once the page's own questions are answered, and a presenter, who may show
    them to the class here.
    """
    here = membership()
    is_presenter = here is not None and here.member.is_presenter
    is_shown = here is not None and _class_sees(here, address)
    if is_presenting() or is_at_the_door() or (here is not None and not (is_presenter or is_shown)):
        return
    fold = st.expander("Answers", icon=":material/check:", key="answers", on_change="rerun")
    written = "\n\n".join(f"**{text}**  \n{answer}" for text, answer in suggestions)
    draw_when_open(fold, partial(_draw, written, here is None))
    if here is not None and not is_presenter:
        return
    _teaching_fold(address, here is None)
    if here is None:
        return
    if is_shown:
        st.caption("The class sees these answers.")
        return
    st.button(
        "Show the answers to the class",
        icon=":material/groups:",
        key="show_answers",
        on_click=attempt,
        args=(store().rooms.show_answers, here.code, here.visitor, address),
    )


def _class_sees(here: Membership, address: str) -> bool:
    with suppress(LMCoreError):  # the page goes on without the class, whose bar says why
        return address in here.state.answers_shown
    return False


def _teaching_fold(address: str, is_alone: bool) -> None:
    """Fold away how the page is taught in ten minutes, for whoever teaches or is alone, where that is written."""
    if not (taught := teaching_steps(address)):
        return
    name = f"Teach this page in {sum(MINUTES)} minutes"
    fold = st.expander(name, icon=":material/school:", key="ten_minutes", on_change="rerun")
    steps = zip(MINUTES, taught, strict=True)
    written = (
        f"**{n}. {minutes} min{f', part *{step.part}*' if step.part else ''}.** {step.question}\n\n"
        f"*Likely to be said.* {step.wrong} *Why that is wrong.* {step.why}\n\n"
        f"*What to say.* {step.say}"
        for n, (minutes, step) in enumerate(steps, 1)
    )
    draw_when_open(fold, lambda: _draw("\n\n".join(written), is_alone))


def _draw(answers: str, is_alone: bool) -> None:
    if is_alone and asks_still():
        st.markdown("Some of these answers tell what this page asks: answer its question first.")
        return
    st.markdown(answers)
