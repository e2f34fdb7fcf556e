"""Where a visit is in a lesson: its link says so, and the visit remembers it on other pages."""

from typing import NamedTuple

import streamlit as st

PLACE = ("lesson", "lesson_step")
"""The parameters of a link that say which lesson is on, and how far."""
_NAME, _STEP = PLACE
_ON = "lab_lesson"


class Place(NamedTuple):
    """Which lesson is on, and which of its steps, from 1."""

    name: str
    step: int

    @property
    def parameters(self) -> dict[str, str]:
        """As a link has it."""
        return dict(zip(PLACE, map(str, self), strict=True))


def place_in_lesson() -> Place | None:
    """Return where the link, or else this visit, is in a lesson; None outside of one."""
    asked = st.query_params
    if _STEP in asked:
        step = asked[_STEP]
        return Place(asked.get(_NAME, ""), int(step) if step.isdecimal() and len(step) < 4 else 1)
    return None if _NAME in asked else st.session_state.get(_ON)


def remember(place: Place) -> None:
    """Keep a place for this visit, and in its link."""
    st.session_state[_ON] = place
    for name, value in place.parameters.items():
        if st.query_params.get(name) != value:
            st.query_params[name] = value


def leave() -> None:
    """Be in no lesson any more."""
    st.session_state.pop(_ON, None)
    for name in PLACE:
        if name in st.query_params:
            del st.query_params[name]


def forget() -> None:
    """Be in no lesson on the page that is opened next, unless its link names one."""
    st.session_state.pop(_ON, None)
