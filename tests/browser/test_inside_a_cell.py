"""Inside a cell: the steps by keyboard, the answer after a guess, the link to what is seen."""

import re

from playwright.sync_api import expect

from tests.browser.conftest import settle

ADDRESS = "inside-a-cell?loss=after+every+digit&updates=1000&right=LSTM,+forget+bias+4"


def finding(page, step):
    return page.locator("strong", has_text=f"Of the gradient at step {step}, step 1 receives")


def test_the_keys_step_through_the_digits_and_everything_follows(visit, lab):
    page = visit(f"{lab}/{ADDRESS}&reveal=vanishing")
    expect(finding(page, 20)).to_be_visible()
    expect(page.get_by_text("100 %").first).to_be_visible()
    page.get_by_text("One step with the numbers").click()
    expect(page.locator(".katex-display")).to_have_count(2)
    page.keyboard.press("ArrowLeft")
    expect(finding(page, 19)).to_be_visible()
    expect(page.get_by_text(re.compile(r"\b19\b.*\b16\b.*\b8\b")).first).to_be_visible()
    settle(page)
    assert "step=19" in page.url
    # Two state maps, the gradients, two reach maps, two curves, the unrolled graph; and the equations are typeset.
    expect(
        page.locator("[data-testid=stVegaLiteChart] svg, [data-testid=stVegaLiteChart] canvas")
    ).to_have_count(8)
    expect(page.locator(".katex-display")).to_have_count(2)
    expect(page.locator(".katex-error")).to_have_count(0)


def test_the_gradient_is_drawn_after_the_guess(visit, lab):
    page = visit(f"{lab}/inside-a-cell")
    expect(finding(page, 20)).to_have_count(0)
    page.get_by_text("Much in both", exact=True).click()
    page.get_by_role("button", name="Reveal").click()
    expect(finding(page, 20)).to_be_visible()
