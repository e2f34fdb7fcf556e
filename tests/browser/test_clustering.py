"""Clusters in a browser: steps there and back, a centre and a point by hand, undo, an own table."""

import re

from playwright.sync_api import expect

from tests.browser.conftest import FITS, go, settle, wait_until

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


PRESSES = [
    (lambda page: page.get_by_role("button", name="Forward").click(), 3),
    (lambda page: page.get_by_role("button", name="Back").click(), 1),
    (lambda page: page.keyboard.press("ArrowRight"), 3),
    (lambda page: page.keyboard.press("ArrowLeft"), 1),
]


def shown_at(page, lab, step):
    """Go to a step, and return both notes and the first picture, as the server has them drawn."""
    go(page, f"{lab}/clustering?points=60&step={step}")
    expect(caption(page)).to_contain_text("k-means")
    return [*(spoken(page, which) for which in (0, 1)), pixels(page)]


def shown_now(page):
    return [*(spoken(page, which) for which in (0, 1)), pixels(page)]


def test_a_half_step_is_drawn_before_the_server_hears_and_taken_back_without_an_answer(visit, lab):
    page = visit(f"{lab}/{STEPPED}")
    shown = {step: shown_at(page, lab, step) for step in (1, 3, 2)}
    assert shown[1] != shown[2] != shown[3]
    page.evaluate(NOTHING_IS_SENT)
    for press, step in PRESSES:
        press(page)
        wait_until(page, lambda step=step: shown_now(page) == shown[step])
        assert "step=2" in page.url, "the server must have heard nothing"
        wait_until(page, lambda: shown_now(page) == shown[2])


def test_what_is_no_press_draws_nothing_ahead(visit, lab):
    page = visit(f"{lab}/{STEPPED}")
    expect(caption(page)).to_contain_text("k-means")
    before = spoken(page)
    page.evaluate(NOTHING_IS_SENT)
    page.keyboard.down("a")  # with another key held, it is no shortcut
    page.keyboard.press("ArrowRight")
    page.keyboard.up("a")
    assert spoken(page) == before
    page.get_by_role("button", name="More").click()
    page.get_by_role("textbox").first.press("ArrowRight")
    assert spoken(page) == before
    page.keyboard.press("Escape")
    canvas(page).focus()
    for key in ("1", "Shift+ArrowLeft", "Enter"):
        page.keyboard.press(key)
    wait_until(page, lambda: spoken(page) != before)
    moved = spoken(page)
    page.get_by_role("button", name="Forward").click()
    assert spoken(page) == moved, "the edit is not answered yet"


def test_a_guess_comes_before_the_half_step_and_is_answered_with_its_distance(visit, lab):
    page = visit(f"{lab}/{STEPPED}&predict=true")
    expect(canvas(page, 1)).to_be_visible()
    before = spoken(page)
    page.evaluate(NOTHING_IS_SENT)
    page.get_by_role("button", name="Forward").click()
    assert spoken(page) == before
    go(page, f"{lab}/clustering?points=60&step=0&predict=true")
    expect(canvas(page, 1)).to_be_visible()
    box = box_of(page, 1)
    expect(page.locator("[data-testid=stAlert]")).to_have_count(0)
    page.mouse.click(box["x"] + 0.5 * box["width"], box["y"] + 0.5 * box["height"])
    answer = page.locator("[data-testid=stAlert]")
    expect(answer).to_contain_text(re.compile(r"\d .*\([-\d.]+, [-\d.]+\)"))


def test_presses_in_a_row_end_where_the_server_says(visit, lab):
    page = visit(f"{lab}/{STEPPED}")
    shown = {step: shown_at(page, lab, step) for step in (0, 4, 2)}
    for names in (("Forward", "Forward"), ("Forward", "Back"), ("Back", "Forward")):
        for name in names:
            page.get_by_role("button", name=name).click()
        wait_until(page, lambda: "step=4" in page.url and shown_now(page) == shown[4])
        settle(page)
        assert shown_now(page) == shown[4]
    page.get_by_role("slider", name="Step").press("Home")
    wait_until(page, lambda: shown_now(page) == shown[0])


def test_a_centre_moved_by_keys_and_a_point_added_are_undone(visit, lab):
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
    box = box_of(page)
    page.mouse.click(box["x"] + 0.15 * box["width"], box["y"] + 0.85 * box["height"])
    expect(page.get_by_role("button", name="Undo")).to_be_enabled()
    settle(page)
    assert sum(counts(page)) == 61
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_role("button", name="Undo")).to_be_disabled()
    settle(page)
    assert counts(page) == before


def test_a_centre_dragged_moves_its_border_in_the_browser_before_the_server_hears(visit, lab):
    page = visit(
        f"{lab}/clustering?points=60&step=0&initialisation=placed+by+hand&centres=3+4;+5+1"
    )
    expect(caption(page)).to_contain_text("initial")
    before = counts(page)
    box = box_of(page)
    page.mouse.move(*find_centre(page))
    page.mouse.down()
    page.mouse.move(box["x"] + 0.75 * box["width"], box["y"] + 0.75 * box["height"], steps=6)
    during = page.locator(".readout").inner_text()
    assert "centres=3+4" in page.url, "the server must hear nothing before the end"
    page.mouse.up()
    page.wait_for_function("() => !location.search.includes('centres=3+4')")
    settle(page)
    after = counts(page)
    assert after != before
    assert f"k-means 1: {after[0]}, 2: {after[1]}" in during, "browser and server disagree"


def find_centre(page):
    """Return a place of the first panel where the pointer becomes a hand over a centre."""
    return find(page, "Drag")


HUNT = """
(canvas, told) => {
  const { left, top, width, height } = canvas.getBoundingClientRect()
  const readout = canvas.closest(".panels").getRootNode().querySelector(".readout")
  for (let y = top + 8; y < top + height; y += 12)
    for (let x = left + 8; x < left + width; x += 12) {
      canvas.dispatchEvent(new PointerEvent("pointermove", { clientX: x, clientY: y, bubbles: true }))
      if (canvas.classList.contains("over") && readout.textContent.includes(told)) return [x, y]
    }
  return null
}
"""


def find(page, told):
    """Return a place of the first panel where something can be held and this is told of it."""
    place = canvas(page).evaluate(HUNT, told)
    assert place, f"nothing found of which is told: {told}"
    return place


def test_points_moved_and_added_come_back_with_the_link(visit, lab):
    page = visit(f"{lab}/clustering?points=30&step=2")
    expect(caption(page)).to_contain_text("assign")
    for across in (0.15, 0.3):
        box, before = box_of(page), page.url
        page.mouse.click(box["x"] + across * box["width"], box["y"] + 0.85 * box["height"])
        wait_for_another_link(page, before)
    box, before = box_of(page), page.url
    page.mouse.move(*find(page, "Point 31"))
    page.mouse.down()
    page.mouse.move(box["x"] + 0.8 * box["width"], box["y"] + 0.2 * box["height"], steps=6)
    page.mouse.up()
    wait_for_another_link(page, before)
    wait_until(page, lambda: sum(counts(page)) == 32)
    shown = shown_now(page)
    go(page, page.url)
    expect(caption(page)).to_contain_text("k-means")
    wait_until(page, lambda: shown_now(page) == shown)
    page.get_by_role("button", name="More").click()
    expect(page.get_by_role("textbox", name="Edited points")).to_have_value(
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
    expect(page.get_by_text(re.compile(r"\b101\b")).first).to_be_visible()
    with page.expect_download() as download:
        page.get_by_role("button", name="Points as CSV").click()
    assert len(download.value.path().read_text().splitlines()) == 1 + 131
    page.get_by_role("button", name="Undo").click()
    page.wait_for_url(re.compile("edits="))
    settle(page)
    wait_until(page, lambda: sum(counts(page)) == 130)


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
    edit = page.get_by_role("button", name="Edit", exact=True)
    edit.click()
    canvas(page).scroll_into_view_if_needed()
    scrolled = "document.querySelector('[data-testid=stMain]').scrollTop"
    before = page.evaluate(scrolled)
    touch(page, find_centre(page), (-6, -10))
    page.wait_for_url(re.compile("initialisation=placed"))
    settle(page)
    assert page.evaluate(scrolled) == before, "a dragged centre must not scroll the page"
    edit.click()
    box = box_of(page)
    touch(page, (box["x"] + 10, box["y"] + 0.9 * box["height"]), (0, -12))
    page.wait_for_function(f"{scrolled} > {before} + 20")


def test_pictures_are_kept_as_svg_with_every_point(visit, lab):
    page = visit(f"{lab}/clustering?points=40&step=1&drawn=borders")
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


def use_table(page, text):
    page.get_by_label("Table", exact=True).fill(text)
    page.get_by_role("button", name="Use this table").click()


def test_a_table_of_ones_own_fits_a_phone_and_has_digits_that_tell_its_places_apart(visit, lab):
    page = visit(f"{lab}/clustering?data=your+own+table", width=390, height=844)
    use_table(page, "<b>a</b>,b\n" + "\n".join(f"{i % 3},{i % 5}" for i in range(25)))
    expect(caption(page)).to_contain_text("k-means")
    wait_until(page, lambda: sum(counts(page)) == 25)
    expect(page.locator("[data-testid=stMain] b", has_text=re.compile("^a$"))).to_have_count(0)
    settle(page)
    assert page.locator("[data-testid=stMain]").evaluate(FITS), "scrolls sideways"

    page.set_viewport_size({"width": 1280, "height": 720})
    go(page, f"{lab}/clustering?data=your+own+table")
    # The table is kept for the visitor, and another one is asked for where it takes no room.
    page.get_by_role("button", name="More").click()
    use_table(
        page, "\n".join(f"{0.05 * i - 0.65:.2f},{1_000_000 + 0.04 * i:.2f}" for i in range(23))
    )
    wait_until(page, lambda: sum(counts(page)) == 23)
    _, up = place_of_centre(page, 1)
    assert 1_000_000.0 <= up <= 1_000_000.9
    with page.expect_download() as download:
        page.get_by_role("button", name=re.compile("as SVG")).first.click()
    text = download.value.path().read_text(encoding="utf-8")
    labels = {float(label) for label in re.findall(r">([-\d.e+]+)</text>", text)}
    assert {-0.4, -0.2, 0.0, 0.2, 1_000_000.2, 1_000_000.4, 1_000_000.6} <= labels
