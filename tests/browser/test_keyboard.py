"""Without a pointer: each control is reached in order, is seen to be reached, and does something.

The ordinary suite walks one page, by hand all: ``pytest -m "slow or not slow" tests/browser/test_keyboard.py``.
"""

import io

import numpy as np
import pytest
from PIL import Image

from pages.shared.registry import PAGES
from tests.browser.conftest import settle

_ADDRESSES = [spec.address for spec in PAGES if spec.minutes]
_ALWAYS = "clustering"
_SEEN = 3.0
"""Least contrast of what is seen of the focus with what is there without it (WCAG 2.2, 1.4.11)."""
_MARGIN = 6
_MOST_TABS = 400

_TOOLS = """
() => {
window.deep = () => {
  let one = document.activeElement
  while (one?.shadowRoot?.activeElement) one = one.shadowRoot.activeElement
  return one === document.body ? null : one
}
window.roots = (root = document) =>
  [root, ...[...root.querySelectorAll("*")].filter(one => one.shadowRoot).flatMap(one => roots(one.shadowRoot))]
window.everywhere = selector => roots().flatMap(root => [...root.querySelectorAll(selector)])
window.around = (one, selector) => {
  for (let at = one; at; at = at.parentElement ?? at.getRootNode().host) if (at.matches(selector)) return at
  return null
}
window.called = one => {
  const words = one.getAttribute("aria-label") ?? one.labels?.[0]?.textContent ?? one.textContent
  return `${one.getAttribute("role") ?? one.tagName.toLowerCase()} ${words.trim().replace(/\\s+/g, " ").slice(0, 40)}`
}
}
"""
_PASSED_OVER = """
reached => {
  const focusable = "a[href], button, input, select, textarea, summary, [tabindex], [contenteditable=true]"
  const seen = one => one.checkVisibility({visibilityProperty: true}) && one.getBoundingClientRect().width > 1
  // Of a group of radio buttons, and of a toolbar, the tab key reaches one, and the arrow keys the others.
  const group = one => one.type === "radio" ? everywhere(`input[name="${one.name}"]`)
    : one.getAttribute("role") === "radio" ? [...around(one, "[role=radiogroup]")?.querySelectorAll("[role=radio]") ?? []]
    : [...around(one, "[role=toolbar]")?.querySelectorAll("button") ?? []]
  const isChoice = one => group(one).some(other => reached.includes(other))
  return everywhere(focusable)
    .filter(one => one.tabIndex >= 0 && !one.disabled && seen(one) && !around(one, "[inert], [aria-hidden=true]"))
    .filter(one => !reached.includes(one) && !isChoice(one)).map(called)
}
"""
_FOR_POINTERS_ALONE = """
() => {
  const keyed = "a[href], button, input, select, textarea, summary, label, [tabindex], [role=option], [role=application]"
  return everywhere("[data-testid=stMain] *, svg *, .stBidiComponent *")
    .filter(one => one.checkVisibility() && getComputedStyle(one).cursor === "pointer")
    .filter(one => !around(one, keyed) && !one.querySelector(keyed)).map(called)
}
"""
_REGIONS = (
    "[data-testid=stSkipToContent]",
    "[data-testid=stHeader]",
    ".st-key-page_title",
    ".st-key-page_lead",
    ".st-key-main_controls",
    ".st-key-picture",
    ".st-key-beside",
    "[data-testid=stMain]",
)
_REGION = """
(one, regions) => {
  const found = regions.findIndex(region => around(one, region))
  const picture = document.querySelector(".st-key-picture")?.getBoundingClientRect()
  // What a page has above its picture, beside its controls, comes where it is seen.
  const isAbove = picture && one.getBoundingClientRect().bottom <= picture.top
  return found === regions.length - 1 && isAbove ? regions.indexOf(".st-key-main_controls") : found
}
"""
_OWN = """
everywhere("[tabindex='0']").filter(one => one.getRootNode() !== document && one.checkVisibility())
"""
"""What an own component has the tab key reach, beside buttons and fields, which browsers know."""
_STATE = """
[deep()?.outerHTML, ...everywhere("input").map(one => one.value), ...roots().slice(1).map(root => root.innerHTML)].join("")
"""


def _walked(address):
    marks = () if address == _ALWAYS else pytest.mark.slow
    return pytest.param(address, marks=marks, id=address)


@pytest.fixture
def opened(visit, lab):
    def page_at(address, **settings):
        page = visit(f"{lab}/{address}", **settings)
        settle(page)
        page.evaluate(_TOOLS)
        return page

    return page_at


def stops(page):
    """Press the tab key from the top of the page until it begins again, and yield each element reached."""
    first = None
    for _ in range(_MOST_TABS):
        page.keyboard.press("Tab")
        stop = page.evaluate_handle("deep()").as_element()
        if stop is None or (first and stop.evaluate("(one, first) => one === first", first)):
            return
        first = first or stop
        yield stop
    pytest.fail("the tab key never comes back to where it began")


def contrast_of_focus(page, stop):
    """Return how many pixels around an element change with the focus by the least contrast, and how many suffice."""
    box = stop.bounding_box()
    clip = {
        "x": max(box["x"] - _MARGIN, 0),
        "y": max(box["y"] - _MARGIN, 0),
        "width": box["width"] + 2 * _MARGIN,
        "height": box["height"] + 2 * _MARGIN,
    }
    with_focus = _luminance(page.screenshot(clip=clip))
    page.evaluate("deep()?.blur()")
    without = _luminance(page.screenshot(clip=clip))
    stop.evaluate("one => one.focus({preventScroll: true})")
    high, low = np.maximum(with_focus, without), np.minimum(with_focus, without)
    return int(((high + 0.05) / (low + 0.05) >= _SEEN).sum()), min(box["width"], box["height"])


def _luminance(png):
    rgb = np.asarray(Image.open(io.BytesIO(png)).convert("RGB")) / 255
    linear = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
    return linear @ [0.2126, 0.7152, 0.0722]


@pytest.mark.parametrize("address", [*map(_walked, _ADDRESSES)])
def test_the_tab_key_reaches_every_control_in_order_and_shows_where_it_is(opened, address):
    page, reached, faults, regions = opened(address), [], [], []
    for stop in stops(page):
        reached.append(stop)
        name, region = stop.evaluate("one => called(one)"), stop.evaluate(_REGION, _REGIONS)
        # All of the page, which the keys that scroll are for, and a table, which takes its focus back.
        if name.startswith(("main", "canvas", "gridcell")):
            continue
        seen, least = contrast_of_focus(page, stop)
        if seen < least:
            faults.append(f"{name}: its focus shows in {seen} pixels of {least:.0f}")
        if regions and region < max(regions):
            faults.append(f"{name}: reached after {_REGIONS[max(regions)]}")
        regions.append(region)
    faults += [f"passed over: {name}" for name in page.evaluate(_PASSED_OVER, reached)]
    faults += [f"for pointers alone: {name}" for name in page.evaluate(_FOR_POINTERS_ALONE)]
    assert not faults, "\n".join(faults)


@pytest.mark.parametrize("address", [*map(_walked, _ADDRESSES)])
def test_what_is_our_own_does_something_by_keys(opened, address):
    page, deaf = opened(address), []
    for i in range(page.evaluate(f"{_OWN}.length")):
        own = page.evaluate_handle(f"{_OWN}[{i}]").as_element()
        if own is None:  # what a key has changed is drawn without it
            continue
        own.evaluate("one => one.focus()")
        if not any(changes(page, key) for key in ("ArrowRight", "ArrowLeft", "ArrowDown", "Enter")):
            deaf.append(own.evaluate("one => called(one)"))
    assert not deaf


def changes(page, key):
    """Press a key, and return whether something of ours becomes different within a moment."""
    before = page.evaluate(_STATE)
    page.keyboard.press(key)
    page.wait_for_timeout(300)
    has_changed = page.evaluate(_STATE) != before
    settle(page)
    return has_changed


def test_the_parts_of_a_page_are_walked_by_the_arrow_keys(opened):
    page = opened("perceptron")
    parts = page.locator(".st-key-part button[role=radio]")
    first, second = (parts.nth(i).inner_text() for i in (0, 1))
    parts.first.focus()
    page.keyboard.press("ArrowRight")
    assert page.evaluate("deep().innerText") == second != first
    page.keyboard.press("Enter")
    page.wait_for_function(
        "name => document.querySelector('.st-key-part [aria-checked=true]').innerText === name",
        arg=second,
    )
