"""A class that is led from page to page on a busy machine: nobody's page turns white, nobody loses the room."""

import multiprocessing
import os
import re
import time

import pytest
from playwright.sync_api import expect

from pages.shared.registry import page_at
from tests.browser.conftest import go, settle
from tests.browser.test_classroom import BAR, opened

PATH = ("estimation", "counting", "overfitting", "gradients", "optimisers", "rnn-vs-lstm")
WAITS_S = 240

SEEN = """() => ({
  isWhite: !document.getElementById("root").firstElementChild,
  title: document.querySelector("[data-testid=stMain] h1")?.textContent,
  hasBar: Boolean(document.querySelector(".st-key-class_bar [data-testid=stMarkdown]")),
})"""


def burn():
    while True:
        pass


@pytest.fixture
def busy_machine():
    """As many processes that only count as there are cores."""
    burners = [multiprocessing.Process(target=burn, daemon=True) for _ in range(os.cpu_count())]
    for burner in burners:
        burner.start()
    yield
    for burner in burners:
        burner.terminate()
        burner.join()


def arrived(phones, address):
    """Wait until every phone is on a page or white, and return how many are white."""
    waiting, n_white, deadline = list(phones), 0, time.monotonic() + WAITS_S
    while waiting:
        for phone in list(waiting):
            seen = phone.evaluate(SEEN)
            n_white += seen["isWhite"]
            if seen["isWhite"] or (seen["title"] == page_at(address).title and seen["hasBar"]):
                waiting.remove(phone)
        assert time.monotonic() < deadline, [phone.url for phone in waiting]
        phones[0].wait_for_timeout(200)
    return n_white


@pytest.mark.parametrize(
    ("n_phones", "n_pages"), [(2, 3), pytest.param(8, 13, marks=pytest.mark.slow)]
)
def test_no_phone_turns_white_or_loses_its_room(visit, lab, busy_machine, n_phones, n_pages):
    teacher = visit(f"{lab}/rnn-vs-lstm")
    room = opened(teacher)
    phones = [visit(f"{lab}/join?code={room}", width=390, height=844) for _ in range(n_phones)]
    loads = [0] * n_phones
    for i, phone in enumerate(phones):
        expect(phone.get_by_text(f"You are in class {room}")).to_be_visible()
        phone.on("load", lambda _, i=i: loads.__setitem__(i, loads[i] + 1))
    teacher.locator(BAR).get_by_text("They follow me").click()
    n_white = arrived(phones, "rnn-vs-lstm")
    for n in range(n_pages - 1):
        address = PATH[n % len(PATH)]
        go(teacher, f"{lab}/{address}?room={room}")
        n_white += arrived(phones, address)
        for phone in phones:
            settle(phone)
            n_white += phone.evaluate(SEEN)["isWhite"]
            assert re.search(f"[?&]room={room}", phone.url), phone.url
    print(f"\n{n_phones * n_pages} moves, {n_white} white, {sum(loads)} loaded again")  # noqa: T201
    assert (n_white, sum(loads)) == (0, 0)
