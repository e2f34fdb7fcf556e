"""The rooms of a server: opened, joined, asked and answered; kept in the database alone."""

import hmac
from collections.abc import Collection
from dataclasses import asdict, replace
from typing import Any

import sqlalchemy as sa
from pydantic import TypeAdapter

from lm_core.classroom import records
from lm_core.classroom.access import RoomAccess, hash_of, hashed, unknown_room
from lm_core.classroom.names import look_of, passcode, plain_alias, plain_code, room_code
from lm_core.classroom.queries import (
    HERE_S,
    STATE,
    add_member,
    asked_question,
    attendance,
    delete_outdated,
    find_member,
    keep_answer,
    note_seen,
    remove_member,
    shared_out,
    step_of,
    talk_of,
    update_member,
    update_room,
)
from lm_core.classroom.questions import checked_answer, checked_question
from lm_core.classroom.schema import ANSWERS, MEMBERS, QUESTIONS, ROOMS
from lm_core.errors import RoomError

MOST_ROOMS, MOST_QUESTIONS = 20_000, 300
"""A quarter of the codes, so that a free one is found at once."""
_LONGEST_PLACE = 8_000
_PLACE = TypeAdapter(records.Place)


class Rooms(RoomAccess):
    """The rooms in a database.

    Every method raises `RoomError` as `RoomAccess` says, and `DatabaseError` if the database does
    not answer.
    """

    def open(self, visitor: str) -> records.OpenedRoom:
        """Open a room, whose first presenter is this visitor."""
        now, secret = self.clock(), passcode()
        with self.database.writing() as connection:
            delete_outdated(connection, now)
            if connection.scalar(sa.select(sa.func.count()).select_from(ROOMS)) >= MOST_ROOMS:  # type: ignore[operator]
                raise RoomError(
                    f"this server keeps {MOST_ROOMS:,} rooms, and has as many: try again tomorrow"
                )
            code = _free_code(connection)
            row = {"code": code, "passcode_hash": hash_of(code, secret), "opened_at": now}
            connection.execute(sa.insert(ROOMS).values(row))
            add_member(connection, code, hashed(code, visitor), is_presenter=True, now=now)
        return records.OpenedRoom(code, secret)

    def forget_outdated(self) -> None:
        """Delete the rooms whose answers are no longer kept."""
        with self.database.writing() as connection:
            delete_outdated(connection, self.clock())

    def state(self, code: str) -> records.RoomState:
        """Return what everybody in a room may know; of a closed room as well."""
        with self.database.reading() as connection:
            asked = {"code": plain_code(code), "since": self.clock() - HERE_S}
            row = connection.execute(STATE, asked).one_or_none()
        if row is None:
            raise unknown_room(code)
        return records.RoomState(
            row.code,
            self.is_open(row),
            None if row.place is None else _PLACE.validate_python(row.place),
            row.leader,
            None if row.id is None else asked_question(row),
            row.answer_count,
            row.member_count,
            row.here_count,
            row.here_answer_count,
            row.removed_count,
            row.revealed_count,
            row.is_locked,
            tuple(row.answers_shown or ()),
            None if row.experiment is None else shared_out(row),
            row.run_count,
            row.is_paused,
            step_of(row.waits_at),
            talk_of(row),
        )

    def join(self, code: str, visitor: str) -> records.Member:
        """Join an open room, or come back to it; a new member gets an alias of an animal."""
        with self.database.writing() as connection:
            room = self.open_room(connection, code)
            member = hashed(room.code, visitor)
            if known := find_member(connection, room.code, member):
                return known
            if room.is_locked:
                raise RoomError(
                    f"your teacher has locked class {room.code}: ask to have it unlocked"
                )
            return add_member(connection, room.code, member, is_presenter=False, now=self.clock())

    def note_seen(self, code: str, members: Collection[str]) -> None:
        """Note that pages of these members are open just now."""
        with self.database.writing() as connection:
            note_seen(connection, plain_code(code), members, now=self.clock())

    def lock(self, code: str, visitor: str, *, is_locked: bool) -> None:
        """Let nobody new join a room, or let them join again; presenters may."""
        with self.database.writing() as connection:
            room = self.led_room(connection, code, visitor)
            update_room(connection, room.code, is_locked=is_locked)

    def show_answers(self, code: str, visitor: str, page: str) -> None:
        """Let the class see the answers to what a page suggests to try; presenters may."""
        with self.database.writing() as connection:
            room = self.led_room(connection, code, visitor)
            shown = sorted({page, *(room.answers_shown or ())})
            update_room(connection, room.code, answers_shown=shown)

    def attendance(self, code: str, visitor: str) -> list[records.Attendance]:
        """Return the students of a room, closed ones too; presenters may."""
        code = plain_code(code)
        with self.database.reading() as connection:
            self.require_presenter(connection, code, visitor)
            return attendance(connection, code, since=self.clock() - HERE_S)

    def remove(self, code: str, visitor: str, members: Collection[str]) -> None:
        """Remove students with all their answers: they do not come back. Presenters may."""
        with self.database.writing() as connection:
            room = self.led_room(connection, code, visitor)
            for member in members:
                known = find_member(connection, room.code, member)
                if known is not None and not known.is_presenter:
                    remove_member(connection, room.code, member)

    def member(self, code: str, visitor: str) -> records.Member | None:
        """Return who this visitor is in a room, closed ones too; None if they have not joined it."""
        code = plain_code(code)
        with self.database.reading() as connection:
            return find_member(connection, code, hashed(code, visitor))

    def rename(self, code: str, visitor: str, alias: str) -> records.Member:
        """Give this member another alias: 1 to 24 visible characters, unlike anybody else's."""
        alias = plain_alias(alias)
        with self.database.writing() as connection:
            room = self.open_room(connection, code)
            member = self.member_of(connection, room.code, visitor)
            others = sa.select(MEMBERS.c.alias).where(
                MEMBERS.c.code == room.code, MEMBERS.c.member != member.id
            )
            if look_of(alias) in {look_of(other) for other in connection.scalars(others)}:
                raise RoomError(
                    "somebody in this room has that name, or one that looks like it: choose another"
                )
            update_member(connection, room.code, member.id, alias=alias)
        return replace(member, alias=alias)

    def add_presenter(self, code: str, visitor: str, given: str) -> records.Member:
        """Give a visitor who knows the passcode the presenter's powers, beside those who have them."""
        with self.database.writing() as connection:
            room = self.open_room(connection, code)
            if not hmac.compare_digest(room.passcode_hash, hash_of(room.code, plain_code(given))):
                raise RoomError("that is not this room's passcode: the one who opened it has it")
            member = hashed(room.code, visitor)
            known = find_member(connection, room.code, member)
            if known is None:
                return add_member(
                    connection, room.code, member, is_presenter=True, now=self.clock()
                )
            update_member(connection, room.code, member, is_presenter=True)
        return replace(known, is_presenter=True)

    def replace_passcode(self, code: str, visitor: str) -> str:
        """Return a new passcode, the old one is void; the presenter may, who has forgotten it."""
        secret = passcode()
        with self.database.writing() as connection:
            room = self.led_room(connection, code, visitor)
            update_room(connection, room.code, passcode_hash=hash_of(room.code, secret))
        return secret

    def lead(self, code: str, visitor: str, place: records.Place | None) -> None:
        """Lead the class to a place, or with None nowhere any more; presenters may."""
        written = None if place is None else asdict(place)
        if len(str(written)) > _LONGEST_PLACE:
            raise RoomError("these settings are too long to be followed: shorten the texts")
        with self.database.writing() as connection:
            room = self.led_room(connection, code, visitor)
            leader = None if place is None else hashed(room.code, visitor)
            update_room(connection, room.code, place=written, leader=leader)

    def ask(self, code: str, visitor: str, question: records.Question) -> records.AskedQuestion:
        """Ask the class, in place of what was asked before; presenters may.

        Raises RoomError also if the question may not be asked so.
        """
        question = checked_question(question)
        with self.database.writing() as connection:
            room = self.led_room(connection, code, visitor)
            asked = sa.select(sa.func.count()).where(QUESTIONS.c.code == room.code)
            if connection.scalar(asked) >= MOST_QUESTIONS:  # type: ignore[operator]
                raise RoomError(
                    f"a room has at most {MOST_QUESTIONS} questions: close it, and open another"
                )
            row = {"code": room.code, "question": asdict(question), "asked_at": self.clock()}
            asking = sa.insert(QUESTIONS).values(row).returning(QUESTIONS.c.id)
            number = connection.scalars(asking).one()
            update_room(connection, room.code, question_id=number)
        return records.AskedQuestion(number, question, is_revealed=False)

    def answer(self, code: str, visitor: str, question_id: int, value: str) -> str:
        """Answer the running question, or change one's answer until it is revealed.

        Raises RoomError also if it is no answer to the question, or another question runs by now.

        Returns
        -------
        str, the answer as it is kept
        """
        with self.database.writing() as connection:
            room = self.open_room(connection, code, shared=True)
            self.member_of(connection, room.code, visitor)
            asked = self._running(connection, room, question_id)
            if asked.is_revealed:
                raise RoomError("the answer has been revealed: wait for the next question")
            value = checked_answer(asked.question, value)
            keep_answer(connection, asked.id, hashed(room.code, visitor), value, now=self.clock())
        return value

    def reveal(self, code: str, visitor: str, question_id: int) -> None:
        """Show everybody what the class has answered; presenters may."""
        with self.database.writing() as connection:
            room = self.led_room(connection, code, visitor)
            self._running(connection, room, question_id)
            connection.execute(
                sa.update(QUESTIONS)
                .where(QUESTIONS.c.id == question_id, QUESTIONS.c.revealed_at.is_(None))
                .values(revealed_at=self.clock())
            )

    def note_right(
        self, code: str, visitor: str, question_id: int, holding: Collection[str]
    ) -> None:
        """Note which answers to a page's own prediction hold, once the page has drawn it; presenters may.

        The page computes that when it draws what was asked for; what was noted first stays.
        """
        with self.database.writing() as connection:
            room = self.led_room(connection, code, visitor)
            asked = self._running(connection, room, question_id).question
            known_as = asked.options if asked.kind == "choice" else holding
            found = tuple(value for value in known_as if value in holding)
            if asked.right is None and found:
                known = replace(asked, right=found[0], also_right=found[1:])
                connection.execute(
                    sa.update(QUESTIONS)
                    .where(QUESTIONS.c.id == question_id)
                    .values(question=asdict(known))
                )

    def last_revealed(self, code: str, page: str, name: str) -> records.AskedQuestion | None:
        """Return the last question about a page's own prediction that was revealed; None if none was."""
        wanted = sa.select(QUESTIONS).where(
            QUESTIONS.c.code == plain_code(code), QUESTIONS.c.revealed_at.is_not(None)
        )
        with self.database.reading() as connection:
            rows = connection.execute(wanted.order_by(QUESTIONS.c.id.desc())).all()
        found = (asked_question(row) for row in rows)
        about = (
            asked for asked in found if (asked.question.page, asked.question.name) == (page, name)
        )
        return next(about, None)

    def take_back(self, code: str, visitor: str, question_id: int) -> None:
        """End a question, so that none runs; its answers are kept. Presenters may."""
        with self.database.writing() as connection:
            room = self.led_room(connection, code, visitor)
            self._running(connection, room, question_id)
            update_room(connection, room.code, question_id=None)

    def close(self, code: str, visitor: str) -> None:
        """Close a room: nobody joins or answers any more, its answers can still be read. Presenters may."""
        with self.database.writing() as connection:
            room = self.led_room(connection, code, visitor)
            update_room(connection, room.code, closed_at=self.clock(), place=None, leader=None)

    def answers(self, question_id: int) -> list[str]:
        """Return what has been answered to a revealed question, in the order of the answers.

        Raises RoomError if it has not been revealed: until then nobody knows, not even the
        presenter.
        """
        with self.database.reading() as connection:
            is_revealed = sa.select(QUESTIONS.c.revealed_at).where(QUESTIONS.c.id == question_id)
            if connection.scalar(is_revealed) is None:
                raise RoomError("the answers are shown once the presenter reveals them")
            rows = sa.select(ANSWERS.c.value).where(ANSWERS.c.question_id == question_id)
            return list(connection.scalars(rows.order_by(ANSWERS.c.answered_at, ANSWERS.c.member)))

    def own_answer(self, code: str, visitor: str, question_id: int) -> str | None:
        """Return what this visitor has answered to a question; None if nothing."""
        with self.database.reading() as connection:
            return connection.scalar(
                sa.select(ANSWERS.c.value).where(
                    ANSWERS.c.question_id == question_id,
                    ANSWERS.c.member == hashed(plain_code(code), visitor),
                )
            )

    def all_answers(self, code: str, visitor: str) -> list[records.AnswerRow]:
        """Return every answer to every question of a room, closed ones too; presenters may."""
        code = plain_code(code)
        with self.database.reading() as connection:
            self.require_presenter(connection, code, visitor)
            rows = connection.execute(
                sa.select(QUESTIONS, MEMBERS.c.alias, ANSWERS.c.value, ANSWERS.c.answered_at)
                .join(ANSWERS, ANSWERS.c.question_id == QUESTIONS.c.id)
                .join(
                    MEMBERS,
                    (MEMBERS.c.code == QUESTIONS.c.code) & (MEMBERS.c.member == ANSWERS.c.member),
                )
                .where(QUESTIONS.c.code == code)
                .order_by(QUESTIONS.c.id, ANSWERS.c.answered_at)
            ).all()
        return [
            records.AnswerRow(
                asked_question(row), row.alias, row.value, max(0.0, row.answered_at - row.asked_at)
            )
            for row in rows
        ]

    def _running(
        self, connection: sa.Connection, room: sa.Row[Any], question_id: int
    ) -> records.AskedQuestion:
        if room.question_id != question_id:
            raise RoomError("that question is over, another one may be running: look again")
        return asked_question(
            connection.execute(sa.select(QUESTIONS).where(QUESTIONS.c.id == question_id)).one()
        )


def _free_code(connection: sa.Connection) -> str:
    """Return a code that no room has."""
    while True:
        code = room_code()
        if connection.scalar(sa.select(ROOMS.c.code).where(ROOMS.c.code == code)) is None:
            return code
