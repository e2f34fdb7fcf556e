"""In a real browser: a reload loses nothing, and one's work is found again from any page and any screen."""

import re
from itertools import product

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import go, settle

TALE = (
    " ".join(map("".join, product(("ba", "ko", "li", "mu", "ne", "ru", "si", "ta"), repeat=3)))
    + ". "
)
"""Of 512 words, so that to learn their vectors takes longer than a test, on a quiet machine too."""


def button(page, name):
    return page.get_by_role("button", name=name, exact=True)


def paste(page, content):
    field = page.get_by_role("textbox", name="Your text, at most 300 kB")
    field.fill(content)
    field.press("Control+Enter")
    settle(page)
    return field


@pytest.fixture
def training(visit, lab):
    """The page of a visitor who trains word vectors on a text of their own, for longer than a test lasts."""
    page = visit(f"{lab}/word2vec?text=Your+own&least=1&epochs=15")
    paste(page, 300_000 // len(TALE) * TALE)
    button(page, "Train").click()
    expect(button(page, "Stop")).to_be_visible()
    return page


def test_a_reload_loses_neither_the_text_nor_the_training_and_my_work_has_both(
    training, lab, visit
):
    training.reload()
    settle(training)
    field = training.get_by_role("textbox", name="Your text, at most 300 kB")
    expect(field).to_have_value(300_000 // len(TALE) * TALE)
    expect(button(training, "Stop")).to_be_visible()

    other = visit(f"{lab}/word2vec?text=Your+own&least=1&epochs=15")
    expect(other.get_by_role("textbox", name="Your text, at most 300 kB")).to_have_value("")
    expect(button(other, "Stop")).to_have_count(0)

    go(training, f"{lab}/tokenization")
    training.locator(".st-key-my_work button").first.click()
    mine = training.locator("[class*=st-key-mine_]").filter(has_text="Word vectors").first
    expect(mine).to_be_visible()
    button(mine, "Cancel").click()
    expect(button(mine, "Delete")).to_be_visible()
    button(mine, "Show it").click()
    expect(training).to_have_url(re.compile("/word2vec.*epochs=15"))
    settle(training)
    expect(button(training, "Stop")).to_have_count(0)


@pytest.mark.parametrize("where", ["phone", "projector"])
def test_my_work_is_within_reach_on_a_phone_and_from_the_presenter_view(visit, lab, where):
    if where == "phone":
        page = visit(f"{lab}/clustering", width=390, height=844)
        page.locator(".st-key-my_work button").first.click()
    else:
        page = visit(f"{lab}/clustering?present=1")
        page.locator(".st-key-share button").first.click()
    expect(page.get_by_text("You have started no training on this server yet.")).to_be_visible()


def test_a_drawn_answer_stays_drawn_after_a_reload_and_is_open_in_a_new_tab(visit, lab):
    page = visit(f"{lab}/tokenization")
    choices = page.locator(".st-key-guess_strawberry")
    choices.get_by_text("3 pieces").click()
    settle(page)
    page.locator(".st-key-reveal_strawberry button").click()
    said = page.get_by_text("You said: 3 pieces")
    expect(said).to_be_visible()
    page.reload()
    expect(said).to_be_visible()
    tab = page.context.new_page()
    go(tab, f"{lab}/tokenization")
    expect(tab.locator(".st-key-guess_strawberry")).to_be_visible()
    expect(tab.get_by_text("You said: 3 pieces")).to_have_count(0)
    tab.close()


def test_a_page_says_while_there_is_no_connection(visit, lab):
    page = visit(f"{lab}/clustering")
    note = page.get_by_text("There is no connection to the server")
    expect(note).to_have_count(0)
    page.context.set_offline(True)
    try:
        expect(note).to_be_visible()
    finally:
        page.context.set_offline(False)
    expect(note).to_be_hidden()


def test_who_is_forgotten_at_a_shared_computer_is_somebody_else(visit, lab):
    page = visit(f"{lab}/surprisal?text=Your+own")
    number = page.evaluate("localStorage.getItem('lm-lab-visitor')")
    page.locator(".st-key-my_work button").first.click()
    button(page, "Forget me on this computer").click()
    expect(page).to_have_url(re.compile("/surprisal$"))
    settle(page)
    page.wait_for_function("localStorage.getItem('lm-lab-visitor')")
    assert page.evaluate("localStorage.getItem('lm-lab-visitor')") != number
