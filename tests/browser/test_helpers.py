"""What only a browser can tell of the shared helpers: address, keys, hover, motion, files."""

import csv
import re
import xml.etree.ElementTree as ElementTree

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import FITS, settle


def values(page):
    return page.locator("[data-testid=stCode]").first


# Link and presenter view ----------------------------------------------------------------------


def links_of(page):
    """The long link and the short one; the latter's code for phones is drawn."""
    page.get_by_role("button", name="Link").click()
    panel = page.locator("[data-testid=stPopoverBody]")
    codes = panel.locator("[data-testid=stCode]")
    expect(codes).to_have_count(2)
    expect(panel.locator("img")).to_be_visible()
    return [text.strip() for text in codes.all_inner_texts()][::-1]


def test_the_link_restores_what_the_teacher_sees(visit, trial):
    page = visit(trial)
    page.get_by_label("Prompt").fill("A & B <i>é</i>")
    page.get_by_label("Prompt").press("Enter")
    page.get_by_label("Seed").fill("42")
    page.get_by_label("Seed").press("Enter")
    page.locator(".st-key-kinds button", has_text="c").click()
    expect(values(page)).to_contain_text("42|A & B <i>é</i>|False|['a', 'c']")
    link, short = links_of(page)
    assert "temperature=1.0" in link, "controls at their default belong to the link too"
    assert len(short) < 50 < len(link)
    for asked in (link, f"{trial.rsplit('/', 1)[0]}/?{short.split('?')[1]}"):
        other = visit(asked)
        expect(values(other)).to_have_text(values(page).inner_text())
        expect(other.locator("[data-testid=stAlert]")).to_have_count(0)


def test_a_foreign_address_shows_the_default_and_a_note(visit, trial):
    page = visit(f"{trial}?temperature=9&model=%3Cscript%3E&seed=1e999")
    expect(values(page)).to_contain_text("1.0|small|1|")
    expect(page.locator("[data-testid=stAlert]")).to_have_count(3)
    expect(page.locator("[data-testid=stException]")).to_have_count(0)


def test_presenter_view_is_big_and_bare_and_can_be_left(visit, trial):
    page = visit(f"{trial}?temperature=0.5")
    page.get_by_role("button", name="Present").click()
    expect(page.get_by_role("button", name="Leave")).to_be_visible()
    assert "present=1" in page.url
    assert "temperature=0.5" in page.url
    # Asked again until it holds: the paragraph is drawn anew when the view changes.
    page.wait_for_function(
        "[...document.querySelectorAll('[data-testid=stMarkdownContainer] p')].some(p =>"
        " p.textContent.includes('secret paragraph') && parseFloat(getComputedStyle(p).fontSize) >= 24)"
    )
    expect(page.locator("[data-testid=stHeader]")).to_be_hidden()
    page.wait_for_function(  # while the chart is drawn anew there is none
        "[...document.querySelectorAll('svg.marks text')].some(text =>"
        " parseFloat(getComputedStyle(text).fontSize) >= 24)"
    )
    page.get_by_role("button", name="Leave").click()
    expect(page.get_by_role("button", name="Present")).to_be_visible()
    expect(page.locator("[data-testid=stHeader]")).to_be_visible()
    expect(values(page)).to_contain_text("0.5|")


def test_a_teacher_hides_a_control_by_link(visit, trial):
    page = visit(f"{trial}?temperature=0.5")
    page.get_by_role("button", name="Link").click()
    panel = page.locator("[data-testid=stPopoverBody]")
    panel.locator("button", has_text="Temperature").click()
    code = panel.locator("[data-testid=stCode]").last
    expect(code).to_contain_text("hide=temperature")
    seen_by_class = visit(code.inner_text().strip())
    expect(seen_by_class.locator(".st-key-temperature")).to_be_hidden()
    expect(seen_by_class.locator(".st-key-seed")).to_be_visible()
    expect(values(seen_by_class)).to_contain_text("0.5|")


# Steps ----------------------------------------------------------------------------------------


def moment(page, number):
    expect(page.get_by_text(f"moment {number}", exact=True)).to_be_visible()


def test_keys_walk_the_steps_and_play_stops_by_itself_at_the_end(visit, trial):
    page = visit(trial)
    page.locator("h1").click()
    page.keyboard.press("ArrowRight")
    moment(page, 1)
    page.keyboard.press("ArrowRight")
    moment(page, 2)
    page.keyboard.press("ArrowLeft")
    moment(page, 1)
    expect(page).to_have_url(f"{trial}?moment=1")
    settle(page)
    page.keyboard.press("p")
    moment(page, 3)
    expect(page.get_by_role("button", name="Play")).to_be_visible()
    page.wait_for_timeout(1500)  # three ticks, if the clock were still running
    moment(page, 3)


# The strip ------------------------------------------------------------------------------------


def test_what_stands_in_the_strip_stays_text(visit, trial):
    page = visit(f"{trial}?prompt=%3Cimg%20src%3Dx%20onerror%3Ddocument.title%3D1%3E")
    strip = page.locator(".strip")
    expect(strip).to_contain_text("<img src=x onerror=document.title=1> ")
    letters = strip.locator(".character").all_text_contents()
    assert "".join(letters).endswith(" <b>smiled</b>↵\nagain")
    expect(strip.locator("img, b")).to_have_count(0)
    assert page.title() == "Does it work?"


def test_a_character_of_the_strip_is_read_and_chosen_by_pointer_and_by_keyboard(visit, trial):
    page = visit(trial)
    character = page.locator(".strip .character").nth(12)
    character.hover()
    expect(page.locator(".readout")).to_have_text(re.compile(r"^b\b.*\b50\s%.*\b1\.0 bits"))
    character.click()
    expect(page.get_by_text(re.compile(r"\b12$"))).to_be_visible()
    settle(page)
    strip = page.locator(".strip")
    last = strip.locator(".character").last
    last.focus()
    page.keyboard.press("Home")
    expect(page.locator(".readout")).to_contain_text("T — prompt, character 1")
    for _ in range(10):
        page.keyboard.press("ArrowRight")
    expect(page.locator(".readout")).to_contain_text("· (space) — probability 50 %")
    page.keyboard.press("Enter")
    expect(page.get_by_text(re.compile(r"\b10$"))).to_be_visible()
    moment(page, 0)  # the arrows were the strip's, not the playback_bar's


def test_prompt_copies_and_picks_are_marked_without_colour_and_follow_another_prompt(visit, trial):
    page = visit(trial)
    expect(page.locator(".strip .prompt")).to_have_count(len("The prince"))
    expect(page.locator(".strip .copied")).to_have_count(5)
    expect(page.locator(".strip .mark")).to_have_text("copied, 5")
    expect(page.locator(".strip .picked")).to_have_count(1)
    page.get_by_label("Prompt").fill("No")
    page.get_by_label("Prompt").press("Enter")
    expect(page.locator(".strip .prompt")).to_have_count(2)
    expect(page.locator(".strip .character")).to_have_count(len("No <b>smiled</b>\nagain"))


# Charts ---------------------------------------------------------------------------------------


def test_a_bar_can_be_picked_and_a_chart_has_words_a_table_and_three_files(visit, trial):
    page = visit(trial)
    svg = page.locator(".st-key-next svg.marks")
    svg.scroll_into_view_if_needed()
    box, name = svg.bounding_box(), svg.get_by_text("·", exact=True).first.bounding_box()
    row = name["y"] + name["height"] / 2 - box["y"]
    svg.click(position={"x": 0.5 * box["width"], "y": row})
    expect(page.get_by_text("picked 0")).to_be_visible()
    settle(page)
    expect(page.locator(".st-key-next [aria-label^=Bars]").first).to_be_attached()
    expect(page.locator(".st-key-charted_next [data-testid=stText]")).to_have_text("Three bars")
    page.get_by_role("button", name="Data and export").click()
    expect(page.locator("[data-testid=stPopoverBody] [data-testid=stDataFrame]")).to_be_visible()
    files = {}
    for button in ("Save next-character as PNG", "Save next-character as SVG", "CSV"):
        with page.expect_download() as download:
            page.get_by_role("button", name=button, exact=True).click()
        files[download.value.suggested_filename] = download.value.path().read_bytes()
    assert files["next-character.png"].startswith(b"\x89PNG")
    drawing = ElementTree.fromstring(files["next-character.svg"])
    assert drawing.tag == "{http://www.w3.org/2000/svg}svg"
    rows = list(csv.reader(files["next-character.csv"].decode().splitlines()))
    assert rows[0] == ["stage", "id", "symbol", "before", "probability", "is_cut", "is_marked"]
    assert len(rows) == 4


@pytest.mark.parametrize(("width", "height"), [(1280, 720), (390, 844)])
def test_a_table_that_is_opened_near_the_lower_edge_opens_upwards(visit, lab, width, height):
    page = visit(f"{lab}/counting", width=width, height=height)
    fold = page.get_by_role("button", name="Data and export").first
    fold.evaluate(
        """fold => {
          const box = fold.getBoundingClientRect();
          document.querySelector("[data-testid=stMain]").scrollBy(0, box.bottom - (innerHeight - 150));
        }"""
    )
    fold.click()
    table = page.locator("[data-testid=stPopoverBody] [data-testid=stDataFrame]")
    expect(table).to_be_visible()
    page.wait_for_function(
        "document.querySelector('[data-testid=stPopoverBody]').getBoundingClientRect().height > 230"
    )
    expect(table).to_be_in_viewport(ratio=0.9)


def test_the_trial_page_fits(visit, trial):
    page = visit(trial, height=1600)
    main = page.locator("[data-testid=stMain]")
    for scheme in ("light", "dark"):
        for width in (1280, 390):
            page.set_viewport_size({"width": width, "height": 1600})
            page.emulate_media(color_scheme=scheme)
            expect(page.locator("svg.marks").first).to_be_visible()
            settle(page)
            page.wait_for_function(f"({FITS})(document.querySelector('[data-testid=stMain]'))")
    expect(main.locator("[data-testid=stException]")).to_have_count(0)
