"""The page of published figures: a tap opens a row, its link leads on, and the way back keeps the guess."""

import re

from playwright.sync_api import expect

from tests.browser.conftest import FITS, settle

BACK = """
() => {
  history.pushState({}, "", "/published-figures");
  dispatchEvent(new PopStateEvent("popstate"));
}
"""
"""What the browser's own button does, however many steps lie between."""


def test_a_tap_opens_a_row_and_its_link_leads_to_the_experiment(visit, lab):
    page = visit(f"{lab}/published-figures?reveal=published")
    row = page.locator(".row", has_text="RNN, 14 symbols")
    expect(row).to_contain_text("does not hold")
    row.click()
    expect(page).to_have_url(re.compile("figure=RNN"))
    expect(row).to_have_attribute("aria-expanded", "true")
    expect(page.locator(".details")).to_contain_text("Our mean of 20 seeds")
    settle(page)
    page.get_by_role("link", name="Open this experiment").click()
    expect(page.locator("h1")).to_contain_text("RNN and LSTM")
    expect(page).to_have_url(re.compile("rnn-vs-lstm.*lengths=4"))
    settle(page)
    page.evaluate(BACK)
    expect(page.locator(".row", has_text="RNN, 14 symbols")).to_contain_text("does not hold")


def test_rows_are_walked_by_keyboard_and_wrap_on_a_phone(visit, lab):
    page = visit(f"{lab}/published-figures?reveal=published", width=390, height=844, scheme="dark")
    main = page.locator("[data-testid=stMain]")
    assert main.evaluate(FITS), "scrolls sideways"
    ledger = page.locator(".ledger")
    assert ledger.evaluate("list => list.scrollWidth <= list.clientWidth")
    page.locator(".row").first.focus()
    page.keyboard.press("ArrowDown")
    expect(page.locator(".row").nth(1)).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator(".row").nth(1)).to_have_attribute("aria-expanded", "true")
    expect(page.locator(".row").nth(1)).to_be_focused()
