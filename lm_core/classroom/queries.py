"""What `rooms` asks of the database, each within the transaction of its caller."""

import random
import secrets
from collections.abc import Collection
from typing import Any

import sqlalchemy as sa
from pydantic import TypeAdapter
from sqlalchemy.dialects import postgresql, sqlite

from lm_core.classroom.names import free_alias
from lm_core.classroom.records import (
    AskedQuestion,
    Attendance,
    ClassExperiment,
    LessonStep,
    Member,
    Question,
    SharedOut,
    Talk,
)
from lm_core.classroom.schema import ANSWERS, EXPERIMENTS, MEMBERS, QUESTIONS, ROOMS, RUNS
from lm_core.errors import RoomError

MOST_MEMBERS, MOST_CHANGES = 300, 50
HERE_S = 30.0
"""Seconds after which a page that has not been heard of counts as closed."""
OPEN_S, KEPT_S = 86_400.0, 7 * 86_400.0
_CONFIRMED_S = 86_400.0
"""How long a room has to look outdated before it is deleted: a clock that jumps ahead and comes
back deletes nothing."""

_QUESTION = TypeAdapter(Question)
_EXPERIMENT = TypeAdapter(ClassExperiment)
_TALK, _STEP = TypeAdapter(Talk), TypeAdapter(LessonStep)
_INSERT: dict[str, Any] = {"sqlite": sqlite.insert, "postgresql": postgresql.insert}


def _state_query() -> sa.Select[Any]:
    """Return one statement for all of a room's state: it is asked a few times a second."""
    answers = sa.select(sa.func.count()).where(ANSWERS.c.question_id == ROOMS.c.question_id)
    is_student = MEMBERS.c.is_presenter.is_(False) & MEMBERS.c.is_removed.is_(False)
    is_here = MEMBERS.c.seen_at >= sa.bindparam("since")
    in_room = MEMBERS.c.code == ROOMS.c.code
    members = sa.select(sa.func.count()).select_from(MEMBERS).where(in_room)
    answered = (
        sa.select(sa.func.count())
        .select_from(ANSWERS.join(MEMBERS, MEMBERS.c.member == ANSWERS.c.member))
        .where(in_room, is_student, is_here, ANSWERS.c.question_id == ROOMS.c.question_id)
        .correlate(ROOMS)
    )
    revealed = (
        sa.select(sa.func.count())
        .select_from(QUESTIONS)
        .where(QUESTIONS.c.code == ROOMS.c.code, QUESTIONS.c.revealed_at.is_not(None))
        .correlate(ROOMS)
    )
    runs = sa.select(sa.func.count()).where(
        RUNS.c.experiment_id == ROOMS.c.experiment_id, RUNS.c.value.is_not(None)
    )
    question = (QUESTIONS.c.id, QUESTIONS.c.question, QUESTIONS.c.revealed_at)
    return (
        sa.select(
            ROOMS,
            *question,
            EXPERIMENTS.c.experiment,
            EXPERIMENTS.c.ended_at,
            answers.scalar_subquery().label("answer_count"),
            members.where(is_student).scalar_subquery().label("member_count"),
            members.where(is_student, is_here).scalar_subquery().label("here_count"),
            answered.scalar_subquery().label("here_answer_count"),
            members.where(MEMBERS.c.is_removed).scalar_subquery().label("removed_count"),
            revealed.scalar_subquery().label("revealed_count"),
            runs.scalar_subquery().label("run_count"),
        )
        .outerjoin(QUESTIONS, QUESTIONS.c.id == ROOMS.c.question_id)
        .outerjoin(EXPERIMENTS, EXPERIMENTS.c.id == ROOMS.c.experiment_id)
        .where(ROOMS.c.code == sa.bindparam("code"))
    )


STATE = _state_query()


def asked_question(row: sa.Row[Any]) -> AskedQuestion:
    """Return the question of a row that has the columns of `QUESTIONS`."""
    question = _QUESTION.validate_python(row.question)
    return AskedQuestion(row.id, question, row.revealed_at is not None)


def shared_out(row: sa.Row[Any]) -> SharedOut:
    """Return the experiment of a row that has the columns of `ROOMS` and `EXPERIMENTS`."""
    experiment = _EXPERIMENT.validate_python(row.experiment)
    return SharedOut(row.experiment_id, experiment, row.ended_at is not None)


def talk_of(room: sa.Row[Any]) -> Talk | None:
    """Return what a room of this row talks about; nothing once another question is asked."""
    talk = None if room.talk is None else _TALK.validate_python(room.talk)
    return talk if talk is not None and talk.question_id == room.question_id else None


def step_of(kept: object) -> LessonStep | None:
    """Return a step as a column keeps it."""
    return None if kept is None else _STEP.validate_python(kept)


def find_member(connection: sa.Connection, code: str, member: str) -> Member | None:
    """Return a member by their hash; None if there is none in this room, or not any more."""
    found = sa.select(MEMBERS.c.alias, MEMBERS.c.is_presenter).where(
        MEMBERS.c.code == code, MEMBERS.c.member == member, MEMBERS.c.is_removed.is_(False)
    )
    row = connection.execute(found).one_or_none()
    return None if row is None else Member(member, row.alias, row.is_presenter)


def add_member(
    connection: sa.Connection, code: str, member: str, *, is_presenter: bool, now: float
) -> Member:
    """Add a member under an alias of an animal.

    Raises RoomError if the room is full, or the member was removed from it.
    """
    was_here = sa.select(MEMBERS.c.member).where(MEMBERS.c.code == code, MEMBERS.c.member == member)
    if connection.scalar(was_here) is not None:
        raise RoomError(f"you were removed from class {code}: ask your teacher")
    taken = list(connection.scalars(sa.select(MEMBERS.c.alias).where(MEMBERS.c.code == code)))
    if len(taken) >= MOST_MEMBERS:
        raise RoomError(f"room {code} is full: it has {MOST_MEMBERS} members")
    alias = free_alias(taken, random.Random(secrets.randbits(64)))
    row = {"code": code, "member": member, "alias": alias, "is_presenter": is_presenter}
    connection.execute(sa.insert(MEMBERS).values(**row, seen_at=now))
    return Member(member, alias, is_presenter)


def update_member(connection: sa.Connection, code: str, member: str, **values: object) -> None:
    """Change a member's columns."""
    mine = (MEMBERS.c.code == code) & (MEMBERS.c.member == member)
    connection.execute(sa.update(MEMBERS).where(mine).values(**values))


def note_seen(
    connection: sa.Connection, code: str, members: Collection[str], *, now: float
) -> None:
    """Note that pages of these members are open."""
    seen = (MEMBERS.c.code == code) & MEMBERS.c.member.in_(members)
    connection.execute(sa.update(MEMBERS).where(seen).values(seen_at=now))


def remove_member(connection: sa.Connection, code: str, member: str) -> None:
    """Remove a student with their answers and runs; what is left of them keeps them from coming back."""
    asked = sa.select(QUESTIONS.c.id).where(QUESTIONS.c.code == code)
    theirs = (ANSWERS.c.member == member) & ANSWERS.c.question_id.in_(asked)
    connection.execute(sa.delete(ANSWERS).where(theirs))
    of_room = sa.select(EXPERIMENTS.c.id).where(EXPERIMENTS.c.code == code)
    made = (RUNS.c.member == member) & RUNS.c.experiment_id.in_(of_room)
    connection.execute(sa.delete(RUNS).where(made))
    update_member(connection, code, member, is_removed=True, alias=member)


def attendance(connection: sa.Connection, code: str, *, since: float) -> list[Attendance]:
    """Return the students of a room by their names."""
    n = (
        sa.select(sa.func.count())
        .join(QUESTIONS, QUESTIONS.c.id == ANSWERS.c.question_id)
        .where(ANSWERS.c.member == MEMBERS.c.member, QUESTIONS.c.code == MEMBERS.c.code)
        .scalar_subquery()
    )
    students = sa.select(MEMBERS, n.label("answer_count")).where(
        MEMBERS.c.code == code, MEMBERS.c.is_presenter.is_(False), MEMBERS.c.is_removed.is_(False)
    )
    rows = connection.execute(students.order_by(MEMBERS.c.alias))
    return [
        Attendance(
            row.member,
            row.alias,
            row.seen_at >= since,
            row.answer_count,
            step_of(row.lesson_step),
        )
        for row in rows
    ]


def update_room(connection: sa.Connection, code: str, **values: object) -> None:
    """Change a room's columns."""
    connection.execute(sa.update(ROOMS).where(ROOMS.c.code == code).values(**values))


def keep_answer(
    connection: sa.Connection, question_id: int, member: str, value: str, *, now: float
) -> None:
    """Keep a member's first answer to a question, or in its place another.

    Raises RoomError if it has been changed too often.
    """
    new = {"value": value, "answered_at": now}
    key = {"question_id": question_id, "member": member}
    changed = new | {"change_count": ANSWERS.c.change_count + 1}
    kept = connection.scalar(
        _INSERT[connection.dialect.name](ANSWERS)
        .values(key | new | {"change_count": 0})
        .on_conflict_do_update(
            index_elements=list(key), set_=changed, where=ANSWERS.c.change_count < MOST_CHANGES
        )
        .returning(ANSWERS.c.change_count)
    )
    if kept is None:
        raise RoomError(f"an answer may be changed {MOST_CHANGES} times: your last one counts")


def delete_outdated(connection: sa.Connection, now: float) -> None:
    """Delete the rooms of last week that looked outdated a day ago, and still do."""
    is_outdated = ROOMS.c.opened_at < now - OPEN_S - KEPT_S
    since = ROOMS.c.outdated_since
    confirmed = is_outdated & (since <= now - _CONFIRMED_S)
    connection.execute(sa.delete(ROOMS).where(confirmed))
    connection.execute(
        sa.update(ROOMS).where(~is_outdated, since.is_not(None)).values(outdated_since=None)
    )
    connection.execute(
        sa.update(ROOMS)
        .where(is_outdated, since.is_(None) | (since > now))
        .values(outdated_since=now)
    )
