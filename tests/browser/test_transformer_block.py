"""One block, end to end: steps by keys, columns and heads by a tap, a map that waits for the guess, links."""

import re

import pytest
from playwright.sync_api import expect

from lm_core.training.checkpoints import META_FILE, SHIPPED
from pages.shared.models.read_sentences import MODEL
from tests.browser.conftest import FITS, settle

pytestmark = pytest.mark.skipif(
    not (SHIPPED / MODEL / META_FILE).exists(), reason=f"{MODEL} is not among the checkpoints"
)

PAGE = "transformer-block"
PIERRE = "sentence=Pierre+looked+at+Natasha+and+she+at+him"


def column(page, name):
    """The columns whose words begin so."""
    return page.locator(f".column[aria-label^='{name}']")


def opened(page, name):
    return page.locator(f".column[aria-pressed=true][aria-label^='{name}']")


def test_the_keys_walk_through_the_stages_and_a_tap_opens_one(visit, lab):
    page = visit(f"{lab}/{PAGE}?{PIERRE}&stage=3&reveal=first_block")
    expect(opened(page, "what the heads mix")).to_be_visible()
    page.keyboard.press("ArrowRight")
    expect(opened(page, "what attention adds")).to_be_visible()
    expect(page.get_by_text(re.compile(r"What attention adds of block 1"))).to_be_visible()
    settle(page)
    assert "stage=4" in page.url
    page.keyboard.press("ArrowLeft")
    expect(opened(page, "what the heads mix")).to_be_visible()
    column(page, "feed-forward network: activation").first.click()
    expect(opened(page, "feed-forward network: activation")).to_be_visible()
    expect(page.get_by_text(re.compile(r"gpt.py, line \d+"))).to_be_visible()
    expect(page.locator(".katex-display")).to_have_count(1)
    expect(page.locator(".katex-error")).to_have_count(0)
    settle(page)
    assert "stage=8" in page.url


def test_a_token_is_chosen_in_the_picture_and_its_way_is_drawn(visit, lab):
    page = visit(f"{lab}/{PAGE}?{PIERRE}&stage=3&reveal=first_block")
    page.locator(".token", has_text="Natasha").click()
    expect(page.locator(".token[tabindex='0']")).to_have_text("·Natasha")
    expect(page.get_by_text(re.compile("The largest number of ·Natasha here"))).to_be_visible()
    settle(page)
    assert "token=03" in page.url


def test_a_head_leads_to_its_page_and_from_there_back(visit, lab):
    page = visit(f"{lab}/{PAGE}?{PIERRE}&stage=12&token=4&reveal=first_block")
    page.get_by_role("button", name="2.3", exact=True).or_(
        page.get_by_role("radio", name="2.3", exact=True)
    ).click()
    expect(page.locator("h1")).to_contain_text("Attention heads")
    expect(page.locator("strong", has_text="Head 2.3: 04 ·and attends to")).to_be_visible()
    expect(page.get_by_label("Sentence", exact=True)).to_have_value(re.compile("^Pierre looked"))
    page.get_by_role("button", name="Block 2, end to end").click()
    expect(page.locator("h1")).to_contain_text("One block")
    expect(opened(page, "what the heads mix")).to_be_visible()
    expect(page.locator(".token[tabindex='0']")).to_have_text("·and")
    page.get_by_role("button", name="2.5", exact=True).or_(
        page.get_by_role("radio", name="2.5", exact=True)
    ).click()
    expect(page.locator("strong", has_text="Head 2.5: 04 ·and attends to")).to_be_visible()


def test_the_map_waits_for_the_guess_and_a_tap_carries_a_cell_over(visit, lab):
    page = visit(f"{lab}/{PAGE}?part=Patching")
    grid = page.locator(".st-key-patch_map svg")
    expect(grid).to_have_attribute("aria-label", re.compile("The answer waits"))
    assert "%" not in grid.text_content()
    page.get_by_text("That of princess, the changed word").click()
    page.get_by_role("button", name="Reveal").click()
    expect(grid).to_have_attribute("aria-label", re.compile(r"Strongest: .*prince .* 100"))
    carried = page.locator("strong", has_text="Next token of B with the cell of")
    expect(carried).to_contain_text("princess, 2 feed-forward")
    grid.locator("text", has_text="100").first.click()
    expect(carried).to_contain_text("princess, embedding")
    settle(page)
    assert "patched_stage=" in page.url


def test_a_link_restores_what_was_seen(visit, lab):
    page = visit(
        f"{lab}/{PAGE}?part=What+it+would+say&{PIERRE}&token=5&follow_typed=him&reveal=first_block"
    )
    expect(page.locator("strong", has_text="In the end")).to_contain_text("·him")
    expect(page.locator(".st-key-lens svg")).to_have_attribute(
        "aria-label", re.compile("4 feed-forward: ")
    )
    again = page.url
    page = visit(again)
    expect(page.locator("strong", has_text="In the end")).to_contain_text("·him")


@pytest.mark.parametrize(
    "part", ["Picture", "What it would say", "Who says it", "Take a part out", "Units", "Patching"]
)
def test_every_part_fits_a_phone(visit, lab, part):
    page = visit(
        f"{lab}/{PAGE}?part={part}&reveal=first_block,largest_part,taken_out", width=390, height=844
    )
    settle(page)
    assert page.locator("[data-testid=stMain]").evaluate(FITS)
    expect(page.locator("[data-testid=stException]")).to_have_count(0)
