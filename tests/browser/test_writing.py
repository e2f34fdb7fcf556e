"""The text that a model writes in front of a class: its end is in sight from the first character on."""

import re
from urllib.parse import quote_plus

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import settle

LAYOUTS = {
    "laptop": (1280, 720, ""),
    "projector": (1280, 720, "&present=1"),
    "phone": (390, 844, ""),
}
MODELS = ("LSTM 2 x 512", "Transformer 4 x 256, subwords", "n-gram, 6 characters")
"""One over characters, one over subwords, one that counts."""
ENOUGH = 1_000
HIDDEN = """
strip => {
  const last = [...strip.querySelectorAll(".character")].at(-1).getBoundingClientRect();
  const place = strip.getBoundingClientRect();
  const hidden = [];
  if (last.bottom > place.bottom + 1 || last.top < place.top - 1)
    hidden.push(`the last character ends at ${last.bottom}, the text's place at ${place.bottom}`);
  if (place.bottom > innerHeight) hidden.push(`the text ends at ${place.bottom} of ${innerHeight}`);
  return hidden;
}
"""


def strip_of(page):
    return page.locator(".st-key-writing_strip .strip")


def length_of(page):
    """How many characters, or tokens, the text has."""
    cut = re.search(
        r"The last [\d,]+ of ([\d,]+)", page.locator("[data-testid=stMain]").inner_text()
    )
    if cut:
        return int(cut[1].replace(",", ""))
    return len(page.locator(".st-key-writing_strip .unseen").text_content())


def start(page):
    page.get_by_role("button", name="Continue").click()
    expect(page.get_by_role("button", name="Stop")).to_be_visible()


def stop(page):
    page.get_by_role("button", name="Stop").click()
    expect(page.get_by_role("button", name="Continue")).to_be_visible()
    settle(page)


@pytest.mark.slow
@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("layout", LAYOUTS)
def test_the_last_character_is_in_sight_while_it_writes_and_after(visit, lab, layout, model):
    width, height, view = LAYOUTS[layout]
    page = visit(f"{lab}/war-and-peace?model={quote_plus(model)}{view}", width=width, height=height)
    assert not strip_of(page).evaluate(HIDDEN)
    start(page)
    until = length_of(page) + ENOUGH
    while length_of(page) < until:
        page.wait_for_timeout(300)
        assert not strip_of(page).evaluate(HIDDEN)
    stop(page)
    assert not strip_of(page).evaluate(HIDDEN)


def test_who_has_scrolled_up_reads_on_and_who_comes_back_follows(visit, lab):
    page = visit(f"{lab}/war-and-peace?present=1&model={quote_plus(MODELS[2])}")
    strip = strip_of(page)
    start(page)
    strip.hover()
    page.mouse.wheel(0, -2_000)
    expect(strip).to_have_js_property("scrollTop", 0)
    until = length_of(page) + 200
    while length_of(page) < until:
        page.wait_for_timeout(300)
        assert strip.evaluate("strip => strip.scrollTop") == 0, "pulled down"
    # Whoever scrolls while a busy server sends a lot at once has to scroll again.
    for _ in range(4):
        page.mouse.wheel(0, 20_000)
        until = length_of(page) + 200
        while length_of(page) < until:
            page.wait_for_timeout(300)
        if not (hidden := strip.evaluate(HIDDEN)):
            break
    assert not hidden
    stop(page)


def test_a_tap_moves_no_text_and_line_and_bars_agree(visit, lab):
    page = visit(f"{lab}/war-and-peace?model=LSTM+2+x+512", width=390, height=844)
    character = page.locator(".st-key-writing_strip .character:not(.prompt)").nth(20)
    top = character.bounding_box()["y"]
    character.click()
    expect(page.get_by_role("button", name="Go back to character 21")).to_be_visible()
    settle(page)
    assert character.bounding_box()["y"] == top
    expect(page.get_by_text("Character 21: its probability")).to_be_visible()
    character.hover()
    said = page.locator(".st-key-writing_strip .readout").inner_text()
    model, drawn = re.findall(r"([\d.]+)\s%", said)
    assert model != drawn, "at temperature 0.7"
    expect(page.locator("[class*=writing_next] svg.marks")).to_contain_text(f"{drawn} % ◀ drawn")
