"""The page on what goes in and what comes out, as a visitor walks through its three networks."""

from playwright.sync_api import expect

from tests.browser.conftest import FITS, go, settle, type_in


def test_three_networks_answer_a_visitor(visit, lab):
    page = visit(f"{lab}/sequence-models")
    main = page.locator("[data-testid=stMain]")
    expect(main).to_contain_text("petersburg becomes")
    page.get_by_role("radio", name="Vector to sequence").click()
    expect(main).to_contain_text("(1, 7/12), so a name of 7 letters")

    page.get_by_role("radio", name="Sequence to sequence").click()
    type_in(page, "Word, letters from a to z", "tsar")
    expect(main).to_contain_text("rast")
    expect(page.locator("[data-testid=stVegaLiteChart]")).to_have_count(4)
    type_in(page, "Word, letters from a to z", "two words")
    expect(page.locator("[data-testid=stAlert]").first).to_contain_text("a to z")

    page.get_by_role("radio", name="Sequence to vector").click()
    type_in(page, "Sentence: speech or narration?", "I love you!")
    expect(main.get_by_text("i love you", exact=False).first).to_be_visible()
    settle(page)
    expect(page.locator("[data-testid=stException]")).to_have_count(0)
    assert main.evaluate(FITS), "scrolls sideways"


def test_a_long_sentence_and_a_long_word_lose_what_a_phone_has_no_room_for(visit, lab):
    sentence = f"{lab}/sequence-models?shape=Sequence+to+vector"
    word = f"{lab}/sequence-models?shape=Sequence+to+sequence&word=constitutional"
    wide, narrow = visit(sentence), visit(sentence, width=390)
    laptop, phone = chart_of(wide), chart_of(narrow)
    expect(laptop.locator("svg text").filter(has_text="·")).to_have_count(11)
    expect(phone.locator("svg text").filter(has_text="50 %")).to_have_count(1)
    expect(phone.locator("svg text").filter(has_text="·")).to_have_count(0)
    narrow.set_viewport_size({"width": 320, "height": 720})
    go(wide, word)
    go(narrow, word)
    boxes = ".mark-symbol path"
    expect(laptop.locator(boxes).first).to_be_visible()
    expect(phone.locator(boxes).first).to_be_visible()
    assert phone.locator(boxes).count() < laptop.locator(boxes).count()


def chart_of(page):
    return page.locator("[data-testid=stVegaLiteChart]").first
