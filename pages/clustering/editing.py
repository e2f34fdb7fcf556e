"""Points and centres changed by hand, kept in the visit and the link and undone step by step; the next step."""

from collections.abc import Sequence

import streamlit as st
from torch import Tensor

from lm_core.experiments.clustering import editing as edited
from lm_core.experiments.clustering.editing import PointEdit
from pages.shared import page
from pages.shared.ui.controls import asked_by_link

BY_HAND = "placed by hand"  # the initialisation by centres that a visitor has placed
MOST_IN_LINK = 100  # edited points that the link carries: with more, some programs would cut it off
END = 10_000  # beyond every process: the playback bar goes to its last step
_EDITS = "edits"
_POINTS, _KEPT, _PAST = "clusters_points_drawn", "clusters_edits_kept", "clusters_past"
_CHANGED, _AT_END, _NEXT_STEP = "clusters_changed", "clusters_at_end", "clusters_next_step"
_CONTROLS = ("initialisation", "centres", "step", "clusters", _EDITS)
_MOST_STEPS_BACK = 50

# Points and centres -------------------------------------------------------------------------------


def follow_points(fingerprint: str) -> None:
    """Keep the points changed by hand with the points that they belong to.

    Others begin unchanged; those that come back get their changes back. Call it before the field.
    """
    before = st.session_state.get(_POINTS, fingerprint)
    st.session_state[_POINTS] = fingerprint
    if before == fingerprint or asked_by_link(_EDITS):
        return
    if written := st.session_state.get(_EDITS):
        st.session_state[_KEPT] = (before, written)
    of, kept = st.session_state.get(_KEPT, ("", ""))
    st.session_state[_EDITS] = kept if of == fingerprint else ""
    st.session_state[_PAST] = ()


def edits_field(*, can_travel: bool) -> str:
    """Draw the field that lists the points changed by hand, and return what it says.

    Few enough changes travel with the link, where it leads to the same points: where they can travel.
    """
    in_link = can_travel and _is_short(st.session_state.get(_EDITS, ""))
    typed = page.text(
        _EDITS,
        "Edited points",
        placeholder="12 0.5 4; 9 1",
        max_chars=edited.LONGEST + 1,  # more is cut here, and then refused rather than read in part
        help="A point's number and its new position, or only the position of a new point, then a"
        " semicolon. Dragging and adding points fills it in.",
        in_link=in_link,
    )
    if in_link and not _is_short(typed):
        st.rerun()  # it came by a longer link: taken over, and let go of from the next run on
    return typed


def _is_short(written: str) -> bool:
    return written.count(";") < MOST_IN_LINK


def edit_point(edits: Sequence[PointEdit], edit: PointEdit, points: Tensor) -> bool:
    """Move or add a point of these, unedited ones; False if there have been too many. Call it in a callback."""
    every = edited.with_one_more(edits, edit, points)
    written = edited.written_edits(every)
    if len(every) > edited.MOST_EDITS or len(written) > edited.LONGEST:
        return False
    _remember()
    set_controls(**{_EDITS: written})
    return True


def place_centres(written: str, clusters: int) -> None:
    """Let both methods start from these centres; call it in a callback."""
    _remember()
    set_controls(initialisation=BY_HAND, centres=written, step=0, clusters=clusters)


def show_case(fingerprint: str, **values: str | int) -> None:
    """Set controls so that points of this fingerprint are shown as nobody has changed them; call it in a callback."""
    if st.session_state.get(_POINTS) == fingerprint:
        _remember()
        values[_EDITS] = ""
    elif st.session_state.get(_KEPT, ("", ""))[0] == fingerprint:
        del st.session_state[_KEPT]
    set_controls(**values)


def changed_by_hand() -> bool:
    """Return, once, whether the whole page must follow what was done by hand."""
    return bool(st.session_state.pop(_CHANGED, False))


def undo_button() -> None:
    """Draw the way back from the last change by hand."""
    is_new = not st.session_state.get(_PAST, ())
    page.button("clusters_undo", "Undo", "undo", _undo, type="tertiary", disabled=is_new)


def set_controls(**values: str | int) -> None:
    """Set controls anywhere on the page; call it in a callback."""
    if "step" in values:
        page.go_to("step", int(values.pop("step")))
    st.session_state.update(values)
    st.session_state[_CHANGED] = True


def _remember() -> None:
    before = {name: st.session_state[name] for name in _CONTROLS if name in st.session_state}
    st.session_state[_PAST] = (*st.session_state.get(_PAST, ()), before)[-_MOST_STEPS_BACK:]


def _undo() -> None:
    *past, before = st.session_state[_PAST]
    st.session_state[_PAST] = tuple(past)
    set_controls(**before)


# The next step ------------------------------------------------------------------------------------


def remember_end(*, is_last: bool) -> None:
    """Remember whether the last step is on screen: other settings are then shown at their end, too."""
    st.session_state[_AT_END] = is_last


def stay() -> None:
    """Stay at the end, if that is on screen, however many steps the process will have."""
    if st.session_state.get(_AT_END, False):
        st.session_state[_NEXT_STEP] = END


def begin_anew() -> None:
    """Go to the first step, as soon as its slider is drawn."""
    st.session_state[_NEXT_STEP] = 0


def go_to_next_step() -> None:
    """Go where changed settings lead; call it just before the slider of the steps is drawn.

    A step that is set in a run that draws no slider would be lost, and the one before come back.
    """
    if (step := st.session_state.pop(_NEXT_STEP, None)) is not None:
        page.go_to("step", step)
