"""A page's prediction in a room: asked, answered, revealed to all; without the class it is as before."""

import pytest

from lm_core.classroom.questions import parse_question
from lm_core.classroom.records import Question
from lm_core.experiments.surprisal.results import BOOK, NOVELS, OWN, WORDS, SurprisalResults
from pages.shared.registry import PAGES
from pages.shared.rooms.store import store
from tests.pages import visits
from tests.pages.shared.classroom import people

OPTIONS = ("20", "30", "50", "100", "It never does")


def asked(teacher):
    """Ask the class the page's prediction."""
    return visits.press(teacher, "ask_break")


def answered(student, choice):
    question = next(radio for radio in student.radio if radio.key.startswith("class_choice_"))
    question.set_value(choice).run()
    assert not student.exception
    return student


def test_only_the_presenter_may_ask_the_class(teacher, student):
    assert "ask_break" in {button.key for button in teacher.button}
    assert "ask_break" not in {button.key for button in student.button}


WITHOUT_A_QUESTION = ("", "join", "about", "lessons", "glossary")
PART_WITH_ONE = {"fine-tuning": {"part": "Learning curves"}}
"""Of a page that opens on what its visitors make themselves."""


@pytest.mark.parametrize(
    "path", [spec.path for spec in PAGES if spec.address not in WITHOUT_A_QUESTION]
)
def test_every_page_has_a_prediction_that_a_class_can_be_asked(code, path):
    address = next(spec.address for spec in PAGES if spec.path == path)
    app = people.arrive_as("teacher", path, room=code, **PART_WITH_ONE.get(address, {}))
    keys = [button.key for button in app.button if str(button.key).startswith("reveal_")]
    assert keys
    for key in keys:
        visits.press(app, key.replace("reveal_", "ask_", 1))
        asked = store().rooms.state(code).asked.question
        assert asked.page == address
        assert asked.name == key.removeprefix("reveal_")


def test_a_question_reaches_the_students_and_masks_the_answer(teacher, student):
    asked(teacher)
    people.look_again(student)
    question = next(radio for radio in student.radio if radio.key.startswith("class_choice_"))
    assert tuple(question.options) == OPTIONS
    assert "The class answers above" in people.words(student)
    assert "The class answers above" in people.words(teacher)
    assert "guess_break" not in {radio.key for radio in student.radio}


def test_the_presenter_sees_how_many_have_answered_but_not_what(code, teacher, student):
    asked(teacher)
    answered(people.look_again(student), "50")
    people.look_again(teacher)
    assert "**1** of 1 have answered" in people.words(teacher)
    assert "Your class" not in people.words(teacher)
    assert "You said **50**" in people.words(student)
    [state] = [store().states.state(code)]
    assert state.answer_count == 1


def test_revealed_it_is_drawn_for_all_with_each_student_s_own_guess(teacher, student):
    asked(teacher)
    answered(people.look_again(student), "50")
    people.look_again(teacher)
    visits.press(teacher, "class_reveal")
    people.look_again(student)
    for app in (teacher, student):
        assert "Your class, 1 answer" in people.words(app)
        rows = visits.drawn_rows(app, "class_counts_chart")
        assert rows["count"].tolist() == [0, 0, 1, 0, 0]
        assert dict(zip(rows["answer"], rows["text"], strict=True))["30"] == "0 ✓"
    own = visits.drawn_rows(student, "class_counts_chart")
    assert own["text"].tolist()[2] == "1 ◀ yours"
    assert visits.drawn_rows(teacher, "class_counts_chart")["text"].tolist()[2] == "1"
    assert "Not quite" in people.words(student)
    assert "Not quite" not in people.words(teacher)


def test_the_class_s_histogram_is_drawn_into_the_page_s_picture(teacher, student):
    asked(teacher)
    answered(people.look_again(student), "50")
    people.look_again(teacher)
    visits.press(teacher, "class_reveal")
    rows = visits.drawn_rows(teacher, "recall_curve")
    columns = rows[rows["kind"] == "column"]
    assert columns["x"].tolist() == [20, 30, 50, 100]
    assert columns["label"].tolist() == ["", "", "1 · median", ""]


def test_a_question_asked_again_masks_the_answer_again(code, teacher, student):
    asked(teacher)
    people.look_again(student)
    visits.press(people.look_again(teacher), "class_reveal")
    assert "LSTM below 90 % from L = 30" in people.words(people.look_again(student))
    place = {"page": "rnn-vs-lstm", "name": "break"}
    room = store().rooms
    room.ask(code, people.visitor("teacher"), Question("choice", "Again?", OPTIONS, **place))
    assert "LSTM below 90 % from L = 30" not in people.words(people.look_again(student))


def test_who_joins_late_finds_the_running_question_wherever_they_are(code, teacher):
    asked(teacher)
    late = people.look_again(people.arrive_as("late", people.HOME, room=code))
    question = next(radio for radio in late.radio if radio.key.startswith("class_choice_"))
    assert tuple(question.options) == OPTIONS


def test_a_guess_made_before_the_class_was_asked_is_no_answer(teacher, student):
    visits.guess(student, "break")
    asked(teacher)
    people.look_again(student)
    assert "The class answers above" in people.words(student)


def test_a_teacher_s_own_question_is_text_and_never_markup(code, student):
    line = "<script>alert(1)</script> **bold** ![x](https://example.org/x.png)? | *a | b"
    store().rooms.ask(code, people.visitor("teacher"), parse_question(line))
    people.look_again(student)
    question = next(radio for radio in student.radio if radio.key.startswith("class_choice_"))
    assert "![x]" not in question.label
    assert "\\*\\*bold" in question.label


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("How many? 0..10 = 4", "3"),
        ("Where? x, y 0..10 = 2, 3", "2, 3"),
        ("The next letter of langua_ = g", "g"),
        ("Which word is nearest = cat", "Cat"),
    ],
)
def test_every_kind_of_question_is_asked_and_drawn(code, student, line, answer):
    room = store().rooms
    question = room.ask(code, people.visitor("teacher"), parse_question(line))
    people.look_again(student)
    if "x, y" not in line:  # a plane in which one taps: see the test in the browser
        fields = [*student.slider, *student.text_input]
        assert any(str(field.key).startswith("class_value_") for field in fields)
    room.answer(code, people.visitor("student"), question.id, answer)
    room.reveal(code, people.visitor("teacher"), question.id)
    people.look_again(student)
    assert "The answer is" in people.words(student)
    assert len(visits.drawn_rows(student, "class_answers_chart")) > 0


def test_a_question_is_announced_once_to_each_student(code, student):
    for line in ("Right? | yes | no", "And now? | yes | no"):
        store().rooms.ask(code, people.visitor("teacher"), parse_question(line))
        assert len(people.look_again(student).toast) == 1
        assert not people.look_again(student).toast


def test_an_answer_that_is_none_is_refused_in_place(code, student):
    store().rooms.ask(code, people.visitor("teacher"), parse_question("Which word is nearest"))
    people.look_again(student)
    student.text_input[0].set_value("  ")
    send = next(button for button in student.button if button.label == "Send")
    send.click().run()
    assert not student.exception
    assert "an answer has 1 to 40 characters" in people.words(student)


def test_two_presenters_ask_and_the_last_question_runs(code, teacher):
    rooms = store().rooms
    first = rooms.ask(code, people.visitor("teacher"), parse_question("One? | a | b"))
    passcode = rooms.replace_passcode(code, people.visitor("teacher"))
    rooms.add_presenter(code, people.visitor("other"), passcode)
    rooms.ask(code, people.visitor("other"), parse_question("Two? | a | b"))
    people.look_again(teacher)
    assert "Two?" in people.words(teacher)
    assert first.id != rooms.state(code).asked.id


def test_a_class_is_asked_for_an_order_and_sees_it_judged(code):
    page = "pages/surprisal/page.py"
    teacher = people.arrive_as("teacher", page, room=code)
    student = people.arrive_as("student", page, room=code)
    (name,) = [name for name in visits.questions(teacher) if "kinds" in name]
    visits.press(teacher, f"ask_{name}")
    people.look_again(student)
    field = next(f for f in student.multiselect if str(f.key).startswith("class_value_"))
    bits = SurprisalResults.load().of_model(name.removeprefix("surprisal_kinds_"))
    titles = store().rooms.state(code).asked.question.options
    assert len(titles) == 4
    by_bits = sorted((NOVELS, WORDS, OWN, BOOK), key=lambda kind: bits[kind].bits)
    ranked = [titles[(NOVELS, WORDS, OWN, BOOK).index(kind)] for kind in by_bits]
    field.set_value([titles.index(title) + 1 for title in ranked])
    next(b for b in student.button if b.label == "Send").click().run()
    assert f"You said **{' → '.join(ranked)}**" in people.words(student)
    visits.press(people.look_again(teacher), "class_reveal")
    assert "Your class, 1 answer" in people.words(teacher)
    people.look_again(student)
    assert "Right" in people.words(student)
    rows = visits.drawn_rows(student, "class_counts_chart")
    assert rows["text"].tolist() == ["1 ✓ ◀ yours"]
    right = store().rooms.state(code).asked.question.right
    assert right == ", ".join(str(titles.index(title) + 1) for title in ranked)
