"""The pages on translation: pointing at words from either side, a tap that leads elsewhere, a full screen."""

import re

from playwright.sync_api import expect

from tests.browser.conftest import FITS, settle

FITS_ITS_PLACE = "strip => strip.scrollHeight <= strip.clientHeight + 1"


def seen(page, selector):
    """How many of some marks are drawn and not hidden."""
    return page.locator(f"{selector}:not([visibility=hidden])").count()


def test_words_are_pointed_at_from_either_side_and_arcs_show_the_same(visit, lab):
    page = visit(f"{lab}/cross-attention")
    picture, readout = page.locator(".alignment"), page.locator(".alignment .readout")
    hint = readout.inner_text()
    assert (seen(page, ".alignment rect.row"), seen(page, ".alignment rect.column")) == (0, 0)
    picture.locator(".word[data-row='1']").hover()
    assert (seen(page, ".alignment rect.row"), seen(page, ".alignment rect.column")) == (1, 0)
    looks = readout.inner_text()
    picture.locator(".word[data-column='1']").hover()
    assert (seen(page, ".alignment rect.row"), seen(page, ".alignment rect.column")) == (0, 1)
    assert len({hint, looks, readout.inner_text()}) == 3
    page.get_by_role("radio", name="Arcs").click(force=True)
    expect(picture.locator("path.link").first).to_be_attached()
    whole = seen(page, ".alignment path.link")
    picture.locator(".word[data-row='1']").hover()
    own = picture.locator("path.link[data-row='1']").count()
    assert 0 < own == seen(page, ".alignment path.link") < whole


def test_a_tap_on_a_bar_leads_the_translation_elsewhere_and_undo_takes_it_back(visit, lab):
    page = visit(f"{lab}/cross-attention?part=Word+by+word&written=3", width=390, height=844)
    assert page.locator("[data-testid=stMain]").evaluate(FITS)
    begins = page.get_by_role("textbox", name="The translation begins with")
    expect(begins).to_have_value("")
    bars = page.locator("[class*=st-key-charted_cross_next] [data-testid=stVegaLiteChart]")
    marks = bars.locator("svg")
    marks.scroll_into_view_if_needed()
    box = marks.bounding_box()
    second = {"x": 0.6 * box["width"], "y": 0.145 * box["height"]}
    marks.click(position=second)
    expect(begins).to_have_value(re.compile(r"\w"))
    settle(page)
    page.get_by_role("button", name="Undo").click()
    expect(begins).to_have_value("")
    settle(page)
    assert "written=3" in page.url


def test_the_presenter_view_holds_all_translations_after_a_wrong_word(visit, lab):
    page = visit(f"{lab}/encoder-decoder?part=Wrong+word&present=1")
    page.keyboard.press("a")
    strip = page.locator(".st-key-picture .strip")
    expect(strip.locator(".masked")).to_have_count(0)
    expect(strip.locator(".heading")).to_have_count(3)
    settle(page)
    assert strip.evaluate(FITS_ITS_PLACE)
    expect(page.locator(".st-key-main_playback_written")).to_be_in_viewport(ratio=1.0)
    words = strip.locator(".character").count()
    page.keyboard.press("ArrowLeft")  # the last step writes the end, which is left out here
    expect(page).to_have_url(re.compile("written=12"))
    settle(page)
    page.keyboard.press("ArrowLeft")
    expect(strip.locator(".character")).not_to_have_count(words)
