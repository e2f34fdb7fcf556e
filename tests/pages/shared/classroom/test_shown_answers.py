"""The answers to what a page suggests: for whoever is alone or presents, and for the class once they are shown."""

from pages.shared.suggestions import suggestions_of
from tests.pages import visits
from tests.pages.shared.classroom.people import arrive_as, look_again, words

GRADIENTS = "pages/gradients/page.py"
FIRST = suggestions_of("gradients")["Depth"][0]


def is_told(app):
    """Whether the answers lie folded on a page; a fold that runs again counts as open in these tests."""
    folds = [fold.label for fold in app.expander]
    assert ("Answers" in folds) == (FIRST.answer in words(app))
    return "Answers" in folds


def may_show(app):
    return "show_answers" in {button.key for button in app.button}


def test_who_is_alone_may_see_them_and_the_presenter_view_does_not():
    asked = visits.visit(GRADIENTS)
    assert "answer its question first" in words(asked)
    assert FIRST.answer not in words(asked)
    alone = visits.press(asked, next(b.key for b in asked.button if str(b.key).startswith("skip_")))
    assert is_told(alone)
    assert not may_show(alone)
    assert FIRST.text in words(alone)
    assert not is_told(visits.visit(GRADIENTS, present="1"))


def test_a_class_sees_them_once_the_presenter_has_shown_them_latecomers_too(code):
    teacher = arrive_as("teacher", GRADIENTS, room=code)
    student = arrive_as("student", GRADIENTS, room=code)
    assert is_told(teacher)
    assert not is_told(student)
    assert not may_show(student)
    visits.press(teacher, "show_answers")
    assert not may_show(teacher)
    assert "The class sees these answers." in words(teacher)
    assert is_told(look_again(student))
    assert is_told(arrive_as("latecomer", GRADIENTS, room=code))
    elsewhere = arrive_as("student", "pages/perceptron/page.py", room=code)
    assert "Answers" not in {fold.label for fold in elsewhere.expander}


def test_whoever_is_still_at_the_door_of_a_class_does_not_see_them(code):
    student = visits.visit(GRADIENTS, room=code)
    assert not is_told(student)
