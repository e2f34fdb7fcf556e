"""The War and Peace page as a stranger and as a teacher use it: long visits, many gestures."""

import re
from functools import partial

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import FITS, settle

PROMPT = "The prince answered nothing, but"


@pytest.fixture
def desk(lab):
    """The page's address with the closer look that costs least, and a writer of characters."""
    return f"{lab}/war-and-peace?model=LSTM+2+x+512&view=1%2C000+draws"


def text(page):
    """Return the text on the desk, as a screen reader gets it."""
    return page.locator(".st-key-live_text .unseen").first.text_content()


def becomes(page, holds, *, seconds=60):
    """Wait until a condition holds for the desk's text, and return the text."""
    for _ in range(10 * seconds):
        if holds(now := text(page)):
            return now
        page.wait_for_timeout(100)
    pytest.fail(f"after {seconds} s the desk still holds {now!r}")


def is_longer(before, now):
    """Whether a text has grown; of a long one only the end is shown."""
    return now != before and before[-100:] in now


def press(page, name):
    page.get_by_role("button", name=name, exact=False).first.click()


def nudge(page, name, key="ArrowRight", times=1):
    """Move a slider by keyboard."""
    thumb = page.locator(f".st-key-{name}").get_by_role("slider").first
    thumb.focus()
    for _ in range(times):
        thumb.press(key)


def type_in(page, label, value):
    field = page.get_by_label(label, exact=True)
    field.fill(value)
    field.press("Enter")


def is_well(page):
    """No traceback, and nothing wider than the screen."""
    expect(page.locator("[data-testid=stException]")).to_have_count(0)
    main = page.locator("[data-testid=stMain]")
    assert main.evaluate(FITS), "scrolls sideways"


# Live writing ---------------------------------------------------------------------------------


def test_writing_outlives_every_touch_until_it_is_stopped(visit, desk):
    page = visit(desk)
    before = becomes(page, lambda now: len(now) > len(PROMPT))
    assert before.startswith(PROMPT)
    press(page, "Continue")
    expect(page.get_by_role("button", name="Stop")).to_be_visible()
    for touch in (
        lambda: nudge(page, "temperature", times=3),
        lambda: nudge(page, "draws"),
        lambda: page.get_by_text("Yes, word for word").click(),
    ):
        touch()
        grown = becomes(page, partial(is_longer, before))
        assert before[-100:] in grown, "what was written has changed"
        before = grown
    faded = page.evaluate(
        "() => [...document.querySelectorAll('.st-key-live_text *')]"
        ".filter(e => e.dataset.stale === 'true' && getComputedStyle(e).opacity < 1).length"
    )
    assert faded == 0, "what ticks grows pale"
    press(page, "Stop")
    expect(page.get_by_role("button", name="Continue")).to_be_visible()
    settle(page)
    stopped = text(page)
    assert before[-100:] in stopped
    page.wait_for_timeout(1500)
    assert text(page) == stopped, "it went on after it was stopped"
    press(page, "Continue")
    grown = becomes(page, partial(is_longer, stopped))
    assert stopped[-100:] in grown
    press(page, "Stop")
    is_well(page)


def test_hand_and_keys_write_step_back_and_rewind(visit, desk):
    page = visit(desk)
    whole = becomes(page, lambda now: len(now) > len(PROMPT))
    page.locator("h1").click()
    page.keyboard.press("ArrowLeft")
    becomes(page, lambda now: len(now) == len(whole) - 1)
    page.keyboard.press("ArrowRight")
    assert becomes(page, lambda now: len(now) == len(whole)).startswith(whole[:-1])

    here = len(PROMPT) + 20
    page.locator(".st-key-live_text .character").nth(here).click()
    go_back = page.locator(".st-key-writing_go_back button").first
    expect(go_back).to_be_visible()
    assert text(page) == whole, "a tap takes nothing away"
    go_back.click()
    assert becomes(page, lambda now: len(now) == here) == whole[:here]
    press(page, "Undo")
    assert becomes(page, lambda now: len(now) == len(whole)) == whole
    page.locator(".st-key-live_text .character").nth(here).click()
    go_back.click()
    becomes(page, lambda now: len(now) == here)

    bars = page.locator(".st-key-live_text [class*=st-key-writing_next] svg.marks").first
    settle(page)
    expect(bars).to_be_visible()
    box = bars.bounding_box()
    bars.click(position={"x": 0.6 * box["width"], "y": 0.4 * box["height"]})
    expect(page.locator(".st-key-write_tapped button").first).to_be_visible()
    assert len(text(page)) == here, "a tap on a bar writes nothing yet"
    page.locator(".st-key-write_tapped button").first.click()
    picked = becomes(page, lambda now: len(now) == here + 1)
    settle(page)
    expect(page.locator(".st-key-live_text .character.picked")).to_have_count(1)

    press(page, "Write it")
    assert becomes(page, lambda now: len(now) == here + 2).startswith(picked)
    character = page.locator(".st-key-live_text .character").nth(here)
    character.focus()
    page.keyboard.press("Enter")
    go_back.click()
    assert becomes(page, lambda now: len(now) == here) == whole[:here]
    press(page, "Clear")
    becomes(page, lambda now: now == PROMPT)
    press(page, "Again")
    assert becomes(page, lambda now: len(now) == len(whole)) == whole
    is_well(page)


def test_the_bars_move_instead_of_being_set_up_anew(visit, desk):
    page = visit(desk)
    panel = page.locator(".st-key-live_text [class*=st-key-writing_next]").first
    words = page.locator("[class*=st-key-charted_writing_next] [data-testid=stText]").first
    chart = panel.locator("svg.marks").first.element_handle()
    seen = words.text_content()
    for _ in range(3):
        press(page, "Step")
        expect(words).not_to_have_text(seen)
        seen = words.text_content()
        best = re.search(r"character is (.+?) with", seen).group(1)
        # The label that stands highest, wherever the document has it.
        page.wait_for_function(
            "([panel, best]) => [...panel.querySelectorAll('.role-axis-label text')]"
            ".filter(label => label.textContent.length === 1)"
            ".sort((a, b) => a.getBoundingClientRect().y - b.getBoundingClientRect().y)[0]"
            "?.textContent === best",
            arg=[panel.element_handle(), best],
        )
        assert chart.evaluate("chart => chart.isConnected"), "the chart was made anew"


# Controls -------------------------------------------------------------------------------------

SLIDERS_UNDER_MORE = {
    "snapshot": "ArrowLeft",
    "top_k": "ArrowRight",
    "top_p": "ArrowLeft",
    "repetition_penalty": "ArrowRight",
    "top_n_sigma": "ArrowRight",
    "typical_p": "ArrowLeft",
    "min_p": "ArrowRight",
    "mirostat_tau": "ArrowRight",
    "shortest_match": "ArrowRight",
}


def choose(page, name, option):
    """Choose from a list of the desk."""
    page.locator(f".st-key-{name} input").first.click()
    page.get_by_role("option", name=option, exact=True).click()


def is_in_address(page, name, value=""):
    expect(page).to_have_url(re.compile(rf"[?&]{name}={re.escape(value)}"))


def link_of(page):
    page.get_by_role("button", name="Link").click()
    code = page.locator("[data-testid=stPopoverBody] [data-testid=stCode]").last  # the long one
    expect(code).to_contain_text("http")
    link = code.inner_text().strip()
    page.keyboard.press("Escape")
    return link


def test_every_slider_answers_and_stands_in_the_address(visit, desk):
    page = visit(desk)
    nudge(page, "temperature")
    is_in_address(page, "temperature")
    settle(page)
    press(page, "More")
    for name, key in SLIDERS_UNDER_MORE.items():
        nudge(page, name, key)
        is_in_address(page, name)
    page.keyboard.press("Escape")
    settle(page)
    is_well(page)
    shown = page.locator("[data-testid=stMain]")
    expect(shown).to_contain_text("21.5 M")  # characters seen by the snapshot before the last
    expect(shown).to_contain_text("1 of 70 ")  # top-k 1


def test_every_model_that_is_shipped_is_chosen(visit, desk):
    page = visit(desk)
    written = becomes(page, lambda now: len(now) > len(PROMPT))
    for model, provenance in (
        ("LSTM 4 x 128", "LSTM 4 x 128 ·"),
        ("n-gram, 6 characters", "n-gram, 6"),
    ):
        choose(page, "model", model)
        captions = page.locator("[data-testid=stCaptionContainer]", has_text=provenance)
        expect(captions.first).to_be_visible()
        written = becomes(page, lambda now, before=written: now != before)
        assert written.startswith(PROMPT)
        assert len(written) > len(PROMPT) + 200
    is_well(page)


def test_the_copied_link_brings_back_the_desk(visit, desk):
    page = visit(desk)
    type_in(page, "Prompt", "Natasha & Pierre")
    press(page, "More")
    type_in(page, "Seed", "7")
    page.keyboard.press("Escape")
    nudge(page, "temperature", times=4)
    press(page, "More")
    nudge(page, "top_k", times=9)
    page.keyboard.press("Escape")
    # Each comes with the run that it asks for.
    for part in ("seed=7", "temperature=0.9", "top_k=9"):
        expect(page).to_have_url(re.compile(part))
    settle(page)
    becomes(page, lambda now: now.startswith("Natasha Pierre "))
    # Whether the settings were moved before or after these characters were written depends on the machine.
    press(page, "Clear")
    becomes(page, lambda now: now == "Natasha Pierre")
    press(page, "Again")
    becomes(page, lambda now: now.startswith("Natasha Pierre "))
    settle(page)
    written = text(page)
    link = link_of(page)
    for part in ("seed=7", "temperature=0.9", "top_k=9", "view=1,000+draws"):
        assert part in link, link
    other = visit(link)
    assert becomes(other, lambda now: len(now) == len(written)) == written
    alerts = "[data-testid=stAlert]"  # of the prompt's &; a value refused by the page would add one
    expect(other.locator(alerts)).to_have_count(page.locator(alerts).count())


# Closer looks ---------------------------------------------------------------------------------


@pytest.mark.slow
def test_every_closer_look_opens_and_gives_its_files(visit, desk):
    page = visit(desk)
    looks = page.locator(".st-key-view")
    for look, sign in {
        "Temperatures": "Temperature 1.5",
        "During training": "times the book",
        "Beam search": "bits a character",
        "Models compared": re.compile("lm_core experiment|standard error"),
        "1,000 draws": "never drawn at all",
    }.items():
        looks.get_by_text(look, exact=True).click()
        expect(page.get_by_text(sign).first).to_be_visible()
        settle(page)
        is_well(page)
        if look == "Beam search":
            nudge(page, "beam_width", "ArrowLeft", times=2)
            is_in_address(page, "beam_width", "2")
            nudge(page, "beam_length", "ArrowLeft")
            is_in_address(page, "beam_length", "60")
        if look == "Models compared":
            page.get_by_role("radiogroup").get_by_text("64-character windows").click()
            expect(page.get_by_text(sign).first).to_be_visible()
    nudge(page, "draws", "End")
    expect(page.get_by_text("10,000 draws", exact=True)).to_be_visible()
    page.locator(".st-key-writing_draws_data button").first.click()
    with page.expect_download() as download:
        page.get_by_role("button", name="CSV", exact=True).click()
    assert download.value.path().read_text().startswith("symbol,count")
    page.keyboard.press("Escape")
    with page.expect_download() as download:
        press(page, "Checkpoint")
    assert download.value.suggested_filename.endswith(".zip")


# Strangers ------------------------------------------------------------------------------------


def test_a_strangers_prompt_stays_text_and_gets_an_answer(visit, desk):
    page = visit(desk)
    opened = []
    page.on("dialog", lambda dialog: (opened.append(dialog.message), dialog.dismiss()))
    for prompt, answer in (
        ("<img src=x onerror=alert(1)>", "are not in the vocabulary"),
        ("a" * 100_000, "at most 2,000 characters, got 100,000"),
        ("war\0 and \N{BLACK HEART SUIT} \N{GRINNING FACE}", "are not in the vocabulary"),
        ("שלום", "The prompt is empty"),
        ("", "The prompt is empty"),
    ):
        type_in(page, "Prompt", prompt)
        said = page.locator("[data-testid=stAlert], [data-testid=stCaptionContainer]")
        expect(said.filter(has_text=answer).first).to_be_visible()
        settle(page)
        is_well(page)
        expect(page.locator("[data-testid=stMain] img[src=x]")).to_have_count(0)
    assert not opened
    type_in(page, "Prompt", "Natasha ran")
    becomes(page, lambda now: now.startswith("Natasha ran"))


# Phone ----------------------------------------------------------------------------------------


def test_a_phone_gets_text_and_bars_then_controls(visit, desk):
    page = visit(desk, width=390, height=844)
    tops = [
        page.locator(place).first.bounding_box()["y"]
        for place in (
            ".st-key-writing_buttons",
            ".st-key-live_text .strip",
            "[class*=st-key-writing_next]",
            ".st-key-prompt",
            ".st-key-predict_greedy",
        )
    ]
    assert tops == sorted(tops)
    press(page, "Continue")
    becomes(page, lambda now: len(now) > 300)
    press(page, "Stop")
    is_well(page)
