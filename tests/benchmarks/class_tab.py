"""A browser tab in a class, for the benchmarks: it speaks the browser's protocol and asks again by itself.

Unlike `visitors.Visitor` it goes on reading while it waits, and reruns the fragments that the server
told it to rerun, as often as it was told to: half of what a class costs is that.
"""

import asyncio
import hashlib
import json
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from secrets import token_hex
from typing import NamedTuple

import websockets
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.Delta_pb2 import Delta
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from tests.benchmarks.visitor import Control, connect, drawn_control

PATIENCE_S = 20.0
"""After which a message counts as lost; of a first page on a busy machine, three times as long."""
Seen = Callable[[ForwardMsg], bool]


def text_of(message: ForwardMsg) -> str:
    """Return the Markdown that a message draws; empty if it draws none."""
    return message.delta.new_element.markdown.body


def key_of(widget: str) -> str:
    """Return the key in a widget's id."""
    return widget.split("-", 2)[-1]


class Button(NamedTuple):
    """A button: its id, its fragment's and its form's, empty where it has none."""

    widget: str
    fragment: str
    form: str


class Tab:
    """One browser tab.

    Attributes
    ----------
    visitor : str, who the server takes it for
    controls : dict of str to Control, by key; buttons are in `buttons`
    buttons : dict of str to Button, by key
    """

    def __init__(self, socket: websockets.ClientConnection, page: str) -> None:
        self.controls: dict[str, Control] = {}
        self.buttons: dict[str, Button] = {}
        self._secret = token_hex(16)
        self._socket = socket
        self._page_hash = ""
        self.go_to(page)
        self._timers: dict[str, asyncio.Task[None]] = {}
        self._waiting: list[tuple[Seen, asyncio.Future[float]]] = []

    @property
    def visitor(self) -> str:
        """Who the server takes it for."""
        return hashlib.sha256(self._secret.encode()).hexdigest()[:16]

    def go_to(self, page: str) -> None:
        """Have this page, and what its link says, opened by `open_page`."""
        self._page, _, self._query = page.partition("?")

    def submit_of(self, form: str) -> str:
        """Return the key of the button that sends a form."""
        return next(key for key, button in self.buttons.items() if button.form == form)

    async def open_page(self, seen: Seen) -> float:
        """Run the page for the first time; return the seconds until something has been seen."""
        return await self._timed(self._message(), seen, 3 * PATIENCE_S)

    async def press(self, key: str, seen: Seen, **values: float) -> float:
        """Press a button, with sliders of its form set; return the seconds until something was seen."""
        button = self.buttons[key]
        message = self._message(button.fragment)
        for name, value in values.items():
            widgets = message.rerun_script.widget_states.widgets
            widgets.add(id=self.controls[name].widget).double_array_value.data.append(value)
        message.rerun_script.widget_states.widgets.add(id=button.widget).trigger_value = True
        return await self._timed(message, seen)

    async def move(self, name: str, step: int) -> float:
        """Move a control to its value of a number; return the seconds until the page answered."""
        control = self.controls[name]
        value = control.values[step % len(control.values)]
        message = self._message(control.fragment)
        state = message.rerun_script.widget_states.widgets.add(id=control.widget)
        if isinstance(value, list):
            getattr(state, control.field).data.extend(value)
        else:
            setattr(state, control.field, value)
        return await self._timed(message, lambda answer: self._ends(answer, control.fragment))

    async def until(self, seen: Seen, patience_s: float = PATIENCE_S) -> float:
        """Wait for a message; return when it came."""
        future: asyncio.Future[float] = asyncio.get_running_loop().create_future()
        self._waiting.append((seen, future))
        return await asyncio.wait_for(future, patience_s)

    async def read(self) -> None:
        """Read what the server says, until the connection is closed."""
        async for raw in self._socket:
            message = ForwardMsg.FromString(raw)
            await self._take(message)
            for seen, future in self._waiting:
                if not future.done() and seen(message):
                    future.set_result(time.perf_counter())
            self._waiting = [waiting for waiting in self._waiting if not waiting[1].done()]

    def close(self) -> None:
        """Ask no more."""
        self._stop(list(self._timers))

    @staticmethod
    def _ends(message: ForwardMsg, fragment: str) -> bool:
        """Return whether a message ends a run of the page, or of a fragment."""
        if message.WhichOneof("type") != "script_finished":
            return False
        if message.script_finished == ForwardMsg.FINISHED_SUCCESSFULLY:
            return True
        return fragment in message.metadata.run.fragment_ids

    async def _take(self, message: ForwardMsg) -> None:
        match message.WhichOneof("type"):
            case "delta":
                await self._draw(message.delta)
            case "navigation":  # a session's first message names the app's page instead
                self._page_hash = message.navigation.page_script_hash
            case "page_info_changed":
                self._query = message.page_info_changed.query_string
            case "auto_rerun":
                self._start(message.auto_rerun.fragment_id, message.auto_rerun.interval)
            case "stop_auto_rerun":
                self._stop(list(message.stop_auto_rerun.fragment_ids))

    async def _draw(self, delta: Delta) -> None:
        element = delta.new_element
        if element.WhichOneof("type") == "button":
            drawn = element.button
            self.buttons[key_of(drawn.id)] = Button(drawn.id, delta.fragment_id, drawn.form_id)
        elif (control := drawn_control(delta)) is not None:
            self.controls[key_of(control.widget)] = control
        elif key_of(element.bidi_component.id).endswith("visitor_id"):
            await self._introduce(element.bidi_component.id, delta)

    async def _introduce(self, widget: str, delta: Delta) -> None:
        """Say who this is, as the browser does that has a number of its own."""
        if json.loads(delta.new_element.bidi_component.json)["known"] != self._secret:
            message = self._message(delta.fragment_id)
            state = message.rerun_script.widget_states.widgets.add(id=widget)
            state.json_value = json.dumps({"id": f"{self._secret}-{self._secret}"})
            await self._send(message)

    def _start(self, fragment: str, interval: float) -> None:
        known = self._timers.get(fragment)
        if known is None or known.get_name() != str(interval):
            self._stop([fragment])
            timer = asyncio.create_task(self._rerun(fragment, interval), name=str(interval))
            self._timers[fragment] = timer

    def _stop(self, fragments: list[str]) -> None:
        for fragment in fragments:
            if timer := self._timers.pop(fragment, None):
                timer.cancel()

    async def _rerun(self, fragment: str, interval: float) -> None:
        while True:
            await asyncio.sleep(interval)
            message = self._message(fragment)
            message.rerun_script.is_auto_rerun = True
            await self._send(message)

    def _message(self, fragment: str = "") -> BackMsg:
        message = BackMsg()
        run = message.rerun_script
        run.query_string, run.fragment_id = self._query, fragment
        if self._page_hash:
            run.page_script_hash = self._page_hash
        else:
            run.page_name = self._page
        return message

    async def _timed(self, message: BackMsg, seen: Seen, patience_s: float = PATIENCE_S) -> float:
        started = time.perf_counter()
        awaited = asyncio.create_task(self.until(seen, patience_s))
        await asyncio.sleep(0)
        await self._send(message)
        return await awaited - started

    async def _send(self, message: BackMsg) -> None:
        with suppress(websockets.ConnectionClosed):  # at the end
            await self._socket.send(message.SerializeToString())


@asynccontextmanager
async def open_tab(address: str, page: str) -> AsyncIterator[Tab]:
    """Connect a tab for a block; its page is not asked for yet."""
    async with connect(address) as socket:
        tab = Tab(socket, page)
        reading = asyncio.create_task(tab.read())
        try:
            yield tab
        finally:
            tab.close()
            reading.cancel()
