"""Experiments that a class shares out: each phone makes runs of its own, and all results come together."""

import math
from dataclasses import asdict

import sqlalchemy as sa

from lm_core.classroom.access import RoomAccess
from lm_core.classroom.names import plain_code
from lm_core.classroom.queries import HERE_S, update_room
from lm_core.classroom.records import ClassExperiment, FinishedRun, SharedOut
from lm_core.classroom.schema import EXPERIMENTS, MEMBERS, RUNS
from lm_core.errors import RoomError

MOST_RUNS, MOST_EXPERIMENTS = 300, 100
_LONGEST_SETTINGS = 2_000


class SharedExperiments(RoomAccess):
    """The experiments of the rooms in a database.

    Every method raises `RoomError` as `RoomAccess` says, and `DatabaseError` if the database does
    not answer.
    """

    def share_out(self, code: str, visitor: str, experiment: ClassExperiment) -> SharedOut:
        """Share an experiment out, in place of the one before; presenters may.

        Raises
        ------
        RoomError
            Also if it has no runs or too many.
        """
        _check(experiment)
        with self.database.writing() as connection:
            room = self.led_room(connection, code, visitor)
            n_before = connection.scalar(
                sa.select(sa.func.count()).where(EXPERIMENTS.c.code == room.code)
            )
            if (n_before or 0) >= MOST_EXPERIMENTS:
                raise RoomError(
                    f"a room has at most {MOST_EXPERIMENTS} experiments: close it, and open another"
                )
            row = {"code": room.code, "experiment": asdict(experiment)}
            sharing = sa.insert(EXPERIMENTS).values(row).returning(EXPERIMENTS.c.id)
            number = connection.scalars(sharing).one()
            update_room(connection, room.code, experiment_id=number)
        return SharedOut(number, experiment, is_over=False)

    def end(self, code: str, visitor: str, experiment_id: int) -> None:
        """Let no more runs be made; presenters may."""
        with self.database.writing() as connection:
            room = self.led_room(connection, code, visitor)
            ending = sa.update(EXPERIMENTS).where(
                EXPERIMENTS.c.id == experiment_id, EXPERIMENTS.c.code == room.code
            )
            connection.execute(ending.values(ended_at=self.clock()))

    def take_run(self, code: str, visitor: str, experiment_id: int) -> int | None:
        """Return the number of a run that this visitor is to make; None if none is left for them.

        It is the one that they have taken and not finished, else one that nobody has taken, else
        one whose taker has left. Of a round each makes one, and of a setting, where there are `n_settings`.
        """
        with self.database.writing() as connection:
            room = self.open_room(connection, code)
            member = self.member_of(connection, room.code, visitor).id
            experiment = self._running(connection, room.code, experiment_id)
            taken = connection.execute(
                sa.select(RUNS.c.number, RUNS.c.member, RUNS.c.value, MEMBERS.c.seen_at)
                .join(MEMBERS, (MEMBERS.c.code == room.code) & (MEMBERS.c.member == RUNS.c.member))
                .where(RUNS.c.experiment_id == experiment_id)
                .order_by(RUNS.c.number)
            ).all()
            open_runs = [row for row in taken if row.value is None]
            own = [row.number for row in open_runs if row.member == member]
            if own:
                return own[0]
            made = {row.number: row.member for row in taken if row.value is not None}
            open_round = _open_round(experiment, len(made))
            if experiment.round_size and member in map(made.get, open_round):
                return None
            n = experiment.n_settings
            known = {row.number % n for row in taken if row.member == member} if n else set()
            new = {number for number in range(open_round.stop) if not n or number % n not in known}
            free = sorted(new - {row.number for row in taken})
            if free:
                row = {"experiment_id": experiment_id, "number": free[0], "member": member}
                connection.execute(sa.insert(RUNS).values(row))
                return free[0]
            since = self.clock() - HERE_S
            left = [row.number for row in open_runs if row.seen_at < since and row.number in new]
            if not left:
                return None
            given = (RUNS.c.experiment_id == experiment_id) & (RUNS.c.number == left[0])
            connection.execute(sa.update(RUNS).where(given).values(member=member))
            return left[0]

    def finish_run(
        self, code: str, visitor: str, experiment_id: int, number: int, value: float
    ) -> None:
        """Keep what a run came to; what was kept first stays.

        Raises
        ------
        RoomError
            Also if the run is not this visitor's, or `value` is not finite.
        """
        if not math.isfinite(value):
            raise RoomError(f"a run comes to a finite number, this one to {value}: make another")
        with self.database.writing() as connection:
            room = self.open_room(connection, code, shared=True)
            member = self.member_of(connection, room.code, visitor).id
            self._running(connection, room.code, experiment_id)
            mine = (
                (RUNS.c.experiment_id == experiment_id)
                & (RUNS.c.number == number)
                & (RUNS.c.member == member)
            )
            if connection.scalar(sa.select(RUNS.c.number).where(mine)) is None:
                raise RoomError(f"run {number + 1} was given to another phone: take a new one")
            finishing = sa.update(RUNS).where(mine, RUNS.c.value.is_(None))
            connection.execute(finishing.values(value=value))

    def end_round(self, code: str, visitor: str, experiment_id: int) -> None:
        """Let the runs that the open round still misses come to 0; presenters may."""
        with self.database.writing() as connection:
            room = self.led_room(connection, code, visitor)
            experiment = self._running(connection, room.code, experiment_id)
            of_experiment = RUNS.c.experiment_id == experiment_id
            is_made = of_experiment & RUNS.c.value.is_not(None)
            made = set(connection.scalars(sa.select(RUNS.c.number).where(is_made)))
            missing = [n for n in range(_open_round(experiment, len(made)).stop) if n not in made]
            if not missing:
                return
            connection.execute(sa.delete(RUNS).where(of_experiment, RUNS.c.number.in_(missing)))
            leader = self.member_of(connection, room.code, visitor).id
            row = {"experiment_id": experiment_id, "member": leader, "value": 0.0}
            connection.execute(sa.insert(RUNS), [row | {"number": n} for n in missing])

    def finished_runs(self, code: str, visitor: str, experiment_id: int) -> list[FinishedRun]:
        """Return what the runs of an experiment came to, by their numbers; members may."""
        code = plain_code(code)
        with self.database.reading() as connection:
            member = self.member_of(connection, code, visitor).id
            rows = connection.execute(
                sa.select(RUNS.c.number, RUNS.c.member, RUNS.c.value, MEMBERS.c.alias)
                .join(EXPERIMENTS, EXPERIMENTS.c.id == RUNS.c.experiment_id)
                .join(MEMBERS, (MEMBERS.c.code == code) & (MEMBERS.c.member == RUNS.c.member))
                .where(
                    RUNS.c.experiment_id == experiment_id,
                    EXPERIMENTS.c.code == code,
                    RUNS.c.value.is_not(None),
                )
                .order_by(RUNS.c.number)
            ).all()
        return [FinishedRun(row.number, row.alias, row.value, row.member == member) for row in rows]

    def _running(self, connection: sa.Connection, code: str, experiment_id: int) -> ClassExperiment:
        row = connection.execute(
            sa.select(EXPERIMENTS).where(
                EXPERIMENTS.c.id == experiment_id, EXPERIMENTS.c.code == code
            )
        ).one_or_none()
        if row is None or row.ended_at is not None:
            raise RoomError("that experiment is over: wait for the next one")
        return ClassExperiment(**row.experiment)


def _open_round(experiment: ClassExperiment, n_made: int) -> range:
    """Return the numbers that may be taken: of the first round that is not complete, or of all runs."""
    size = experiment.round_size or experiment.n_runs
    first = n_made // size * size
    return range(first, min(first + size, experiment.n_runs))


def _check(experiment: ClassExperiment) -> None:
    if not 1 <= experiment.n_runs <= MOST_RUNS:
        raise RoomError(f"an experiment has 1 to {MOST_RUNS} runs, this one {experiment.n_runs:,}")
    if len(str(experiment.settings)) > _LONGEST_SETTINGS:
        raise RoomError("these settings are too long to be shared out: shorten the texts")
