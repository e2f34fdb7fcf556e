"""Every part of every page, before and after its answer is drawn, on a projector and on a phone.

A few pages are measured in each run, all with ``pytest -m "slow or not slow" tests/browser/test_parts.py``.
"""

from urllib.parse import urlencode

import pytest

from pages.shared.registry import PAGES
from tests.browser.conftest import settle, show_answers
from tests.browser.layout import JUMP, PHONE, PRESENTED, part_faults, written

ALWAYS = {"clustering", "number-of-clusters"}
"""Measured in each run: a picture with a process and a question, and small multiples."""
CHOOSERS = ("part", "shape", "ablation")  # controls that choose what a page is about
VIEW = "view"  # what a page may show beside, or presented in place of, what it is about
OF_WORDS = {
    ("assistant", "Conversation"): 23.5,  # what both have said
    ("fine-tuning", "Your labels"): 23.5,  # a sentence to be labelled
    ("preferences", "Pairs"): 23.5,  # two texts to be compared
    ("preferences", "Samples"): 23.5,  # what a model writes
    ("preferences", "Your run"): 23.5,  # where nobody has trained anything yet, a line says so
    ("war-and-peace", "During training"): 23.5,  # what a model writes
    ("war-and-peace", "Beam search"): 23.5,
    (
        "war-and-peace",
        "Tolstoy or machine?",
    ): 17,  # eight texts, which a class has on its phones as well
}
"""Parts that show words in the place of a picture: held to this size of theirs on a projector, and to all the rest."""
PHONE_SIZE = (390, 844)


def parts_of(page):
    """The parts of the page on screen, as its links name them; one without a name where it has none."""
    for chooser in CHOOSERS:
        names = page.locator(f".st-key-{chooser} button[role=radio]").all_inner_texts()
        if names:
            return [{chooser: name} for name in names]
    views = page.locator(f".st-key-{VIEW} button[role=radio]").all_inner_texts()
    return [{}, *({VIEW: name} for name in views)]


def show(page, address, settings, size):
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.evaluate(JUMP, f"/{address}?{urlencode(settings)}")
    page.wait_for_timeout(300)
    settle(page)


@pytest.mark.parametrize(
    "address",
    [
        pytest.param(spec.address, marks=() if spec.address in ALWAYS else pytest.mark.slow)
        for spec in PAGES
        if spec.minutes
    ],
)
def test_nothing_of_any_part_is_cut_covered_or_too_small(visit, lab, address):
    page, faults = visit(f"{lab}/{address}", width=390, height=844), {}
    for part in parts_of(page):
        name = next(iter(part.values()), address)
        words = OF_WORDS.get((address, name))
        of = {"isOfWords": bool(words)}
        phone, presented = PHONE | of, PRESENTED | of | ({"leastVerdict": words} if words else {})
        show(page, address, part, PHONE_SIZE)
        faults[f"{name}, phone"] = part_faults(page, phone)
        show(page, address, part | {"present": "1"}, (1280, 720))
        faults[f"{name}, presented"] = part_faults(page, presented)
        if sum(1 for _ in show_answers(page)):
            faults[f"{name}, presented, revealed"] = part_faults(page, presented)
            show(page, address, part, PHONE_SIZE)
            faults[f"{name}, phone, revealed"] = part_faults(page, phone)
    faults = {state: found for state, found in faults.items() if found}
    assert not faults, written(faults)
