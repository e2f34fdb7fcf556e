"""A visitor whose server is gone goes on at the next one, without a word and without a click."""

from playwright.sync_api import expect

from tests.benchmarks.topology import replica
from tests.browser.conftest import type_in

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
        expect(page.get_by_text("into 5 clusters of").first).to_be_visible()
