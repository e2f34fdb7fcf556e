"""Firefox and WebKit as Debian ships them, asked in the words that both understand.

Firefox speaks WebDriver BiDi itself; WebKit, the engine of Safari, has a driver that speaks WebDriver.
"""

import base64
import json
import os
import re
import shutil
import signal
import subprocess
import time
import urllib.request
from abc import ABC, abstractmethod
from contextlib import contextmanager
from pathlib import Path

from websockets.sync.client import connect

from tests.browser.conftest import free_port

FIREFOX = shutil.which("firefox-esr") or shutil.which("firefox")
WEBKIT = shutil.which("WebKitWebDriver") and shutil.which("xvfb-run")
_MINI_BROWSER = next(Path("/usr/lib").glob("*/webkit2gtk-4.*/MiniBrowser"), None)
_LISTENS = re.compile(r"WebDriver BiDi listening on (ws://\S+)")
_PATIENCE_S = 60
_NOTE_ERRORS = """
(() => {
  window.uncaught ??= []
  addEventListener("error", event => window.uncaught.push(String(event.message)))
  addEventListener("unhandledrejection", event => window.uncaught.push(String(event.reason)))
})()
"""
_IS_DRAWN = """
Boolean(document.querySelector("[data-testid=stMain] h1")
  && document.querySelector("[data-testid=stApp][data-test-script-state=notRunning]")
  && !document.querySelector("[data-testid=stSkeleton]"))
"""


class Engine(ABC):
    """One tab of a browser."""

    @abstractmethod
    def evaluate(self, expression):
        """Return what an expression comes to, if JSON has it."""

    @abstractmethod
    def go(self, url):
        """Load an address."""

    @abstractmethod
    def act(self, *sources):
        """Carry out W3C's action sequences, as of a pointer or of keys."""

    @abstractmethod
    def picture(self):
        """Return a screenshot's bytes as base64."""

    def open(self, url):
        """Load an address, and note from then on what no script catches."""
        self.go(url)
        self.evaluate(_NOTE_ERRORS)
        self.settle()

    def jump(self, path, title):
        """Open a page as the browser's own buttons do, without loading the scripts again; wait for its title."""
        self.evaluate(
            f"history.pushState({{}}, '', {json.dumps(path)}),"
            " dispatchEvent(new PopStateEvent('popstate'))"
        )
        self.wait(
            f"document.querySelector('[data-testid=stMain] h1')?.textContent === {json.dumps(title)}"
        )
        self.settle()

    def settle(self):
        self.wait(_IS_DRAWN)

    def wait(self, expression):
        """Wait until an expression is true."""
        deadline = time.monotonic() + _PATIENCE_S
        while not self.evaluate(f"Boolean({expression})"):
            assert time.monotonic() < deadline, expression
            time.sleep(0.2)

    def uncaught(self):
        return self.evaluate("window.uncaught.splice(0)")

    def lead(self, *places, kind="mouse"):
        """Press a pointer at the first of some places, lead it over the others and lift it."""
        moves = [
            {"type": "pointerMove", "x": round(x), "y": round(y), "duration": 50} for x, y in places
        ]
        down, up = ({"type": name, "button": 0} for name in ("pointerDown", "pointerUp"))
        actions = [moves[0], down, *moves[1:], {"type": "pause", "duration": 50}, up]
        parameters = {"pointerType": kind}
        self.act({"type": "pointer", "id": kind, "parameters": parameters, "actions": actions})

    def press(self, *keys):
        actions = [{"type": t, "value": key} for key in keys for t in ("keyDown", "keyUp")]
        self.act({"type": "key", "id": "keys", "actions": actions})

    def screenshot(self, path):
        path.write_bytes(base64.b64decode(self.picture()))


class Firefox(Engine):
    """Over a websocket, by WebDriver BiDi."""

    def __init__(self, socket):
        self._socket, self._sent = socket, 0
        self._call("session.new", capabilities={})
        self._tab = self._call("browsingContext.getTree")["contexts"][0]["context"]

    def _call(self, method, **parameters):
        self._sent += 1
        self._socket.send(json.dumps({"id": self._sent, "method": method, "params": parameters}))
        answer = {}
        while answer.get("id") != self._sent:  # what lies between are events
            answer = json.loads(self._socket.recv(timeout=_PATIENCE_S))
        assert answer["type"] == "success", answer
        return answer["result"]

    def go(self, url):
        self._call("browsingContext.navigate", context=self._tab, url=url, wait="complete")

    def resize(self, width, height):
        size = {"width": width, "height": height}
        self._call("browsingContext.setViewport", context=self._tab, viewport=size)

    def evaluate(self, expression):
        answer = self._call(
            "script.evaluate",
            expression=f"(async () => JSON.stringify(await ({expression})))()",
            target={"context": self._tab},
            awaitPromise=True,
        )
        assert answer["type"] == "success", answer
        return json.loads(answer["result"].get("value", "null"))

    def act(self, *sources):
        self._call("input.performActions", context=self._tab, actions=sources)
        self._call("input.releaseActions", context=self._tab)

    def picture(self):
        return self._call("browsingContext.captureScreenshot", context=self._tab)["data"]


class WebKit(Engine):
    """Over HTTP, by WebDriver."""

    def __init__(self, address):
        self._address = f"{address}/session"
        options = {"binary": str(_MINI_BROWSER), "args": ["--automation"]}
        wanted = {"webkitgtk:browserOptions": options, "timeouts": {"script": 1000 * _PATIENCE_S}}
        session = self._call("", capabilities={"alwaysMatch": wanted})
        self._address += f"/{session['sessionId']}"

    def _call(self, command, method="POST", **parameters):
        body = json.dumps(parameters).encode() if method == "POST" else None
        asked = urllib.request.Request(f"{self._address}{command}", body, method=method)
        with urllib.request.urlopen(asked, timeout=_PATIENCE_S) as answer:
            return json.load(answer)["value"]

    def go(self, url):
        self._call("/url", url=url)

    def resize(self, width, height):
        """Have the page so much room: the window has a frame."""
        self._call("/window/rect", width=width, height=height)
        inner = self.evaluate("[innerWidth, innerHeight]")
        self._call("/window/rect", width=2 * width - inner[0], height=2 * height - inner[1])

    def evaluate(self, expression):
        script = f"return (async () => JSON.stringify(await ({expression})))()"
        return json.loads(self._call("/execute/sync", script=script, args=[]) or "null")

    def act(self, *sources):
        self._call("/actions", actions=sources)
        self._call("/actions", "DELETE")

    def picture(self):
        return self._call("/screenshot", "GET")


@contextmanager
def firefox(folder):
    """Start Firefox with a profile of its own, and yield its tab."""
    command = [FIREFOX, "--headless", "--remote-debugging-port=0", "--profile", str(folder)]
    with _started([*command, "about:blank"], stderr=subprocess.PIPE, text=True) as process:
        address = next(filter(None, map(_LISTENS.search, process.stderr)))[1]
        with connect(f"{address}/session", max_size=None, open_timeout=_PATIENCE_S) as socket:
            yield Firefox(socket)


@contextmanager
def webkit(folder):
    """Start WebKit's smallest browser on a screen that nobody sees, and yield its tab."""
    port = free_port()
    screen = ["xvfb-run", "--auto-servernum", "--server-args=-screen 0 1600x1200x24"]
    # Root, as in a container, has no sandbox.
    environment = {"HOME": str(folder), "WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS": "1"}
    command = [*screen, "WebKitWebDriver", f"--port={port}"]
    with _started(command, stderr=subprocess.DEVNULL, env=os.environ | environment):
        deadline = time.monotonic() + _PATIENCE_S
        while time.monotonic() < deadline:
            try:
                urllib.request.urlopen(f"http://127.0.0.1:{port}/status", timeout=5)
                break
            except OSError:
                time.sleep(0.2)
        yield WebKit(f"http://127.0.0.1:{port}")


@contextmanager
def _started(command, **settings):
    process = subprocess.Popen(
        command, stdout=subprocess.DEVNULL, start_new_session=True, **settings
    )
    try:
        yield process
    finally:
        os.killpg(process.pid, signal.SIGTERM)  # with what it has started itself
        process.wait(timeout=60)
