"""What a visitor does by hand in the picture, and how it is undone."""

from typing import NamedTuple

import streamlit as st

from lm_core.clustering.edits import PointEdit

BY_HAND = "by hand"
"""The start at which a dragged centre is the rule."""

_EDITS, _PAST, _CHANGED = "clusters_edits", "clusters_past", "clusters_changed"
_DRAWN = "clusters_drawn"
_CONTROLS = ("start", "centres", "step", "clusters")
_MOST_EDITS, _MOST_STEPS_BACK = 500, 50


class _Before(NamedTuple):
    """How all stood before a change by hand."""

    edits: tuple[str, tuple[PointEdit, ...]]
    controls: dict[str, str | int]


def point_edits(fingerprint: str) -> tuple[PointEdit, ...]:
    """Return what was done to the points of this fingerprint; edits of other points are forgotten."""
    st.session_state[_DRAWN] = fingerprint
    of, edits = st.session_state.get(_EDITS, ("", ()))
    return edits if of == fingerprint else ()


def edit_point(edit: PointEdit) -> bool:
    """Move or add a point; call it in a callback. False if there have been too many."""
    of = st.session_state[_DRAWN]
    known, edits = st.session_state.get(_EDITS, (of, ()))
    edits = edits if known == of else ()
    if len(edits) >= _MOST_EDITS:
        return False
    _remember()
    st.session_state[_EDITS] = (of, (*edits, edit))
    return True


def place_centres(written: str, clusters: int) -> None:
    """Let both methods start from these centres; call it in a callback."""
    _remember()
    set_controls(start=BY_HAND, centres=written, step=0, clusters=clusters)


def changed_by_hand() -> bool:
    """Return, once, whether the whole page must follow what was done by hand."""
    return st.session_state.pop(_CHANGED, False)


def undo_button() -> None:
    """Draw the way back from the last change by hand."""
    past = st.session_state.get(_PAST, ())
    st.button(
        "Undo", type="tertiary", icon=":material/undo:", key="clusters_undo",
        disabled=not past, on_click=_undo,
    )  # fmt: skip


def set_controls(**values: str | int) -> None:
    """Set controls anywhere on the page; call it in a callback."""
    st.session_state.update(values)
    st.session_state[_CHANGED] = True


def _remember() -> None:
    controls = {name: st.session_state[name] for name in _CONTROLS if name in st.session_state}
    before = _Before(st.session_state.get(_EDITS, ("", ())), controls)
    past = (*st.session_state.get(_PAST, ()), before)
    st.session_state[_PAST] = past[-_MOST_STEPS_BACK:]
    st.session_state[_CHANGED] = True


def _undo() -> None:
    *past, before = st.session_state[_PAST]
    st.session_state[_PAST] = tuple(past)
    st.session_state[_EDITS] = before.edits
    set_controls(**before.controls)
