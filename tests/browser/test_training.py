"""A class and its training: started by one, watched by all, stopped by who may."""

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import press_at_rest, settle

TEXT = "The cat sat on the mat, and the dog lay by the fire. Who let them in? " * 80


@pytest.fixture
def classroom(lab):
    return f"{lab}/war-and-peace?view=Train+your+own&text=Your+own+text"


def button(page, name):
    return page.get_by_role("button", name=name, exact=True)


def state(page):
    return page.locator(".st-key-live_training [data-testid=stProgress]")


def start(page):
    """Paste a text and train on it for longer than a test lasts."""
    field = page.get_by_label("or paste it here")
    field.fill(TEXT)
    field.press("Control+Enter")
    expect(button(page, "Train")).to_be_enabled()
    steps = page.locator(".st-key-length").get_by_role("slider").first
    steps.focus()
    steps.press("End")
    settle(page)
    button(page, "Train").click()


def test_one_visitor_trains_on_their_own_text_and_the_others_see_how_far_it_is(visit, classroom):
    page = visit(classroom)
    start(page)
    expect(state(page)).to_contain_text("Running: step")
    expect(page.locator(".st-key-live_training svg.marks").first).to_be_visible()

    other = visit(classroom)
    expect(state(other)).to_contain_text("A private training")
    expect(other.locator(".st-key-live_training svg.marks")).to_have_count(0)
    expect(button(other, "Cancel")).to_have_count(0)
    expect(button(page, "Cancel")).to_be_visible()

    page.reload()
    settle(page)
    expect(button(page, "Pause")).to_be_visible()  # the browser knows who started it
    button(page, "Pause").click()
    expect(state(page)).to_contain_text("Paused: step")
    expect(state(other)).to_have_count(0)
    button(page, "Resume").click()
    expect(state(page)).to_contain_text("Running: step")
    press_at_rest(button(page, "Cancel"))
    expect(state(page)).to_contain_text("Cancelled: step")

    button(page, "Use this model on the page").click()
    provenance = page.locator(
        "[data-testid=stCaptionContainer]",
        has_text="LSTM 1 x 256 on a text of one's own, 8,000 steps",
    )
    expect(provenance.first).to_be_visible()
    settle(page)
    expect(page.locator(".st-key-live_text")).to_be_in_viewport()
    expect(page.locator("[data-testid=stException]")).to_have_count(0)
    with page.expect_download() as download:
        page.locator("[class*=st-key-download_] button").first.click()
    assert download.value.suggested_filename == "words.zip"


def test_what_is_no_text_is_refused_with_the_reason(visit, classroom):
    page = visit(classroom)
    field = page.get_by_label("or paste it here")
    for content, answer in (("<b>too short</b>", "2,500"), ("x" * 10, "2,500")):
        field.fill(content)
        field.press("Control+Enter")
        alert = page.locator("[data-testid=stAlert]", has_text=answer)
        expect(alert.first).to_be_visible()
    page.locator("[data-testid=stFileUploader] input[type=file]").set_input_files(
        {"name": "book.txt", "mimeType": "text/plain", "buffer": b"%PDF-1.7 " + bytes(5000)}
    )
    expect(page.locator("[data-testid=stAlert]", has_text="PDF").first).to_be_visible()
    expect(button(page, "Train")).to_have_count(0)
