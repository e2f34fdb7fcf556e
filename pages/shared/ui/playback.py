"""Back, forward, play and a scrubber for anything that happens in steps.

The step is the server's alone. A browser sends the state of all its widgets with whatever it asks for, so the
position of a slider that is played arrives some steps late, and is no sign that anybody touched it. So the control
that carries the step into the link is not seen and never believed; what is seen is a slider of ours, which tells
only what a visitor does to it.
"""

import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import streamlit as st

from pages.shared.turns import fragment
from pages.shared.ui.controls import control
from pages.shared.ui.playback_slider import Touch, playback_slider

_LONGEST_PLAY_S = 40.0
"""Seconds that playing a whole process takes at most, where the machine keeps up: longer ones skip steps."""
_SURPLUS = 0.5
"""Of the time between two steps: whatever is drawn sooner after a step than that does not go on to the next."""


class Move(NamedTuple):
    """What one of a playback_bar's buttons does."""

    text: str
    button: str  # its key on the page
    shortcut: str  # Streamlit's name of the key that presses it
    step: int  # where it leads


@dataclass
class _Playback:
    """Where a process is."""

    step: int | None = None  # None until it is drawn first: then the link decides
    # when playing came to this step, in seconds of the monotonic clock; None while nothing plays
    moved_at: float | None = None
    answered: str = ""  # the last touch of the slider that was taken into account

    @property
    def is_playing(self) -> bool:
        return self.moved_at is not None


def playback_bar(
    name: str,
    n_steps: int,
    draw: Callable[[int], None],
    *,
    label: str = "Step",
    start: int | None = None,
    seconds_per_step: float = 0.5,
    shortcuts: bool = True,
) -> None:
    """Draw one step of a process, with the controls to walk through it.

    The step is a control of the page under `name`: it is part of its link. Left, Right and P are
    the keys for back, forward and play; playing stops at the last step.

    Parameters
    ----------
    name : str, unique on the page
    n_steps : int, at least 1; steps count from 0
    draw : callable of an int, draws a step below the controls; only this is redrawn when the step changes
    start : int, the step that is drawn first, where the address names none; by default the last
    seconds_per_step : float
        Between 0.5 and 1 while playing. What would play for longer than forty seconds skips steps.
    shortcuts : bool, only one playback_bar of a page may have the keys
    """
    if n_steps < 2:
        draw(0)
        return
    start = n_steps - 1 if start is None else start
    playing = _playback(name).is_playing
    panel = fragment(_panel, run_every=seconds_per_step if playing else None)
    # Within another fragment, Streamlit takes the next free place of a container that lies outside for a new one
    # at each of its runs: so this bar's place is made by whoever draws the bar.
    with st.container():
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
    name : str, the playback_bar's
    n_steps : int, as the playback_bar will have them
    """
    go_to(name, 0)
    _play(name, n_steps - 1)


def pause(name: str) -> None:
    """Stop playing a playback_bar's process where it is; call it in a callback."""
    _playback(name).moved_at = None


def go_to(name: str, step: int) -> None:
    """Put a playback_bar at a step, and pause it; call it before the bar is drawn.

    A step that the process does not have is drawn as its last.
    """
    pause(name)
    _playback(name).step = st.session_state[name] = step


def step_of(name: str, default: int = 0) -> int:
    """Return the step at which a playback_bar is; the default before it is drawn first."""
    step = _playback(name).step
    return default if step is None else step


def _playback(name: str) -> _Playback:
    found: _Playback = st.session_state.setdefault(f"{name}_playback", _Playback())
    return found


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
    last, playback = n_steps - 1, _playback(name)
    _place(name, last, start)
    _advance(name, last, seconds_per_step)
    if playing != playback.is_playing:
        st.rerun()  # the clock of this fragment starts or stops with a full run
    key = f"main_playback_{name}" if shortcuts else f"playback_{name}"
    with st.container(horizontal=True, vertical_alignment="bottom", key=key):
        buttons = st.container(horizontal=True, width="content")
        with st.container(key=f"in_link_{name}"):
            in_link = int(control(st.slider, name, label, 0, last))
        if playback.step is None:
            playback.step = in_link
        elif in_link != playback.step:
            st.rerun()  # a slider of another length has taken its step from the link once more
        step = playback.step
        playback_slider(
            label,
            step,
            last,
            key=f"{name}_slider",
            is_playing=playing,
            answered=playback.answered,
            on_touch=lambda touch: _touched(name, touch),
        )
    with buttons:
        _buttons(name, step, last, playing, shortcuts)
    draw(step)


def _place(name: str, last: int, start: int) -> None:
    """Put the control in the link where the process is; one drawn anew begins where the link says, or at `start`."""
    playback = _playback(name)
    if name not in st.session_state:
        playback.step, playback.moved_at = None, None
        if start and not _is_step(st.query_params.get(name, ""), last):
            st.session_state[name] = start
        return
    if playback.step is None:
        playback.step = st.session_state[name]
    playback.step = min(playback.step, last)


def _is_step(asked: str, last: int) -> bool:
    return asked.isdecimal() and int(asked[:9]) <= last


def _advance(name: str, last: int, seconds_per_step: float) -> None:
    """Go on to the next step if it is time for it: a late tick leaves out nothing, a surplus one does no harm."""
    playback, now = _playback(name), time.monotonic()
    if playback.step is None:
        return
    if playback.moved_at is not None and now - playback.moved_at >= _SURPLUS * seconds_per_step:
        stride = math.ceil(last * seconds_per_step / _LONGEST_PLAY_S)
        playback.step = min(last, playback.step + stride)
        playback.moved_at = now if playback.step < last else None
    # At each run: a slider of another length asks the link again.
    st.session_state[name] = playback.step


def _buttons(name: str, step: int, last: int, playing: bool, shortcuts: bool) -> None:
    for move, icon in zip(moves(name, step), ("skip_previous", "skip_next"), strict=True):
        st.button(
            move.text,
            icon=f":material/{icon}:",
            key=move.button,
            shortcut=move.shortcut if shortcuts else None,
            disabled=not 0 <= move.step <= last,
            on_click=go_to,
            args=(name, move.step),
        )
    st.button(
        "Pause" if playing else "Play",
        icon=":material/pause:" if playing else ":material/play_arrow:",
        key=f"{name}_play",
        shortcut="P" if shortcuts else None,
        on_click=pause if playing else _play,
        args=(name,) if playing else (name, last),
    )


def _play(name: str, last: int) -> None:
    playback = _playback(name)
    if playback.step is None or playback.step >= last:
        go_to(name, 0)
    playback.moved_at = time.monotonic()


def _touched(name: str, touch: Touch) -> None:
    """Pause where the slider was put; a touch that the browser repeats was answered already."""
    playback = _playback(name)
    if touch.id != playback.answered:
        go_to(name, touch.step)
        playback.answered = touch.id
