"""Attention heads: heads, tokens and cells chosen by click and by key, files, and what is kept."""

import re

import pandas as pd
import pytest
from playwright.sync_api import expect

from lm_core.training.checkpoints import META_FILE, SHIPPED
from pages.shared.models.read_sentences import MODEL
from tests.browser.conftest import settle

pytestmark = pytest.mark.skipif(
    not (SHIPPED / MODEL / META_FILE).exists(), reason=f"{MODEL} is not among the checkpoints"
)

FIRST_COLUMNS = {
    "all_heads": ["layer", "head", "pattern"],
    "row": ["key", "score", "scaled", "weight"],
    "map": ["query", "00 a"],
}
FOX = "attention?model=Transformer+4+x+256&sentence=a+quick+brown+fox+jumps+over+a+lazy+dog&layer=1&head=1"


def head(page, layer, number):
    return page.get_by_role("button", name=f"Layer {layer}, head {number}:")


def title(page, name, query):
    return page.locator("strong", has_text=f"Head {name}: {query} attends to")


def test_heads_tokens_and_cells_are_chosen_by_click_and_by_keyboard(visit, lab):
    page = visit(f"{lab}/{FOX}&query=10")
    expect(page.locator(".head canvas")).to_have_count(32)
    head(page, 4, 2).click()
    expect(title(page, "4.2", "10 o")).to_be_visible()
    expect(page.locator(".st-key-map").get_by_role("application", name="4.2")).to_be_visible()
    expect(head(page, 4, 2)).to_have_attribute("aria-pressed", "true")
    settle(page)
    assert "layer=4" in page.url
    assert "head=2" in page.url
    for key in ("ArrowLeft", "ArrowUp", "ArrowRight", "Enter"):
        page.keyboard.press(key)
    expect(title(page, "3.2", "10 o")).to_be_visible()
    page.locator(".token[tabindex='0']").focus()
    for key in ("ArrowLeft", "ArrowLeft", "Enter"):
        page.keyboard.press(key)
    expect(title(page, "3.2", "08 b")).to_be_visible()
    page.locator(".map svg").focus()
    for key in ("ArrowUp", "Enter"):
        page.keyboard.press(key)
    expect(title(page, "3.2", "07 ·")).to_be_visible()
    settle(page)
    assert "strongest_key=false" in page.url


def test_mask_and_scale_are_switched_in_the_picture_and_undone(visit, lab):
    page = visit(f"{lab}/{FOX}&query=10&reveal=mask")
    mask = page.get_by_role("switch", name="mask")
    crosses = page.locator(".st-key-row svg .masked")
    expect(mask).to_have_attribute("aria-checked", "true")
    assert crosses.count() == 3 * (39 - 11), "in the stages of mask, softmax and values"
    mask.click()
    expect(mask).to_have_attribute("aria-checked", "false")
    expect(crosses).to_have_count(0)
    settle(page)
    assert "causal=false" in page.url
    page.get_by_role("button", name="Undo all").click()
    expect(mask).to_have_attribute("aria-checked", "true")


def test_a_cell_is_read_off_and_put_into_the_formula(visit, lab):
    page = visit(f"{lab}/{FOX}&query=10")
    svg, readout = page.locator(".map svg"), page.locator(".st-key-map .readout")
    size = svg.bounding_box()
    below, above = (
        {"x": x * size["width"], "y": y * size["height"]} for x, y in ((0.15, 0.5), (0.8, 0.3))
    )
    svg.hover(position=below)
    expect(readout).to_contain_text(re.compile(r"weight [\d.]+\s%"))
    svg.hover(position=above)
    expect(readout).to_contain_text("masked")
    svg.click(position=above)
    expect(page.locator(".katex", has_text="masked").first).to_be_visible()
    expect(page.locator(".katex-error")).to_have_count(0)


@pytest.mark.slow
def test_every_picture_is_kept_as_a_file(visit, lab):
    page = visit(f"{lab}/{FOX}&query=10")
    expect(page.locator(".map svg").locator("image")).to_be_attached()
    for part, columns in FIRST_COLUMNS.items():
        for kind, start in (("SVG", b"<svg"), ("PNG", b"\x89PNG")):
            with page.expect_download() as waiting:
                page.locator(f".st-key-{part} .files button", has_text=kind).click()
            assert waiting.value.path().read_bytes().startswith(start)
            assert waiting.value.suggested_filename.endswith(kind.lower())
        page.locator(f".st-key-{part}_data button").click()
        with page.expect_download() as waiting:
            page.get_by_role("button", name="CSV", exact=True).click()
        assert list(pd.read_csv(waiting.value.path()).columns[: len(columns)]) == columns
        page.keyboard.press("Escape")


def test_an_example_takes_the_place_of_the_sentence_and_a_strangers_text_stays_text(visit, lab):
    page = visit(f"{lab}/attention")
    page.get_by_role("button", name="Examples").click()
    example = page.get_by_role("option").or_(page.get_by_role("menuitem"))
    sentence = page.get_by_label("Sentence", exact=True)
    before = sentence.input_value()
    example.filter(has_text="Ban on").click()
    expect(sentence).not_to_have_value(before)
    expect(sentence).to_have_value(re.compile("^Ban on.*'"))
    settle(page)
    sentence.fill("<img src=x onerror=alert(1)> fox")
    sentence.press("Enter")
    expect(page.get_by_text("Read as “img srcx onerroralert(1) fox”")).to_be_visible()
    expect(page.locator("[data-testid=stMain] img[src=x]")).to_have_count(0)
