"""Every page of the lab, seen as visitors see it: screens, themes, addresses."""

import pytest
from playwright.sync_api import expect

from pages.shared.registry import PAGES, page_at
from tests.browser.conftest import ROOT, serving, settle

SIZES = {"projector": (1280, 720), "phone": (390, 844)}


def address_of(lab, spec):
    return f"{lab}/{spec.address}"


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("spec", PAGES, ids=lambda spec: spec.address or "home")
def test_every_page_stands_on_every_screen(visit, lab, spec, size, scheme):
    width, height = SIZES[size]
    page = visit(address_of(lab, spec), width=width, height=height, scheme=scheme)
    expect(page.locator("h1")).to_have_text(spec.title)
    expect(page.locator("[data-testid=stException]")).to_have_count(0)
    expect(page.get_by_role("dialog")).to_have_count(0)
    assert page.title() == spec.title
    main = page.locator("[data-testid=stMain]")
    assert main.evaluate("main => main.scrollWidth <= main.clientWidth"), "scrolls sideways"


@pytest.mark.parametrize("which", ["trial", *[spec.address for spec in PAGES[1:]]])
def test_the_first_visitor_of_a_fresh_server_may_come_by_a_deep_link(
    visit, trial_lab, tmp_path, which
):
    folder = trial_lab if which == "trial" else ROOT
    query = "temperature=0.5&seed=7" if which == "trial" else ""
    title = next((spec.title for spec in PAGES if spec.address == which), "Does it work?")
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
    for spec in PAGES[1:]:
        page = visit(lab)
        page.locator("[data-testid=stPageLink]", has_text=spec.title).click()
        expect(page.locator("h1")).to_have_text(spec.title)
        settle(page)
        expect(page.locator("[data-testid=stException]")).to_have_count(0)
