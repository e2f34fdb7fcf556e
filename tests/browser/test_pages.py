"""Every page of the lab, seen as visitors see it: screens, themes, addresses."""

import re

from playwright.sync_api import TimeoutError, expect

from pages.shared.registry import PAGES, page_at
from tests.browser.conftest import go, serving, settle

SCREENS = (1280, 720, "light"), (390, 844, "dark")
"""A projector and a phone."""

LAYOUT_FAULTS = """
main => {
  const faults = [];
  if (main.scrollWidth > main.clientWidth) faults.push("the page scrolls sideways");
  const seen = element => {
    const box = element.getBoundingClientRect();
    return box.width > 1 && box.height > 1 && element.checkVisibility({checkOpacity: true});
  };
  const text = element => element.textContent.trim().slice(0, 40);
  // Clipped: a label or button whose words are wider than its box and hidden beyond it.
  for (const element of main.querySelectorAll(
      "button p, label p, h1, h2, h3, [data-testid=stCaptionContainer] p, [data-testid=stMetricLabel] p")) {
    if (!seen(element)) continue;
    const style = getComputedStyle(element);
    const hides = style.overflowX !== "visible" || style.textOverflow === "ellipsis";
    if (hides && element.scrollWidth > element.clientWidth + 1)
      faults.push(`clipped: ${text(element)}`);
  }
  // Overlapping: two elements of the page, neither within the other, that share a patch of screen.
  const boxes = [...main.querySelectorAll("[data-testid=stElementContainer]")]
    .filter(element => seen(element) && getComputedStyle(element).position === "static"
      && !element.closest("[data-testid=stPopoverBody], [data-testid=stToast]"))
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


def faults_of(page):
    """What is wrong with the layout, once charts have had their time to follow the screen."""
    for _ in range(20):
        found = page.locator("[data-testid=stMain]").evaluate(LAYOUT_FAULTS)
        if not found:
            break
        page.wait_for_timeout(250)
    return found


def go_home(page, lab, cards):
    """Go back; a run of the page itself at that moment can make Streamlit lose the way."""
    settle(page)
    if page.url.rstrip("/") != lab:
        page.go_back()
    try:
        cards.first.wait_for(timeout=10_000)
    except TimeoutError:
        go(page, lab)
    expect(cards).to_have_count(len(PAGES) - 1)
    settle(page)


def test_every_page_is_one_click_from_home_and_fits_every_screen(visit, lab):
    """One walk over one server; what is wrong with any page is told at the end."""
    faults, page = [], visit(lab)
    cards = page.locator("[data-testid=stPageLink]")
    for spec in PAGES:
        if spec.address:
            cards.filter(has_text=spec.title).click()
            expect(page).to_have_url(re.compile(f"/{spec.address}([?].*)?$"))
        expect(page.locator("h1")).to_have_text(spec.title)
        settle(page)
        expect(page).to_have_title(spec.title)
        expect(page.locator("[data-testid=stException]")).to_have_count(0)
        expect(page.get_by_role("dialog")).to_have_count(0)
        for width, height, scheme in SCREENS:
            page.set_viewport_size({"width": width, "height": height})
            page.emulate_media(color_scheme=scheme)
            faults += [f"{spec.address or 'home'}, {width}: {fault}" for fault in faults_of(page)]
        go_home(page, lab, cards)
    assert faults == []


def test_the_first_visitor_of_a_fresh_server_may_come_by_a_deep_link(visit, trial_lab, tmp_path):
    with serving(trial_lab, tmp_path / "server.log") as fresh:
        page = visit(f"{fresh}/trial?temperature=0.5&seed=7")
        page.wait_for_timeout(1500)  # a dialog would come with the answer to the first run
        expect(page.get_by_role("dialog")).to_have_count(0)
        expect(page.locator("[data-testid=stSidebarNav]")).to_have_count(0)
        for chapter in {spec.chapter for spec in PAGES}:
            expect(page.locator("[data-testid=stTopNavSection]", has_text=chapter)).to_be_visible()
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
