"""Guidance: who may guide a class, what its students then see, and what does not outlive a question."""

import pytest

from lm_core.classroom.guidance import LONGEST_LESSON, Guidance
from lm_core.classroom.questions import parse_question
from lm_core.classroom.records import LessonStep, Talk
from lm_core.errors import RoomError

WORD = parse_question("Which word is nearest?")
STEP = LessonStep("attention", 2)


@pytest.fixture
def guidance(database, clock):
    return Guidance(database, clock)


@pytest.fixture
def code(room, rooms):
    """The code of an open room, in which "one", "two" and "three" are, too."""
    for visitor in ("one", "two", "three"):
        rooms.join(room.code, visitor)
    return room.code


@pytest.fixture
def asked(code, rooms, clock):
    """A revealed question, which "one", "two" and "three" have answered in this order."""
    asked = rooms.ask(code, "teacher", WORD)
    for visitor, word in (("one", "cat"), ("two", "dog"), ("three", "cat")):
        clock.now += 1
        rooms.answer(code, visitor, asked.id, word)
    rooms.reveal(code, "teacher", asked.id)
    return asked


def ids(rooms, code, *visitors):
    return tuple(rooms.member(code, visitor).id for visitor in visitors)


def test_a_class_rests_and_goes_on(code, rooms, guidance):
    assert not rooms.state(code).is_paused
    guidance.pause(code, "teacher", is_paused=True)
    assert rooms.state(code).is_paused
    guidance.pause(code, "teacher", is_paused=False)
    assert not rooms.state(code).is_paused


def test_only_a_presenter_guides(code, asked, guidance):
    for refused in (
        lambda: guidance.pause(code, "one", is_paused=True),
        lambda: guidance.wait_at(code, "one", STEP),
        lambda: guidance.talk(code, "one", Talk(asked.id, ())),
        lambda: guidance.given(code, "one", asked.id),
    ):
        with pytest.raises(RoomError, match="only a presenter"):
            refused()


def test_a_second_presenter_guides_by_the_passcode(room, rooms, guidance):
    rooms.join(room.code, "colleague")
    rooms.add_presenter(room.code, "colleague", room.passcode)
    guidance.pause(room.code, "colleague", is_paused=True)
    assert rooms.state(room.code).is_paused


def test_a_student_s_step_is_for_the_presenter_and_the_step_to_wait_at_for_all(
    code, rooms, guidance
):
    guidance.note_step(code, "two", STEP)
    (two,) = ids(rooms, code, "two")
    assert {student.id: student.step for student in rooms.attendance(code, "teacher")}[two] == STEP
    guidance.note_step(code, "two", None)
    assert {student.step for student in rooms.attendance(code, "teacher")} == {None}
    guidance.wait_at(code, "teacher", STEP)
    assert rooms.state(code).waits_at == STEP
    guidance.wait_at(code, "teacher", None)
    assert rooms.state(code).waits_at is None


@pytest.mark.parametrize(
    "step", [LessonStep("", 1), LessonStep("x" * (LONGEST_LESSON + 1), 1), LessonStep("a", 0)]
)
def test_a_step_that_no_lesson_has_is_refused(code, guidance, step):
    with pytest.raises(RoomError, match="no step"):
        guidance.note_step(code, "one", step)


def test_nobody_outside_has_a_step(code, guidance):
    with pytest.raises(RoomError, match="join it first"):
        guidance.note_step(code, "stranger", STEP)


def test_the_presenter_sees_who_has_answered_what_once_it_is_revealed(code, rooms, guidance):
    asked = rooms.ask(code, "teacher", WORD)
    rooms.answer(code, "one", asked.id, "cat")
    with pytest.raises(RoomError, match="once the presenter reveals"):
        guidance.given(code, "teacher", asked.id)
    rooms.reveal(code, "teacher", asked.id)
    (given,) = guidance.given(code, "teacher", asked.id)
    one = rooms.member(code, "one")
    assert (given.member, given.alias, given.value) == (one.id, one.alias, "cat")


def test_picked_answers_are_shown_in_their_order_one_by_one(code, asked, rooms, guidance):
    three, one = ids(rooms, code, "three", "one")
    shown = []
    for n in (0, 1, 2):
        guidance.talk(code, "teacher", Talk(asked.id, (three, one), n))
        shown.append([answer.member for answer in guidance.shown(code)])
    assert shown == [[], [three], [three, one]]
    assert {answer.alias for answer in guidance.shown(code)} == {""}


def test_aliases_are_shown_where_the_presenter_wants_it(code, asked, rooms, guidance):
    (two,) = ids(rooms, code, "two")
    guidance.talk(code, "teacher", Talk(asked.id, (two,), 1, has_aliases=True))
    (answer,) = guidance.shown(code)
    assert (answer.alias, answer.value) == (rooms.member(code, "two").alias, "dog")


def test_who_is_removed_is_talked_about_no_more(code, asked, rooms, guidance):
    one, two = ids(rooms, code, "one", "two")
    guidance.talk(code, "teacher", Talk(asked.id, (one, two), 2))
    rooms.remove(code, "teacher", [one])
    assert [answer.member for answer in guidance.shown(code)] == [two]


def test_a_talk_ends_with_its_question(code, asked, rooms, guidance):
    (one,) = ids(rooms, code, "one")
    guidance.talk(code, "teacher", Talk(asked.id, (one,), 1))
    assert rooms.state(code).talk == Talk(asked.id, (one,), 1)
    rooms.ask(code, "teacher", WORD)
    assert rooms.state(code).talk is None
    assert guidance.shown(code) == []
    with pytest.raises(RoomError, match="that question is over"):
        guidance.talk(code, "teacher", Talk(asked.id, (one,), 1))


@pytest.mark.parametrize(("times", "n_shown"), [(1, 2), (1, -1), (2, 1)])
def test_no_more_is_shown_than_was_picked_and_nothing_twice(
    code, asked, rooms, guidance, times, n_shown
):
    with pytest.raises(RoomError, match="may be shown"):
        guidance.talk(code, "teacher", Talk(asked.id, ids(rooms, code, "one") * times, n_shown))


def test_nobody_s_answer_is_picked_who_gave_none(code, asked, rooms, guidance):
    with pytest.raises(RoomError, match="not there any more"):
        guidance.talk(code, "teacher", Talk(asked.id, ids(rooms, code, "teacher"), 1))
