"""The page on the perceptron: points painted by mouse, undone, and learned."""

import re

from playwright.sync_api import expect

from tests.browser.conftest import FITS, settle

PANEL = ".panels svg.painted"


def painter(page):
    """Return how to click on a place of the panel, both coordinates from 0 to 1; it keeps its size."""
    settle(page)
    panel = page.locator(PANEL)
    expect(panel).to_be_visible()
    box = panel.bounding_box()
    side = min(box["width"], box["height"])
    left, top = (box["width"] - side) / 2, (box["height"] - side) / 2

    def paint(across, up):
        settle(page)  # a panel that is drawn anew meanwhile would not hear it
        panel.click(position={"x": left + across * side, "y": top + (1 - up) * side})

    return paint


def test_a_class_paints_undoes_and_trains(visit, lab):
    page = visit(f"{lab}/perceptron?points=Your+own")
    main = page.locator("[data-testid=stMain]")
    expect(page.locator(f"{PANEL} > circle, {PANEL} > path")).not_to_have_count(0)
    page.get_by_role("button", name="Clear").click()
    expect(main).to_contain_text("There are no points yet")
    paint = painter(page)
    for pen, places in (("● 0", [(0.2, 0.2), (0.3, 0.6)]), ("▲ 1", [(0.8, 0.3), (0.7, 0.8)])):
        page.get_by_role("button", name=pen).click()
        for place in places:
            paint(*place)
    expect(main).to_contain_text("A line divides all 4 points")
    settle(page)
    expect(page).to_have_url(re.compile("own_points="))
    paint(0.9, 0.6)
    expect(main).to_contain_text("all 5 points")
    page.get_by_role("button", name="Undo").click()
    expect(main).to_contain_text("all 4 points")
    settle(page)
    again = visit(page.url)
    expect(again.locator("[data-testid=stMain]")).to_contain_text("A line divides all 4 points")
    assert main.evaluate(FITS), "scrolls sideways"


def test_a_cell_of_the_measured_starts_chooses_the_network(visit, lab):
    page = visit(f"{lab}/perceptron?part=Starts&reveal=starts")
    page.locator(".st-key-failure_matrix .mark-rect path").nth(3).click()
    expect(page).to_have_url(re.compile(r"activation=Sigmoid.*units=4|units=4.*activation=Sigmoid"))
