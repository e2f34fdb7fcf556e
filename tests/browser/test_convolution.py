"""The page on convolution: painted by mouse and keyboard, and a window chosen by a click on the feature map."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import FITS, settle


def test_a_picture_is_painted_and_a_window_is_clicked(visit, lab):
    page = visit(f"{lab}/convolution?reveal=filter")
    main = page.locator("[data-testid=stMain]")
    picture, *_, feature_map = (page.locator("figure > svg").nth(i) for i in range(4))
    expect(feature_map).to_be_visible()
    said = main.locator("strong").first.inner_text()
    box = picture.bounding_box()
    page.mouse.move(box["x"] + 0.3 * box["width"], box["y"] + 0.8 * box["height"])
    page.mouse.down()
    page.mouse.move(box["x"] + 0.7 * box["width"], box["y"] + 0.8 * box["height"], steps=6)
    page.mouse.up()
    expect(page).to_have_url(re.compile("own_picture="))
    expect(main.locator("strong").first).not_to_have_text(said)
    settle(page)
    address = page.url
    picture.focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Space")
    expect(page).not_to_have_url(address)
    settle(page)
    place = feature_map.bounding_box()
    feature_map.click(position={"x": place["width"] / 2, "y": place["height"] * 0.06})
    expect(page).to_have_url(re.compile(r"window=[0-7](&|$)"))
    page.get_by_role("button", name="Clear").click()
    expect(main.locator("strong").first).to_contain_text("paint something")
    settle(page)
    assert main.evaluate(FITS), "scrolls sideways"


@pytest.mark.parametrize(
    ("asked", "grid"),
    [
        ("part=One+row&reveal=convention&place=4", 2),
        ("part=Sizes&reveal=size&size_place=2", 2),
        ("part=Names&letter=11", 0),
    ],
)
def test_a_click_on_a_cell_goes_to_its_place(visit, lab, asked, grid):
    page = visit(f"{lab}/convolution?{asked}")
    cells = page.locator("figure > svg").nth(grid)
    expect(cells).to_be_visible()
    settle(page)
    address, place = page.url, cells.bounding_box()
    cells.click(position={"x": 0.3 * place["width"], "y": 0.3 * place["height"]})
    expect(page).not_to_have_url(address)
