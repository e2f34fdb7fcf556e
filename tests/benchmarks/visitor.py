"""One browser tab as the benchmarks see it: Streamlit's own protocol over a websocket.

It says what a browser says (a control's new value, the long messages that it has kept) and keeps what a
browser keeps: the controls on screen, the long messages, and the parameters of its URL.
"""

import asyncio
import json
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import websockets
from google.protobuf.message import Message
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.BidiComponent_pb2 import BidiComponent
from streamlit.proto.Delta_pb2 import Delta
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

PATIENCE_S = 120.0
"""How long nothing may come from the server before a run counts as unanswered."""
_WORDS = ("day", "time", "man", "voice", "house", "hand", "world", "letter")
"""What is typed at the end of a text, each time another one: no server has its answer yet."""


class Wire(websockets.ClientConnection):
    """A connection that counts what comes over the network: messages are compressed there."""

    received = 0

    def data_received(self, data: bytes) -> None:
        """Count it, and take it."""
        self.received += len(data)
        super().data_received(data)


def connect(address: str) -> websockets.connect:
    """Return the connection of a browser tab to the lab at an address, to be opened by ``async with``."""
    stream = f"{address.replace('http', 'ws', 1)}/_stcore/stream"
    return websockets.connect(
        stream, subprotocols=["streamlit"], max_size=None, create_connection=Wire
    )


class Control(NamedTuple):
    """A control as the server has drawn it last.

    Attributes
    ----------
    widget : str, its id
    fragment : str, the id of its fragment; empty outside of one
    field : str, of the message in which its value travels
    values : list, what it may be moved to, in order
    value : object, what it shows, as one of `values`; None where its kind does not say
    label : str, what a visitor reads on it
    """

    widget: str
    fragment: str
    field: str
    values: list[Any]
    value: Any = None
    label: str = ""

    @property
    def name(self) -> str:
        """Its key: the name by which the link carries it."""
        return self.widget.split("-", 2)[-1].removesuffix("__events")


def drawn_control(delta: Delta) -> Control | None:
    """Read a control out of a message of the server; None if the message draws none."""
    if delta.WhichOneof("type") == "add_block":
        return _fold(delta)
    element = delta.new_element
    kind = element.WhichOneof("type")
    if kind not in _READERS:
        return None
    drawn = getattr(element, kind)
    if getattr(drawn, "disabled", False):
        return None
    read = _READERS[kind](drawn)
    if read is None:
        return None
    field_name, values, value = read
    widget = _events(drawn) if kind == "bidi_component" else drawn.id
    return Control(
        widget, delta.fragment_id, field_name, values, value, getattr(drawn, "label", "")
    )


_Read = tuple[str, list[Any], Any]
"""The field in which a control's value travels, its values, and the one that it shows."""


def _fold(delta: Delta) -> Control | None:
    """Read what opens and closes and tells the server so."""
    block = delta.add_block
    kind = block.WhichOneof("type")
    if kind not in {"popover", "expandable"} or not getattr(block, kind).id:
        return None
    drawn = getattr(block, kind)
    return Control(
        drawn.id, delta.fragment_id, "bool_value", [True, False], label=getattr(drawn, "label", "")
    )


def _slider(drawn: Any) -> _Read:
    if drawn.options:
        options = [[option] for option in drawn.options]
        chosen = list(drawn.raw_value) if drawn.set_value else None
        first = [options[round(place)] for place in drawn.default][:1]
        return "string_array_value", options, chosen or (first[0] if first else None)
    count = round((drawn.max - drawn.min) / drawn.step)
    values = [[drawn.min + i * drawn.step] for i in range(count + 1)]
    value = list(drawn.value if drawn.set_value else drawn.default)
    if len(value) == 2:
        values = [[*ends] for ends in zip(*[iter(end[0] for end in values)] * 2, strict=False)]
    return "double_array_value", values, value


def _number(drawn: Any) -> _Read:
    low = drawn.min if drawn.has_min else drawn.default
    step = drawn.step or 1.0
    most = drawn.max if drawn.has_max else low + 7 * step
    values = [low + i * step for i in range(8) if low + i * step <= most]
    return "double_value", values, drawn.value if drawn.set_value else drawn.default


def _options(drawn: Any) -> _Read:
    options = list(drawn.options)
    first = options[drawn.default] if drawn.default < len(options) else None
    return "string_value", options, drawn.raw_value if drawn.set_value else first


def _buttons(drawn: Any) -> _Read:
    values = [[option.content] for option in drawn.options]
    chosen = list(drawn.raw_values) or [drawn.options[i].content for i in drawn.default]
    return "string_array_value", values, chosen


def _several(drawn: Any) -> _Read:
    options = list(drawn.options)
    chosen = list(drawn.raw_values) or [options[i] for i in drawn.default]
    return "string_array_value", [[option] for option in options], chosen


def _checkbox(drawn: Any) -> _Read:
    return "bool_value", [True, False], drawn.value if drawn.set_value else drawn.default


def _text(drawn: Any) -> _Read:
    written = drawn.value if drawn.set_value else drawn.default
    most = drawn.max_chars or None
    return "string_value", [f"{written} {word}".strip()[:most] for word in _WORDS], written


def _button(drawn: Any) -> _Read | None:
    return None if drawn.is_form_submitter else ("trigger_value", [True], None)


def _menu(drawn: Any) -> _Read:
    return "string_trigger_value", list(drawn.options), None


def _component(drawn: BidiComponent) -> _Read | None:
    said = _SAID.get(drawn.component_name)
    if said is None:
        return None
    return (
        "json_trigger_value",
        [json.dumps([event]) for event in said(json.loads(drawn.json))],
        None,
    )


def _events(drawn: BidiComponent) -> str:
    """Return the id under which a component says what was done to it."""
    return f"$$STREAMLIT_INTERNAL_KEY_{drawn.id}__events"


_READERS: Mapping[str, Callable[[Any], _Read | None]] = {
    "slider": _slider,
    "number_input": _number,
    "selectbox": _options,
    "radio": _options,
    "button_group": _buttons,
    "multiselect": _several,
    "checkbox": _checkbox,
    "text_input": _text,
    "text_area": _text,
    "button": _button,
    "menu_button": _menu,
    "bidi_component": _component,
}


def _event(name: str, *values: Any) -> list[dict[str, Any]]:
    return [{"event": name, "value": value} for value in values]


_SAID: Mapping[str, Callable[[dict[str, Any]], Sequence[dict[str, Any]]]] = {
    "lm_lab_attention_heads": lambda data: _event(
        "chosen", *([i, i] for i in range(min(data["layers"], data["heads"])))
    ),
    "lm_lab_attention_map": lambda _: _event("chosen", [1, 0], [1, 1], [2, 1]),
    "lm_lab_attention_arcs": lambda data: [
        *_event("chosen", *range(1, min(4, len(data["tokens"])))),
        *_event("switched", *(stage["switch"] for stage in data["stages"] if stage["switch"])),
    ],
    "lm_lab_token_strip": lambda _: _event("clicked", 1, 2, 3),
    "lm_lab_query_pad": lambda _: _event("dropped", [1.0, 0.5], [-1.0, 0.5], [0.5, -1.0]),
    "lm_lab_point_pad": lambda _: _event("put", [1.0, 0.5], [0.5, 1.0]),
    "lm_lab_playback_slider": lambda data: _event(
        "touched", *({"step": step, "id": f"{step}"} for step in range(1, min(4, data["last"]) + 1))
    ),
    "lm_lab_plane_panels": lambda _: _event("dropped", {"place": [0.5, 0.5]}),
    "lm_lab_cell_grids": lambda _: _event("picked", {"grid": 0, "cell": [1, 1]}),
}
"""What our own components say when they are clicked or dragged, given what they show."""


@dataclass
class Visitor:
    """One browser tab's connection.

    Attributes
    ----------
    controls : dict of str to Control, by the name under which the link carries it, as on screen
    messages, sent, travelled : list of int
        How many messages each run has sent, their bytes as the browser reads them, and over the network.
    page_hash : str, by which Streamlit knows the page that is open; empty until it has said so
    """

    socket: Wire
    page: str
    controls: dict[str, Control] = field(default_factory=dict)
    messages: list[int] = field(default_factory=list)
    sent: list[int] = field(default_factory=list)
    travelled: list[int] = field(default_factory=list)
    page_hash: str = ""
    _kept: dict[str, ForwardMsg] = field(default_factory=dict)

    async def open_page(self) -> float:
        """Run the page for the first time; return the seconds that took."""
        return await self._run(self._message())

    async def move(self, name: str, step: int) -> float:
        """Move a control to its value of a number; return the seconds until the page answered."""
        values = self.controls[name].values
        return await self.set(name, values[step % len(values)])

    async def set(self, name: str, value: Any) -> float:
        """Set a control to a value; return the seconds until the page answered."""
        control = self.controls[name]
        message = self._message()
        message.rerun_script.fragment_id = control.fragment
        state = message.rerun_script.widget_states.widgets.add(id=control.widget)
        held = getattr(state, control.field)
        if isinstance(value, list):
            held.data.extend(value)
        elif isinstance(held, Message):
            held.data = value
        else:
            setattr(state, control.field, value)
        return await self._run(message)

    def _message(self) -> BackMsg:
        message = BackMsg()
        asked = message.rerun_script
        name, _, asked.query_string = self.page.partition("?")
        if not self.page_hash:  # as a browser asks for the page of its URL
            asked.page_name = name
        asked.page_script_hash = self.page_hash
        asked.cached_message_hashes.extend(self._kept)
        return message

    async def _run(self, message: BackMsg) -> float:
        started, received = time.perf_counter(), self.socket.received
        await self.socket.send(message.SerializeToString())
        self.messages.append(0)
        self.sent.append(0)
        while True:
            data = await asyncio.wait_for(self.socket.recv(), PATIENCE_S)
            answer = ForwardMsg.FromString(data)
            self.messages[-1] += 1
            self.sent[-1] += len(data)
            self._note(self._whole(answer))
            is_over = answer.script_finished != ForwardMsg.FINISHED_EARLY_FOR_RERUN
            if answer.WhichOneof("type") == "script_finished" and is_over:
                self.travelled.append(self.socket.received - received)
                return time.perf_counter() - started

    def _whole(self, answer: ForwardMsg) -> ForwardMsg:
        """Return a message as the browser draws it: one that it has kept may only be named."""
        if answer.WhichOneof("type") == "ref_hash":
            return self._kept[answer.ref_hash]
        if answer.metadata.cacheable:
            self._kept[answer.hash] = answer
        return answer

    def _note(self, answer: ForwardMsg) -> None:
        """Keep what a message of the server tells of the page."""
        kind = answer.WhichOneof("type")
        if kind == "new_session" and not answer.metadata.run.fragment_ids:
            self.controls.clear()
        elif kind == "navigation":
            self.page_hash = answer.navigation.page_script_hash
        elif kind == "page_info_changed":
            name = self.page.partition("?")[0]
            self.page = f"{name}?{answer.page_info_changed.query_string}"
        elif kind == "delta" and (control := drawn_control(answer.delta)) is not None:
            self.controls[control.name] = control
