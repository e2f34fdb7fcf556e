"""The browser's history: an act is one entry, Back undoes it, and a page's settings are not another's."""

from urllib.parse import urlsplit

import pytest
from playwright.sync_api import expect

from pages.shared.registry import page_at
from tests.browser.conftest import settle, wait_until
from tests.browser.test_classroom import opened

CONTROLS = """() => Object.fromEntries(
  [...document.querySelectorAll("[data-testid=stMain] [class*=st-key-]")].flatMap(element => {
    const key = [...element.classList].find(name => name.startsWith("st-key-"));
    const chosen = [...element.querySelectorAll(
        ":is(input:not([type=radio]), button[aria-checked=true], [data-baseweb=tag])")]
      .filter(part => part.closest("[class*=st-key-]") === element)
      .map(part => part.value || part.innerText);
    return chosen.length ? [[key, chosen.join()]] : [];
  }))"""
"""What the controls show, by name."""
ENTRIES = "navigation.entries().map(entry => entry.url)"
PLACE = "navigation.currentEntry.index"
FAR_AWAY = """
window.WebSocket = class extends WebSocket {
  constructor(...settings) {
    super(...settings);
    this.addEventListener("message", event => {
      if (!event.isTrusted) return;
      event.stopImmediatePropagation();
      setTimeout(() => this.dispatchEvent(new MessageEvent("message", {data: event.data})), 1500);
    });
  }
};
"""
"""A server whose messages take a second and a half; for a tab of its own, as it stays in force there."""


def shown(page):
    """The page on screen, and what its controls show, once nothing changes any more."""
    before, now = None, {}
    while before != now:
        page.wait_for_timeout(500)
        settle(page)
        before, now = now, page.evaluate(CONTROLS) | {"page": page.locator("h1").inner_text()}
    return now


def open_by_menu(page, address):
    spec = page_at(address)
    page.locator("header").get_by_role("button", name=spec.chapter, exact=True).click()
    page.locator(f"[data-testid=stTopNavDropdownLink][href$='/{address}']").click()
    expect(page.locator("h1")).to_have_text(spec.title)


def change(page, name):
    """Give a control of any kind another value, as a visitor does."""
    control = page.locator(f".st-key-{name}")
    if (slider := control.locator("input[type=range]")).count():
        slider.press("ArrowLeft" if slider.evaluate("at => at.value > at.min") else "ArrowRight")
    elif control.locator("[data-testid=stSelectbox]").count():
        control.locator("input").click()
        page.locator("[role=option][aria-selected=false]").first.click()
    else:
        control.locator("button[aria-checked=false]").first.click()


@pytest.mark.parametrize(
    ("address", "names", "next_address", "next_names"),
    [
        (
            "perceptron",
            ("points_shown", "points", "part"),
            "optimisers",
            ("landscape", "step_slider", "part"),
        ),
        ("estimation", ("method", "length"), "clustering", ("data", "clusters", "step_slider")),
    ],
)
def test_an_act_is_one_entry_and_back_undoes_it(
    visit, lab, address, names, next_address, next_names
):
    page = visit(f"{lab}/{address}")
    first, states = page.evaluate(PLACE), [shown(page)]
    acts = [(change, name) for name in names]
    acts += [(open_by_menu, next_address), *((change, name) for name in next_names)]
    for act, on in acts:
        act(page, on)
        wait_until(page, lambda: page.evaluate(PLACE) > first + len(states) - 1)
        states.append(shown(page))
        assert states[-1] != states[-2], on
        assert page.evaluate(PLACE) == first + len(states) - 1, (on, page.evaluate(ENTRIES))
    for state in states[-2::-1]:
        page.go_back()
        assert shown(page) == state
    page.go_forward()
    assert shown(page) == states[1]


def test_what_was_under_way_when_one_went_back_changes_no_address(visit, lab):
    """The presenter view writes the address; its message arrives where Back has led meanwhile."""
    page = visit(f"{lab}/gradients", locale="en-NZ")
    before = shown(page)
    change(page, "part")
    shown(page)
    page.add_init_script(FAR_AWAY)
    page.reload()
    shown(page)
    page.locator(".st-key-present_toggle button").click()
    page.wait_for_timeout(1000)
    # The server has written it by now, the browser not heard of it.
    assert "present" not in page.url
    page.go_back()
    page.wait_for_timeout(2000)
    assert shown(page) == before
    assert not urlsplit(page.url).query, page.url


@pytest.mark.parametrize("is_in_room", [False, True])
@pytest.mark.parametrize(
    ("address", "asked", "next_address"),
    [
        ("estimation", "seed=3", "gradients"),
        ("clustering", "seed=3&points=50&clusters=5&step=7", "number-of-clusters"),
        ("gradients", "part=Jacobian&seed=3", "optimisers"),
    ],
)
def test_the_next_page_takes_the_room_and_nothing_else(
    visit, lab, address, asked, next_address, is_in_room
):
    page = visit(f"{lab}/{address}?{asked}")
    room = f"room={opened(page)}" if is_in_room else ""
    before = shown(page)
    open_by_menu(page, next_address)
    taken = shown(page)
    assert urlsplit(page.url).query == room
    page.go_back()
    assert shown(page) == before
    own = shown(visit(f"{lab}/{next_address}"))
    assert {name: taken.get(name) for name in own} == own


def test_the_first_touch_leaves_a_page_where_it_was_scrolled_to(visit, lab):
    page = visit(f"{lab}/clustering", width=390, height=844)
    page.get_by_text("The code behind this page").scroll_into_view_if_needed()
    scrolled = "document.querySelector('[data-testid=stMain]').scrollTop"
    before = page.evaluate(scrolled)
    assert before > 0
    page.get_by_role("button", name="Terms").click()
    expect(page.get_by_role("link", name="All terms of the lab")).to_be_attached()
    settle(page)
    assert page.evaluate(scrolled) > 0
