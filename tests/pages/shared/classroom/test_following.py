"""Follow me: students see the presenter's page and settings, until they leave."""

import pytest

from pages.shared.registry import page_at
from pages.shared.rooms.store import store
from tests.pages import visits
from tests.pages.shared.classroom import people

TOKENS = "pages/tokenization/page.py"


def leading(code, **asked):
    """Return the visit of the presenter, who leads."""
    teacher = people.arrive_as("teacher", people.RECALL, room=code, **asked)
    teacher.toggle(key="class_leads_False").set_value(True).run()
    assert not teacher.exception
    return people.look_again(teacher)


def test_a_student_is_led_to_the_page_with_its_settings(code):
    leading(code, protocol="clipped")
    student = people.look_again(people.arrive_as("student", people.HOME, room=code))
    assert "RNN and LSTM" in student.title[0].value
    assert "following" in people.words(student)
    teacher_s = store().rooms.state(code).place
    assert teacher_s.page == "rnn-vs-lstm"


def test_a_change_of_a_setting_is_followed_on_the_same_page(code):
    teacher = leading(code)
    student = people.look_again(people.arrive_as("student", people.RECALL, room=code))
    assert student.button_group(key="lengths").value == "4 to 100"
    teacher.button_group(key="lengths").set_value("4 to 18").run()
    assert store().rooms.state(code).place.parameters["lengths"] == ["4 to 18"]
    people.look_again(student)
    assert student.button_group(key="lengths").value == "4 to 18"


def test_who_opens_another_page_goes_a_way_of_their_own_and_may_come_back(code):
    leading(code)
    student = people.look_again(people.arrive_as("student", people.RECALL, room=code))
    student.switch_page(people.HOME).run()
    people.look_again(student)
    people.look_again(student)
    assert "on your own" in people.words(student)
    assert student.title[0].value == "LM Lab"
    visits.press(student, "class_come_back")
    assert "RNN and LSTM" in people.look_again(student).title[0].value


def test_where_one_was_on_one_s_own_is_kept(code):
    leading(code)
    student = people.look_again(people.arrive_as("student", people.RECALL, room=code))
    visits.press(student, "class_own_way")
    student.switch_page(TOKENS).run()
    people.look_again(student)
    visits.press(student, "class_come_back")
    people.look_again(student)
    assert "RNN and LSTM" in student.title[0].value
    visits.press(student, "class_own_way")
    assert "Tokenization" in people.look_again(student).title[0].value


def test_of_two_presenters_the_last_to_lead_leads(code):
    leading(code)
    passcode = store().rooms.replace_passcode(code, people.visitor("teacher"))
    store().rooms.add_presenter(code, people.visitor("other"), passcode)
    other = people.arrive_as("other", people.HOME, room=code)
    other.toggle(key="class_leads_False").set_value(True).run()
    assert store().rooms.state(code).place.page == ""
    people.look_again(people.arrive_as("teacher", people.RECALL, room=code))
    assert store().rooms.state(code).place.page == ""


def test_nobody_is_led_once_the_presenter_stops(code):
    teacher = leading(code)
    teacher.toggle(key="class_leads_True").set_value(False).run()
    assert store().rooms.state(code).place is None
    student = people.look_again(people.arrive_as("student", people.HOME, room=code))
    assert student.title[0].value == "LM Lab"


@pytest.mark.parametrize(
    ("page", "asked", "key", "own", "teachers"),
    [
        ("war-and-peace", {"view": "Train your own"}, "class_length", 0.25, 0.1),
        ("encoder-decoder", {"part": "Train one"}, "class_train_width", 64, 128),
        ("preferences", {"part": "Your run"}, "class_train_batches", 20, 10),
        ("rnn-vs-lstm", {}, "class_train_seeds", 5, 7),
        ("word2vec", {}, "class_epochs", 3, 7),
    ],
)
def test_the_settings_of_a_students_own_training_are_theirs(code, page, asked, key, own, teachers):
    path = page_at(page).path
    student = people.look_again(people.arrive_as("student", path, room=code, **asked))
    student.get_by_key(key).set_value(own).run()
    teacher = people.look_again(people.arrive_as("teacher", path, room=code, **asked))
    teacher.toggle(key="class_leads_False").set_value(True).run()
    people.look_again(teacher)
    people.look_again(student)
    teacher.get_by_key(key).set_value(teachers).run()
    people.look_again(teacher)
    people.look_again(student)
    assert "following" in people.words(student)
    assert student.get_by_key(key).value == own
    led = store().rooms.state(code).place.parameters
    assert not {key, key.removeprefix("class_")} & set(led)
    again = people.look_again(people.arrive_as("student", path, room=code, **asked))
    assert again.get_by_key(key).value == own, "a reload keeps them, too"
