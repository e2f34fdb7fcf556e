"""The Class button beside a page's title: open a room, let others in, ask, export, close."""

import math
from collections.abc import Sequence
from functools import partial

import pandas as pd
import streamlit as st

from lm_core.classroom.names import LONGEST_ALIAS
from lm_core.classroom.questions import HOW_TO_ASK, LONGEST_TEXT, parse_question
from lm_core.classroom.records import AnswerRow
from lm_core.errors import LMCoreError, RoomError
from pages.shared.classroom.asking import ask
from pages.shared.classroom.attempts import attempt, show_refusal
from pages.shared.classroom.membership import Membership, enter, leave, membership
from pages.shared.classroom.store import store
from pages.shared.guesses import Guesses
from pages.shared.turns import fragment
from pages.shared.ui.addresses import code_for_phones, for_others, link_to
from pages.shared.ui.controls import is_presenting
from pages.shared.ui.messages import show_error
from pages.shared.ui.visitor import address, confirmed_visitor

JOIN = "join"
"""The page on which a class comes in."""
_GUESSES, _OPENINGS = Guesses(), Guesses()
_PASSCODE = "lab_room_passcode"
_FORMULA = ("=", "+", "-", "@")


def class_panel() -> None:
    """Draw the Class button; what it opens is drawn once it is open."""
    here = membership()
    popover = st.popover("Class", icon=":material/groups:", key="class_panel", on_change="rerun")
    if popover.open:
        with popover:
            fragment(_outside if here is None else _inside)()


def _outside() -> None:
    show_refusal()
    st.markdown(
        "Open a room, and the predictions of every page become questions to your class, without"
        " accounts."
    )
    visitor = confirmed_visitor("class_panel_visitor_id")
    if st.button("Open a room", type="primary", key="class_open", disabled=visitor is None):
        _open(visitor or "")
    st.page_link(f"pages/{JOIN}/page.py", label="Join a class with its code")


def _open(visitor: str) -> None:
    """Open a room, unless many were opened from here a moment ago: the codes are everybody's."""
    asked_from = address()
    wait_s = _OPENINGS.wait_s(asked_from) if asked_from else 0.0
    if wait_s > 0.0:
        st.error(
            f"Several rooms were opened from here just now: try again in {math.ceil(wait_s)} s."
        )
        return
    _OPENINGS.add(asked_from)
    try:
        rooms = store().rooms
        opened = rooms.open(visitor)
        member = rooms.member(opened.code, visitor)
    except LMCoreError as error:
        show_error(error)
        return
    if member is not None:
        st.session_state[_PASSCODE] = opened.passcode
        enter(opened.code, visitor, member)
        st.rerun()


def _inside() -> None:
    here = membership()
    if here is None:
        return
    show_refusal()
    if here.member.is_presenter:
        _for_presenters(here)
    else:
        _for_students(here)


def _for_students(here: Membership) -> None:
    _alias(here)
    with st.form("class_take_over", border=False):
        given = st.text_input("Presenter's passcode", type="password", key="class_passcode")
        if st.form_submit_button("Present this class"):
            _take_over(here, given)
    st.button("Leave the class", on_click=leave, key="class_leave")


def _alias(here: Membership) -> None:
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
    """Compare the passcode, unless too many wrong ones came: then nobody learns anything by trying."""
    wait_s = _GUESSES.wait_s(address())
    if wait_s > 0.0:
        st.error(f"Too many wrong passcodes: try again in {math.ceil(wait_s)} s.")
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
    link = for_others(link_to(JOIN, {"code": here.code}))
    image, code = st.columns(2, vertical_alignment="center")
    image.image(code_for_phones(link), width="stretch")
    with code.container(key="class_code"):
        st.markdown(here.code)
    with st.container(key="class_link"):
        st.code(link, language=None)
    with st.form("class_ask", border=False, clear_on_submit=True):
        line = st.text_input(
            "A question of your own", max_chars=4 * LONGEST_TEXT, key="class_line", help=HOW_TO_ASK
        )
        st.form_submit_button("Ask the class", on_click=_ask_line, args=(here,))
    del line
    with st.container(horizontal=True):
        st.download_button(
            "Answers (CSV)",
            partial(_csv, here),
            file_name=f"class-{here.code}.csv",
            mime="text/csv",
            on_click="ignore",
            key="class_csv",
        )
        if here.state.is_open:
            close = store().rooms.close
            st.button(
                "Close the class",
                on_click=attempt,
                args=(close, here.code, here.visitor),
                key="class_close",
            )
        st.button("Leave", type="tertiary", on_click=leave, key="class_leave")
    if not is_presenting():
        with st.expander("Passcode, to present from another device"):
            _passcode(here)


def _ask_line(here: Membership) -> None:
    line = st.session_state.get("class_line", "")
    attempt(lambda: ask(here, parse_question(line)))


def _passcode(here: Membership) -> None:
    known = st.session_state.get(_PASSCODE)
    if known:
        st.code(known, language=None)
    if st.button("New passcode", key="class_new_passcode", help="The old one is void then."):
        try:
            st.session_state[_PASSCODE] = store().rooms.replace_passcode(here.code, here.visitor)
        except LMCoreError as error:
            show_error(error)
            return
        st.rerun()


def _csv(here: Membership) -> str:
    return answers_frame(store().rooms.all_answers(here.code, here.visitor)).to_csv(index=False)


def answers_frame(rows: Sequence[AnswerRow]) -> pd.DataFrame:
    """Return a class's answers as a table, in which no spreadsheet finds a formula."""
    return pd.DataFrame(
        {
            "question": [row.question.id for row in rows],
            "page": [row.question.question.page for row in rows],
            "text": [_plain(row.question.question.text) for row in rows],
            "kind": [row.question.question.kind for row in rows],
            "name": [_plain(row.alias) for row in rows],
            "answer": [_plain(row.value) for row in rows],
            "right": [_plain(row.question.question.right or "") for row in rows],
            "seconds": [round(row.seconds, 1) for row in rows],
        }
    )


def _plain(text: str) -> str:
    """Return a text that a spreadsheet shows: with a quote before what it would compute."""
    try:
        float(text)
    except ValueError:
        return f"'{text}" if text.startswith(_FORMULA) else text
    return text
