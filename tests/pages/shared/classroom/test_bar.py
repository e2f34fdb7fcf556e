"""The bar of a class: one key for one answer, who is here, refusals that stay, and other rooms' links."""

import time

import pytest

from lm_core.classroom.questions import parse_question
from lm_core.classroom.rooms import Rooms
from lm_core.errors import DatabaseError
from pages.shared.classroom import answer_form
from pages.shared.registry import PAGES
from pages.shared.rooms.store import store
from tests.pages import visits
from tests.pages.shared.classroom import people

CLUSTERING = "pages/clustering/page.py"
CHOICE = "Which learns faster? | RNN | *LSTM"
DRIVER = 'connection to server at "10.7.7.7", port 5432 failed'


def ask(code, line=CHOICE):
    return store().rooms.ask(code, people.visitor("teacher"), parse_question(line))


def choice(app):
    return next(radio for radio in app.radio if str(radio.key).startswith("class_choice_"))


def keys(app):
    """Return the buttons that the key A presses."""
    return [button.key for button in app.button if button.proto.shortcut.casefold() == "a"]


def refusing(*args, **kwargs):
    raise DatabaseError("the database of the class rooms does not answer: try again")


def without_database(monkeypatch):
    """Let every question to the database end as if it were away."""
    for name in [name for name in vars(Rooms) if not name.startswith("_")]:
        monkeypatch.setattr(Rooms, name, refusing)


# One thing at a time ----------------------------------------------------------------------------


def test_the_key_reveals_the_class_s_question_or_the_page_s_own_and_never_both(code, teacher):
    assert keys(teacher) == ["skip_break"]
    ask(code)
    assert keys(people.look_again(teacher)) == ["class_reveal"]
    visits.press(teacher, "class_reveal")
    assert keys(people.look_again(teacher)) == ["skip_break"]
    visits.press(teacher, "class_take_back")
    assert keys(people.look_again(teacher)) == ["skip_break"]


def test_a_student_keeps_the_key_of_the_page(code, student):
    ask(code)
    assert keys(people.look_again(student)) == ["skip_break"]


# Who is here ------------------------------------------------------------------------------------


def test_who_has_closed_the_page_is_shown_apart(code, teacher, student, monkeypatch):
    ask(code)
    assert "**0** of 1 have answered" in people.words(people.look_again(teacher))
    rooms = store().rooms
    now = rooms.clock()
    monkeypatch.setattr(rooms, "clock", lambda: now + 60)
    rooms.join(code, people.visitor("late"))
    assert "**0** of 1 have answered · 1 left" in people.words(people.look_again(teacher))


def test_whoever_looks_is_here(code, student, monkeypatch):
    rooms = store().rooms
    now = rooms.clock()
    monkeypatch.setattr(rooms, "clock", lambda: now + 60)
    assert rooms.state(code).here_count == 0
    monkeypatch.setattr(store().presence, "_clock", lambda: time.monotonic() + 60)
    people.look_again(student)
    assert rooms.state(code).here_count == 1


def test_who_is_removed_is_told_so_and_does_not_come_back_by_the_link(code, student):
    member = store().rooms.member(code, people.visitor("student"))
    people.look_again(student)
    store().rooms.remove(code, people.visitor("teacher"), [member.id])
    assert "you were removed from this class" in people.words(people.look_again(student))
    again = people.look_again(people.arrive_as("student", people.HOME, room=code))
    assert "you were removed from class" in people.words(again)


# The right answer, elsewhere and later ----------------------------------------------------------


def test_phones_on_other_pages_learn_what_was_right(code, teacher, student):
    visits.press(teacher, "ask_break")
    elsewhere = people.look_again(people.arrive_as("student", people.HOME, room=code))
    choice(elsewhere).set_value("50").run()
    visits.press(people.look_again(teacher), "class_reveal")
    people.look_again(elsewhere)
    assert "Not quite" in people.words(elsewhere)
    assert "The answer is **30**" in people.words(elsewhere)
    rows = visits.drawn_rows(elsewhere, "class_answers_chart")
    assert dict(zip(rows["answer"], rows["text"], strict=True))["30"] == "0 ✓"
    (row,) = store().rooms.all_answers(code, people.visitor("teacher"))
    assert row.question.question.holding == ("30",)


def test_who_is_led_late_sees_the_revealed_state_with_their_own_answer(code, teacher):
    visits.press(teacher, "ask_break")
    phone = people.look_again(people.arrive_as("student", people.HOME, room=code))
    choice(phone).set_value("50").run()
    visits.press(people.look_again(teacher), "class_reveal")
    visits.press(people.look_again(teacher), "class_take_back")
    teacher.toggle(key="class_leads_False").set_value(True).run()
    people.look_again(teacher)
    people.look_again(phone)
    people.look_again(phone)
    assert "RNN and LSTM" in phone.title[0].value
    assert "LSTM below 90 % from L = 30" in people.words(phone)
    assert "Your class, 1 answer" in people.words(phone)
    assert "You said: **50**" in people.words(phone)


# Refusals ---------------------------------------------------------------------------------------


def test_an_answer_that_was_not_kept_is_said_and_goes_again(code, student, monkeypatch):
    ask(code)
    people.look_again(student)
    key = choice(student).key
    with monkeypatch.context() as locked:
        locked.setattr(Rooms, "answer", refusing)
        choice(student).set_value("RNN").run()
        for _ in range(3):
            people.look_again(student)
            assert "Not sent" in people.words(student)
            assert "does not answer" in people.words(student)
        assert choice(student).value is None
        assert choice(student).key != key, "the browser would keep the choice, and send it no more"
        choice(student).set_value("RNN").run()
        assert "Not sent" in people.words(student)
    assert store().rooms.state(code).answer_count == 0
    visits.press(student, "class_send_again")
    people.look_again(student)
    assert "You said **RNN**" in people.words(student)
    assert "Not sent" not in people.words(student)
    assert "does not answer" not in people.words(student)
    assert store().rooms.own_answer(
        code, people.visitor("student"), store().rooms.state(code).asked.id
    )


def test_an_answer_that_was_not_kept_goes_again_by_itself(code, student, monkeypatch):
    ask(code)
    people.look_again(student)
    with monkeypatch.context() as locked:
        locked.setattr(Rooms, "answer", refusing)
        choice(student).set_value("RNN").run()
    monkeypatch.setattr(answer_form, "_SENT_AGAIN_AFTER_S", 0.0)
    people.look_again(student)
    assert "You said **RNN**" in people.words(people.look_again(student))


def test_a_refusal_stays_until_the_next_question(code, student):
    ask(code, "Which word is nearest")
    people.look_again(student)
    student.text_input[0].set_value("  ")
    next(button for button in student.button if button.label == "Send").click().run()
    for _ in range(3):
        assert "an answer has 1 to 40 characters" in people.words(people.look_again(student))
    ask(code, "Another word")
    assert "an answer has 1 to 40 characters" not in people.words(people.look_again(student))


@pytest.mark.parametrize("path", [spec.path for spec in PAGES])
def test_every_page_is_drawn_for_a_class_whose_database_is_away(code, path, monkeypatch):
    app = people.arrive_as("student", path, room=code)
    title = [element.value for element in app.title]
    without_database(monkeypatch)
    for known in list(store().states._kept):
        store().states.forget(known)
    app.run()
    assert not app.exception
    assert [element.value for element in app.title] == title
    assert "does not answer" in people.words(app)


# Other rooms' links -----------------------------------------------------------------------------


def test_a_link_into_another_room_asks_before_it_moves_anybody(code):
    other = store().rooms.open(people.visitor("stranger")).code
    teacher = people.arrive_as("teacher", people.RECALL, room=code)
    teacher.query_params["room"] = other
    people.look_again(teacher)
    assert f"This link leads into class **{other}**; you are in class **{code}**" in people.words(
        teacher
    )
    assert teacher.query_params["room"] in (code, [code])
    assert store().rooms.state(other).member_count == 0
    visits.press(teacher, "class_decline")
    assert "This link leads" not in people.words(people.look_again(teacher))
    assert "class_leads_False" in {toggle.key for toggle in teacher.toggle}


def test_who_accepts_goes_into_the_other_room(code):
    other = store().rooms.open(people.visitor("stranger")).code
    student = people.arrive_as("student", people.RECALL, room=code)
    student.query_params["room"] = other
    people.look_again(student)
    visits.press(student, "class_accept")
    people.look_again(student)
    assert store().rooms.state(other).member_count == 1
    assert student.session_state["lab_room"] == other
