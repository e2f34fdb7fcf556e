"""A visitor whose server is gone goes on at the next one, without a word and without a click."""

import re

from playwright.sync_api import expect

from tests.benchmarks.topology import replica
from tests.browser.conftest import go, type_in
from tests.browser.test_classroom import opened

APP = "[data-testid=stApp]"
IS_CONNECTED = f"{APP}[data-test-connection-state=CONNECTED]"
IS_RUNNING = f"{IS_CONNECTED}[data-test-script-state=running]"


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
