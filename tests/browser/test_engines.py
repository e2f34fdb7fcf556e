"""Every page in Firefox and in WebKit, the engine of Safari, beside Chromium: ``make browsers``.

Skipped where the browser is not on the machine; the pictures of all pages lie in ``screenshots``.
"""

import json

import pytest

from pages.shared.registry import PAGES
from tests.browser import engines
from tests.browser.conftest import SCREENSHOTS, over_network
from tests.browser.test_pages import A_CARD, COPY, NOTE_COPIES

CUT_LABELS = """
[...document.querySelectorAll("button [data-testid=stMarkdownContainer], label [data-testid=stMarkdownContainer]")]
  .filter(place => place.checkVisibility() && getComputedStyle(place).overflowX !== "visible")
  .filter(place => {
    const words = document.createRange();
    words.selectNodeContents(place.firstElementChild ?? place);
    // A sixtieth of a pixel too much, and Firefox puts three dots in place of three letters.
    return place.clientWidth > 1 && words.getBoundingClientRect().width > place.getBoundingClientRect().width + 0.01;
  })
  .map(place => `cut: ${place.textContent}`)
"""
UNDRAWN = """
[...document.querySelectorAll("[data-testid=stException]")].map(error => error.textContent.slice(0, 200)).concat(
  [...document.querySelectorAll(".st-key-picture :is(svg.marks, canvas, .stBidiComponent, .js-plotly-plot)")]
    .filter(drawn => drawn.checkVisibility() && drawn.getBoundingClientRect().width < 1)
    .map(drawn => `not drawn: ${drawn.className.baseVal ?? drawn.className}`))
"""
PICTURE = "document.querySelector('.st-key-picture :is(svg.marks, canvas, .stBidiComponent, .js-plotly-plot)')"
MIDDLE = "(e => {{ e.scrollIntoView({{block: 'center'}}); const b = e.getBoundingClientRect(); return [b.x + b.width / 2, b.y + b.height / 2, b.width] }})({})"
NAMED = "[...document.querySelectorAll('button')].find(b => b.checkVisibility() && b.textContent.includes({!r}))"
_NOTE_FILES = """
(() => {
  window.files = []
  const click = HTMLAnchorElement.prototype.click
  HTMLAnchorElement.prototype.click = function () { this.hasAttribute("download") ? window.files.push(this.href) : click.call(this) }
})()
"""
"""Notes what a page offers as a file instead of keeping it."""
RIGHT, HOME = "\ue014", "\ue011"


def within(place, selector):
    """Return the expression for what one of our components in some place draws."""
    return (
        f"[...document.querySelectorAll('{place} .stBidiComponent *')]"
        f".map(e => e.shadowRoot?.querySelector('{selector}')).find(Boolean)"
    )


@pytest.fixture(scope="module", params=["firefox", "webkit"])
def engine(request, tmp_path_factory):
    if not getattr(engines, request.param.upper()):
        pytest.skip(f"no {request.param} here: `make browsers` installs it")
    with getattr(engines, request.param)(tmp_path_factory.mktemp(request.param)) as tab:
        tab.name = request.param
        yield tab


def opened(engine, address, width=1280, height=720):
    engine.open(address)
    engine.resize(width, height)
    return engine


def middle(engine, expression):
    """Return where the middle of an element is, in the middle of the screen, and how wide it is."""
    engine.wait(expression)
    return engine.evaluate(MIDDLE.format(expression))


def click(engine, name, kind="mouse"):
    x, y, _ = middle(engine, NAMED.format(name))
    engine.lead((x, y), kind=kind)
    engine.settle()


def test_no_label_of_a_button_is_cut(engine, lab):
    opened(engine, f"{lab}/tokenization")
    engine.wait(NAMED.format("Data and export"))
    assert engine.evaluate(CUT_LABELS) == []


@pytest.mark.slow
def test_every_page_is_drawn_and_nothing_on_it_is_cut(engine, lab):
    opened(engine, lab)
    SCREENSHOTS.mkdir(exist_ok=True)
    faults = []
    for spec in PAGES:
        engine.jump(f"/{spec.address}", spec.title)
        if spec.minutes and spec.address not in A_CARD:
            engine.wait(f"Boolean({PICTURE})")
        found = engine.evaluate(CUT_LABELS) + engine.evaluate(UNDRAWN) + engine.uncaught()
        faults += [f"{spec.address or 'home'}: {fault}" for fault in found]
        engine.screenshot(SCREENSHOTS / f"{engine.name}-{spec.address or 'home'}.png")
    assert not faults, "\n".join(faults)


@pytest.mark.slow
def test_a_click_adds_a_point_and_the_link_says_so(engine, lab):
    opened(engine, f"{lab}/clustering?data=two+blobs")
    x, y, width = middle(engine, within(".st-key-picture", "canvas"))
    engine.lead((x + width / 3, y - 60))
    engine.wait("location.search.includes('edits=')")


@pytest.mark.slow
def test_a_tap_of_a_finger_edits_nothing(engine, lab):
    opened(engine, f"{lab}/clustering?data=two+blobs")
    x, y, width = middle(engine, within(".st-key-picture", "canvas"))
    before = engine.evaluate("location.search")
    engine.evaluate(
        "addEventListener('pointerdown', event => (window.kind = event.pointerType), true)"
    )
    engine.lead((x + width / 3, y - 60), kind="touch")
    if engine.evaluate("window.kind") == "mouse":
        pytest.skip("this browser's driver takes a finger for a mouse")
    engine.settle()
    assert engine.evaluate("location.search") == before
    assert not engine.uncaught()


@pytest.mark.slow
def test_a_query_is_dragged_and_the_link_says_where(engine, lab):
    opened(engine, f"{lab}/attention-by-hand?part=Drag+a+query&arrangement=two+alike")
    x, y, _ = middle(engine, within(".st-key-picture", ".handle"))
    before = engine.evaluate("location.search")
    engine.lead((x, y), (x - 20, y - 10), (x - 40, y - 20), (x - 60, y - 30))
    engine.wait(f"location.search !== {json.dumps(before)}")
    engine.wait("/query_[xy]=/.test(location.search)")


@pytest.mark.slow
def test_a_picture_is_painted_and_the_link_carries_it(engine, lab):
    opened(engine, f"{lab}/convolution?reveal=filter")
    x, y, width = middle(engine, within(".st-key-picture", "figure > svg"))
    engine.lead(*((x + share * width, y + 0.3 * width) for share in (-0.2, -0.1, 0.0, 0.1, 0.2)))
    engine.wait("location.search.includes('own_picture=')")


@pytest.mark.slow
def test_a_table_is_offered_as_a_file(engine, lab):
    opened(engine, f"{lab}/estimation")
    engine.evaluate(_NOTE_FILES)
    click(engine, "Data and export")
    click(engine, "CSV")
    engine.wait("window.files.length > 0")
    kept = engine.evaluate("fetch(window.files[0]).then(answer => answer.text())")
    assert len(kept.splitlines()) > 2
    assert "," in kept


@pytest.mark.slow
def test_a_link_is_copied_over_plain_http(engine, lab):
    """Under an address of the network, a browser offers no clipboard to scripts."""
    opened(engine, f"{over_network(lab)}/estimation")
    assert not engine.evaluate("isSecureContext")
    engine.evaluate(NOTE_COPIES)
    click(engine, "Link")
    button = f"document.querySelector('{COPY}')"
    x, y, _ = middle(engine, button)
    engine.lead((x - 60, y))  # the button shows once a pointer is over its code
    engine.wait(f"getComputedStyle({button}).visibility === 'visible'")
    x, y, _ = middle(engine, button)
    engine.lead((x, y))
    engine.wait("window.copied?.startsWith('http')")


@pytest.mark.slow
def test_a_process_is_played_and_stepped_by_keys(engine, lab):
    opened(engine, f"{lab}/clustering")
    slider = within("[class*=playback]", "input")
    engine.wait(slider)
    engine.evaluate(f"{slider}.focus()")
    engine.press(HOME)
    engine.wait(f"{slider}.value === '0'")
    engine.press(RIGHT)
    engine.wait(f"{slider}.value === '1'")
    click(engine, "Play")
    engine.wait(NAMED.format("Pause"))


@pytest.mark.slow
def test_a_code_for_phones_is_drawn_and_a_room_is_joined(engine, lab):
    opened(engine, f"{lab}/estimation")
    click(engine, "Link")
    engine.wait("[...document.images].some(image => image.naturalWidth > 0)")
    engine.open(f"{lab}/estimation")
    click(engine, "Class")
    click(engine, "Open a room")
    engine.wait("new URLSearchParams(location.search).has('room')")
    room = engine.evaluate("new URLSearchParams(location.search).get('room')")
    # Under another name the server has another visitor: what a browser keeps belongs to an origin.
    engine.open(f"{lab.replace('127.0.0.1', 'localhost')}/join?code={room}")
    engine.wait(f"document.body.textContent.includes('You are in class {room}')")
