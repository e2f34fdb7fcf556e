"""Back, forward, play and a scrubber for anything that happens in steps."""

import time
from collections.abc import Callable
from typing import NamedTuple

import streamlit as st

from pages.shared.turns import fragment
from pages.shared.ui.controls import control

_HOLD_SECONDS = 1.5  # longer than a message takes there and back


class Move(NamedTuple):
    """What one of a playback_bar's buttons does.

    Attributes
    ----------
    text : str
    button : str
        Its key on the page.
    shortcut : str
        Streamlit's name of the key that presses it.
    step : int
        Where it leads.
    """

    text: str
    button: str
    shortcut: str
    step: int


class _Held(NamedTuple):
    """Where a slider was put while it played.

    Attributes
    ----------
    step : int
        Where it was put.
    told : int
        What playing had told the browser last.
    until : float
        How long the one is held against the other, in seconds of the monotonic clock.
    """

    step: int
    told: int
    until: float


def playback_bar(
    name: str,
    n_steps: int,
    draw: Callable[[int], None],
    *,
    label: str = "Step",
    start: int = 0,
    seconds_per_step: float = 0.8,
    shortcuts: bool = True,
) -> None:
    """Draw one step of a process, with the controls to walk through it.

    The step is a control of the page under `name`: it is part of its link. Left, Right and P are
    the keys for back, forward and play; playing stops at the last step.

    Parameters
    ----------
    name : str
        Unique on the page.
    n_steps : int
        At least 1; steps count from 0.
    draw : callable of an int
        Draws a step below the controls; only this is redrawn when the step changes.
    start : int
        The step that is drawn first, where the address names none.
    seconds_per_step : float
        Between 0.5 and 1 while playing.
    shortcuts : bool
        Only one playback_bar of a page may have the keys.
    """
    if n_steps < 2:
        draw(0)
        return
    playing = _playing_since(name) is not None
    panel = fragment(_panel, run_every=seconds_per_step if playing else None)
    panel(name, n_steps, draw, label, start, seconds_per_step, shortcuts, playing)


def moves(name: str, step: int) -> tuple[Move, Move]:
    """Return what the buttons for back and forward do at a step, be there such a step or not."""
    return (
        Move("Back", f"{name}_back", "Left", step - 1),
        Move("Forward", f"{name}_forward", "Right", step + 1),
    )


def play(name: str, n_steps: int) -> None:
    """Begin to play a playback_bar's process from its first step; call it in a callback.

    Parameters
    ----------
    name : str
        The playback_bar's.
    n_steps : int
        As the playback_bar will have them.
    """
    st.session_state[name] = 0
    _play(name, n_steps - 1)


def pause(name: str) -> None:
    """Stop playing a playback_bar's process where it is; call it in a callback."""
    _pause(name)


def _panel(
    name: str,
    n_steps: int,
    draw: Callable[[int], None],
    label: str,
    start: int,
    seconds_per_step: float,
    shortcuts: bool,
    playing: bool,
) -> None:
    last = n_steps - 1
    _place(name, last, start)
    _advance(name, last, seconds_per_step)
    if playing != (_playing_since(name) is not None):
        st.rerun()  # the clock of this fragment starts or stops with a full run
    key = f"main_playback_{name}" if shortcuts else f"playback_{name}"
    with st.container(horizontal=True, vertical_alignment="bottom", key=key):
        buttons = st.container(horizontal=True, width="content")
        step = control(st.slider, name, label, 0, last, on_change=_touched, args=(name,))
    with buttons:
        _buttons(name, step, last, playing, shortcuts)
    draw(step)


def _place(name: str, last: int, start: int) -> None:
    """Begin at `start` unless the address says otherwise; stay within a process that got shorter."""
    if name in st.session_state:
        if st.session_state[name] > last:
            st.session_state[name] = last
    elif start and not _is_step(st.query_params.get(name, ""), last):
        st.session_state[name] = start


def _is_step(asked: str, last: int) -> bool:
    return asked.isdecimal() and int(asked[:9]) <= last


def _buttons(name: str, step: int, last: int, playing: bool, shortcuts: bool) -> None:
    for move, icon in zip(moves(name, step), ("skip_previous", "skip_next"), strict=True):
        st.button(
            move.text,
            icon=f":material/{icon}:",
            key=move.button,
            shortcut=move.shortcut if shortcuts else None,
            disabled=not 0 <= move.step <= last,
            on_click=_go_to,
            args=(name, move.step),
        )
    st.button(
        "Pause" if playing else "Play",
        icon=":material/pause:" if playing else ":material/play_arrow:",
        key=f"{name}_play",
        shortcut="P" if shortcuts else None,
        on_click=_pause if playing else _play,
        args=(name,) if playing else (name, last),
    )


def _playing_since(name: str) -> tuple[float, int] | None:
    """Return when playing began and at which step; None while nothing plays."""
    return st.session_state.get(f"{name}_playing")


def _go_to(name: str, step: int) -> None:
    _pause(name)
    st.session_state[name] = step


def _play(name: str, last: int) -> None:
    _pause(name)
    if st.session_state.get(name, 0) == last:
        st.session_state[name] = 0
    st.session_state[f"{name}_playing"] = (time.monotonic(), st.session_state.get(name, 0))


def _touched(name: str) -> None:
    """Pause where the slider was put, and hold it there for a moment.

    What playing told the browser last may cross the touch on its way. The browser then moves the
    slider back and says so, as if the visitor had done it: that is not believed.
    """
    step, held = st.session_state[name], _held(name)
    if _playing_since(name) is not None:
        told = st.session_state.get(f"{name}_told", step)
        st.session_state[f"{name}_held"] = _Held(step, told, time.monotonic() + _HOLD_SECONDS)
    elif held is not None and step != held.told:
        st.session_state[f"{name}_held"] = held._replace(step=step)
    st.session_state.pop(f"{name}_playing", None)


def _held(name: str) -> _Held | None:
    held = st.session_state.get(f"{name}_held")
    return held if held is not None and time.monotonic() < held.until else None


def _pause(name: str) -> None:
    st.session_state.pop(f"{name}_playing", None)
    st.session_state.pop(f"{name}_held", None)


def _advance(name: str, last: int, seconds_per_step: float) -> None:
    """Move to the step that is due by the clock: a late or a surplus tick does no harm."""
    held, since = _held(name), _playing_since(name)
    if held is not None:
        st.session_state[name] = min(last, held.step)
    if since is None:
        return
    began, first = since
    step = min(last, first + round((time.monotonic() - began) / seconds_per_step))
    st.session_state[name] = st.session_state[f"{name}_told"] = step
    if step == last:
        _pause(name)
