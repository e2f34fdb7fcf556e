"""What the lab's styles and scripts look for is there, on a page that has one of each of Streamlit's elements."""

import pytest

from tests import streamlit_selectors
from tests.browser.conftest import serving

PAGE = "tests/browser/every_element.py"
MISSING = "selectors => selectors.filter(selector => !document.querySelector(selector))"
STATES = [
    "[data-testid=stApp][data-test-script-state=notRunning]",
    "[data-testid=stApp][data-test-connection-state=CONNECTED]",
    *(f"button[kind={kind}]" for kind in ("primary", "tertiary")),
    "[class*=st-key-charted_]",
    ".st-key-row",
]
"""What those attributes say, and how a container's key becomes a class."""


@pytest.fixture(scope="module")
def elements(tmp_path_factory):
    """The address of that page, served by Streamlit as it is."""
    log = tmp_path_factory.mktemp("elements") / "server.log"
    with serving(streamlit_selectors.ROOT, log, script=PAGE) as address:
        yield address


def test_all_that_styles_and_scripts_look_for_is_there(visit, elements):
    page = visit(elements)
    page.get_by_role("button", name="A popover").click()
    page.locator("[data-testid=stPopoverBody]").wait_for()
    page.locator("[data-testid=stVegaLiteChart] svg").wait_for()
    page.locator("[data-testid=stPlotlyChart] svg").first.wait_for()
    looked_for = [
        *(f"[data-testid^={name}]" for name in streamlit_selectors.TEST_IDS),
        *(f".{name}" for name in streamlit_selectors.CLASSES),
        *(f"[{name}]" for name in streamlit_selectors.ATTRIBUTES),
        *STATES,
    ]
    missing = page.evaluate(MISSING, looked_for)
    assert missing == [], "this version of Streamlit has no such elements: see streamlit_selectors"
