"""The pages from counting to the ladder: a word of one's own, the training played, a sentence, two models."""

import re

from playwright.sync_api import expect

from tests.browser.conftest import FITS, settle, type_in


def choose(page, label, option):
    """Choose in a list; a list drawn anew meanwhile would close."""
    settle(page)
    page.get_by_role("combobox", name=label).click()
    page.get_by_role("option", name=option, exact=True).click()


def test_a_word_of_one_s_own_is_looked_up_letter_by_letter(visit, lab):
    page = visit(f"{lab}/n-grams?present=1")
    picture = page.locator(".st-key-picture")
    whole = picture.inner_text()
    type_in(page, "Your word", "zo7")
    alert = page.locator("[data-testid=stAlert]").first
    expect(alert).to_contain_text("7")
    assert picture.locator("svg, canvas").count() >= 2, "the picture went with the slip"
    type_in(page, "Your word", "zoe")
    expect(alert).to_have_count(0)
    expect(picture).to_contain_text("zoe")
    assert picture.inner_text() != whole
    assert page.locator("[data-testid=stMain]").evaluate(FITS)


def test_the_training_on_sentences_is_played_by_keyboard(visit, lab):
    page = visit(f"{lab}/neural-language-model")
    step = page.locator(".st-key-picture strong", has_text=re.compile(r"\d+ steps"))
    expect(step).to_contain_text("100 steps")
    page.keyboard.press("ArrowLeft")
    expect(step).to_contain_text("80 steps")
    expect(page).to_have_url(re.compile("sentence_frame=14"))
    page.keyboard.press("a")
    expect(page.locator("[class*=st-key-predict_]")).to_have_count(0)
    expect(page.locator(".st-key-beside")).to_contain_text("%")


def test_a_typed_sentence_is_tagged_on_a_phone(visit, lab):
    page = visit(f"{lab}/part-of-speech-tagging", width=390, height=844)
    picture = page.locator(".st-key-picture")
    expect(picture.locator("svg text", has_text="volume").first).to_be_attached()
    type_in(page, "Second sentence", "an increase of herrings")
    expect(picture.locator("svg text", has_text="herrings").first).to_be_attached()
    expect(picture.locator("svg text", has_text="volume")).to_have_count(0)
    expect(page.locator("[data-testid=stException]")).to_have_count(0)
    assert page.locator("[data-testid=stMain]").evaluate(FITS)


def test_two_models_are_chosen_and_one_waits_for_the_guess(visit, lab):
    page = visit(f"{lab}/model-ladder")
    choose(page, "Model", "GRU 1 x 256")
    choose(page, "compared with", "RNN 1 x 256")
    question = page.locator("[class*=st-key-predict_]")
    expect(question).to_contain_text("GRU 1 x 256")
    expect(question).to_contain_text("RNN 1 x 256")
    settle(page)
    finding = page.locator(".st-key-picture strong").first
    hidden = finding.inner_text()
    question.get_by_role("radio").first.check(force=True)
    page.get_by_role("button", name="Reveal").click()
    expect(finding).not_to_have_text(hidden)
    expect(page.locator(".st-key-beside")).to_contain_text("±")
    assert "rival=RNN" in page.url
