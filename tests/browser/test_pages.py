"""Every page of the lab, seen as visitors see it: screens, themes, addresses."""

import pytest
from playwright.sync_api import expect

from pages.shared.registry import PAGES, page_at
from tests.browser.conftest import ROOT, serving, settle

VIEWPORTS = {
    "projector": {"width": 1280, "height": 720, "scheme": "light"},
    "phone": {"width": 390, "height": 844, "scheme": "dark"},
}

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


@pytest.mark.parametrize("viewport", VIEWPORTS)
def test_every_page_fits_the_screen(visit, lab, viewport):
    """One walk over one server; what is wrong with any page is told at the end."""
    faults, page = [], None
    for spec in PAGES:
        address = f"{lab}/{spec.address}"
        if page is None:
            page = visit(address, **VIEWPORTS[viewport])
        else:
            page.goto(address)
            settle(page)
        found = page.locator("[data-testid=stMain]").evaluate(LAYOUT_FAULTS)
        if page.locator("h1").inner_text() != spec.title or page.title() != spec.title:
            found.append(f"titled {page.locator('h1').inner_text()!r} and {page.title()!r}")
        if page.locator("[data-testid=stException]").count():
            found.append("an exception")
        if page.get_by_role("dialog").count():
            found.append("a dialog")
        faults += [f"{spec.address or 'home'}: {fault}" for fault in found]
    assert faults == []


@pytest.mark.parametrize("which", ["trial", "war-and-peace"])
def test_the_first_visitor_of_a_fresh_server_may_come_by_a_deep_link(
    visit, trial_lab, tmp_path, which
):
    folder = trial_lab if which == "trial" else ROOT
    query = "temperature=0.5&seed=7" if which == "trial" else ""
    title = "Does it work?" if which == "trial" else page_at(which).title
    with serving(folder, tmp_path / "server.log") as fresh:
        page = visit(f"{fresh}/{which}?{query}")
        expect(page.locator("h1")).to_have_text(title)
        page.wait_for_timeout(1500)  # a dialog would come with the answer to the first run
        expect(page.get_by_role("dialog")).to_have_count(0)
        expect(page.get_by_text("Page not found")).to_have_count(0)
        expect(page.locator("[data-testid=stSidebarNav]")).to_have_count(0)
        for chapter in {spec.chapter for spec in PAGES}:
            expect(page.locator("[data-testid=stTopNavSection]", has_text=chapter)).to_be_visible()
        if query:
            expect(page.locator("[data-testid=stCode]").first).to_contain_text("0.5|small|7|")


def test_a_former_address_leads_on_with_what_its_link_asks_for(visit, lab):
    page = visit(f"{lab}/clusters?points=60&seed=7")
    expect(page.locator("h1")).to_have_text(page_at("clustering").title)
    expect(page.get_by_role("dialog")).to_have_count(0)
    assert page.url.split("/")[-1].startswith("clustering?")
    assert "seed=7" in page.url


def test_an_unknown_address_leads_home(visit, lab):
    page = visit(f"{lab}/nowhere")
    expect(page.get_by_role("dialog")).to_contain_text("Page not found")
    expect(page.locator("h1")).to_have_text("LM Lab")


def test_every_page_is_one_click_from_home(visit, lab):
    page = visit(lab)
    for spec in PAGES[1:]:
        page.locator("[data-testid=stPageLink]", has_text=spec.title).click()
        expect(page.locator("h1")).to_have_text(spec.title)
        settle(page)
        expect(page.locator("[data-testid=stException]")).to_have_count(0)
        page.go_back()
        expect(page.locator("h1")).to_have_text("LM Lab")
        settle(page)
