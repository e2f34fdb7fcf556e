"""The page on fine-tuning: a guess drawn into the picture, labels by the keyboard, a tuning that ends."""

import itertools
import re

from playwright.sync_api import expect

from lm_core.experiments.fine_tuning.settings import METHODS
from pages.fine_tuning.examples import SENTENCES
from tests.browser.conftest import FITS, settle


def test_the_answer_is_drawn_with_the_guess(visit, lab):
    page = visit(f"{lab}/fine-tuning?part=Learning+curves")
    main = page.locator("[data-testid=stMain]")
    chart = main.locator(".st-key-picture svg.marks")
    expect(chart).to_contain_text("fine-tuned")
    expect(chart).to_contain_text("from scratch: ?")
    main.get_by_text("about 300", exact=True).click()
    settle(page)
    main.locator("[class*=st-key-reveal_] button").first.click()
    expect(chart).to_contain_text("your guess")
    expect(chart).not_to_contain_text("from scratch: ?")
    for method in METHODS:
        expect(chart).to_contain_text(method)
    names = chart.locator("text").filter(has_text=re.compile(f"^({'|'.join(METHODS)})$"))
    boxes = sorted((names.nth(i).bounding_box() for i in range(4)), key=lambda box: box["y"])
    gaps = [b["y"] - a["y"] - a["height"] for a, b in itertools.pairwise(boxes)]
    assert min(gaps) > -4, "names at the ends of the lines hide each other"


def test_a_head_answers_ones_own_sentence_on_a_phone(visit, lab):
    page = visit(f"{lab}/fine-tuning?part=Four+heads", width=390, height=844)
    main = page.locator("[data-testid=stMain]")
    settle(page)
    field = main.get_by_role("textbox", name="Sentence", exact=True)
    field.fill("Anna reads an old newspaper.")
    field.press("Enter")
    expect(main.locator(".st-key-picture svg.marks")).to_contain_text("newspaper")
    settle(page)
    assert main.evaluate(FITS), "scrolls sideways"


def test_twenty_sentences_are_labelled_by_key_and_learned_from(visit, lab):
    page = visit(f"{lab}/fine-tuning?part=Your+labels&own_method=frozen")
    picture = page.locator(".st-key-picture")
    for n in range(20):
        expect(picture.locator("h2")).to_have_text(SENTENCES[n])
        settle(page)
        page.keyboard.press(("ArrowLeft", "ArrowRight")[n % 2])
    expect(picture).to_contain_text("20 sentences are labelled")
    settle(page)
    picture.get_by_role("button", name="Tune").click()
    expect(picture).to_contain_text("0 of 40 checked")
    settle(page)
    page.keyboard.press("ArrowRight")
    expect(picture).to_contain_text("1 of 40 checked")
    expect(page.locator(".st-key-beside")).to_contain_text(
        re.compile(r"agreed with you on \d of 1")
    )
