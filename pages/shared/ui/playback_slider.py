"""The slider of a process that is played: it tells the server what a visitor does to it, and only that."""

from collections.abc import Callable
from typing import Any, NamedTuple

import streamlit as st

from lm_core.errors import TextError
from pages.shared.server.component import component

_SLIDER = component("playback_slider")
_LONGEST_ID = 40


class Touch(NamedTuple):
    """What a visitor did to the slider: where it was put, and a name by which this is answered."""

    step: int
    id: str


def playback_slider(
    label: str,
    step: int,
    last: int,
    *,
    key: str,
    is_playing: bool,
    answered: str,
    on_touch: Callable[[Touch], None],
) -> None:
    """Draw a slider over the steps 0 to `last`.

    Streamlit's own slider sends its position with whatever the browser asks for. While a process is played that
    may be a position of some steps ago, and nothing tells it from one that the visitor has chosen.

    Parameters
    ----------
    is_playing : bool, whether taking hold of it is a touch, too
    answered : str, the last touch that `step` takes into account
    on_touch : callable of a Touch
        Called before the page runs. The browser repeats a touch that is not answered.
    """

    def touched() -> None:
        sent = st.session_state[key].touched
        if sent is not None:
            on_touch(checked_touch(sent, last))

    _SLIDER(
        key=key,
        data={
            "label": label,
            "step": step,
            "last": last,
            "is_playing": is_playing,
            "answered": answered,
        },
        on_touched_change=touched,
    )


def checked_touch(sent: Any, last: int) -> Touch:
    """Return what a browser sent as a touch, its step within 0 and `last`; raises TextError if it is none."""
    try:
        step, name = int(sent["step"]), str(sent["id"])[:_LONGEST_ID]
    except (KeyError, TypeError, ValueError, OverflowError) as error:
        raise TextError(
            f"a touch must have a step and an id, got {str(sent)[:80]!r}: reload the page"
        ) from error
    return Touch(min(max(step, 0), last), name)
