"""Where a centre goes, asked of the class: students click in the picture, and it has all their points."""

import pytest

from pages.shared.rooms.store import store
from tests.pages import visits
from tests.pages.shared.classroom.people import HOME, arrive_as, look_again, visitor, words

CLUSTERING = "pages/clustering/page.py"
SETTINGS = {"predict": "true", "step": "0", "clusters": "2", "reveal": "groups_955"}


@pytest.fixture
def teacher(code):
    return arrive_as("teacher", CLUSTERING, room=code, **SETTINGS)


@pytest.fixture
def student(code):
    return arrive_as("student", CLUSTERING, room=code, **SETTINGS)


def picture(app):
    found = visits.sent_to(app)
    return next(data for data in found if "panels" in data)


def asked(teacher, code):
    button = next(b for b in teacher.button if str(b.key).startswith("ask_move_"))
    visits.press(teacher, button.key)
    return store().rooms.state(code).asked


def test_the_question_names_the_centre_and_has_the_truth_within_its_axes(teacher, code):
    question = asked(teacher, code).question
    assert question.kind == "point"
    assert question.text.startswith("Where will centre ")
    x, y = map(float, question.right.split(","))
    assert question.lowest < min(x, y) <= max(x, y) < question.highest


def test_a_student_s_click_is_the_answer_and_a_presenter_s_is_none(teacher, student, code):
    asked(teacher, code)
    assert picture(look_again(student))["guessing"]
    assert "Tap the picture where you expect it." in words(student)
    assert not picture(look_again(teacher))["guessing"]
    [panel] = [panel for panel in picture(student)["panels"] if panel["asked"] is not None]
    assert panel["answer"] is None


def test_revealed_the_picture_has_all_points_with_their_median_the_truth_and_one_s_own(
    teacher, student, code
):
    running = asked(teacher, code)
    rooms = store().rooms
    places = [(0.0, 1.0), (2.0, 3.0), (4.0, 2.0)]
    for who, (x, y) in zip(("student", "b", "c"), places, strict=True):
        rooms.join(code, visitor(who))
        rooms.answer(code, visitor(who), running.id, f"{x}, {y}")
    hidden = picture(look_again(teacher))["panels"]
    assert [panel["said"] for panel in hidden] == [[], []]
    rooms.reveal(code, visitor("teacher"), running.id)
    [panel] = [panel for panel in picture(look_again(student))["panels"] if panel["said"]]
    assert sorted(map(tuple, panel["said"])) == places
    assert panel["median"] == [2.0, 2.0]
    assert panel["guess"] == [0.0, 1.0]
    truth = [float(value) for value in running.question.right.split(",")]
    assert panel["answer"] == pytest.approx(truth, rel=1e-3)
    assert "The median of 3 answers" in words(student)
    assert "your guess" in words(student)
    assert "your guess" not in words(look_again(teacher))


def test_who_looks_at_other_settings_answers_in_a_plane_and_sees_the_answers_there(teacher, code):
    elsewhere = arrive_as("elsewhere", CLUSTERING, room=code, clusters="3")
    home = arrive_as("home", HOME, room=code)
    running = asked(teacher, code)
    for app in (elsewhere, home):
        assert "Tap where you expect it." in words(look_again(look_again(app)))
    rooms = store().rooms
    rooms.answer(code, visitor("home"), running.id, "1, 2")
    rooms.reveal(code, visitor("teacher"), running.id)
    for app in (elsewhere, home):
        look_again(look_again(app))
        marks = visits.drawn_rows(app, "class_answers_chart")["mark"].tolist()
        assert marks == ["", "median", "right"]
