"""Each page can be taught in ten minutes: three steps with what is likely to be said wrongly, and why that is wrong."""

import re

import pytest

from pages.shared.registry import LESSONS, page_at
from pages.shared.ten_minutes import MINUTES, teaching_steps
from tests.pages import visits
from tests.pages.shared.classroom import people
from tests.pages.shared.test_suggestions import SAYS_WHY, sentences

FOLD, COUNTING = "Teach this page in 10 minutes", "pages/counting/page.py"


@pytest.mark.parametrize("spec", LESSONS, ids=lambda spec: spec.address)
def test_each_page_has_its_steps_and_each_wrong_answer_its_reason(spec):
    steps = teaching_steps(spec.address)
    assert len(steps) == len(MINUTES)
    for step in steps:
        assert sentences(step.wrong) == 1
        assert 1 <= sentences(step.why) <= 3
        assert SAYS_WHY.search(step.why)
        assert step.wrong not in step.say


@pytest.mark.parametrize("spec", LESSONS, ids=lambda spec: spec.address)
def test_a_reason_has_no_number_that_its_answer_has_not(spec):
    """Those of the answers are held to what the page draws."""
    for step in teaching_steps(spec.address):
        known = visits.numbers(f"{step.part} {step.question} {step.say} {step.wrong}")
        assert set(visits.numbers(step.why)) <= set(known), step.question


def test_pages_that_teach_nothing_have_no_steps():
    assert teaching_steps("glossary") == ()


def folds(app):
    return [fold.label for fold in app.expander]


def opened(app):
    app.session_state["ten_minutes"] = True
    return visits.text(people.look_again(app))


def test_teachers_and_whoever_is_alone_find_it_and_students_do_not():
    code = people.opened().code
    teacher = people.arrive_as("teacher", COUNTING, room=code)
    assert FOLD in folds(teacher)
    step = teaching_steps("counting")[0]
    said = opened(teacher)
    assert re.search(r"1\. 3 min.*7 8 9 10", said)
    assert all(words in said for words in (step.wrong, step.why, step.say))
    assert FOLD in folds(people.arrive_as("alone", COUNTING))
    assert FOLD not in folds(people.arrive_as("teacher", COUNTING, room=code, present="1"))
    student = people.arrive_as("student", COUNTING, room=code)
    assert FOLD not in folds(student)
    visits.press(teacher, "show_answers")
    assert FOLD not in folds(people.look_again(student))


def test_whoever_is_alone_answers_the_page_s_question_first():
    alone = people.arrive_as("alone", page_at("counting").path)
    assert teaching_steps("counting")[0].wrong not in opened(alone)
