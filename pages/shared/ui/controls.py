"""Controls that live in the page's address, so that a link restores what the teacher sees.

A control's name is at once its key, its parameter in the address and the name by which a link
may hide it: ``?temperature=0.5&hide=temperature,seed`` keeps both settings and shows neither.
"""

import math
import re
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple, NoReturn
from urllib.parse import parse_qs, urlsplit

import streamlit as st

from pages.shared.registry import page_at
from pages.shared.server.streamlit_inside import visit
from pages.shared.ui.kept import FOR_YOU_ALONE, KeptValue

_PAGE, _ASKED, _DRAWN = "lab_page", "lab_asked", "lab_drawn"
_NOTES, _TOLD, _CHOSEN = "lab_notes", "lab_told", "lab_chosen"
_TITLED = "lab_titled"
_UNLINKED, _FOLLOWED, _NAMES = "lab_unlinked", "lab_followed", "lab_names"
_LEADS_ON, _SUBJECT = "lab_leads_on", "lab_subject_"
ROOM = "room"  # of every page's URL while this visit is in a room
_NUMERIC = {"number_input", "slider"}
_CHOICES = {"selectbox", "select_slider", "pills", "segmented_control", "radio"}
_TEXTS = {"text_input", "text_area"}
_MAY_BE_EMPTY = {*_TEXTS, "multiselect"}
_NAME = re.compile(r"[A-Za-z0-9_]+")
_LARGER = 1.5  # the presenter view's type, as a multiple


class Control(NamedTuple):
    """A control as it was drawn last: its label, and its value as the address writes it."""

    label: str
    values: tuple[str, ...]


def is_arriving(address: str) -> bool:
    """Return whether this run opens a page, which has not begun yet."""
    return st.session_state.get(_PAGE) != address


def begin_page(address: str) -> None:
    """Forget the controls of the page before; on arrival, note what the link asks for.

    Notes about values that a control refuses appear where this is called, and stay until a control
    is moved: a page may be run again by itself, when the browser says who the visitor is.
    """
    if arrived := is_arriving(address):
        _forget_controls()
    chosen = st.session_state.get(_CHOSEN, {})
    moved = any(st.session_state.get(name) != value for name, value in chosen.items())
    asked = {name: tuple(st.query_params.get_all(name)) for name in st.query_params}
    st.session_state[_PAGE] = address
    st.session_state[_ASKED] = asked if arrived else {}
    st.session_state[_DRAWN] = {}
    st.session_state[_UNLINKED] = {}
    st.session_state[_CHOSEN] = {}
    st.session_state[_NOTES] = st.container(key="link_notes")
    told = [] if arrived or moved else st.session_state.get(_TOLD, [])
    st.session_state[_TOLD] = []
    for text in told:
        _tell(text)


def follow_link(link: str) -> NoReturn:
    """Open a page of the lab as a link does for a new visitor: its settings, all others at their default.

    `st.switch_page` alone keeps what a visitor has set where the link leads to the same page, and drops
    those of the link's parameters that the page before has a control for. The class that the visitor is
    in goes with them. A fragment runs the whole page first, which then moves: the browser must not take
    the fragment's last messages for the new page's. Raises KeyError if there is no such page.

    `link`: str, ``attention?query=3``: the page's address below the server's, and parameters.
    """
    parts = urlsplit(link)
    path = page_at(parts.path.removeprefix("/")).path
    asked = parse_qs(parts.query, keep_blank_values=True)
    if room := st.query_params.get(ROOM):
        asked.setdefault(ROOM, [room])
    if visit.is_of_fragment():
        st.session_state[_LEADS_ON] = link
        st.rerun()
    visit.unbind_all_controls()
    st.session_state[_FOLLOWED] = True
    st.switch_page(path, query_params=asked)


def arrive_by_link() -> None:
    """Let the link decide all controls in this run, if `follow_link` or the browser's Back led here.

    Call it before any control is drawn: what a fragment follows is followed here. Streamlit restores each
    one from the URL, also where it stands on the page that was left; what a page sets its controls to by
    itself, it sets anew. The browser is told the URL once more: a message of the run before that was under way
    when the visitor went back has changed the address to which it came.
    """
    if link := st.session_state.pop(_LEADS_ON, None):
        follow_link(link)
    if visit.let_url_decide(st.session_state.pop(_FOLLOWED, False)):
        st.session_state.pop(_PAGE, None)
        st.query_params.update({})


def _forget_controls() -> None:
    """Let nothing of the page before set a control of the same name: Streamlit keeps what the URL carried."""
    for name in st.session_state.pop(_NAMES, ()):
        st.session_state.pop(name, None)


def control(
    widget: Callable[..., Any],
    name: str,
    label: str,
    *args: Any,
    in_link: bool = True,
    **settings: Any,
) -> Any:
    """Draw a widget bound to the address under `name`, and return its value.

    A value in the address that the widget does not offer leaves the default in place and a note
    under the page's title. A hidden control is still there, only not seen: its value counts.

    Parameters
    ----------
    widget : callable
        ``st.slider``, ``st.selectbox``, ...: any that takes ``bind=``. It is drawn where this is
        called, so ``with column:`` places it.
    name : str, letters, digits and underscores; unique on the page
    label : str, the widget's label, also its name in notes and in the list of what can be hidden
    in_link : bool
        Whether the link carries it. What grows too long for one, or is a visitor's own, does not: it is
        kept for the visitor instead.
    *args, **settings
        The widget's own.

    Examples
    --------
    ``temperature = control(st.slider, "temperature", "Temperature", 0.0, 2.0, 1.0, 0.05)``
    """
    kept = None if in_link else KeptValue(f"{current_page()}.{name.lower()}")
    if kept is not None:
        if (found := kept.recalled(name)) is not None:
            st.session_state[name] = found
        if widget.__name__ in _TEXTS and "help" in settings:  # else the page says it beside
            settings["help"] = f"{settings['help']} {FOR_YOU_ALONE}"
    # Streamlit keeps it for a control of that name on the next page, which may offer something else.
    asked = st.session_state.get(_ASKED, {}).pop(name, None)
    if name in st.session_state and not _is_offered(
        st.session_state[name], widget.__name__, args, settings
    ):
        del st.session_state[name]
        if asked is None and widget in (st.selectbox, st.radio) and len(args) == 1 and args[0]:
            # Set, not left to the widget: else the browser goes on showing what is not there any more.
            index = settings.get("index", 0)
            st.session_state[name] = None if index is None else list(args[0])[index]
    bound: dict[str, Any] = {"bind": "query-params"} if in_link else {}
    # What Streamlit 1.67 would take for a choice of nothing or answer with OverflowError never
    # reaches the widget, nor does a number as links have it; from the next run on the control is bound.
    if asked is not None and not (in_link and _readable(widget.__name__, asked, settings)):
        bound = {}
        del st.query_params[name]
    elif asked is not None and widget.__name__ in _CHOICES and args:
        option = _plain_option(asked[-1], args[0], settings.get("format_func", str))
        if option is not None:
            asked, bound = None, {}
            del st.query_params[name]
            st.session_state[name] = option
    if widget is st.selectbox and is_presenting() and isinstance(settings.get("width"), int):
        settings["width"] = round(_LARGER * settings["width"])  # what is chosen is read whole
    visit.forget_what_is_folded_away(name)
    with visit.kept_as_set(name):
        value = widget(label, *args, key=name, **bound, **settings)
    values = _as_written(value, settings.get("format_func", str))
    if kept is not None:
        kept.keep(value)
    if in_link:
        st.session_state.setdefault(_NAMES, set()).add(name)
        is_chosen = widget.__name__ in _CHOICES and _is_number(value)
        plain = (_plainly(value),) if is_chosen else values
        st.session_state.setdefault(_DRAWN, {})[name] = Control(label, plain)
    else:
        st.session_state.setdefault(_UNLINKED, {})[name] = label
    st.session_state.setdefault(_CHOSEN, {})[name] = value
    if asked is not None and not _same(asked, values):
        _note(label, asked, values)
    return value


def current_page() -> str:
    """Return the address of the page that is being drawn."""
    return str(st.session_state.get(_PAGE, ""))


def choose_titled(name: str, label: str, titles: Mapping[str, str], **settings: Any) -> str:
    """Draw a choice among things that may be deleted while they are on screen, and return the chosen one's name.

    Parameters
    ----------
    name, label, settings
        As `control` has them, for ``st.selectbox``.
    titles : dict of str to str
        What there is, by name; the first takes the place of one that is gone, and a note says so.
    """
    drawn: dict[str, tuple[str, str]] = st.session_state.setdefault(_TITLED, {})
    before, title = drawn.get(name, ("", ""))
    is_gone = bool(before) and before not in titles and st.session_state.get(name) == before
    chosen: str = control(
        st.selectbox, name, label, list(titles), format_func=titles.__getitem__, **settings
    )
    if is_gone:
        instead = _quoted((titles[chosen],))
        _tell(f"{_quoted((title,))} was deleted and is no longer here. {instead} is shown instead.")
    drawn[name] = chosen, titles[chosen]
    return chosen


def choose_part(parts: Sequence[str], name: str = "part") -> str:
    """Draw the parts of a page in a row, the first one chosen, and return the one to be shown.

    The first one is what the page opens on. Where another one has been first, `FormerOpening` says so:
    links without a part have meant it.

    In the presenter view's large type they do not fit into a row: there it is a list.
    """
    if is_presenting():
        return control(st.selectbox, name, "Which", parts, label_visibility="collapsed", width=200)
    return control(
        st.segmented_control,
        name,
        "Which",
        parts,
        default=parts[0],
        required=True,
        label_visibility="collapsed",
    )


def begin_anew(name: str, subject: Hashable, start: Any) -> None:
    """Set a control to its start where it is about something else than before; call it before the control.

    It stays what a link that has just been followed, or a click that has just been made, set it to.
    """
    key = f"{_SUBJECT}{name}"
    has_changed = st.session_state.get(key, subject) != subject
    st.session_state[key] = subject
    if has_changed and not visit.is_newly_set(name) and not asked_by_link(name):
        st.session_state[name] = start


def asked_by_link(name: str) -> bool:
    """Return whether the link by which the visitor arrived sets a control not drawn so far."""
    return name in st.session_state.get(_ASKED, {})


def drawn_controls() -> dict[str, Control]:
    """Return this page's controls by name, in the order of their drawing."""
    return dict(st.session_state.get(_DRAWN, {}))


def unlinked_labels() -> list[str]:
    """Return the labels of this page's controls that its link does not carry."""
    return list(st.session_state.get(_UNLINKED, {}).values())


def hidden_names() -> frozenset[str]:
    """Return the names that the address asks to hide; anything but plain names is dropped."""
    return frozenset(filter(_NAME.fullmatch, st.query_params.get("hide", "").split(",")))


def is_hidden(name: str) -> bool:
    """Return whether the address asks to hide the control of this name."""
    return name in hidden_names()


def is_presenting() -> bool:
    """Return whether the address asks for the presenter view."""
    return st.query_params.get("present") == "1"


def _is_offered(value: Any, widget: str, args: Sequence[Any], settings: dict[str, Any]) -> bool:
    """Return whether a widget may have this value: one of its options, or a number in its range."""
    if value is None or not args:
        return True
    if widget in _CHOICES:
        options = list(args[0])
        return value in options or all(part in options for part in _parts(value))
    if widget in _NUMERIC:
        return all(_is_number(part) and args[0] <= part <= args[1] for part in _parts(value))
    return True


def _parts(value: Any) -> tuple[Any, ...]:
    """Return what a widget has chosen, one thing or several."""
    return tuple(value) if isinstance(value, (list, tuple)) else (value,)


def _as_written(value: Any, written: Callable[[Any], str]) -> tuple[str, ...]:
    if isinstance(value, (list, tuple)):
        return tuple(str(written(part)) for part in value) or ("",)
    if isinstance(value, bool):
        return (str(value).lower(),)
    return ("" if value is None else str(written(value)),)


def _plain_option(
    asked: str, options: Iterable[Any], written: Callable[[Any], str]
) -> int | float | None:
    """Return the number that a link writes plainly and the screen otherwise: 1000 for 1,000."""
    for option in options:
        if _is_number(option) and asked == _plainly(option) != str(written(option)):
            return option
    return None


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _plainly(number: float) -> str:
    """Write a number as links have it: without the screen's commas and units."""
    return f"{number:g}" if isinstance(number, float) else str(number)


def _same(asked: tuple[str, ...], values: tuple[str, ...]) -> bool:
    """Compare as the widgets do: numbers by value, of repeated single values the last."""
    asked = asked if len(values) > 1 else asked[-1:]
    return len(asked) == len(values) and all(
        _number_or_text(a) == _number_or_text(b) for a, b in zip(asked, values, strict=True)
    )


def _readable(widget: str, asked: tuple[str, ...], settings: dict[str, Any]) -> bool:
    if widget in _NUMERIC and not _finite(asked):
        return False
    may_be_empty = widget in _MAY_BE_EMPTY or settings.get("selection_mode") == "multi"
    return may_be_empty or all(asked)


def _finite(written: tuple[str, ...]) -> bool:
    numbers = (_number_or_text(value) for value in written)
    return all(math.isfinite(number) for number in numbers if isinstance(number, float))


def _number_or_text(written: str) -> float | str:
    try:
        return float(written)
    except ValueError:
        return written.lower() if written.lower() in {"true", "false"} else written


def _note(label: str, asked: tuple[str, ...], values: tuple[str, ...]) -> None:
    instead = f"{label} is {_quoted(values)} instead." if any(values) else "Nothing is chosen."
    _tell(f"The link asks for {label} = {_quoted(asked)}, which is not on offer here. {instead}")


def _tell(text: str) -> None:
    st.session_state.setdefault(_TOLD, []).append(text)
    notes = st.session_state.get(_NOTES) or st
    notes.warning(text, icon=":material/link_off:")


def _quoted(values: tuple[str, ...]) -> str:
    """Return the values as inline code, whatever they hold: they come from the address."""
    text = "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in ", ".join(values))
    text = text.replace("`", "'")
    return f"`{text[:40]}…`" if len(text) > 40 else f"`{text or ' '}`"
