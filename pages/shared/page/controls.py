"""Controls and buttons of one line, and records whose fields are controls.

Each is `control` with a widget's own settings: bound to the link under its name, drawn where it is called.
"""

import inspect
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, Concatenate, ParamSpec, TypeVar, cast

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.shared.ui.controls import control
from pages.shared.ui.first_screen import FirstScreen

Option = TypeVar("Option")
Number = TypeVar("Number", int, float)
Value = TypeVar("Value")
Record = TypeVar("Record", bound=tuple[Any, ...])
Settings = ParamSpec("Settings")
Options = Sequence[Option] | Mapping[Option, str]
"""What is on offer, or what it is called on screen and in links by what it is."""


def more(screen: FirstScreen) -> DeltaGenerator:
    """Return the place for the controls that have none in the row: behind *More*."""
    return screen.controls.popover("More", icon=":material/tune:")


def choice(
    name: str, /, label: str, options: Options[Option], start: Option | None = None, **settings: Any
) -> Option:
    """Draw a list of which one is chosen; without a start the first."""
    index = 0 if start is None else list(options).index(start)
    return _chosen(st.selectbox, name, label, options, settings, index=index)


def pick(
    name: str, /, label: str, options: Options[Option], start: Option | None = None, **settings: Any
) -> Option:
    """Draw a scale of which one step is chosen; without a start, or with one that is not on it, the first."""
    value = start if start in list(options) else next(iter(options))
    return _chosen(st.select_slider, name, label, options, settings, value=value)


def segments(
    name: str, /, label: str, options: Options[Option], start: Option | None = None, **settings: Any
) -> Option:
    """Draw options side by side of which one is chosen; without a start the first."""
    default = next(iter(options)) if start is None else start
    return _chosen(
        st.segmented_control, name, label, options, settings, default=default, required=True
    )


def several(
    name: str,
    /,
    label: str,
    options: Options[Option],
    start: Sequence[Option] = (),
    **settings: Any,
) -> list[Option]:
    """Draw options side by side of which any number is chosen."""
    settings = {"selection_mode": "multi", "default": list(start), **settings}
    if isinstance(options, Mapping):
        settings = {"format_func": options.__getitem__, **settings}
    return list(control(st.pills, name, label, list(options), **settings))


def slider(
    name: str,
    /,
    label: str,
    low: Number,
    high: Number,
    start: Number,
    step: Number | None = None,
    **settings: Any,
) -> Number:
    """Draw a scale of numbers."""
    return type(low)(control(st.slider, name, label, low, high, start, step, **settings))


def number(
    name: str,
    /,
    label: str,
    low: Number,
    high: Number,
    start: Number,
    step: Number | None = None,
    **settings: Any,
) -> Number:
    """Draw a field for a number."""
    return type(low)(control(st.number_input, name, label, low, high, start, step, **settings))


def text(name: str, /, label: str, start: str = "", **settings: Any) -> str:
    """Draw a field for one line of text."""
    return str(control(st.text_input, name, label, start, **settings))


def switch(name: str, /, label: str, start: bool = False, **settings: Any) -> bool:
    """Draw what is on or off."""
    return bool(control(st.toggle, name, label, start, **settings))


def button(
    key: str, /, label: str, icon: str, act: Callable[..., object], *given: object, **settings: Any
) -> None:
    """Draw a button with one of Material's icons that acts, before the page runs again, on what is given."""
    settings |= {"icon": f":material/{icon}:", "on_click": act, "args": given}
    st.button(label, key=key, **settings)


def _chosen(
    widget: Callable[..., Any],
    name: str,
    label: str,
    options: Options[Option],
    settings: dict[str, Any],
    **start: Any,
) -> Option:
    if isinstance(options, Mapping):
        settings = {"format_func": options.__getitem__, **settings}
    return cast(Option, control(widget, name, label, list(options), **start, **settings))


class _Field:
    """A control of a record, not drawn yet."""

    def __init__(self, draw: Callable[..., Any], is_folded: bool, given: Any, named: Any) -> None:
        self.draw, self.is_folded, self.given, self.named = draw, is_folded, given, named

    @property
    def start(self) -> Any:
        bound = inspect.signature(self.draw).bind("", *self.given, **self.named)
        bound.apply_defaults()
        start = bound.arguments["start"]
        return next(iter(bound.arguments["options"])) if start is None else start


def field(
    draw: Callable[Concatenate[str, Settings], Value],
    *given: Settings.args,
    **named: Settings.kwargs,
) -> Value:
    """Declare a field of a record as a control, whose name is the field's."""
    return cast(Value, _Field(draw, False, given, named))


def folded(
    draw: Callable[Concatenate[str, Settings], Value],
    *given: Settings.args,
    **named: Settings.kwargs,
) -> Value:
    """Declare a field of a record as a control behind *More*."""
    return cast(Value, _Field(draw, True, given, named))


def controls(record: type[Record], screen: FirstScreen) -> Record:
    """Draw a record's controls, those in the row first, and return the record of what is chosen.

    `record`: NamedTuple, every field of it declared by `field` or `folded`, in the order in which
    they are drawn.

    Examples
    --------
    ::

        class Settings(NamedTuple):
            radius: float = page.field(page.pick, "Spectral radius", RADII, 0.9)
            seed: int = page.folded(page.number, "Seed", 0, 999, 1)

        settings = page.controls(Settings, screen)
    """
    every = _fields(record)
    behind = {name for name, one in every.items() if one.is_folded}
    with screen.controls:
        chosen = _drawn(every, every.keys() - behind)
    if behind:
        with more(screen):
            chosen |= _drawn(every, behind)
    return record(**chosen)


def fields(record: type[Record], *, without: Collection[str] = ()) -> Record:
    """Draw a record's controls one after another where this is called, and return what is chosen.

    Parameters
    ----------
    record : NamedTuple, as `controls` has it
    without : collection of str, fields that are not drawn this time, and have what they begin with
    """
    every = _fields(record)
    kept = {name: every[name].start for name in without}
    return record(**kept, **_drawn(every, every.keys() - kept.keys()))


def starts(record: type[Record]) -> Record:
    """Return the record of what its controls begin with."""
    return record(**{name: one.start for name, one in _fields(record).items()})


def _drawn(every: Mapping[str, _Field], names: Collection[str]) -> dict[str, Any]:
    return {
        name: one.draw(name, *one.given, **one.named)
        for name, one in every.items()
        if name in names
    }


def _fields(record: type[Record]) -> dict[str, _Field]:
    return cast(Any, record)._field_defaults
