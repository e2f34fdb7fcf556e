"""What a student taps for several choices, an order, pairs, a marked word and a cell, and what all then see."""

import pytest

from lm_core.classroom.questions import parse_question
from lm_core.classroom.records import Question
from pages.shared.rooms.store import store
from tests.pages import visits
from tests.pages.shared.classroom import people

REASON = "Because <b>it</b> is *so*."
LINES = {
    "several": "Which? | *<i>a</i> | b | *c",
    "order": "Sort > one > two > three",
    "match": "Match | <i>a</i> -> A | b -> B",
    "mark": "Which? // not a *<i>bad</i>* film",
    "number": "How many? 0..100 = 42 ± 3",
}


CELL = Question(
    "cell",
    "Where?",
    ("<i>a</i>", "b"),
    ("row", "column"),
    right="2, 3",
    partners=("A", "B", "C"),
    reason=REASON,
)


@pytest.fixture(params=[*LINES, "cell"])
def asked(request, code):
    line = LINES.get(request.param)
    question = parse_question(f"{line} => {REASON}") if line else CELL
    return store().rooms.ask(code, people.visitor("teacher"), question)


def fill(app, asked, right):
    """Tap an answer, and send it."""
    key, kind = f"class_value_{asked.id}", asked.question.kind
    numbers = [int(number) for number in right.split(", ")]
    if kind == "several":
        for number in numbers:
            app.checkbox(key=f"{key}_{number}").check()
    elif kind == "order":
        app.multiselect(key=key).set_value(numbers)
    elif kind in ("match", "cell"):
        for place, number in enumerate(numbers, 1):
            app.selectbox(key=f"{key}_{place}").set_value(number)
    elif kind == "mark":
        app.button_group(key=key).set_value(numbers[0])
    else:
        app.slider(key=key).set_value(numbers[0])
    next(button for button in app.button if button.label == "Send").click()
    app.run()
    assert not app.exception


def test_an_answer_is_tapped_kept_over_a_reload_and_judged_with_its_reason(
    code, asked, teacher, student
):
    right = asked.question.right
    people.look_again(student)
    fill(student, asked, right)
    assert store().rooms.own_answer(code, people.visitor("student"), asked.id) == right
    again = people.arrive_as("student", people.RECALL, room=code)
    assert "You said" in people.words(again)
    fill(again, asked, right)
    assert store().rooms.own_answer(code, people.visitor("student"), asked.id) == right
    visits.press(people.look_again(teacher), "class_reveal")
    for app in (again, teacher):
        said = people.words(people.look_again(app))
        assert r"Because \<b\>it\</b\> is \*so\*." in said
        assert "<i>" not in said
    assert "Right" in people.words(again)
    rows = visits.drawn_rows(again, "class_answers_chart")
    if asked.question.kind != "number":
        assert [text for text in rows["text"] if "✓" in text] == [
            text for text in rows["text"] if "yours" in text
        ]


def test_the_reason_and_what_holds_are_hidden_until_they_are_revealed(code, asked, student):
    said = people.words(people.look_again(student))
    assert "Because" not in said
    assert "The answer is" not in said


@pytest.mark.parametrize(
    "question", [*(parse_question(LINES[kind]) for kind in ("several", "order", "match")), CELL]
)
def test_what_is_not_yet_an_answer_is_refused_in_words(code, question, student):
    asked = store().rooms.ask(code, people.visitor("teacher"), question)
    people.look_again(student)
    next(button for button in student.button if button.label == "Send").click()
    student.run()
    assert "must be" in people.words(student)
    assert store().rooms.own_answer(code, people.visitor("student"), asked.id) is None
