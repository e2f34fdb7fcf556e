"""Every page of the lab, seen as visitors see it: screens, themes, addresses."""

import re
import warnings

from playwright.sync_api import expect

from pages.shared.registry import PAGES, page_at
from tests.browser.accessibility import violations
from tests.browser.conftest import go, over_network, serving, settle

SCREENS = (1280, 720, "light"), (390, 844, "dark")  # a projector and a phone

LAYOUT_FAULTS = """
main => {
  const faults = [];
  if (main.scrollWidth > main.clientWidth) faults.push("the page scrolls sideways");
  const seen = element => {
    const box = element.getBoundingClientRect();
    return box.width > 1 && box.height > 1 && element.checkVisibility({checkOpacity: true});
  };
  const text = element => (element.value || element.textContent).trim().slice(0, 40);
  // Clipped: a label, a button or a choice whose words are wider than its box and hidden beyond it.
  for (const element of main.querySelectorAll(
      "button p, label p, h1, h2, h3, [data-testid=stCaptionContainer] p, [data-testid=stMetricLabel] p, [data-testid=stSelectbox] input")) {
    if (!seen(element)) continue;
    const style = getComputedStyle(element);
    const hides = style.overflowX !== "visible" || style.textOverflow === "ellipsis";
    if (hides && element.scrollWidth > element.clientWidth + 1)
      faults.push(`clipped: ${text(element)}`);
  }
  // Overlapping: two elements of the page, neither within the other, that share a patch of screen.
  const boxes = [...main.querySelectorAll("[data-testid=stElementContainer], [data-testid=stPopoverButton]")]
    .filter(element => seen(element) && ["static", "relative"].includes(getComputedStyle(element).position)
      // What plays the picture stays at a phone's lower edge, over the rest.
      && !element.closest("[data-testid=stPopoverBody], [data-testid=stToast], [class*=st-key-main_playback]"))
    .map(element => [element, element.getBoundingClientRect()]);
  boxes.forEach(([one, a], i) => boxes.slice(i + 1).forEach(([other, b]) => {
    if (one.contains(other) || other.contains(one)) return;
    const across = Math.min(a.right, b.right) - Math.max(a.left, b.left);
    const down = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
    if (across > 6 && down > 6) faults.push(`overlap: ${text(one)} | ${text(other)}`);
  }));
  return faults;
}
"""

ZOOMED = {"width": 640, "height": 360}  # a window of 1280 x 720 whose visitor has doubled all sizes
ZOOMED_FAULTS = """
main => {
  const faults = [], seen = element => element.checkVisibility() && element.getBoundingClientRect().height > 1;
  const name = element => (element.dataset.testid ?? element.className.toString()).slice(0, 60);
  const bars = [...document.querySelectorAll("*")].filter(seen)
    .filter(element => ["fixed", "sticky"].includes(getComputedStyle(element).position))
    .map(element => [name(element), element.getBoundingClientRect()])
    .filter(([, box]) => box.width > 0.5 * innerWidth && box.top < innerHeight && box.bottom > 0);
  const covered = bars.reduce((sum, [, box]) => sum + Math.min(box.height, innerHeight), 0);
  if (covered > 0.5 * innerHeight) faults.push(`${Math.round(covered)} pixels stay covered: ${bars.map(([of]) => of)}`);
  // A table of data needs both ways (WCAG 2.2, 1.4.10).
  for (const element of main.querySelectorAll(":not(.stDataFrame *)")) {
    const {overflowX, overflowY} = getComputedStyle(element), scrolls = style => ["auto", "scroll"].includes(style);
    if (scrolls(overflowX) && scrolls(overflowY) && seen(element) && element.scrollWidth > element.clientWidth + 2
      && element.scrollHeight > element.clientHeight + 2) faults.push(`scrolls two ways: ${name(element)}`);
  }
  return faults;
}
"""
MOVING = """
() => {
  const moving = new Set(), lasts = times => times.split(", ").some(time => parseFloat(time) > 0);
  const look = root => root.querySelectorAll("*").forEach(element => {
    if (element.shadowRoot) look(element.shadowRoot);
    const style = getComputedStyle(element);
    if (style.scrollBehavior === "smooth" || style.animationName !== "none" && lasts(style.animationDuration)
      || style.transitionProperty !== "none" && lasts(style.transitionDuration))
      moving.add(`moves: ${element.tagName} ${element.getAttribute("class")}`.slice(0, 80));
  });
  look(document);
  return [...moving].slice(0, 9);
}
"""
"""What has a transition or an animation, for a visitor who has asked for none."""

FIRST_SCREEN_FAULTS = """
(main, share) => {
  const faults = [], height = window.innerHeight;
  const seen = element => element.checkVisibility() && element.getBoundingClientRect().height > 1;
  const picture = main.querySelector(".st-key-picture");
  if (!picture || !seen(picture)) return ["no picture"];
  main.scrollTo(0, 0);
  const drawn = [...picture.querySelectorAll(
      "svg.marks, canvas, .stBidiComponent, .js-plotly-plot")].filter(seen)
    // A line of words above a chart is as high as its words: the chart is the picture.
    .filter(element => !element.closest("[class*=st-key-sentence_], [class*=playback_]"));
  if (!drawn.length) faults.push("nothing is drawn in the picture");
  const box = picture.getBoundingClientRect();
  const inside = (Math.min(box.bottom, height) - Math.max(box.top, 0)) / box.height;
  if (inside < share - 0.005) faults.push(`${Math.round(100 * inside)}% of the picture on screen`);
  for (const mark of drawn) {
    const own = mark.getBoundingClientRect();
    if (own.height < 120) faults.push(`a picture of ${Math.round(own.height)} pixels`);
    if (own.bottom > box.bottom + 2) faults.push("the drawing is higher than its place");
  }
  // Controls in two rows take the height that the picture is to have in the presenter view.
  const row = main.querySelector(".st-key-main_controls")?.getBoundingClientRect();
  if (share === 1 && row && row.height > 0.2 * height)
    faults.push(`controls of ${Math.round(row.height)} pixels`);
  const controls = [...main.querySelectorAll(
      ":is(.st-key-main_controls, [class*=st-key-main_playback], .st-key-picture) :is(button, input, [role=slider])")]
    .filter(seen).map(element => element.getBoundingClientRect());
  if (!controls.some(own => own.top >= 0 && own.bottom <= height)) faults.push("no control on screen");
  return faults;
}
"""
BACK_HOME = """
() => {
  history.pushState({}, "", "/");
  dispatchEvent(new PopStateEvent("popstate"));
}
"""
"""What the browser's own button does, however many steps lie between."""
COPY = ".stCode button"
NOTE_COPIES = (
    "addEventListener('copy', event => (window.copied = event.clipboardData.getData('text/plain')))"
)
SHARE, SHARE_PRESENTED = 0.6, 1.0
"""Of the picture, on the first screen; in the presenter view all of it."""
A_CARD = {"fine-tuning": "nothing is drawn in the picture"}
"""Pages that open on a card to be labelled, where a chart is yet to be made."""


def faults_of(page, script=LAYOUT_FAULTS, argument=None):
    """What is wrong with the layout, once charts have had their time to follow the screen."""
    for _ in range(20):
        found = page.locator("[data-testid=stMain]").evaluate(script, argument)
        if not found:
            break
        page.wait_for_timeout(250)
    return found


def back_home(page, cards):
    """Go home, once more if what the page before was still sending has brought it back."""
    before = page.url
    for timeout in (15_000, 60_000):
        page.evaluate(BACK_HOME)
        try:
            expect(cards).to_have_count(len(PAGES) - 1, timeout=timeout)
        except AssertionError:
            warnings.warn(f"from {before}, home was left for {page.url}", stacklevel=2)
        else:
            return
    raise AssertionError(f"from {before} there is no way home")


def told(address, where, faults):
    """Return faults as lines, without what is no fault of this page."""
    return [f"{address}, {where}: {fault}" for fault in faults if fault != A_CARD.get(address)]


def test_every_page_is_one_click_from_home_and_fits_every_screen(visit, lab):
    """One walk over one server; what is wrong with any page is told at the end."""
    faults, page = [], visit(lab)
    cards = page.locator("[data-testid=stPageLink]")
    for spec in PAGES:
        if spec.address:
            cards.filter(has=page.get_by_text(spec.term, exact=True)).click()
            expect(page).to_have_url(re.compile(f"/{spec.address}([?].*)?$"))
        expect(page.locator("h1")).to_have_text(spec.title)
        settle(page)
        expect(page).to_have_title(spec.title)
        expect(page.locator("[data-testid=stException]")).to_have_count(0)
        expect(page.get_by_role("dialog")).to_have_count(0)
        for width, height, scheme in SCREENS:
            page.set_viewport_size({"width": width, "height": height})
            page.emulate_media(color_scheme=scheme)
            found = faults_of(page)
            if has_picture := bool(spec.minutes):
                found += faults_of(page, FIRST_SCREEN_FAULTS, SHARE)
            faults += told(spec.address or "home", width, found)
        faults += told(spec.address or "home", "on a phone", violations(page))
        faults += told(spec.address or "home", "at rest", page.evaluate(MOVING))
        expect(page.get_by_role("button", name="Pause")).to_have_count(0)
        page.set_viewport_size(ZOOMED)
        found = faults_of(page) + faults_of(page, ZOOMED_FAULTS)
        faults += told(spec.address or "home", "at 200 %", found)
        if has_picture:
            width, height, scheme = SCREENS[0]
            page.set_viewport_size({"width": width, "height": height})
            page.locator(".st-key-present_toggle button").click()
            expect(page).to_have_url(re.compile("present=1"))
            settle(page)
            found = faults_of(page) + faults_of(page, FIRST_SCREEN_FAULTS, SHARE_PRESENTED)
            faults += told(spec.address, "presented", found)
        back_home(page, cards)
    assert faults == []


def test_the_first_visitor_of_a_fresh_server_may_come_by_a_deep_link(visit, trial_lab, tmp_path):
    with serving(trial_lab, tmp_path / "server.log") as fresh:
        page = visit(f"{fresh}/trial?temperature=0.5&seed=7")
        page.wait_for_timeout(1500)  # a dialog would come with the answer to the first run
        expect(page.get_by_role("dialog")).to_have_count(0)
        expect(page.locator("[data-testid=stSidebarNav]")).to_have_count(0)
        for chapter in {spec.chapter for spec in PAGES}:
            expect(page.get_by_role("button", name=chapter, exact=True)).to_be_visible()
        expect(page.locator("[data-testid=stCode]").first).to_contain_text("0.5|small|7|")
    assert "ScriptRunContext" not in (tmp_path / "server.log").read_text()


def test_a_browser_asks_no_other_host_for_anything_not_even_the_icon(visit, lab):
    page = visit(lab)
    asked = set()

    def note(request):
        asked.add(request.url)

    page.on("request", note)
    go(page, lab)
    icon = page.evaluate("document.querySelector('link[rel~=icon]').href")
    page.remove_listener("request", note)
    hosts = {url.split("/")[2] for url in {*asked, icon} if url.startswith("http")}
    assert hosts == {lab.split("/")[2]}
    assert icon.startswith(("data:image/svg+xml", lab))


def test_a_link_is_copied_over_plain_http(visit, lab):
    page = visit(f"{over_network(lab)}/estimation")
    assert not page.evaluate("isSecureContext")
    page.evaluate(NOTE_COPIES)
    page.get_by_role("button", name="Link").click()
    page.locator(".stCode").first.hover()
    page.locator(COPY).first.click()
    page.wait_for_function("window.copied?.startsWith('http')")


def test_a_former_address_leads_on_with_what_its_link_asks_for(visit, lab):
    page = visit(f"{lab}/clusters?points=60&seed=7")
    expect(page.locator("h1")).to_have_text(page_at("clustering").title)
    expect(page.get_by_role("dialog")).to_have_count(0)
    assert page.url.split("/")[-1].startswith("clustering?")
    assert "seed=7" in page.url


def test_an_unknown_address_leads_home(visit, lab):
    page = visit(f"{lab}/nowhere")
    expect(page.get_by_role("dialog")).to_be_visible()
    expect(page.locator("h1")).to_have_text("LM Lab")
