"""The page on what goes in and what comes out, as a visitor walks through its three networks."""

from playwright.sync_api import expect

from tests.browser.conftest import settle


def type_in(page, label, value):
    settle(page)  # a field that is drawn anew meanwhile would lose what was typed
    field = page.get_by_label(label)
    field.fill(value)
    field.press("Enter")


def test_three_networks_answer_a_visitor(visit, lab):
    page = visit(f"{lab}/in-and-out")
    main = page.locator("[data-testid=stMain]")
    expect(main).to_contain_text("(1, 7) becomes")

    page.get_by_role("radio", name="Sequence to sequence").click()
    type_in(page, "Word, letters from a to z", "tsar")
    expect(main).to_contain_text("tsar comes back as rast, right")
    expect(page.locator("[data-testid=stVegaLiteChart]")).to_have_count(2)
    type_in(page, "Word, letters from a to z", "two words")
    expect(page.locator("[data-testid=stAlert]").first).to_contain_text("letters from a to z only")

    page.get_by_role("radio", name="Sequence to vector").click()
    type_in(page, "Sentence: spoken, or told?", "I love you!")
    expect(main).to_contain_text("Read as i love you")
    settle(page)
    expect(page.locator("[data-testid=stException]")).to_have_count(0)
    assert main.evaluate("main => main.scrollWidth <= main.clientWidth"), "scrolls sideways"

    again = visit(page.url)
    expect(again.locator("[data-testid=stMain]")).to_contain_text("Read as i love you")
