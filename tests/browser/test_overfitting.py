"""The page on overfitting: a training played, stopped by hand while it plays, and then by the rule."""

import re

from playwright.sync_api import expect

from tests.browser.conftest import FITS, settle


def test_a_class_stops_a_training_that_plays_and_then_the_rule_does(visit, lab):
    page = visit(f"{lab}/overfitting?stopping=By+hand")
    main = page.locator("[data-testid=stMain]")
    said = main.locator(".st-key-picture strong").first
    expect(said).to_contain_text("Step 0: training")
    page.get_by_role("button", name="Play").click()
    expect(said).to_have_text(re.compile(r"Step [1-9]\d*: training"))
    page.locator(".st-key-stop_here label").click()
    expect(said).to_contain_text("You stopped at step")
    expect(page).to_have_url(re.compile("stop_here=true"))
    expect(page.get_by_role("button", name="Play")).to_be_visible()  # it does not play on
    settle(page)
    stopped = re.search(
        r"at step (\d+), with ([\d.]+)\. The lowest was ([\d.]+)", said.inner_text()
    )
    assert int(stopped[1]) > 0
    assert float(stopped[2]) >= float(stopped[3])
    settle(page)
    page.goto(page.url)  # the link holds where it was stopped
    expect(said).to_contain_text(stopped[0])
    page.goto(f"{lab}/overfitting?stopping=By+patience&patience=3")
    expect(said).to_contain_text("goes back to")
    settle(page)
    assert main.evaluate(FITS), "scrolls sideways"
