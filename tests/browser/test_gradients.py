"""The page on gradients: another activation, and a formula typed by hand."""

from playwright.sync_api import expect

from tests.browser.conftest import FITS, settle


def test_a_typed_formula_becomes_a_graph_and_a_bad_one_leaves_it(visit, lab):
    page = visit(f"{lab}/gradients?part=Autodiff")
    main = page.locator("[data-testid=stMain]")
    said = main.locator("strong").first
    expect(said).to_contain_text("11.65")
    field = main.get_by_label("Formula", exact=True)
    field.fill("x^3")
    field.press("Enter")
    expect(said).to_contain_text("= 12")
    field.fill("1/(x - 2)")
    field.press("Enter")
    expect(main.get_by_role("alert")).to_contain_text("division by zero")
    expect(said).to_contain_text("= 12")
    settle(page)
    assert main.evaluate(FITS), "scrolls sideways"
