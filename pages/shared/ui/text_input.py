"""Visitors' texts: how long they may be, fields that say so, and how our sentences quote them.

Limits say how much of the server one visitor may use. They are checked here, in Python, never only
in a widget.
"""

import contextlib
from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeVar

import streamlit as st

from lm_core.errors import LMCoreError, TextError
from pages.shared.server.component import component
from pages.shared.ui.controls import control, current_page
from pages.shared.ui.messages import show_error

PROMPT_CHARACTERS = 2_000  # longest text a visitor may ask a model to continue

TEXT_CHARACTERS = 5_000  # longest text that a page shows character by character, prompt included

DRAWN_CHARACTERS = 1_000
"""Characters of a text that are drawn token by token for several tokenizers at once; all of it is counted."""

DRAWS = 10_000  # most draws from one distribution at a time

_FIELDS = component("text_fields")
Read = TypeVar("Read")
Typed = TypeVar("Typed")


@contextlib.contextmanager
def reading_bar(n_characters: int, *, long: int) -> Iterator[Callable[[float], object] | None]:
    """Draw a bar while a model reads a long text; give the function that moves it, None for a short one.

    `long`: int, characters from which on there is a bar.
    """
    if n_characters < long:
        yield None
        return
    bar = st.progress(0.0, f"Reading {n_characters:,} characters")
    try:
        yield bar.progress
    finally:
        bar.empty()


def checked_text(text: str, *, most: int, name: str = "the text") -> str:
    """Return the text if it is not longer than `most` characters.

    Raises TextError if it is longer; the message says by how much.
    """
    if len(text) > most:
        raise TextError(
            f"{name} may have at most {most:,} characters, got {len(text):,}: shorten it by"
            f" {len(text) - most:,}"
        )
    return text


def read_or_keep(name: str, typed: Typed, read: Callable[[Typed], Read], start: Typed) -> Read:
    """Read what was typed; if it cannot be read, say why and go on with what could be read last.

    So a slip in one field never takes the picture away. Raises LMCoreError if `start` cannot be
    read either.

    Parameters
    ----------
    name : str, of the control that it was typed into, or of several that are read together
    typed : str, or what several controls hold
    read : callable, raises LMCoreError where it cannot be read
    start : as `typed`, read where nothing else could be before
    """
    try:
        found = read(typed)
    except LMCoreError as error:
        show_error(error, icon=":material/text_fields:")
        with contextlib.suppress(LMCoreError):
            return read(last_readable(name, start))
        return read(start)
    st.session_state[_read_last(name)] = typed
    return found


def last_readable(name: str, start: Typed) -> Typed:
    """Return what was typed into a control and could be read last; `start` if nothing could."""
    last: Typed = st.session_state.get(_read_last(name), start)
    return last


def _read_last(name: str) -> str:
    """Return where it lies: another page may have a control of the same name, which reads otherwise."""
    return f"{current_page()}.{name}_read_last"


def say_limits(limits: Mapping[str, int], *, live: str | None = None) -> None:
    """Let fields tell, at the foot of the window, that a paste is longer than they hold.

    Call it once where the fields are drawn; it takes no room.

    Parameters
    ----------
    limits : mapping of str to int, most characters by the name of the control, as its ``max_chars``
    live : str, name of the one that is sent to the server after each pause in typing
    """
    with st.container(key=f"floating_{'_'.join(limits)}"):
        _FIELDS(key=f"limits_{'_'.join(limits)}", data={"limits": dict(limits), "live": live})


def live_text(name: str, label: str, default: str, *, most: int, **settings: Any) -> str:
    """Draw a text field as a control, and return its text, new after each pause in typing.

    Draw it in a fragment: every pause runs again what is around it.

    Parameters
    ----------
    name, label, default : str, as for `control`
    most : int
        Characters that it holds, kept to on the server too. A longer paste is refused in words, and
        changes nothing; of a longer text in a link the beginning is taken, with a note.
    **settings
        Of ``st.text_area``.
    """
    text = control(st.text_area, name, label, default, max_chars=most, **settings)
    say_limits({name: most}, live=name)
    return str(text)
