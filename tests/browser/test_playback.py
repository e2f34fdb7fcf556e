"""What is played, on a machine that is busy with something else: a class's laptop."""

import subprocess
import sys
from contextlib import contextmanager
from itertools import dropwhile, pairwise
from typing import NamedTuple

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import settle, wait_until

N_BUSY = 6  # processes that never rest, beside a server and a browser on two cores
WATCH = """
name => {
  window.seen = [];
  window.watching = setInterval(() => {
    const bar = document.querySelector(`[class*=playback_${name}]`);
    const shadows = [...(bar?.querySelectorAll("*") ?? [])].map(element => element.shadowRoot);
    const slider = [bar, ...shadows].map(root => root?.querySelector("input[type=range]"))
      .find(input => input?.checkVisibility({ visibilityProperty: true }));
    const button = bar?.querySelector(`.st-key-${name}_play button`)?.innerText ?? "";
    if (slider) window.seen.push([Number(slider.value), /Pause/.test(button)]);
  }, 50);
}
"""


class Played(NamedTuple):
    """A process, how a visitor begins to play it, and the name of its step."""

    link: str
    button: str
    name: str


PLAYED = (
    Played("counting?seed=3", "Train", "epoch"),
    Played("n-grams?part=As+a+network", "Train", "network_frame"),
    Played("byte-pair-encoding?merge=0", "Play", "merge"),
    Played("inside-a-cell?step=0", "Play", "step"),
    Played("perceptron?step=0", "Play", "training_frame"),
    Played("clustering?step=0", "Play", "step"),
    Played("ablations?snapshot=0", "Play", "snapshot"),
)


@contextmanager
def busy():
    """Keep the machine busy meanwhile."""
    loops = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(N_BUSY)]
    try:
        yield
    finally:
        for loop in loops:
            loop.kill()
            loop.wait()


def begin(page, played):
    page.evaluate(WATCH, played.name)
    page.get_by_role("button", name=played.button, exact=played.button == "Train").first.click()
    expect(page.get_by_role("button", name="Pause")).to_be_visible()


def slider_of(page, name):
    return page.locator(f"[class*=playback_{name}]").get_by_role("slider")


def seen(page):
    return page.evaluate("window.seen")


@pytest.mark.slow
@pytest.mark.parametrize("played", PLAYED, ids=lambda played: played.link.split("?")[0])
def test_it_plays_to_its_end_without_a_pause_or_a_step_back(visit, lab, played):
    page = visit(f"{lab}/{played.link}")
    settle(page)
    with busy():
        begin(page, played)
        expect(page.get_by_role("button", name="Play")).to_be_visible(timeout=300_000)
        settle(page)
    slider = slider_of(page, played.name)
    last = slider.get_attribute("max")
    expect(slider).to_have_value(last)
    page.wait_for_url(f"**{played.name}={last}*")
    while_playing = [step for step, is_playing in seen(page) if is_playing]
    # The button is drawn before the slider: what was trained before is at its end for a moment more.
    steps = list(dropwhile(lambda step: step == int(last), while_playing))
    assert steps == sorted(steps)
    played_on = [is_playing for _, is_playing in seen(page)]
    assert sum(before and not after for before, after in pairwise(played_on)) == 1, "it paused"


@pytest.mark.parametrize("by_key", [False, True], ids=["pointer", "key"])
def test_a_touch_pauses_where_it_is_and_stays_there(visit, lab, by_key):
    played = PLAYED[0]
    page = visit(f"{lab}/{played.link}")
    with busy():
        begin(page, played)
        slider = slider_of(page, played.name)
        wait_until(page, lambda: int(slider.input_value()) >= 2)
        if by_key:
            slider.focus()
            slider.press("Home")
        else:
            box = slider.bounding_box()
            slider.click(position={"x": 0.5 * box["width"], "y": 0.5 * box["height"]})
        put = slider.input_value()
        expect(page.get_by_role("button", name="Play")).to_be_visible()
        settle(page)
        page.wait_for_timeout(3_000)  # whatever was under way has arrived
    assert put == "0" if by_key else abs(int(put) - 12) <= 1
    expect(slider).to_have_value(put)
    expect(page.locator("[data-testid=stMain]")).to_contain_text(f"After epoch {put} it")
    page.get_by_role("button", name="Forward").click()
    expect(slider).to_have_value(str(int(put) + 1))
    expect(page.locator("[data-testid=stMain]")).to_contain_text(f"After epoch {int(put) + 1} it")
    page.wait_for_url(f"**{played.name}={int(put) + 1}*")


def test_a_slider_that_is_dragged_shows_the_step_at_which_it_is_let_go(visit, lab):
    page = visit(f"{lab}/counting")
    slider = slider_of(page, "epoch")
    box = slider.bounding_box()
    middle = box["y"] + box["height"] / 2
    with busy():
        page.mouse.move(box["x"] + box["width"] - 6, middle)
        page.mouse.down()
        for share in (0.9, 0.7, 0.5, 0.4, 0.2):
            page.mouse.move(box["x"] + share * box["width"], middle)
            page.wait_for_timeout(150)
        put = slider.input_value()
        page.mouse.up()
        settle(page)
        expect(page.locator("[data-testid=stMain]")).to_contain_text(f"After epoch {put} it")
    expect(slider).to_have_value(put)
    page.wait_for_url(f"**epoch={put}*")


def test_a_page_has_one_bar_whatever_is_chosen(visit, lab):
    page = visit(f"{lab}/inside-a-writer")
    bars = page.locator("[class*=playback_read]").filter(visible=True)
    expect(bars).to_have_count(1)
    for i in (1, 2):
        page.locator(".st-key-unit").get_by_role("combobox").click()
        page.get_by_role("option").nth(i).click()
        settle(page)
        page.wait_for_timeout(1_000)
        expect(bars).to_have_count(1)
