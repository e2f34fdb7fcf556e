"""An experiment that is shared out: two phones make runs, and the teacher's picture has them."""

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import go, press_at_rest, settle
from tests.browser.test_classroom import BAR, opened

FINDING = "of 10 runs"


@pytest.fixture
def teacher(visit, lab):
    return visit(f"{lab}/thirty-runs?part=Restarts&runs=10")


@pytest.fixture
def phones(visit, lab, teacher):
    room = opened(teacher)
    pages = [visit(f"{lab}/join?code={room}", width=390, height=844) for _ in range(2)]
    for page in pages:
        expect(page.get_by_text(f"You are in class {room}")).to_be_visible()
    return pages


def make_a_run(phone):
    press_at_rest(phone.locator(".st-key-class_runs_make button"))
    settle(phone)


@pytest.mark.parametrize(
    ("part", "finding"),
    [
        ("Dropout", "1 of 10 runs: at 0 the network loses least"),
        ("Optimisers", "1 of 10 runs with three optimisers"),
    ],
)
def test_a_phone_trains_a_network_for_the_teacher_s_picture(visit, lab, part, finding):
    teacher = visit(f"{lab}/thirty-runs?part={part}&runs=10")
    room = opened(teacher)
    phone = visit(f"{lab}/join?code={room}", width=390, height=844)
    expect(phone.get_by_text(f"You are in class {room}")).to_be_visible()
    teacher.get_by_role("button", name="Share out 10 runs").click()
    phone.locator(BAR).get_by_role("button", name="Thirty runs: make a run").click()
    make_a_run(phone)
    expect(teacher.get_by_text(finding)).to_be_visible()


def test_each_phone_s_run_appears_in_the_teacher_s_picture(teacher, phones, lab):
    teacher.get_by_role("button", name="Share out 10 runs").click()
    expect(teacher.get_by_text("No run has come in yet, of 10")).to_be_visible()
    for phone in phones:  # each is shown the way from where it waits
        phone.locator(BAR).get_by_role("button", name="Thirty runs: make a run").click()
        expect(phone.get_by_role("heading", name="Thirty runs")).to_be_visible()
    for number, phone in enumerate(phones, 1):
        make_a_run(phone)
        finding = "Restart 1 ends at" if number == 1 else f"{number} {FINDING}"
        expect(teacher.get_by_text(finding)).to_be_visible()
    go(phones[0], phones[0].url)  # a reload loses neither the run nor the next one
    make_a_run(phones[0])
    expect(teacher.get_by_text(f"3 {FINDING}")).to_be_visible()
    teacher.locator(".st-key-class_runs_end button").click()
    for phone in phones:
        expect(phone.locator(".st-key-class_runs_make")).to_have_count(0)
