"""What a presenter does beside asking: all rest, all wait for the rest of the class, answers are talked about."""

import pytest

from lm_core.classroom.questions import parse_question
from lm_core.classroom.records import LessonStep, Talk
from pages.shared.lessons.kept import lesson_titles
from pages.shared.rooms.store import store
from tests.pages import visits
from tests.pages.shared.classroom import people

BY_HAND = "pages/attention_by_hand/page.py"
LESSON = "attention"
MARKUP = "<b>**cat**"
RESTS, WAITS = "has paused all screens", "**Wait here**"


def ask(code, line="Which word is nearest = cat"):
    return store().rooms.ask(code, people.visitor("teacher"), parse_question(line))


def member(code, who):
    return store().rooms.member(code, people.visitor(who))


def at_step(code, step, who="student"):
    return people.arrive_as(who, BY_HAND, room=code, lesson=LESSON, lesson_step=str(step))


def opened(app, fold):
    """Open a fold of the bar, as a click does."""
    app.session_state[fold] = True
    return people.look_again(app)


# Pause ------------------------------------------------------------------------------------------


def test_one_click_lets_the_students_screens_rest_and_another_one_goes_on(code, teacher, student):
    assert RESTS not in people.words(people.look_again(student))
    visits.press(teacher, "class_pause")
    assert RESTS in people.words(people.look_again(student))
    assert RESTS not in people.words(people.look_again(teacher))
    assert RESTS in people.words(people.arrive_as("student", people.HOME, room=code))
    visits.press(people.look_again(teacher), "class_pause")
    assert RESTS not in people.words(people.look_again(student))


def test_a_class_that_was_closed_while_it_rested_goes_on(code, student):
    store().guidance.pause(code, people.visitor("teacher"), is_paused=True)
    store().rooms.close(code, people.visitor("teacher"))
    assert RESTS not in people.words(people.look_again(student))


# Pace -------------------------------------------------------------------------------------------


def test_the_presenter_sees_how_many_are_at_which_step_and_who_on_request(code, teacher):
    for who, step in (("one", 3), ("two", 1), ("three", 3)):
        at_step(code, step, who)
    said = people.words(opened(teacher, "class_pace"))
    _, first, second, third, *_ = lesson_titles(LESSON)
    assert f"Step 1, *{first}*: **1 student**" in said
    assert f"Step 2, *{second}*: **0 students**" in said
    assert f"Step 3, *{third}*: **2 students**" in said
    assert member(code, "two").alias not in said
    teacher.toggle(key="class_pace_names").set_value(True)
    assert member(code, "two").alias in people.words(people.look_again(teacher))


def test_who_leaves_a_lesson_is_at_no_step_of_it(code):
    app = at_step(code, 2)
    visits.press(app, "lesson_leave")
    (student,) = store().rooms.attendance(code, people.visitor("teacher"))
    assert student.step is None


def test_who_is_ahead_waits_for_the_rest_until_the_presenter_lets_them_go_on(code, teacher):
    ahead, behind = at_step(code, 3, "one"), at_step(code, 1, "two")
    opened(teacher, "class_pace")
    visits.press(teacher, f"class_wait_{LESSON}")
    assert store().rooms.state(code).waits_at == LessonStep(LESSON, 3)
    assert people.look_again(ahead).button(key="lesson_next").disabled
    assert WAITS in people.words(ahead)
    assert not people.look_again(behind).button(key="lesson_next").disabled
    assert WAITS not in people.words(behind)
    visits.press(people.look_again(teacher), "class_go_on")
    assert not people.look_again(ahead).button(key="lesson_next").disabled


def test_the_presenter_s_own_way_through_the_lesson_goes_on(code):
    store().guidance.wait_at(code, people.visitor("teacher"), LessonStep(LESSON, 1))
    assert not at_step(code, 2, "teacher").button(key="lesson_next").disabled


# Talk -------------------------------------------------------------------------------------------


@pytest.fixture
def asked(code, student):
    """A revealed question, which "student" and "other" have answered."""
    asked = ask(code)
    store().rooms.join(code, people.visitor("other"))
    for who, word in (("student", MARKUP), ("other", "dog")):
        store().rooms.answer(code, people.visitor(who), asked.id, word)
    store().rooms.reveal(code, people.visitor("teacher"), asked.id)
    return asked


def pick(teacher, asked, *members):
    teacher.multiselect(key=f"class_talk_{asked.id}").set_value([m.id for m in members]).run()


def picks(teacher):
    return [field for field in teacher.multiselect if str(field.key).startswith("class_talk_")]


def test_picked_answers_are_shown_one_by_one_and_all_hidden_again(code, teacher, student, asked):
    first, second = member(code, "other"), member(code, "student")
    opened(teacher, "class_talk_fold")
    pick(teacher, asked, first, second)
    assert "1. **dog**" not in people.words(people.look_again(student))
    visits.press(people.look_again(teacher), "class_talk_next")
    for app in (student, teacher):
        said = people.words(people.look_again(app))
        assert "1. **dog**" in said
        assert "2. **" not in said
        assert "The answer is" not in said
        assert first.alias not in said
    visits.press(teacher, "class_talk_next")
    assert r"2. **\<b\>\*\*cat\*\***" in people.words(people.look_again(student))
    visits.press(people.look_again(teacher), "class_talk_hide")
    said = people.words(people.look_again(student))
    assert "1. **dog**" not in said
    assert "The answer is" in said


def test_names_stand_beside_the_answers_where_the_presenter_wants_it(code, teacher, student, asked):
    other = member(code, "other")
    store().guidance.talk(code, people.visitor("teacher"), Talk(asked.id, (other.id,), 1))
    opened(teacher, "class_talk_fold")
    teacher.toggle(key=f"class_talk_names_{asked.id}_False").set_value(True).run()
    assert f"1. **dog** · {other.alias}" in people.words(people.look_again(student))


def test_to_strike_a_shown_answer_from_the_picked_ones_shows_no_other(code, teacher, asked):
    ids = tuple(member(code, who).id for who in ("other", "student"))
    store().guidance.talk(code, people.visitor("teacher"), Talk(asked.id, ids, 1))
    opened(teacher, "class_talk_fold")
    pick(teacher, asked, member(code, "student"))
    assert store().rooms.state(code).talk == Talk(asked.id, ids[1:], 0)


def test_a_reload_loses_no_pick(code, asked):
    ids = (member(code, "other").id,)
    store().guidance.talk(code, people.visitor("teacher"), Talk(asked.id, ids, 1))
    again = opened(people.arrive_as("teacher", people.RECALL, room=code), "class_talk_fold")
    assert again.multiselect(key=f"class_talk_{asked.id}").value == list(ids)


def test_points_are_shown_in_their_plane_with_their_numbers(code, student, teacher):
    asked = ask(code, "Where? x, y 0..10 = 2, 3")
    store().rooms.answer(code, people.visitor("student"), asked.id, "4, 5")
    store().rooms.reveal(code, people.visitor("teacher"), asked.id)
    talk = Talk(asked.id, (member(code, "student").id,), 1)
    store().guidance.talk(code, people.visitor("teacher"), talk)
    rows = visits.drawn_rows(people.look_again(student), "class_talk_chart")
    assert [(row.x, row.y, row.mark) for row in rows.itertuples()] == [(4, 5, "1")]


def test_of_a_question_that_is_not_revealed_nothing_can_be_picked(code, teacher, student):
    asked = ask(code)
    store().rooms.answer(code, people.visitor("student"), asked.id, "dog")
    assert not picks(opened(teacher, "class_talk_fold"))
    store().rooms.reveal(code, people.visitor("teacher"), asked.id)
    assert picks(opened(teacher, "class_talk_fold"))


# Settings ---------------------------------------------------------------------------------------


def test_a_page_as_a_student_has_set_it_is_sent_counted_and_opened(code, teacher):
    asked = ask(code, "Make k-means fail (settings) => So it cuts a group.")
    clustering = "pages/clustering/page.py"
    student = people.arrive_as("student", clustering, room=code, clusters="5")
    visits.press(people.look_again(student), f"class_settings_{asked.id}")
    sent = store().rooms.own_answer(code, people.visitor("student"), asked.id)
    assert sent.startswith("clustering?")
    assert "clusters=5" in sent
    assert "room" not in sent
    visits.press(people.look_again(teacher), "class_reveal")
    assert "So it cuts a group." in people.words(people.look_again(student))
    talk = Talk(asked.id, (member(code, "student").id,), 1)
    store().guidance.talk(code, people.visitor("teacher"), talk)
    visits.press(people.look_again(teacher), "class_open_1")
    assert teacher.session_state["lab_drawn"]["clusters"].values == ("5",)


def test_from_a_page_without_settings_nothing_is_sent(code):
    asked = ask(code, "Make k-means fail (settings)")
    student = people.look_again(people.arrive_as("student", "pages/join/page.py", room=code))
    assert student.button(key=f"class_settings_{asked.id}").disabled
