"""Whether this visit is in a class room: the URL names the room, the browser says who comes back."""

from typing import NamedTuple

import streamlit as st

from lm_core.classroom.names import plain_code
from lm_core.classroom.records import Member, RoomState
from pages.shared.rooms.store import store
from pages.shared.ui.controls import ROOM

_CODE, _MEMBERSHIP, _ANSWER = "lab_room", "lab_membership", "lab_room_answer"
_INVITED = "lab_room_invited"


class Membership(NamedTuple):
    """In which room a visit is, by which visitor, and as whom."""

    code: str
    visitor: str
    member: Member

    @property
    def state(self) -> RoomState:
        """What the room is like, a moment old at most."""
        return store().states.state(self.code)

    def own_answer(self, question_id: int) -> str | None:
        """Return what this visit has answered to a question; the database is asked once."""
        known = st.session_state.get(_ANSWER)
        if known is None or known[0] != question_id:
            answer = store().rooms.own_answer(self.code, self.visitor, question_id)
            st.session_state[_ANSWER] = known = (question_id, answer)
        return known[1]

    def answer(self, question_id: int, value: str) -> None:
        """Answer a question; raises RoomError if it is no answer to it, or it runs no more."""
        if st.session_state.get(_ANSWER) == (question_id, value):
            return  # a browser may say twice what it has said
        kept = store().rooms.answer(self.code, self.visitor, question_id, value)
        st.session_state[_ANSWER] = (question_id, kept)

    def is_still_in(self) -> bool:
        """Return whether this visit's member has not been removed."""
        return store().rooms.member(self.code, self.visitor) is not None

    def changed(self) -> None:
        """Look anew: this visit has changed the room."""
        store().states.forget(self.code)


def keep_room_in_link() -> str | None:
    """Return the room of this visit; the URL names it, which the menu's links do not.

    A link that names another room moves nobody out of theirs: `invitation` returns its code then.
    """
    asked = plain_code(st.query_params.get(ROOM, ""))
    own = st.session_state.get(_CODE)
    if asked and asked != own and membership() is not None:
        st.session_state[_INVITED] = asked
        code = own
    else:
        code = asked or own
    if code is None:
        return None
    if code != st.session_state.get(_CODE):
        st.session_state[_CODE] = code
        st.session_state.pop(_MEMBERSHIP, None)
    if code != st.query_params.get(ROOM):
        st.query_params[ROOM] = code
    return code


def invitation() -> str | None:
    """Return the other room that a link has asked this visit into; None if none has."""
    return st.session_state.get(_INVITED)


def decline() -> None:
    """Stay where one is."""
    st.session_state.pop(_INVITED, None)


def accept() -> None:
    """Leave this room for the one that a link has asked this visit into; its bar lets them in."""
    asked = invitation()
    leave()
    if asked is not None:
        st.session_state[_CODE] = st.query_params[ROOM] = asked


def membership() -> Membership | None:
    """Return in which room this visit is; None outside, and until the browser has said who it is."""
    return st.session_state.get(_MEMBERSHIP)


def is_at_the_door() -> bool:
    """Return whether this visit has been asked into a room that it is not in, or not yet."""
    return membership() is None and _CODE in st.session_state


def enter(code: str, visitor: str, member: Member) -> Membership:
    """Let this visit go on as a member of a room."""
    entered = Membership(plain_code(code), visitor, member)
    st.session_state[_CODE], st.session_state[_MEMBERSHIP] = entered.code, entered
    st.query_params[ROOM] = entered.code
    return entered


def be_outside() -> None:
    """End this visit's part in a room, in front of whose door it stays."""
    for key in (_MEMBERSHIP, _ANSWER):
        st.session_state.pop(key, None)


def leave() -> None:
    """End this visit's part in a room; who comes back has the same name."""
    for key in (_CODE, _MEMBERSHIP, _ANSWER, _INVITED):
        st.session_state.pop(key, None)
    st.query_params.pop(ROOM, None)
