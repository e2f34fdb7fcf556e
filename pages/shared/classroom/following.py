"""Follow me: the presenter's page and settings on the phones of the class, until a student leaves."""

from typing import Literal

import streamlit as st

from lm_core.classroom.records import AskedQuestion, Place, RoomState
from pages.shared.classroom.lesson_place import forget as forget_lesson
from pages.shared.classroom.lesson_place import place_in_lesson
from pages.shared.rooms.membership import Membership, membership
from pages.shared.rooms.store import store
from pages.shared.rooms.watch import note_page_drawn
from pages.shared.ui.addresses import link_to
from pages.shared.ui.controls import drawn_controls, follow_link
from pages.shared.ui.messages import errors_in_place

Way = Literal["nowhere", "led", "own"]
"""Whether nobody leads, the class is led and this student with it, or goes a way of their own."""

_PAGE, _IS_WHOLE = "lab_room_page", "lab_room_page_is_whole"
_DRAWN, _UNDRAWN, _REVEALED = "lab_room_drawn", "lab_room_undrawn", "lab_room_revealed"
_OPEN = "lab_questions_open"
_FOLLOWED, _IS_ON_OWN, _OWN_PLACE = "lab_room_followed", "lab_room_on_own", "lab_room_own_place"


def begin(address: str) -> None:
    """Note which page is being drawn; until it is whole, nobody is led to it."""
    st.session_state[_PAGE], st.session_state[_IS_WHOLE] = address, False
    st.session_state[_DRAWN] = None
    st.session_state[_REVEALED] = []
    st.session_state[_OPEN] = []


def note_revealed(name: str) -> None:
    """Note that the page draws the answer to one of its predictions: who is led here sees it, too."""
    st.session_state.setdefault(_REVEALED, []).append(name)


def note_open(name: str) -> None:
    """Note that the page has asked one of its predictions, and hides the answer."""
    st.session_state.setdefault(_OPEN, []).append(name)


def asks_still() -> bool:
    """Return whether the page, as it was drawn last, hides the answer to a prediction."""
    return bool(st.session_state.get(_OPEN))


def end() -> None:
    """Lead the class to this page with its settings, if this visit leads; call it at a page's end."""
    st.session_state[_IS_WHOLE] = True
    here = membership()
    if here is None:
        return
    note_page_drawn()
    with errors_in_place():
        state = here.state
        if state.asked is not None and st.session_state.get(_DRAWN) != state.asked.id:
            st.session_state[_UNDRAWN] = state.asked.id
        if here.member.is_presenter:
            lead(here, state)


def lead(here: Membership, state: RoomState) -> None:
    """Lead the class to where this visit is, if it leads and has moved."""
    if state.leader == here.member.id and st.session_state.get(_IS_WHOLE):
        place = _place()
        if place != state.place:
            _set_place(here, place)


def start_leading(here: Membership) -> None:
    """Lead the class from here on, in place of whoever led it."""
    _set_place(here, _place())


def stop_leading(here: Membership) -> None:
    """Lead the class no more."""
    _set_place(here, None)


def _set_place(here: Membership, place: Place | None) -> None:
    store().rooms.lead(here.code, here.visitor, place)
    here.changed()


def follow(state: RoomState) -> Way:
    """Open the page to which the presenter leads, with its settings, unless this is it.

    Who opens another page by the menu goes a way of their own from there on.
    """
    if state.place is None:
        return "nowhere"
    followed = st.session_state.get(_FOLLOWED)
    if followed == state.place and st.session_state.get(_PAGE) != state.place.page:
        st.session_state[_IS_ON_OWN] = True
    if st.session_state.get(_IS_ON_OWN):
        return "own"
    if followed != state.place:
        st.session_state[_FOLLOWED] = state.place
        forget_lesson()
        follow_link(_link(state.place))
    return "led"


def is_led() -> bool:
    """Return whether this student's page is where a presenter has led it."""
    here = membership()
    if here is None or here.member.is_presenter or st.session_state.get(_IS_ON_OWN):
        return False
    return st.session_state.get(_FOLLOWED) is not None


def go_own_way() -> None:
    """Stay when the presenter goes on, and go back to where one was on one's own before."""
    st.session_state[_IS_ON_OWN] = True
    if own := st.session_state.get(_OWN_PLACE):
        follow_link(_link(own))


def come_back() -> None:
    """Follow the presenter again; where one was on one's own is kept."""
    st.session_state[_OWN_PLACE] = _place()
    for key in (_IS_ON_OWN, _FOLLOWED):
        st.session_state.pop(key, None)


def is_at(address: str) -> bool:
    """Return whether this visit looks at a page."""
    return st.session_state.get(_PAGE) == address


def note_drawn(question_id: int) -> None:
    """Note that the page draws a question of the class in its own picture."""
    st.session_state[_DRAWN] = question_id
    if st.session_state.get(_UNDRAWN) == question_id:
        del st.session_state[_UNDRAWN]


def page_draws(asked: AskedQuestion) -> bool:
    """Return whether this page draws a question itself: it is of this page, and of what is shown of it."""
    is_here = bool(asked.question.name) and is_at(asked.question.page)
    return is_here and st.session_state.get(_UNDRAWN) != asked.id


def page() -> str:
    """Return the address of the page that is being drawn."""
    return st.session_state.get(_PAGE, "")


def settings_link() -> str:
    """Return the link to this page as this visit has set it; what is at its default is left out."""
    asked = {name: st.query_params.get_all(name) for name in drawn_controls()}
    return link_to(page(), {name: values for name, values in asked.items() if values})


def _place() -> Place:
    parameters = {name: list(drawn.values) for name, drawn in drawn_controls().items()}
    if hidden := st.query_params.get("hide"):
        parameters["hide"] = [hidden]
    if revealed := st.session_state.get(_REVEALED):
        parameters["reveal"] = [",".join(revealed)]
    if step := place_in_lesson():
        parameters |= {name: [value] for name, value in step.parameters.items()}
    return Place(page(), parameters)


def _link(place: Place) -> str:
    return link_to(place.page, place.parameters)
