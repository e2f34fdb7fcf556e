"""A visitor whose server is gone goes on at the next one, without a word and without a click."""

import re
import socket
from contextlib import suppress
from pathlib import Path
from threading import Event, Thread

import pytest
from playwright.sync_api import expect

from tests.benchmarks.topology import replica
from tests.browser.conftest import go, settle, type_in
from tests.browser.test_classroom import opened
from tests.browser.test_training import button, start, state

APP = "[data-testid=stApp]"
IS_CONNECTED = f"{APP}[data-test-connection-state=CONNECTED]"
IS_RUNNING = f"{IS_CONNECTED}[data-test-script-state=running]"

CONNECTION = Path(__file__).parents[2] / "pages" / "shared" / "components" / "connection.js"


def test_a_page_goes_on_at_a_server_that_has_never_heard_of_it(visit, tmp_path):
    """Its settings are those of the link, and its controls work: the one that is moved is a fragment's."""
    environment = {"LM_LAB_HOME": str(tmp_path / "home")}
    with replica(tmp_path / "first.log", environment) as first:
        page = visit(f"{first.address}/clustering?clusters=5")
        expect(page.get_by_text("Point 1 at")).to_be_visible()
        first.kill()
    page.wait_for_selector(IS_CONNECTED, state="detached")
    with replica(tmp_path / "second.log", environment, first.port):
        page.wait_for_selector(IS_RUNNING)  # by itself
        type_in(page, "Point, from 1 to 100", "3")
        expect(page.get_by_text("Point 3 at")).to_be_visible()
        expect(page.get_by_text("100 points into 5").first).to_be_visible()


def test_a_page_that_gives_up_for_good_is_loaded_again_in_its_room(visit, lab):
    """A message that its front end makes no sense of, as one of a chart that it has forgotten, ends it."""
    room = opened(visit(f"{lab}/estimation"))
    phone, sockets, loads = visit(f"{lab}/estimation", width=390, height=844), [], []

    def pass_on(socket):
        sockets.append(socket)
        socket.connect_to_server()

    phone.route_web_socket(re.compile("_stcore/stream"), pass_on)
    go(phone, f"{lab}/join?code={room}")
    expect(phone.get_by_text(f"You are in class {room}")).to_be_visible()
    phone.on("load", lambda: loads.append(phone.url))
    sockets[-1].send("no message of Streamlit's")
    with phone.expect_event("load"):
        pass
    phone.wait_for_selector(IS_CONNECTED)
    expect(phone.get_by_text(f"You are in class {room}")).to_be_visible()
    assert len(loads) == 1
    assert f"room={room}" in phone.url


def test_a_lost_connection_loses_nothing_and_says_what_is_waited_for(visit, lab):
    with Wire(int(lab.rsplit(":", 1)[1])) as wire:
        page = visit(f"{wire.address}/tokenization")
        question = page.get_by_role("radiogroup", name=re.compile("How many bytes is it"))
        question.get_by_text("18", exact=True).click()
        settle(page)
        page.evaluate("window.isTheSamePage = true")
        field = page.get_by_label("Your text")
        field.fill("Typed, but not sent yet.")
        wire.cut()
        note = page.get_by_text("There is no connection to the server")
        expect(note).to_be_visible()
        expect(note).to_contain_text("waits for it")
        page.wait_for_timeout(30_000)
        wire.mend()
        page.wait_for_selector(IS_CONNECTED)
        expect(note).to_be_hidden()
        expect(field).to_have_value("Typed, but not sent yet.")
        field.press("Control+Enter")
        expect(page).to_have_url(re.compile("Typed"))
        expect(question.get_by_role("radio", name="18")).to_be_checked()
        assert page.evaluate("window.isTheSamePage")


def test_a_link_that_is_open_and_carries_nothing_is_told_as_one_that_is_lost(visit, lab):
    with Wire(int(lab.rsplit(":", 1)[1])) as wire:
        page = visit(f"{wire.address}/tokenization")
        page.evaluate("window.isTheSamePage = true")
        note = page.get_by_text("There is no connection to the server")
        expect(note).to_be_hidden()
        wire.freeze()
        expect(note).to_be_visible()
        page.wait_for_selector(IS_CONNECTED)  # as the browser believes
        wire.thaw()
        expect(note).to_be_hidden()
        field = page.get_by_label("Your text")
        field.fill("Typed afterwards.")
        field.press("Control+Enter")
        expect(page).to_have_url(re.compile("Typed"))
        assert page.evaluate("window.isTheSamePage")


@pytest.mark.slow
def test_a_training_goes_on_while_its_visitor_has_no_connection(visit, lab):
    """Another visitor, who has one, sees its steps meanwhile."""
    address = "war-and-peace?view=Train+your+own&text=Your+own+text"
    with Wire(int(lab.rsplit(":", 1)[1])) as wire:
        page = visit(f"{wire.address}/{address}")
        start(page)
        expect(state(page)).to_contain_text("Running: step", timeout=300_000)
        other = visit(f"{lab}/{address}")
        expect(state(other)).to_contain_text("A private training")
        page.evaluate("window.isTheSamePage = true")
        wire.cut()
        expect(page.get_by_text("There is no connection to the server")).to_be_visible()
        lost_at = state(other).inner_text()
        page.wait_for_timeout(30_000)
        expect(state(other)).not_to_have_text(lost_at)
        wire.mend()
        page.wait_for_selector(IS_CONNECTED)
        expect(state(page)).to_contain_text("Running: step")
        expect(page.locator(".st-key-live_training svg.marks").first).to_be_visible()
        button(page, "Cancel").click()
        expect(state(page)).to_contain_text("Cancelled: step")
        expect(button(page, "Use this model on the page")).to_be_visible()
        assert page.evaluate("window.isTheSamePage")


def test_a_note_that_ends_after_the_next_has_begun_leaves_it_watching(visit, lab):
    page = visit(lab).context.new_page()
    page.set_content(
        "<div data-testid=stApp data-test-connection-state=CONNECTED></div>"
        "<i id=before><b class=note hidden></b></i><i id=after><b class=note hidden></b></i>"
    )
    page.evaluate(
        """async script => {
          const url = URL.createObjectURL(new Blob([script], { type: "text/javascript" }))
          const { default: begin } = await import(url)
          const [before, after] = ["before", "after"].map(id =>
            begin({ data: { text: "Gone." }, parentElement: document.getElementById(id) }))
          before()
          document.querySelector("[data-testid=stApp]").dataset.testConnectionState = "CONNECTING"
        }""",
        CONNECTION.read_text(encoding="utf-8"),
    )
    expect(page.locator("#after .note")).to_be_visible()
    expect(page.locator("#before .note")).to_be_hidden()


class Wire:
    """What lies between a browser and a server, to be cut: all connections end, and no new one begins.

    Frozen, they stay open and carry nothing.
    """

    def __init__(self, port):
        self._server, self._is_whole, self._ends = port, True, []
        self._carries = Event()
        self._carries.set()
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.address = f"http://127.0.0.1:{self._listener.getsockname()[1]}"

    def __enter__(self):
        Thread(target=self._accept, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.thaw()
        self.cut()
        self._listener.close()

    def cut(self):
        self._is_whole = False
        for end in self._ends:
            _hang_up(end)
        self._ends.clear()

    def mend(self):
        self._is_whole = True

    def freeze(self):
        self._carries.clear()

    def thaw(self):
        self._carries.set()

    def _accept(self):
        with suppress(OSError):  # closed
            while True:
                browser, _ = self._listener.accept()
                if not self._is_whole:
                    browser.close()
                    continue
                server = socket.create_connection(("127.0.0.1", self._server))
                self._ends += [browser, server]
                for pair in ((browser, server), (server, browser)):
                    Thread(target=_pass_on, args=(*pair, self._carries), daemon=True).start()


def _pass_on(one, other, carries):
    with suppress(OSError):  # hung up
        while data := one.recv(65_536):
            carries.wait()
            other.sendall(data)
    _hang_up(other)


def _hang_up(end):
    with suppress(OSError):
        end.shutdown(socket.SHUT_RDWR)
