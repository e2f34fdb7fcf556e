"""Positions: a guess about equal words, clock hands by keyboard, every part on a phone."""

import re

from playwright.sync_api import expect

from tests.browser.conftest import FITS, settle

PARTS = (
    ("Encoding vectors", "the cosine of their encodings is", 2),
    ("Shift as rotation", "from every position", 1),
    ("Scores by distance", "only the distance matters", 1),
    ("T5 buckets", "bucket that does not exist", 1),
    ("Equal words", "Not distinguished", 3),
)


def test_a_class_guesses_shuffles_and_takes_the_link_along(visit, lab):
    page = visit(f"{lab}/positional-encoding?part=Equal+words")
    main = page.locator("[data-testid=stMain]")
    page.get_by_text("The same output three times", exact=True).click()
    page.get_by_role("button", name="Reveal").click()
    expect(main).to_contain_text("Not distinguished: can (3")
    settle(page)
    page.get_by_role("button", name="More").click()
    field = page.get_by_label("Sentence")
    field.fill("<i>ich</i> dass ich")
    field.press("Enter")
    expect(main).to_contain_text("Not distinguished: i (2")
    page.locator("[data-testid=stPopoverBody]").get_by_text("Causal mask", exact=True).click()
    expect(main).to_contain_text("Distinguished: i (2")
    settle(page)
    assert main.locator("i", has_text="ich").count() == 0


def test_the_keys_turn_the_clock_hands(visit, lab):
    page = visit(f"{lab}/positional-encoding?shift=2&reveal=clocks")
    main = page.locator("[data-testid=stMain]")
    expect(main).to_contain_text(re.compile(r"\b3\D*\b5\D*\b0\D*\b114\.6°"))
    page.keyboard.press("ArrowRight")
    expect(main).to_contain_text(re.compile(r"\b4\D*\b6\D*\b0\D*\b114\.6°"))
    settle(page)
    assert "position=4" in page.url
    expect(page.locator(".katex-display")).to_have_count(1)
    expect(page.locator(".katex-error")).to_have_count(0)


def test_every_part_is_drawn_on_a_phone(visit, lab):
    page = visit(
        f"{lab}/positional-encoding?reveal=clocks,equal_words,distance,buckets",
        width=390,
        height=844,
    )
    main = page.locator("[data-testid=stMain]")
    drawn = page.locator("[data-testid=stVegaLiteChart] svg, [data-testid=stVegaLiteChart] canvas")
    for part, said, n_charts in PARTS:
        page.get_by_role("radio", name=part).click()
        expect(main).to_contain_text(said)
        expect(drawn.locator("visible=true")).to_have_count(n_charts)
        settle(page)
        expect(page.locator("[data-testid=stException]")).to_have_count(0)
        assert main.evaluate(FITS), "scrolls sideways"
