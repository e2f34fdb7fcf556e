"""How a presenter guides a class: screens that rest, a step at which all wait, answers that are talked about."""

from dataclasses import asdict
from typing import Any

import sqlalchemy as sa

from lm_core.classroom.access import RoomAccess, unknown_room
from lm_core.classroom.names import plain_code
from lm_core.classroom.queries import talk_of, update_member, update_room
from lm_core.classroom.records import GivenAnswer, LessonStep, Talk
from lm_core.classroom.schema import ANSWERS, MEMBERS, QUESTIONS, ROOMS
from lm_core.errors import RoomError

LONGEST_LESSON, MOST_STEPS = 80, 1_000


class Guidance(RoomAccess):
    """The guidance of the rooms in a database.

    Every method raises `RoomError` as `RoomAccess` says, and `DatabaseError` if the database does
    not answer.
    """

    def pause(self, code: str, visitor: str, *, is_paused: bool) -> None:
        """Let all students' screens rest, or go on; presenters may."""
        with self.database.writing() as connection:
            room = self.led_room(connection, code, visitor)
            update_room(connection, room.code, is_paused=is_paused)

    def wait_at(self, code: str, visitor: str, step: LessonStep | None) -> None:
        """Let nobody go beyond a step of a lesson, or with None everybody; presenters may."""
        with self.database.writing() as connection:
            room = self.led_room(connection, code, visitor)
            update_room(connection, room.code, waits_at=_written(step))

    def note_step(self, code: str, visitor: str, step: LessonStep | None) -> None:
        """Note at which step of a lesson this member is; with None in no lesson."""
        with self.database.writing() as connection:
            room = self.open_room(connection, code, shared=True)
            member = self.member_of(connection, room.code, visitor)
            update_member(connection, room.code, member.id, lesson_step=_written(step))

    def talk(self, code: str, visitor: str, talk: Talk) -> None:
        """Keep which answers to the running question are talked about, and how many are shown; presenters may.

        Raises RoomError also if the question is over or not revealed.
        """
        if len(set(talk.members)) < len(talk.members) or not 0 <= talk.n_shown <= len(talk.members):
            raise RoomError(
                f"of {len(talk.members)} different answers as many may be shown, got {talk.n_shown}"
            )
        with self.database.writing() as connection:
            room = self.led_room(connection, code, visitor)
            known = {answer.member for answer in _given(connection, room, talk.question_id)}
            if not known.issuperset(talk.members):
                raise RoomError("an answer that was picked is not there any more: pick again")
            update_room(connection, room.code, talk=asdict(talk))

    def given(self, code: str, visitor: str, question_id: int) -> list[GivenAnswer]:
        """Return who has answered what to the running question, once it is revealed; presenters may."""
        with self.database.reading() as connection:
            self.require_presenter(connection, plain_code(code), visitor)
            return _given(connection, _room(connection, code), question_id)

    def shown(self, code: str) -> list[GivenAnswer]:
        """Return the answers that the class talks about, in their order; aliases are empty unless they are shown."""
        with self.database.reading() as connection:
            room = _room(connection, code)
            talk = talk_of(room)
            if talk is None:
                return []
            given = {a.member: a for a in _given(connection, room, talk.question_id)}
        shown = [given[member] for member in talk.shown if member in given]
        if talk.has_aliases:
            return shown
        return [GivenAnswer(answer.member, "", answer.value) for answer in shown]


def _written(step: LessonStep | None) -> dict[str, object] | None:
    if step is None:
        return None
    if not (1 <= len(step.lesson) <= LONGEST_LESSON and 1 <= step.step <= MOST_STEPS):
        raise RoomError(f"there is no step {step.step} of a lesson of that name")
    return asdict(step)


def _room(connection: sa.Connection, code: str) -> sa.Row[Any]:
    room = connection.execute(
        sa.select(ROOMS).where(ROOMS.c.code == plain_code(code))
    ).one_or_none()
    if room is None:
        raise unknown_room(code)
    return room


def _given(connection: sa.Connection, room: sa.Row[Any], question_id: int) -> list[GivenAnswer]:
    """Return the answers to a room's running question in the order in which they were given."""
    if room.question_id != question_id:
        raise RoomError("that question is over, another one may be running: look again")
    is_revealed = sa.select(QUESTIONS.c.revealed_at).where(QUESTIONS.c.id == question_id)
    if connection.scalar(is_revealed) is None:
        raise RoomError("the answers are shown once the presenter reveals them")
    of_room = (MEMBERS.c.code == room.code) & (MEMBERS.c.member == ANSWERS.c.member)
    rows = sa.select(ANSWERS.c.member, MEMBERS.c.alias, ANSWERS.c.value).join(MEMBERS, of_room)
    wanted = rows.where(ANSWERS.c.question_id == question_id)
    by_time = wanted.order_by(ANSWERS.c.answered_at, ANSWERS.c.member)
    return [GivenAnswer(*row) for row in connection.execute(by_time)]
