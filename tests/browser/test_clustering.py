"""Clusters in a browser: steps there and back, a centre and a point by hand, undo, an own table."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import settle

STEPPED = "clustering?points=60&step=2"


def canvas(page, which=0):
    return page.locator(".panels canvas").nth(which)


def box_of(page, which=0):
    """Where a panel is, once all of it is in view: elsewhere a click would miss it."""
    canvas(page, which).scroll_into_view_if_needed()
    return canvas(page, which).bounding_box()


def caption(page, which=0):
    return page.locator(".panels figcaption").nth(which)


def spoken(page, which=0):
    """What a screen reader says of a panel: its note and how many points each cluster has."""
    return canvas(page, which).get_attribute("aria-label")


def counts(page, which=0):
    found = re.search(r"Points: ([\d:, ]+)", spoken(page, which))[1]
    return [int(part.split(":")[1]) for part in found.split(",") if ":" in part]


def place_of_centre(page, number, which=0):
    """Choose a centre by keyboard, and read where the panel says it is."""
    canvas(page, which).focus()
    page.keyboard.press(str(number))
    text = page.locator(".readout").inner_text()
    return tuple(float(part) for part in re.search(r"\(([-\d.]+), ([-\d.]+)\)", text).groups())


def pixels(page):
    """What the first panel shows, with nothing under the pointer."""
    page.mouse.move(1, 1)
    return canvas(page).evaluate("canvas => canvas.toDataURL()")


def wait_for_another_link(page, before):
    page.wait_for_function("before => location.href !== before", arg=before)
    settle(page)


def wait_until(page, holds):
    """Wait for what a busy machine shows a little later, five seconds at most."""
    for _ in range(50):
        if holds():
            return
        page.wait_for_timeout(100)
    assert holds()


def test_steps_go_forward_and_back_and_both_panels_follow(visit, lab):
    page = visit(f"{lab}/{STEPPED}")
    expect(caption(page)).to_contain_text("k-means")
    before = [spoken(page, which) for which in (0, 1)]
    page.get_by_role("button", name="Forward").click()
    expect(caption(page)).to_contain_text("update")
    expect(caption(page, 1)).to_contain_text("M-step")
    assert [spoken(page, which) for which in (0, 1)] != before
    page.get_by_role("button", name="Back").click()
    expect(caption(page)).to_contain_text("assign")
    settle(page)
    assert [spoken(page, which) for which in (0, 1)] == before


NOTHING_IS_SENT = "() => { WebSocket.prototype.send = () => {} }"


@pytest.mark.parametrize(
    ("press", "step"),
    [
        (lambda page: page.get_by_role("button", name="Forward").click(), 3),
        (lambda page: page.get_by_role("button", name="Back").click(), 1),
        (lambda page: page.keyboard.press("ArrowRight"), 3),
        (lambda page: page.keyboard.press("ArrowLeft"), 1),
    ],
    ids=["Forward", "Back", "right", "left"],
)
def test_a_half_step_is_drawn_before_the_server_hears_and_as_the_server_draws_it(
    visit, lab, press, step
):
    page, there = visit(f"{lab}/{STEPPED}"), visit(f"{lab}/clustering?points=60&step={step}")
    for each in (page, there):
        expect(caption(each)).to_contain_text("k-means")
        settle(each)
    page.evaluate(NOTHING_IS_SENT)
    press(page)
    for which in (0, 1):
        expect(canvas(page, which)).to_have_attribute("aria-label", spoken(there, which))
    assert pixels(page) == pixels(there)
    assert "step=2" in page.url, "the server must have heard nothing"


def test_keys_that_are_typed_into_a_field_take_no_half_step(visit, lab):
    page = visit(f"{lab}/{STEPPED}")
    expect(caption(page)).to_contain_text("k-means")
    settle(page)
    before = spoken(page)
    page.evaluate(NOTHING_IS_SENT)
    page.get_by_role("button", name="More").click()
    page.get_by_role("textbox").first.press("ArrowRight")
    page.wait_for_timeout(300)
    assert spoken(page) == before


def test_a_key_that_the_app_does_not_take_draws_nothing_ahead(visit, lab):
    page = visit(f"{lab}/{STEPPED}")
    expect(caption(page)).to_contain_text("k-means")
    settle(page)
    before = spoken(page)
    page.keyboard.down("a")  # with another key held, it is no shortcut
    page.keyboard.press("ArrowRight")
    page.keyboard.up("a")
    page.wait_for_timeout(300)
    assert spoken(page) == before
    assert "step=2" in page.url


def test_nothing_is_drawn_ahead_of_an_edit_that_is_not_answered_yet(visit, lab):
    page = visit(f"{lab}/{STEPPED}")
    expect(caption(page)).to_contain_text("k-means")
    settle(page)
    page.evaluate(NOTHING_IS_SENT)
    canvas(page).focus()
    for key in ("1", "Shift+ArrowLeft", "Enter"):
        page.keyboard.press(key)
    page.wait_for_timeout(100)
    moved = spoken(page)
    page.get_by_role("button", name="Forward").click()
    page.wait_for_timeout(300)
    assert spoken(page) == moved


def test_what_is_drawn_ahead_is_taken_back_where_no_answer_comes(visit, lab):
    page = visit(f"{lab}/{STEPPED}")
    expect(caption(page)).to_contain_text("k-means")
    settle(page)
    before, shown = spoken(page), pixels(page)
    page.evaluate(NOTHING_IS_SENT)
    page.get_by_role("button", name="Forward").click()
    wait_until(page, lambda: spoken(page) != before)
    wait_until(page, lambda: spoken(page) == before)
    assert pixels(page) == shown


def test_no_half_step_is_drawn_ahead_while_a_guess_is_asked_for(visit, lab):
    page = visit(f"{lab}/{STEPPED}&predict=true")
    expect(page.locator(".readout")).to_contain_text("Click there")
    settle(page)
    before = spoken(page)
    page.evaluate(NOTHING_IS_SENT)
    page.get_by_role("button", name="Forward").click()
    page.wait_for_timeout(300)
    assert spoken(page) == before


@pytest.mark.parametrize(
    "names", [("Forward", "Forward"), ("Forward", "Back"), ("Back", "Forward")]
)
def test_presses_in_a_row_end_where_the_server_says(visit, lab, names):
    page = visit(f"{lab}/{STEPPED}")
    expect(caption(page)).to_contain_text("k-means")
    settle(page)
    for name in names:
        page.get_by_role("button", name=name).click()
    wait_until(page, lambda: spoken(page) == spoken(visit(page.url)))


def test_a_half_step_drawn_ahead_gives_way_to_what_the_server_draws_next(visit, lab):
    page, there = visit(f"{lab}/{STEPPED}"), visit(f"{lab}/clustering?points=60&step=0")
    expect(caption(page)).to_contain_text("k-means")
    page.get_by_role("button", name="Forward").click()
    page.wait_for_url(re.compile("step=3"))
    settle(page)
    page.get_by_role("slider", name="Step").press("Home")
    wait_until(page, lambda: spoken(page) == spoken(there))


def test_a_centre_moved_by_keys_recolours_at_once_is_told_once_and_undone(visit, lab):
    page = visit(f"{lab}/clustering?points=60&step=0")
    expect(caption(page)).to_contain_text("initial")
    before, address = counts(page), page.url
    x, y = place_of_centre(page, 2)
    for _ in range(6):
        page.keyboard.press("Shift+ArrowLeft")
    moved = page.locator(".readout").inner_text()
    assert f"({x:g}, {y:g})" not in moved
    page.wait_for_url(re.compile("initialisation=placed"))
    settle(page)
    assert counts(page) != before, "the points must follow the centre"
    assert sum(counts(page)) == sum(before) == 60
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_role("button", name="Undo")).to_be_disabled()
    settle(page)
    assert counts(page) == before
    assert "initialisation=placed" not in page.url
    assert "initialisation=placed" not in address


def test_a_centre_dragged_moves_its_border_in_the_browser_before_the_server_hears(visit, lab):
    page = visit(
        f"{lab}/clustering?points=60&step=0&initialisation=placed+by+hand&centres=3+4;+5+1"
    )
    expect(caption(page)).to_contain_text("initial")
    before = counts(page)
    box = box_of(page)
    page.mouse.move(*find_centre(page, box))
    page.mouse.down()
    page.mouse.move(box["x"] + 0.75 * box["width"], box["y"] + 0.75 * box["height"], steps=6)
    during = page.locator(".readout").inner_text()
    assert "Points of each cluster" in during
    assert "centres=3+4" in page.url, "the server must hear nothing before the end"
    page.mouse.up()
    page.wait_for_function("() => !location.search.includes('centres=3+4')")
    settle(page)
    after = counts(page)
    assert after != before
    assert f"k-means 1: {after[0]}, 2: {after[1]}" in during, "browser and server disagree"


def find_centre(page, box):
    """Return a place of the first panel where the pointer becomes a hand over a centre."""
    return find(page, box, "Drag")


def find(page, box, told):
    """Return a place of the first panel where something can be held and this is told of it."""
    for down in range(8, int(box["height"]), 12):
        for across in range(8, int(box["width"]), 12):
            place = box["x"] + across, box["y"] + down
            page.mouse.move(*place)
            is_over = canvas(page).evaluate("canvas => canvas.classList.contains('over')")
            if is_over and told in page.locator(".readout").inner_text():
                return place
    return pytest.fail(f"nothing found of which is told: {told}")


def test_a_click_adds_a_point_and_undo_takes_it_away(visit, lab):
    page = visit(f"{lab}/clustering?points=30&step=0")
    expect(caption(page)).to_contain_text("initial")
    assert sum(counts(page)) == 30
    box = box_of(page)
    page.mouse.click(box["x"] + 0.15 * box["width"], box["y"] + 0.85 * box["height"])
    expect(page.get_by_role("button", name="Undo")).to_be_enabled()
    settle(page)
    assert sum(counts(page)) == 31
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_role("button", name="Undo")).to_be_disabled()
    settle(page)
    assert sum(counts(page)) == 30


def test_points_moved_and_added_come_back_with_the_link(visit, lab):
    page = visit(f"{lab}/clustering?points=30&step=2")
    expect(caption(page)).to_contain_text("assign")
    for across in (0.15, 0.3):
        box, before = box_of(page), page.url
        page.mouse.click(box["x"] + across * box["width"], box["y"] + 0.85 * box["height"])
        wait_for_another_link(page, before)
    box, before = box_of(page), page.url
    page.mouse.move(*find(page, box, "Point 31"))
    page.mouse.down()
    page.mouse.move(box["x"] + 0.8 * box["width"], box["y"] + 0.2 * box["height"], steps=6)
    page.mouse.up()
    wait_for_another_link(page, before)
    wait_until(page, lambda: sum(counts(page)) == 32)
    there = visit(page.url)
    expect(caption(there)).to_contain_text("k-means")
    settle(there)
    for which in (0, 1):
        wait_until(there, lambda which=which: spoken(there, which) == spoken(page, which))
    wait_until(there, lambda: pixels(there) == pixels(page))
    there.get_by_role("button", name="More").click()
    expect(there.get_by_role("textbox", name="Edited points")).to_have_value(
        re.compile(r"^[^;]+;[^;]+$")
    )


def test_the_change_that_the_link_no_longer_carries_is_told_and_all_points_are_kept(visit, lab):
    changes = ";".join(f"{i % 10}+{i % 7}" for i in range(100))
    page = visit(f"{lab}/clustering?points=30&step=0&edits={changes}")
    expect(caption(page)).to_contain_text("initial")
    assert sum(counts(page)) == 130
    box, before = box_of(page), page.url
    page.mouse.click(box["x"] + 0.02 * box["width"], box["y"] + 0.97 * box["height"])
    wait_for_another_link(page, before)
    assert "edits=" not in page.url
    wait_until(page, lambda: sum(counts(page)) == 131)
    expect(page.locator("[data-testid=stMain]")).to_contain_text("101 points are edited")
    with page.expect_download() as download:
        page.get_by_role("button", name="Points as CSV").click()
    assert len(download.value.path().read_text().splitlines()) == 1 + 131
    page.get_by_role("button", name="Undo").click()
    page.wait_for_url(re.compile("edits="))
    settle(page)
    wait_until(page, lambda: sum(counts(page)) == 130)


def test_a_guess_is_answered_with_its_distance(visit, lab):
    page = visit(f"{lab}/clustering?points=60&step=0&predict=true")
    expect(page.locator(".readout")).to_contain_text("Click there")
    box = box_of(page, 1)
    page.mouse.click(box["x"] + 0.5 * box["width"], box["y"] + 0.5 * box["height"])
    main = page.locator("[data-testid=stMain]")
    expect(main).to_contain_text("Your guess is")
    expect(main).to_contain_text("of EM moves")


def test_a_table_of_ones_own_is_drawn_on_a_phone(visit, lab):
    page = visit(f"{lab}/clustering?data=your+own+table", width=390, height=844)
    rows = "\n".join(f"{i % 3},{i % 5}" for i in range(25))
    page.get_by_label("Table", exact=True).fill(f"<b>a</b>,b\n{rows}")
    page.get_by_role("button", name="Use this table").click()
    expect(caption(page)).to_contain_text("k-means")
    settle(page)
    assert sum(counts(page)) == 25
    main = page.locator("[data-testid=stMain]")
    assert main.evaluate("main => main.scrollWidth <= main.clientWidth"), "scrolls sideways"


def touch(page, start, step, moves=8):
    """Lay a finger down, move it so often by a step of pixels, and lift it."""
    fingers = page.context.new_cdp_session(page)
    x, y = start
    kinds = ["touchStart", *["touchMove"] * moves]
    for i, kind in enumerate(kinds):
        place = {"x": x + i * step[0], "y": y + i * step[1]}
        fingers.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [place]})
        page.wait_for_timeout(30)
    fingers.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


def test_a_finger_drags_a_centre_and_scrolls_elsewhere(visit, lab):
    address = f"{lab}/clustering?points=40&step=0"
    page = visit(address, width=390, height=844, has_touch=True, is_mobile=True)
    expect(caption(page)).to_contain_text("initial")
    canvas(page).scroll_into_view_if_needed()
    scrolled = "document.querySelector('[data-testid=stMain]').scrollTop"
    before = page.evaluate(scrolled)
    touch(page, find_centre(page, box_of(page)), (-6, -10))
    page.wait_for_url(re.compile("initialisation=placed"))
    settle(page)
    assert page.evaluate(scrolled) == before, "a dragged centre must not scroll the page"
    box = box_of(page)
    touch(page, (box["x"] + 10, box["y"] + 0.9 * box["height"]), (0, -12))
    page.wait_for_function(f"{scrolled} > {before} + 20")


def test_pictures_are_kept_as_svg_with_every_point(visit, lab):
    page = visit(f"{lab}/clustering?points=40&step=1&shown=borders")
    expect(caption(page)).to_contain_text("update")
    with page.expect_download() as download:
        page.get_by_role("button", name=re.compile("as SVG")).first.click()
    text = download.value.path().read_text(encoding="utf-8")
    (circles, squares), (more_circles, more_squares) = (counts(page, which) for which in (0, 1))
    assert text.count("<polygon") == squares + more_squares + 2, "squares, and two cells"
    # Each of four centres is a disc in a disc; two components have two ellipses; one point is ringed.
    assert text.count("<ellipse") == circles + more_circles + 8 + 4 + 2
    assert text.count("<image") == 1
    assert "k-means" in text


def test_axes_and_places_are_written_in_as_many_digits_as_tell_them_apart(visit, lab):
    page = visit(f"{lab}/clustering?data=your+own+table")
    rows = "\n".join(f"{0.05 * i - 0.65:.2f},{1_000_000 + 0.04 * i:.2f}" for i in range(23))
    page.get_by_label("Table", exact=True).fill(rows)
    page.get_by_role("button", name="Use this table").click()
    expect(caption(page)).to_contain_text("k-means")
    settle(page)
    _, up = place_of_centre(page, 1)
    assert 1_000_000.0 <= up <= 1_000_000.9
    with page.expect_download() as download:
        page.get_by_role("button", name=re.compile("as SVG")).first.click()
    text = download.value.path().read_text(encoding="utf-8")
    labels = {float(label) for label in re.findall(r">([-\d.e+]+)</text>", text)}
    assert {-0.4, -0.2, 0.0, 0.2, 1_000_000.2, 1_000_000.4, 1_000_000.6} <= labels
