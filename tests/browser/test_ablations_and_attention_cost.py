"""Ablations and the cost of attention: snapshots by keyboard, texts that grow, a measurement that ends."""

import re

from playwright.sync_api import expect

from tests.browser.conftest import settle

CHARTS = "[data-testid=stVegaLiteChart] svg, [data-testid=stVegaLiteChart] canvas"


def finding(page, steps):
    return page.locator("strong", has_text=f"After {steps} steps, loss on training text")


def test_the_keys_step_through_the_snapshots_and_both_models_generate(visit, lab):
    page = visit(f"{lab}/ablations?ablation=Mask&reveal=mask")
    expect(finding(page, "1,200")).to_be_visible()
    page.keyboard.press("ArrowLeft")
    expect(finding(page, "1,100")).to_be_visible()
    settle(page)
    assert "snapshot=11" in page.url
    expect(page.locator(CHARTS)).to_have_count(2)
    expect(page.get_by_text("Trained without the mask")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= 1280


def test_a_measurement_is_drawn_and_ends(visit, lab):
    page = visit(f"{lab}/attention-cost?reveal=twice", width=390, height=844)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.get_by_role("button", name="Measure on this server").click()
    expect(page.get_by_role("button", name="Cancel")).to_be_visible()
    expect(page.get_by_text("This server: ")).to_be_visible()
    expect(page.get_by_role("button", name=re.compile("shipped"))).to_be_visible()
    expect(page.locator(CHARTS)).to_have_count(3)
