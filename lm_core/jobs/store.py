"""All the runs of this machine: finding them, making room for new ones, removing old ones."""

import contextlib
from collections.abc import Iterator

from lm_core.errors import LimitError, RunError
from lm_core.jobs.limits import Limits
from lm_core.jobs.records import RunState, RunStatus
from lm_core.jobs.run_folder import RunFolder, home

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
    """Return the runs that wait, start or run, in the order of their tickets."""
    pairs = [pair for pair in statuses() if pair[1].state.is_live]
    return sorted(pairs, key=lambda pair: pair[1].ticket)


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


def require_place(visitor: str, address: str, limits: Limits) -> None:
    """Refuse one job too many: of a visitor, of an address or of all.

    Raises
    ------
    LimitError
        With the limit's variable.
    """
    queue = [status for _, status in live() if status.ticket]
    if sum(status.visitor == visitor for status in queue) >= limits.jobs_per_visitor:
        raise LimitError(
            f"one visitor may have {limits.jobs_per_visitor} training at a time here"
            f" ({limits.variable('jobs_per_visitor')}): wait for yours to end, or cancel it"
        )
    n_beside = sum(status.address == address for status in queue) if address else 0
    if n_beside >= limits.jobs_per_address:
        raise LimitError(
            f"{n_beside} trainings from your address wait or run already"
            f" ({limits.variable('jobs_per_address')}): try again when some have ended"
        )
    if len(queue) >= limits.jobs:
        raise LimitError(
            f"{len(queue)} trainings wait or run already, the most that are taken here"
            f" ({limits.variable('jobs')}): try again when some have ended"
        )


def turn_seconds(limits: Limits) -> float:
    """Return how long a run that is asked for now may train while others wait.

    The n-th in the queue has an n-th of the longest run: a full queue of the longest runs is worked
    off in hours, not days.
    """
    n_before = sum(1 for _, status in live() if status.ticket)
    return max(_SHORTEST_TURN_S, limits.run_seconds / (1 + n_before))


def make_room(limits: Limits) -> None:
    """Remove the oldest ended runs until the others keep within the limit.

    Raises
    ------
    LimitError
        If those that are left take too much.
    """
    sizes = {run: run.size_bytes() for run in folders()}
    for run, _ in ended():
        if sum(sizes.values()) <= limits.runs_bytes:
            return
        remove(run)
        del sizes[run]
    limits.require("runs_bytes", sum(sizes.values()), "the disk space of all runs, in bytes,")


def remove(run: RunFolder) -> None:
    """Remove a run that nobody trains.

    Raises
    ------
    RunError
        If there is no such run, or it has an owner.
    """
    if not run.path.exists():
        raise RunError(f"there is no run {run.key} in {run.path.parent}")
    lock = run.own()
    if lock is None:
        raise RunError(f"run {run.key} is being trained: cancel it first")
    with lock:
        run.remove()
