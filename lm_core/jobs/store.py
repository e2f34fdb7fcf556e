"""All the runs of this machine: finding them, making room for new ones, removing old ones."""

import contextlib
import time
from collections import Counter
from collections.abc import Iterator

from lm_core.errors import LimitError, RunError
from lm_core.jobs.limits import Limits
from lm_core.jobs.records import Asker, RunState, RunStatus, crowd_of
from lm_core.jobs.run_folder import RunFolder, deleted_runs, home

UNDO_S = 600.0
"""Seconds for which a deleted run can be brought back."""
PRIVATE_S = 14 * 86_400.0
"""Seconds for which a private run is kept after its last change of state."""
_SHORTEST_TURN_S = 180.0  # enough for the quickest preset on a slow machine


def folders() -> list[RunFolder]:
    """Return every run's folder, readable or not."""
    return [RunFolder(path) for path in sorted((home() / "runs").glob("[!.]*")) if path.is_dir()]


def unreadable() -> list[RunFolder]:
    """Return the runs of which nobody can say how far they are; a worker may be at them."""
    readable = {run for run, _ in statuses()}
    return [run for run in folders() if run not in readable]


def damaged() -> dict[str, str]:
    """Return what is wrong with the folders that cannot be read, by key; `remove` takes them away."""
    faults = {}
    for run in folders():
        try:
            run.config(), run.status()
        except RunError as error:
            faults[run.key] = str(error)
    return faults


def statuses() -> Iterator[tuple[RunFolder, RunStatus]]:
    """Yield the runs with their status; `damaged` reports those that cannot be read."""
    for run in folders():
        with contextlib.suppress(RunError):
            yield run, run.status()


def live() -> list[tuple[RunFolder, RunStatus]]:
    """Return the runs that wait, start or run, in the order of their turns."""
    pairs = [pair for pair in statuses() if pair[1].state.is_live]
    return sorted(pairs, key=lambda pair: (pair[1].turn, pair[1].ticket))


def somebody_waits() -> bool:
    """Whether a run is in the queue that nobody trains yet."""
    return any(status.state is RunState.QUEUED for _, status in statuses())


def ended() -> list[tuple[RunFolder, RunStatus]]:
    """Return the others, those first that ended first."""
    pairs = [pair for pair in statuses() if not pair[1].state.is_live]
    return sorted(pairs, key=lambda pair: pair[1].ended_at or "")


def next_ticket() -> int:
    """Return a number above all that were given out."""
    return 1 + max((status.ticket for _, status in statuses()), default=0)


def next_turn(asker: Asker) -> int:
    """Return the round of the queue in which a run comes that is asked for now.

    However many trainings a crowd has asked for, the first of another one comes in the next round.
    """
    queue = [status for _, status in live() if status.ticket]
    begun = [status.turn for status in queue if status.state is not RunState.QUEUED]
    own = [status.turn for status in queue if crowd_of(status) == crowd_of(asker)]
    return 1 + max([*begun, *own], default=0)


def require_place(asker: Asker, limits: Limits) -> RunFolder | None:
    """Refuse one job too many: of a visitor, of a class or an address, or of all.

    Raises LimitError, in words for the visitor, with the run of theirs that holds the place.

    Returns
    -------
    RunFolder or None
        The run that has to make way: where the queue is full, the last one of the largest crowd, if
        the asker's has fewer.
    """
    visitor = asker.visitor
    found = [(run, status) for run, status in live() if status.ticket]
    queue = [status for _, status in found]
    own = [run for run, status in found if status.visitor == visitor]
    if len(own) >= limits.jobs_per_visitor:
        trainings = "a training" if len(own) == 1 else f"{len(own)} trainings"
        raise LimitError(
            f"you have {trainings} in progress, the most that one visitor may have here: wait until it"
            " has ended, or stop it",
            variable=limits.variable("jobs_per_visitor"),
            held_by=own[0].key,
        )
    counts_here = bool(asker.address or asker.room)
    n_beside = sum(_shares_places(status, asker) for status in queue) if counts_here else 0
    if n_beside >= limits.jobs_per_address:
        whose = (
            "of your class" if asker.room else "from your address, which a whole class may share,"
        )
        raise LimitError(
            f"{n_beside} trainings {whose} wait or run already: try again when some have ended",
            variable=limits.variable("jobs_per_address"),
        )
    if len(queue) < limits.jobs:
        return None
    crowds = Counter(map(crowd_of, queue))
    largest, n = crowds.most_common(1)[0]
    waiting = [
        run
        for run, status in found
        if crowd_of(status) == largest and status.state is RunState.QUEUED
    ]
    if not waiting or n <= crowds[crowd_of(asker)] + 1:
        raise LimitError(
            f"{len(queue)} trainings wait or run already, the most that are taken here: try again when some"
            " have ended",
            variable=limits.variable("jobs"),
        )
    return waiting[-1]


def _shares_places(status: RunStatus, asker: Asker) -> bool:
    """Return whether a run takes one of the places that an asker's class, or else their address, has."""
    if asker.room:
        return status.room == asker.room
    return not status.room and status.address == asker.address


def turn_seconds(limits: Limits) -> float:
    """Return how long a run that is asked for now may train while others wait.

    The n-th in the queue has an n-th of the longest run: a full queue of the longest runs is worked
    off in hours, not days.
    """
    n_before = sum(1 for _, status in live() if status.ticket)
    return max(_SHORTEST_TURN_S, limits.run_seconds / (1 + n_before))


def make_room(limits: Limits) -> None:
    """Remove the oldest ended runs until the others keep within the limit.

    Raises LimitError if those that are left take too much.
    """
    sizes = {run: run.size_bytes() for run in [*folders(), *deleted_runs()]}
    if sum(sizes.values()) > limits.runs_bytes:
        forget_deleted(0.0)
        sizes = {run: size for run, size in sizes.items() if run.path.exists()}
    for run, _ in ended():
        if sum(sizes.values()) <= limits.runs_bytes:
            return
        remove(run)
        del sizes[run]
    limits.require("runs_bytes", sum(sizes.values()), "the disk space of all runs, in bytes,")


def forget_deleted(after_s: float = UNDO_S) -> None:
    """Remove for good what was deleted so many seconds ago."""
    for run in deleted_runs():
        with contextlib.suppress(FileNotFoundError, RunError):  # brought back, or removed beside us
            if time.time() - run.path.stat().st_mtime >= after_s:
                run.remove()


def forget_private(after_s: float = PRIVATE_S) -> None:
    """Remove the private runs that have stood still for so many seconds."""
    for run, _ in ended():
        with contextlib.suppress(FileNotFoundError, RunError):
            unchanged_s = time.time() - (run.path / "status.json").stat().st_mtime
            if run.is_private and unchanged_s >= after_s:
                remove(run)


def remove(run: RunFolder) -> None:
    """Remove a run that nobody trains, at once and for good.

    Raises RunError if there is no such run, or it has an owner.
    """
    with _unowned(run):
        run.remove()


def delete(run: RunFolder) -> None:
    """Delete a run that nobody trains; for `UNDO_S` seconds it can be brought back.

    Raises RunError if there is no such run, or it has an owner.
    """
    with _unowned(run):
        run.set_aside()


@contextlib.contextmanager
def _unowned(run: RunFolder) -> Iterator[None]:
    if not run.path.exists():
        raise RunError(f"there is no run {run.key} in {run.path.parent}")
    lock = run.own()
    if lock is None:
        raise RunError(f"run {run.key} is being trained: cancel it first")
    with lock:
        yield
