"""Attention by hand: a query dragged by mouse and keyboard, a cell clicked, a score mended."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import FITS, settle

PAD = "attention-by-hand?part=Drag+a+query&arrangement=two+alike"


def weights(page):
    cells = page.locator(".pad td:last-child")
    return [float(cells.nth(i).inner_text()) for i in range(cells.count())]


def finding(page):
    return page.locator("[data-testid=stMain] strong", has_text="; the output is")


def shift_to(page, fraction_x, fraction_y):
    """Drag the handle to a place of the pad, in shares of its size, and keep hold of it."""
    pad = page.locator(".pad svg").bounding_box()
    handle = page.locator(".pad .handle").bounding_box()
    page.mouse.move(handle["x"] + handle["width"] / 2, handle["y"] + handle["height"] / 2)
    page.mouse.down()
    page.mouse.move(
        pad["x"] + fraction_x * pad["width"], pad["y"] + fraction_y * pad["height"], steps=5
    )


def test_a_dragged_query_moves_the_weights_at_once_and_the_address_when_let_go(visit, lab):
    page = visit(f"{lab}/{PAD}")
    expect(page.locator(".pad td:last-child")).to_have_count(3)  # drawn by its own script
    before, said = weights(page), finding(page).inner_text()
    shift_to(page, 0.25, 0.5)
    held = weights(page)
    assert held[2] > 0.9 > before[2]
    assert sum(held) == pytest.approx(1.0, abs=0.002)
    assert finding(page).inner_text() == said, "the server must hear nothing before the end"
    page.mouse.up()
    expect(finding(page)).to_contain_text("key 3 gets")
    settle(page)
    place = re.search(r"query_x=(-1\.\d)&query_y=(-?0\.\d)", page.url)
    text = page.locator(".pad .handle").get_attribute("aria-valuetext")
    assert f"({float(place[1]):.2f}, {float(place[2]):.2f})" in text
    share = float(re.search(r"([\d.]+)\s%", finding(page).inner_text())[1])
    assert share == pytest.approx(100 * weights(page)[2], abs=0.1), "browser and server disagree"


def test_the_arrow_keys_move_the_query_and_the_last_one_tells_the_server(visit, lab):
    page = visit(f"{lab}/{PAD}&query_x=0&query_y=0")
    handle = page.locator(".pad .handle")
    handle.focus()
    for _ in range(3):
        page.keyboard.press("ArrowLeft")
    page.keyboard.press("Shift+ArrowUp")
    assert "(-0.30, 0.50)" in handle.get_attribute("aria-valuetext")
    expect(finding(page)).to_contain_text("At (-0.3, 0.5)")
    settle(page)
    assert "query_x=-0.3" in page.url
    assert "query_y=0.5" in page.url
    again = visit(page.url)
    expect(finding(again)).to_contain_text("At (-0.3, 0.5)")


def test_a_click_on_a_number_chooses_its_cell(visit, lab):
    page = visit(f"{lab}/attention-by-hand?part=Small+matrices&reveal=softmax&query=1&key=1")
    main = page.locator("[data-testid=stMain]")
    expect(main).to_contain_text("0.401")
    number = page.locator("[data-testid=stVegaLiteChart] svg").get_by_text("0.28", exact=True)
    box = number.bounding_box()
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    expect(main).not_to_contain_text("0.401")
    expect(page).to_have_url(re.compile("query=2&key=3"))
    settle(page)
    expect(page.locator(".katex-error")).to_have_count(0)


def test_a_mended_score_closes_the_gap_on_a_phone(visit, lab):
    page = visit(f"{lab}/attention-by-hand?part=A+printed+example", width=390, height=844)
    main = page.locator("[data-testid=stMain]")
    expect(main).to_contain_text("16.8 %")
    field = page.get_by_role("spinbutton", name="04 jumps")
    field.fill("5")
    field.press("Enter")
    expect(main).to_contain_text("differ by 1.2 %")
    settle(page)
    assert main.evaluate(FITS), "scrolls sideways"
