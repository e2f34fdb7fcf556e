"""The page that asks models: guessed, then another task and a prompt with its answers."""

from playwright.sync_api import expect


def test_the_line_of_the_writer_is_drawn_after_the_guess_and_a_prompt_is_answered(lab, visit):
    page = visit(f"{lab}/assistant")
    page.get_by_text("About 3 in 10").click()
    page.get_by_role("button", name="Reveal").click()
    expect(page.get_by_text("It has learned to continue a novel")).to_be_visible()
    page.get_by_role("radio", name="One prompt").click()
    expect(page.get_by_text("it chooses").first).to_be_visible()
    expect(page.locator(".st-key-prompt_strip")).to_be_visible()
