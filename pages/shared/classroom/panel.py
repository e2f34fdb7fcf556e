"""The Class button beside a page's title: open a room, let others in, ask, export, close."""

import math
from functools import partial

import streamlit as st

from lm_core.classroom.names import LONGEST_ALIAS
from lm_core.classroom.records import Attendance, RoomState
from lm_core.errors import LMCoreError, RoomError
from pages.shared.classroom.answers_file import answers_button
from pages.shared.classroom.attempts import attempt, show_refusal
from pages.shared.classroom.door import make_familiar
from pages.shared.classroom.own_question import N_ASKED, own_question
from pages.shared.counts import counted
from pages.shared.guesses import Guesses
from pages.shared.rooms.membership import Membership, enter, leave, membership
from pages.shared.rooms.store import store
from pages.shared.trainings.my_work import forget_me
from pages.shared.turns import fragment
from pages.shared.ui.addresses import code_for_phones, for_others, link_to
from pages.shared.ui.controls import follow_link, is_presenting
from pages.shared.ui.messages import show_error
from pages.shared.ui.visitor import address, confirmed_visitor, is_known, visitor

JOIN = "join"  # the page on which a class comes in
_GUESSES, _OPENINGS = Guesses(), Guesses(apart_s=2.0)
_PASSCODE = "lab_room_passcode"


def class_panel() -> None:
    """Draw the Class button; what it opens is drawn once it is open."""
    here = membership()
    # Once a question is asked the panel is another one, and closed: it would cover the picture.
    n_asked = st.session_state.get(N_ASKED, 0)
    with st.container(key="class_panel", width="content"):
        popover = st.popover(
            "Class", icon=":material/groups:", key=f"class_panel_{n_asked}", on_change="rerun"
        )
    if popover.open:
        with popover:
            fragment(_outside if here is None else _inside)(n_asked)


def _outside(n_asked: int) -> None:
    del n_asked
    show_refusal()
    st.markdown(
        "Open a room, and the predictions of every page become questions to your class, without"
        " accounts."
    )
    who = confirmed_visitor("class_panel_visitor_id")
    opens = st.button("Open a room", type="primary", key="class_open", disabled=who is None)
    if opens and _open(who or ""):
        st.rerun()
    st.page_link(f"pages/{JOIN}/page.py", label="Join a class with its code")


def start_with_class() -> None:
    """Draw the button that opens a room, or leads back to it: its code stands in the presenter view."""
    here = membership()
    leads = here is not None and here.member.is_presenter and here.state.is_open
    starts = st.button(
        f"On with class {here.code}" if here and leads else "Start with my class",
        icon=":material/groups:",
        help="A room, the code by which phones come in, who has come, and the lessons.",
        key="class_start",
    )
    if not starts:
        return
    if not is_known():
        st.info("Your browser has not answered yet: press it again.")
    elif leads or _open(visitor()):
        follow_link(link_to(JOIN, {"present": 1}))


def _open(visitor: str) -> bool:
    """Open a room and be in it; where many were opened from here a moment ago, after a wait: codes are everybody's."""
    asked_from = address()
    wait_s = _OPENINGS.wait_s(asked_from, visitor) if asked_from else 0.0
    if wait_s > 0.0:
        st.warning(
            "Several rooms were opened from your network just now. Press the button again in"
            f" {math.ceil(wait_s)} s: your turn is kept for a minute."
        )
        return False
    _OPENINGS.add(asked_from)
    try:
        rooms = store().rooms
        opened = rooms.open(visitor)
        member = rooms.member(opened.code, visitor)
    except LMCoreError as error:
        show_error(error)
        return False
    if member is not None:
        st.session_state[_PASSCODE] = opened.passcode
        make_familiar(opened.code)
        enter(opened.code, visitor, member)
    return member is not None


def _inside(n_asked: int) -> None:
    here = membership()
    if here is None:
        return
    if st.session_state.get(N_ASKED, 0) != n_asked:
        st.rerun()  # what the panel was opened for is done
    show_refusal()
    if here.member.is_presenter:
        _for_presenters(here)
    else:
        _for_students(here)


def _for_students(here: Membership) -> None:
    alias_form(here)
    with st.form("class_take_over", border=False):
        given = st.text_input("Presenter's passcode", type="password", key="class_passcode")
        if st.form_submit_button("Present this class"):
            _take_over(here, given)
    leave_button()


def leave_button(label: str = "Leave the class") -> None:
    """Draw the way out of a class, and with it the choice to be forgotten by a shared computer."""
    forget = st.toggle(
        "Others use this device: forget me here",
        key="class_forget",
        help="Your browser keeps a number by which this lab knows you again, with your name in a class,"
        " your answers, texts and trainings. Without this, whoever uses this browser next would be you.",
    )
    st.button(label, on_click=_leave, args=(forget,), key="class_leave")


def _leave(forget: bool) -> None:
    leave()
    if forget:
        forget_me()


def alias_form(here: Membership) -> None:
    """Draw the field in which a student chooses a name."""
    with st.form("class_alias", border=False):
        alias = st.text_input(
            "Your name in this class", here.member.alias, max_chars=LONGEST_ALIAS, key="class_name"
        )
        if st.form_submit_button("Change"):
            _rename(here, alias)


def _rename(here: Membership, alias: str) -> None:
    try:
        enter(here.code, here.visitor, store().rooms.rename(here.code, here.visitor, alias))
    except LMCoreError as error:
        show_error(error)
        return
    st.rerun()


def _take_over(here: Membership, given: str) -> None:
    """Compare the passcode; where many wrong ones came from here, after a wait."""
    wait_s = _GUESSES.wait_s(address(), here.visitor)
    if wait_s > 0.0:
        st.error(
            "Several wrong passcodes came from your network. Press the button again in"
            f" {math.ceil(wait_s)} s: the right one is accepted then."
        )
        return
    try:
        member = store().rooms.add_presenter(here.code, here.visitor, given)
    except RoomError as error:
        _GUESSES.add(address())
        show_error(error)
        return
    enter(here.code, here.visitor, member)
    st.rerun()


def _for_presenters(here: Membership) -> None:
    state = here.state
    if not state.is_open:
        _closed(here)
        return
    link = for_others(link_to(JOIN, {"code": here.code}))
    image, code = st.columns(2, vertical_alignment="center")
    image.image(code_for_phones(link), width="stretch", alt="Code for phones: it joins this class.")
    with code.container(key="class_code"):
        st.markdown(here.code)
    with st.container(key="class_link"):
        st.code(link, language=None, wrap_lines=True)
    own_question(here)
    answers_button(here)
    with st.expander("Who is here, and the door", key="class_door_fold", on_change="rerun") as fold:
        if fold.open:
            _door(here, state)
    if not is_presenting():
        with st.expander("Passcode, to present from another device"):
            _passcode(here)
    with st.expander("Leave or close the class"):
        leave_button("Leave; the class goes on without you")
        _close(here, state)


def _door(here: Membership, state: RoomState) -> None:
    """Draw who is in the room, and what a presenter may do about it."""
    rooms = store().rooms
    lock = partial(rooms.lock, here.code, here.visitor, is_locked=not state.is_locked)
    st.toggle(
        "Lock the door: nobody new joins",
        value=state.is_locked,
        key=f"class_lock_{state.is_locked}",
        on_change=attempt,
        args=(lock,),
    )
    present = {student.id: student for student in rooms.attendance(here.code, here.visitor)}
    chosen = st.multiselect(
        f"Students: {len(present)}",
        list(present),
        format_func=lambda who: _described(present[who]) if who in present else "",
        placeholder="Choose whom to remove",
        key="class_members",
    )
    st.button(
        "Remove them, and their answers",
        disabled=not chosen,
        key="class_remove",
        help="They cannot come back with this device, and everything they answered is deleted.",
        on_click=attempt,
        args=(rooms.remove, here.code, here.visitor, chosen),
    )


def _described(student: Attendance) -> str:
    answers = counted(student.answer_count, "answer")
    return f"{student.alias}: {answers}{'' if student.is_here else ', has left'}"


def _close(here: Membership, state: RoomState) -> None:
    """Draw the button that ends a class, behind what is lost by it."""
    st.markdown(
        f"Closing ends class **{here.code}** for everybody, and tells"
        f" {counted(state.member_count, 'phone')} that it is over: nobody can join or answer any more, and"
        " it cannot be opened again. The answers can be downloaded for another week."
    )
    st.button(
        f"Close class {here.code} for good",
        on_click=attempt,
        args=(store().rooms.close, here.code, here.visitor),
        key="class_close",
    )


def _closed(here: Membership) -> None:
    """Say that the class is over, and offer its answers and a new room."""
    st.markdown(f"Class **{here.code}** is closed. Its answers can be downloaded for another week.")
    answers_button(here)
    if st.button("Open a new room", type="primary", key="class_open_new") and _open(here.visitor):
        st.rerun()
    leave_button()


def _passcode(here: Membership) -> None:
    known = st.session_state.get(_PASSCODE)
    if known:
        st.code(known, language=None, wrap_lines=True)
    if st.button(
        "New passcode", key="class_new_passcode", help="The old passcode then no longer works."
    ):
        try:
            st.session_state[_PASSCODE] = store().rooms.replace_passcode(here.code, here.visitor)
        except LMCoreError as error:
            show_error(error)
            return
        st.rerun()
