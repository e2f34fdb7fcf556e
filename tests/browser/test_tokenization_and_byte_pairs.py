"""Tokens while one types: marked both ways, stepped back, a dropped file, a paste too long."""

import re

import pytest
from playwright.sync_api import expect

from lm_core.text.tokenizers.byte_pair import BytePairTokenizer
from lm_core.text.tokenizers.tokenizer_json import to_tokenizer_json
from tests.browser.conftest import FITS, go, settle

PASTE = "e => { e.focus(); document.execCommand('insertText', false, 'x'.repeat(1048576)) }"
QUESTION = (
    "tokenization?tokens_text=My+name+is+John.+What+is+your+name%3F&tokenizers=Whitespace"
    "&tokenizers=Basic+English&tokenizers=Bytes&tokenizers=BPE+of+the+book"
)
PLACE = "navigation.currentEntry.index"
LEARNED = "byte-pair-encoding?reveal=first_merge&merge=0"


def row(page, name):
    return page.get_by_role("group", name=f"{name}:")


def chips(page, name):
    return row(page, name).locator(".token")


def test_tokens_follow_the_typing_and_the_link_brings_them_back(visit, lab):
    page = visit(f"{lab}/{QUESTION}")
    ids = chips(page, "Basic English").locator(".id")
    expect(ids).to_have_text(["0", "1", "2", "3", "4", "5", "2", "6", "1", "7"])
    field = page.get_by_label("Your text")
    visited = page.evaluate(PLACE)
    field.press("Control+End")
    page.keyboard.type(" <b>John</b>", delay=30)
    expect(chips(page, "Whitespace").last).to_contain_text("<b>John</b>")
    expect(chips(page, "Basic English")).to_have_count(11)
    expect(field).to_be_focused()
    assert field.input_value().endswith(" <b>John</b>")
    chips(page, "Whitespace").first.hover()  # kept from before, and still known
    for place in (0, 1):
        expect(chips(page, "Bytes").nth(place)).to_have_class(re.compile("token.*lit"))
    settle(page)
    assert page.evaluate(PLACE) == visited + 1, "all that is typed at once is one entry"
    go(page, page.url)
    expect(chips(page, "Whitespace").last).to_contain_text("<b>John</b>")
    assert page.locator(".tokens b").count() == 0


def test_letters_typed_while_the_server_answers_are_not_lost_and_too_long_a_paste_is_refused(
    visit, lab
):
    page = visit(f"{lab}/{QUESTION}")
    field = page.get_by_label("Your text")
    field.fill("")
    words = "the quick brown fox jumps over the lazy dog again and again"
    for word in words.split(" "):
        page.keyboard.type(f"{word} ", delay=15)
        page.wait_for_timeout(170)  # just longer than the pause after which it is sent
    assert field.input_value() == f"{words} "
    expect(chips(page, "Whitespace")).to_have_count(12)
    settle(page)
    before = field.input_value()
    field.evaluate(PASTE)
    expect(page.locator(".told")).to_contain_text("5,000")
    assert field.input_value() == before
    field.press("Control+End")
    page.keyboard.type("!")
    expect(page.locator(".told")).to_be_empty()


def test_a_token_reached_by_pointer_keyboard_or_tap_marks_its_characters_in_all_rows(visit, lab):
    page = visit(f"{lab}/{QUESTION}", has_touch=True)
    chips(page, "Whitespace").nth(3).hover()  # John.
    lit = "token.*lit"
    expect(chips(page, "Whitespace").nth(3)).to_have_class(re.compile(lit))
    for place in (3, 4):
        expect(chips(page, "Basic English").nth(place)).to_have_class(re.compile(lit))
    expect(row(page, "Bytes").locator(".lit")).to_have_count(5)
    readout = page.locator(".readout").first
    for said in ("John.", "4A 6F 68 6E 2E", "12–16"):
        expect(readout).to_contain_text(said)
    chips(page, "Bytes").nth(11).hover()  # the J, and back
    expect(row(page, "Whitespace").locator(".lit")).to_have_count(1)
    expect(chips(page, "Whitespace").nth(3)).to_have_class(re.compile(lit))
    chips(page, "Basic English").nth(2).hover()  # is, which comes twice
    expect(row(page, "Basic English").locator(".same")).to_have_count(1)
    page.get_by_role("heading", level=1).hover()
    expect(page.locator(".lit")).to_have_count(0)
    first = chips(page, "Whitespace").first
    first.focus()
    page.keyboard.press("ArrowRight")
    expect(chips(page, "Whitespace").nth(1)).to_be_focused()
    page.keyboard.press("ArrowDown")
    expect(chips(page, "Basic English").nth(1)).to_be_focused()
    expect(readout).to_contain_text("“name”")
    page.keyboard.press("End")
    expect(chips(page, "Basic English").nth(9)).to_be_focused()
    chips(page, "BPE of the book").nth(1).tap()
    expect(row(page, "Bytes").locator(".lit")).to_have_count(5)  # the space and four letters


def test_a_tapped_token_stays_marked_until_its_own_text_is_changed(visit, lab):
    page = visit(f"{lab}/{QUESTION}", has_touch=True)
    lit = page.locator(".lit")
    chips(page, "Whitespace").nth(3).tap()  # John.
    expect(lit).not_to_have_count(0)
    field = page.get_by_label("Your text")
    field.press("Control+End")
    page.keyboard.type(" Anna", delay=30)
    expect(chips(page, "Whitespace").last).to_contain_text("Anna")
    expect(lit).not_to_have_count(0)
    field.press("Control+Home")
    page.keyboard.type("So ", delay=30)
    expect(chips(page, "Whitespace").first).to_contain_text("So")
    expect(lit).to_have_count(0)


FIELDS = [
    (LEARNED, "Unseen text", "500"),
    ("byte-pair-encoding?part=From+the+whole+book&reveal=sizes", "A sentence in these", "300"),
    ("embeddings?part=Neighbours", "Compared with", "10,000"),
    ("embeddings?part=Several+words", "3 to 12 words", "10,000"),
]


@pytest.mark.slow
def test_every_field_says_what_it_holds(visit, lab):
    page = visit(f"{lab}/{FIELDS[0][0]}", width=390, height=844)
    for i, (address, label, most) in enumerate(FIELDS):
        if i:
            go(page, f"{lab}/{address}")
        field = page.get_by_role("textbox", name=label)
        before = field.input_value()
        field.evaluate(PASTE)
        told = page.locator(".told:not(:empty)")
        expect(told).to_contain_text(f" {most} ")
        expect(told).to_be_in_viewport()
        assert field.input_value() == before
        page.keyboard.type("x")
        expect(told).to_have_count(0)


@pytest.mark.slow
def test_every_preset_fits_a_phone(visit, lab):
    page = visit(f"{lab}/{QUESTION}&bytes=true", width=390, height=844, scheme="dark")
    main = page.locator("[data-testid=stMain]")
    for name in ("One sentence in ten languages", "Emoji with joiners", "Code"):
        page.get_by_role("button", name="Examples").click()
        page.get_by_role("option", name=name).or_(page.get_by_role("menuitem", name=name)).click()
        settle(page)
        assert main.evaluate(FITS), "scrolls sideways"
        within = "all => all.every((row) => row.scrollWidth <= row.clientWidth)"
        assert page.locator(".tokens").evaluate_all(within), "tokens beyond the edge"
    expect(chips(page, "Bytes").first).to_contain_text("d")


def after(page, step):
    merges = "merge" if step == 1 else "merges"
    return page.get_by_role("group", name=f"Your text: after {step} {merges}:")


def test_merges_go_forward_and_back_by_key_and_learn_from_another_text_at_once(visit, lab):
    page = visit(f"{lab}/{LEARNED}")
    expect(after(page, 0)).to_be_visible()
    n_characters = chips(page, "Your text").count()
    for step in (1, 2, 3):
        page.keyboard.press("ArrowRight")
        expect(after(page, step)).to_be_visible()
        settle(page)
    assert chips(page, "Your text").count() < n_characters
    assert "merge=3" in page.url
    for step in (2, 1, 0):
        page.keyboard.press("ArrowLeft")
        expect(after(page, step)).to_be_visible()
        settle(page)
    expect(chips(page, "Your text")).to_have_count(n_characters)
    for step in (1, 2):
        page.keyboard.press("ArrowRight")
        expect(after(page, step)).to_be_visible()
        settle(page)
    page.get_by_role("button", name="Your text").click()
    page.get_by_label("Text to learn from").fill("aaabdaaabac")
    expect(chips(page, "Your text")).to_have_count(7)
    expect(after(page, 2)).to_be_visible()


def test_a_dropped_tokenizer_has_a_row_of_its_own(visit, lab, tmp_path):
    file = tmp_path / "tokenizer.json"
    file.write_bytes(to_tokenizer_json(BytePairTokenizer.fit("lower slower lower", 262)))
    page = visit(f"{lab}/{LEARNED}&unseen=lower")
    page.get_by_role("button", name="tokenizer.json").click()
    page.locator("input[type=file]").set_input_files(file)
    expect(chips(page, "Your file")).to_have_count(1)
    other = tmp_path / "words.json"
    other.write_text('{"model": {"type": "Unigram"}}')
    page.locator("input[type=file]").set_input_files(other)
    expect(page.get_by_role("alert")).to_be_visible()
    expect(chips(page, "Your file")).to_have_count(1)
