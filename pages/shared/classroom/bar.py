"""The class's bar on every page: what is asked, how many have answered, who leads.

To the presenter it is one line. A question that no picture of the page draws lies beside the picture.
"""

from contextlib import suppress

import streamlit as st

from lm_core.classroom.records import AskedQuestion, RoomState
from lm_core.errors import DatabaseError, LMCoreError, RoomError, WaitError
from pages.shared.classroom import answer_form, following
from pages.shared.classroom.attempts import attempt, forget_refusal, show_refusal
from pages.shared.classroom.class_answers import show_class_answers
from pages.shared.classroom.class_runs import draw_way_to_runs, runs_drawn
from pages.shared.classroom.door import come_in
from pages.shared.classroom.following import come_back, follow, go_own_way, lead
from pages.shared.classroom.lesson_place import place_in_lesson
from pages.shared.classroom.pace import Titles, pace_panel
from pages.shared.classroom.pause import draw_rest, pause_button
from pages.shared.classroom.talk import show_talk, talk_panel, talked_about
from pages.shared.registry import page_at
from pages.shared.rooms.membership import (
    Membership,
    accept,
    be_outside,
    decline,
    invitation,
    keep_room_in_link,
    leave,
    membership,
)
from pages.shared.rooms.store import store
from pages.shared.rooms.watch import forget_bar, watch_bar
from pages.shared.server.streamlit_inside.pushed_runs import can_push
from pages.shared.turns import fragment
from pages.shared.ui.markdown import escaped
from pages.shared.ui.messages import errors_in_place, show_error
from pages.shared.ui.visitor import confirmed_visitor

_ASKS_EVERY_S = 0.8
"""How often a visit looks at the room that is not let in yet, or that the server cannot tell of changes."""
_SEEN, _RUNNING, _REMOVED = "lab_room_seen", "lab_room_running", "lab_room_removed"
_TURNED_AWAY, _NOTICED = "lab_room_turned_away", "lab_room_noticed"


def class_bar(address: str, titles_of: Titles) -> None:
    """Draw the bar of the room that this visit is in; nothing outside of one.

    `titles_of`: callable, returns the titles of a lesson and of its steps.
    """
    following.begin(address)
    code = keep_room_in_link()
    is_in = membership() is not None
    if code is None or not is_in:
        forget_bar()
    if code is not None:
        with st.container(key="class_bar"):
            is_told = is_in and can_push()
            fragment(_bar, run_every=None if is_told else _ASKS_EVERY_S)(code, titles_of)


def _bar(code: str, titles_of: Titles) -> None:
    here = membership()
    if here is None:
        _come_in(code)
        return
    watch_bar(here)
    state = here.state
    if _is_removed(here, state):
        be_outside()
        st.session_state[_TURNED_AWAY] = (
            code,
            "you were removed from this class: ask your teacher",
        )
        st.rerun()
    with suppress(DatabaseError):  # who answers is told; presence is noted the next time
        store().presence.note(here.code, here.member.id)
    _forget_what_is_over(state)
    _invite(here)
    show_refusal()
    if _page_is_outdated(state, is_presenter=here.member.is_presenter):
        st.rerun()
    if here.member.is_presenter:
        lead(here, state)
        _presenter(here, state, titles_of)
    else:
        _student(here, state)


def _come_in(code: str) -> None:
    """Let this visit come in, once the browser has said who it is."""
    visitor = confirmed_visitor("class_visitor_id")
    if visitor is None:
        st.caption(f"Joining class {escaped(code)} …")
        return
    turned_away = st.session_state.get(_TURNED_AWAY, (None, ""))
    if turned_away[0] == code:
        _turn_away(turned_away[1])
        return
    try:
        come_in(code, visitor)
    except (WaitError, DatabaseError) as error:  # the next look asks again
        _turn_away(error)
        return
    except RoomError as error:
        st.session_state[_TURNED_AWAY] = (code, str(error))
        _turn_away(error)
        return
    st.rerun()  # the page was drawn for somebody outside


def _turn_away(why: LMCoreError | str) -> None:
    """Say why this visit is not let in; it is asked for again by a button, or not at all."""
    show_error(why, st.warning)
    with st.container(horizontal=True):
        st.button("Try again", on_click=_ask_again, key="class_try_again")
        st.button("Stay outside", type="tertiary", on_click=leave, key="class_leave_unknown")


def _ask_again() -> None:
    st.session_state.pop(_TURNED_AWAY, None)


def _invite(here: Membership) -> None:
    """Ask whether to change rooms, where a link leads into another: nobody is moved unasked."""
    other = invitation()
    if other is None:
        return
    with st.container(horizontal=True, vertical_alignment="center", key="class_invitation"):
        st.markdown(
            f"This link leads into class **{escaped(other)}**; you are in class **{here.code}**.",
            width="content",
        )
        st.button(f"Join {escaped(other)}, leave {here.code}", on_click=accept, key="class_accept")
        st.button(f"Stay in {here.code}", type="primary", on_click=decline, key="class_decline")


def _is_removed(here: Membership, state: RoomState) -> bool:
    """Return whether a presenter has removed this visit's member since the last look."""
    before = st.session_state.get(_REMOVED)
    st.session_state[_REMOVED] = now = (here.code, state.removed_count)
    return before is not None and before != now and not here.is_still_in()


def _forget_what_is_over(state: RoomState) -> None:
    """Show a refusal no longer than the question that it is about."""
    running = None if state.asked is None else (state.asked.id, state.asked.is_revealed)
    if st.session_state.get(_RUNNING, running) != running:
        forget_refusal()
    st.session_state[_RUNNING] = running


def _page_is_outdated(state: RoomState, *, is_presenter: bool) -> bool:
    """Return whether a question that the page draws has begun or ended since the page was drawn.

    Or whether its answers have been shown to the class since then, runs that it draws have been made,
    or those in its lesson must wait, or need not any more.

    A student's page draws only its own prediction, all others concern the bar alone; a presenter's
    page has them all beside its picture, and its keys reveal one thing at a time.
    """
    asked, seen = state.asked, None
    if asked is not None and (is_presenter or _is_of_this_page(asked)):
        talk = talked_about(state) if is_presenter else None
        seen = (asked.id, asked.is_revealed, following.page_draws(asked), talk)
    page = following.page()
    is_shown = page in state.answers_shown
    runs = runs_drawn(state, is_presenter=is_presenter)
    waits = None if is_presenter or place_in_lesson() is None else state.waits_at
    before = st.session_state.get(_SEEN, (page, None, is_shown, runs, waits))
    st.session_state[_SEEN] = now = (page, seen, is_shown, runs, waits)
    return before[0] == page and before != now


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
        if state.is_open:
            draw_way_to_runs(state)
    if state.is_open and state.is_paused:
        draw_rest()
    if state.asked is not None and state.is_open:
        _question_for_student(here, state, state.asked)


def _question_for_student(here: Membership, state: RoomState, asked: AskedQuestion) -> None:
    if not asked.is_revealed:
        _notice(asked)
        answer_form.draw(here, asked, has_picture=following.page_draws(asked))
    elif talked_about(state):
        show_talk(here.code, asked.question)
    elif not following.page_draws(asked):
        show_class_answers(asked, here.own_answer(asked.id), state.removed_count)


def _notice(asked: AskedQuestion) -> None:
    """Say once that a question has come: who has scrolled down does not see it, and nothing of the page moves."""
    if st.session_state.get(_NOTICED) != asked.id:
        st.session_state[_NOTICED] = asked.id
        st.toast(
            "Your teacher has asked a question. It is at the top of this page.",
            icon=":material/contact_support:",
            duration="long",
        )


def _presenter(here: Membership, state: RoomState, titles_of: Titles) -> None:
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown(f":blue-badge[{here.code}] {_count(state)}", width="content")
        if not state.is_open:
            st.markdown(
                "The class is over. Its answers can be downloaded under *Class*.", width="content"
            )
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
            if state.asked.is_revealed and state.answer_count:
                talk_panel(here, state, state.asked)
        pace_panel(here, state, titles_of)
        pause_button(here, state)
    if not page_at(following.page()).minutes:
        _asked_of_all(here, state)


def class_card() -> None:
    """Draw, beside a presenter's picture, what the class was asked and the picture does not show."""
    here = membership()
    if here is None or not here.member.is_presenter:
        return
    with errors_in_place():
        _asked_of_all(here, here.state)


def _asked_of_all(here: Membership, state: RoomState) -> None:
    asked = state.asked
    if asked is None or not state.is_open:
        return
    if talked_about(state):
        show_talk(here.code, asked.question)
        return
    if following.page_draws(asked):
        return
    if asked.is_revealed:
        show_class_answers(asked, None, state.removed_count)
        return
    with st.container(border=True, key="class_card"):
        st.markdown(answer_form.written(asked.question))


def _count(state: RoomState) -> str:
    """Say how many are here, or of them how many have answered, and how many have left."""
    students = "student" if state.here_count == 1 else "students"
    count = f"**{state.here_count}** {students}"
    if state.asked is not None and state.is_open:
        count = f"**{state.here_answer_count}** of {state.here_count} have answered"
    n_left = state.member_count - state.here_count
    return f"{count} · {n_left} left" if n_left else count


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
