"""The class's bar on every page: what is asked, how many have answered, who leads.

To the presenter it is one line. A question that no picture of the page draws lies beside the picture.
"""

import streamlit as st

from lm_core.classroom.records import AskedQuestion, RoomState
from lm_core.errors import LMCoreError
from pages.shared.classroom import answer_form, following
from pages.shared.classroom.attempts import attempt, show_refusal
from pages.shared.classroom.class_answers import show_class_answers
from pages.shared.classroom.following import come_back, follow, go_own_way, lead
from pages.shared.classroom.membership import (
    Membership,
    enter_again,
    keep_room_in_link,
    leave,
    membership,
)
from pages.shared.classroom.store import store
from pages.shared.registry import page_at
from pages.shared.turns import fragment
from pages.shared.ui.markdown import escaped
from pages.shared.ui.messages import errors_in_place, show_error
from pages.shared.ui.visitor import confirmed_visitor

_STUDENT_S, _PRESENTER_S = 0.8, 0.5
"""How often a visit looks whether something has changed."""
_SEEN = "lab_room_seen"


def class_bar(address: str) -> None:
    """Draw the bar of the room that this visit is in; nothing outside of one."""
    following.begin(address)
    code = keep_room_in_link()
    if code is None:
        return
    here = membership()
    is_presenter = here is not None and here.member.is_presenter
    with st.container(key="class_bar"):
        fragment(_bar, run_every=_PRESENTER_S if is_presenter else _STUDENT_S)(code)


def _bar(code: str) -> None:
    here = membership()
    if here is None:
        _come_in(code)
        return
    show_refusal()
    state = here.state
    if _page_is_outdated(state.asked, is_presenter=here.member.is_presenter):
        st.rerun()
    if here.member.is_presenter:
        lead(here, state)
        _presenter(here, state)
    else:
        _student(here, state)


def _come_in(code: str) -> None:
    """Let this visit come in, once the browser has said who it is."""
    visitor = confirmed_visitor("class_visitor_id")
    if visitor is None:
        st.caption(f"Joining class {escaped(code)} …")
        return
    try:
        enter_again(code, visitor)
    except LMCoreError as error:
        show_error(error, st.warning)
        st.button("Leave the class", on_click=leave, key="class_leave_unknown")
        return
    st.rerun()  # the page was drawn for somebody outside


def _page_is_outdated(asked: AskedQuestion | None, *, is_presenter: bool) -> bool:
    """Return whether a question that the page draws has begun or ended since the page was drawn.

    A student's page draws only its own prediction, all others concern the bar alone; a presenter's
    page has them all beside its picture.
    """
    seen = None
    if asked is not None and (is_presenter or _is_of_this_page(asked)):
        seen = (asked.id, asked.is_revealed, following.page_draws(asked))
    before = st.session_state.get(_SEEN, (following.page(), None))
    st.session_state[_SEEN] = (following.page(), seen)
    return before[0] == following.page() and before[1] != seen


def _is_of_this_page(asked: AskedQuestion) -> bool:
    return bool(asked.question.name) and following.is_at(asked.question.page)


def _student(here: Membership, state: RoomState) -> None:
    way = follow(state)
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown(f":blue-badge[{here.code}] **{escaped(here.member.alias)}**", width="content")
        if not state.is_open:
            st.markdown("The class is over.", width="content")
        elif way == "led":
            st.markdown(":material/follow_the_signs: following", width="content")
            if st.button("My own way", type="tertiary", key="class_own_way"):
                go_own_way()
                st.rerun()
        elif way == "own":
            st.markdown("on your own", width="content")
            st.button("Follow your teacher", key="class_come_back", on_click=come_back)
    if state.asked is not None and state.is_open:
        _question_for_student(here, state.asked)


def _question_for_student(here: Membership, asked: AskedQuestion) -> None:
    if not asked.is_revealed:
        answer_form.draw(here, asked, has_picture=following.page_draws(asked))
    elif not following.page_draws(asked):
        show_class_answers(asked, here.own_answer(asked.id))


def _presenter(here: Membership, state: RoomState) -> None:
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        students = "student" if state.member_count == 1 else "students"
        count = f"**{state.member_count}** {students}"
        if state.asked is not None and state.is_open:
            count = f"**{state.answer_count}** of {state.member_count} have answered"
        st.markdown(f":blue-badge[{here.code}] {count}", width="content")
        if not state.is_open:
            st.markdown("The class is over: its answers can be had from *Class*.", width="content")
            return
        leads = state.leader == here.member.id
        st.toggle(
            "They follow me",
            value=leads,
            key=f"class_leads_{leads}",
            on_change=attempt,
            args=(following.stop_leading if leads else following.start_leading, here),
        )
        if state.asked is not None:
            _question_for_presenter(here, state.asked)
    if not page_at(following.page()).minutes:
        _asked_of_all(state)


def class_card() -> None:
    """Draw, beside a presenter's picture, what the class was asked and the picture does not show."""
    here = membership()
    if here is None or not here.member.is_presenter:
        return
    with errors_in_place():
        _asked_of_all(here.state)


def _asked_of_all(state: RoomState) -> None:
    asked = state.asked
    if asked is None or not state.is_open or following.page_draws(asked):
        return
    if asked.is_revealed:
        show_class_answers(asked, None)
        return
    with st.container(border=True, key="class_card"):
        st.markdown(answer_form.written(asked.question))


def _question_for_presenter(here: Membership, asked: AskedQuestion) -> None:
    if not asked.is_revealed:
        st.button(
            "Reveal",
            type="primary",
            key="class_reveal",
            shortcut="A",
            on_click=attempt,
            args=(store().rooms.reveal, here.code, here.visitor, asked.id),
        )
    st.button(
        "Done" if asked.is_revealed else "Take back",
        icon=":material/check:" if asked.is_revealed else ":material/undo:",
        key="class_take_back",
        on_click=attempt,
        args=(store().rooms.take_back, here.code, here.visitor, asked.id),
    )
