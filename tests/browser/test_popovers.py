"""What a click in a picture has set stays set where the popover with its control was opened once and closed.

A browser keeps the value of a control that it has drawn, and sends it with every later click: see
`pages.shared.ui.controls`.
"""

import re

from playwright.sync_api import expect

from tests.browser.conftest import settle
from tests.browser.test_history import FAR_AWAY

FOX = "attention?model=Transformer+4+x+256&sentence=a+quick+brown+fox+jumps+over+a+lazy+dog&layer=1&head=1"


def look_into(page, name):
    """Open a popover, wait for what is in it, and close it again."""
    page.get_by_role("button", name=name, exact=True).first.click()
    body = page.locator("[data-testid=stPopoverBody]")
    expect(body).to_be_visible()
    settle(page)
    page.keyboard.press("Escape")
    expect(body).to_have_count(0)
    settle(page)


def head(page, layer, number):
    return page.get_by_role("button", name=f"Layer {layer}, head {number}:")


def finding(page, name, query):
    return page.locator("strong", has_text=f"Head {name}: {query}").first


def test_a_head_and_a_query_of_attention(visit, lab):
    page = visit(f"{lab}/{FOX}&query=10")
    look_into(page, "More")
    head(page, 4, 2).click()
    expect(finding(page, "4.2", "10 o")).to_be_visible()
    settle(page)
    page.locator(".map svg").focus()
    for key in ("ArrowUp", "Enter"):
        page.keyboard.press(key)
    expect(finding(page, "4.2", "09")).to_be_visible()
    head(page, 2, 2).click()
    expect(finding(page, "2.2", "09")).to_be_visible()
    settle(page)
    assert {"layer=2", "head=2", "query=9"} <= set(re.split("[?&]", page.url))


def test_a_mask_that_is_switched_off_in_the_picture(visit, lab):
    page = visit(f"{lab}/{FOX}&query=10&reveal=mask")
    look_into(page, "More")
    mask = page.get_by_role("switch", name="mask")
    mask.click()
    expect(mask).to_have_attribute("aria-checked", "false")
    settle(page)
    head(page, 4, 2).click()
    expect(finding(page, "4.2", "10 o")).to_be_visible()
    settle(page)
    expect(mask).to_have_attribute("aria-checked", "false")
    assert "causal=false" in page.url


def test_an_ablated_head(visit, lab):
    page = visit(f"{lab}/{FOX}&query=10&reveal=mask")
    look_into(page, "More")
    page.get_by_role("button", name=re.compile("^Ablate")).first.click()
    undo = page.get_by_role("button", name="Undo all")
    expect(undo).to_be_enabled()
    settle(page)
    head(page, 4, 2).click()
    expect(finding(page, "4.2", "10 o")).to_be_visible()
    settle(page)
    expect(undo).to_be_enabled()
    expect(page.get_by_role("button", name="Ablate 4.2")).to_be_visible()
    assert "ablated_heads=1.1" in page.url


def test_a_popover_that_is_closed_before_the_answer_has_come_stays_closed(visit, lab):
    """The server is far away: it answers the opening when nobody looks any more."""
    page = visit(f"{lab}/clustering", locale="en-IE")
    page.add_init_script(FAR_AWAY)
    page.reload()
    settle(page)
    body = page.locator("[data-testid=stPopoverBody]")
    for name in ("My work", "Terms"):
        page.get_by_role("button", name=name).click()
        expect(body).to_be_visible()
        page.wait_for_timeout(300)
        page.keyboard.press("Escape")
        expect(body).to_have_count(0)
        for _ in range(30):
            page.wait_for_timeout(100)
            assert body.count() == 0, name
        page.get_by_role("button", name=name).click()  # what lies in it still comes
        expect(body.locator("p").first).to_be_visible()
        page.keyboard.press("Escape")
        settle(page)
