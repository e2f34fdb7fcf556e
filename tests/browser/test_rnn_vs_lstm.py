"""The page in a real browser: guess, reveal, and a training whose curve grows."""

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import settle

SMALL = "train_lengths=3+5&train_seeds=1&train_width_lstm=16&train_epochs_original=40&train_backbone=LSTM"


@pytest.fixture
def address(lab):
    return f"{lab}/rnn-vs-lstm"


def button(page, name):
    return page.get_by_role("button", name=name, exact=True)


def test_a_guess_reveals_the_curve(visit, address):
    page = visit(address)
    expect(page.locator("svg.marks").first).to_be_visible()
    expect(page.get_by_text("LSTM below 90 %")).to_have_count(0)
    page.get_by_text("It never does", exact=True).click()
    settle(page)
    page.locator(".st-key-reveal_break button").first.click()
    expect(page.get_by_text("LSTM below 90 %").first).to_be_visible()
    expect(page.locator("[data-testid=stException]")).to_have_count(0)


def test_a_training_draws_its_networks_for_all_who_watch(visit, address):
    page = visit(f"{address}?{SMALL}")
    expect(page.get_by_text("2 networks")).to_be_visible()
    button(page, "Train").click()
    expect(page.get_by_text("After 40 epochs.")).to_be_visible(timeout=60_000)
    expect(page.locator(".st-key-live_training svg.marks").first).to_be_visible()
    other = visit(address)
    expect(other.get_by_text("After 40 epochs.")).to_be_visible()


def test_what_is_out_of_range_is_refused_with_the_range(visit, address):
    page = visit(f"{address}?train_lengths=10000")
    expect(page.locator("[data-testid=stAlert]", has_text="10,000")).to_be_visible()
    expect(button(page, "Train")).to_have_count(0)
