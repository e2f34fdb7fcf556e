"""Jobs: runs that wait their turn, first come first served, and are trained by worker processes.

Whoever asks, looks or ends a job also sees to the queue: runs whose worker died are put back, and
free workers are started on what is next.
"""

import contextlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from lm_core.errors import RunError
from lm_core.files import now
from lm_core.jobs import store
from lm_core.jobs.launchers import chosen_launcher
from lm_core.jobs.limits import Limits
from lm_core.jobs.queue import changing_queue, tend
from lm_core.jobs.records import Asker, Marker, RunConfig, RunState, RunStatus
from lm_core.jobs.registry import kind_of
from lm_core.jobs.run_folder import RunFolder, deleted_run, deleted_runs

_FAREWELL_S = 2.0


@dataclass(frozen=True)
class Job:
    """One run as it was when it was read."""

    run: RunFolder
    """For its metrics, samples and checkpoint."""
    config: RunConfig
    status: RunStatus
    n_ahead: int = 0
    """Jobs that come before it; 0 unless it is queued."""

    @property
    def key(self) -> str:
        """By which it is found again."""
        return self.run.key

    @property
    def is_private(self) -> bool:
        """Whether it learns from a text of its owner, who alone sees what comes of it."""
        return bool(self.config.owner)

    @property
    def step(self) -> int:
        """Steps done so far."""
        metrics = self.run.last_metrics() if self.status.state is RunState.RUNNING else None
        return metrics["step"] if metrics else self.status.step


# Looking --------------------------------------------------------------------------------------


def jobs() -> list[Job]:
    """Return all runs: the live ones in the order of the queue, then the ended ones, newest first.

    Runs that cannot be read are left out: `lm_core.jobs.store.damaged` names them. Call it at most
    once a second; each call tends the queue. Raises RunError if the folder of the runs cannot be
    read or written.
    """
    tend()
    store.forget_deleted()
    queue, ended = list(_readable(store.live())), list(_readable(store.ended()))
    return [*_with_places(queue), *reversed(ended)]


def _readable(runs: Iterable[tuple[RunFolder, RunStatus]]) -> Iterator[Job]:
    for run, status in runs:
        with contextlib.suppress(RunError):
            yield Job(run, run.config(), status)


def job(key: str) -> Job:
    """Return one run; the call tends the queue.

    Raises RunError if there is none of that key, or its folder is damaged.
    """
    run = RunFolder.keyed(key)
    if run.status().state.is_live:
        tend()
    status = run.status()
    n_ahead = 0
    if status.state is RunState.QUEUED:
        queue = [other for other, waiting in store.live() if waiting.ticket]
        n_ahead = queue.index(run) if run in queue else 0
    return Job(run, run.config(), status, n_ahead)


def expect_one() -> None:
    """Have a worker ready, because somebody is about to ask for a run; not while one is live.

    Raises RunError if it cannot be started.
    """
    if not store.live():
        chosen_launcher().prepare()


# Asking ---------------------------------------------------------------------------------------


def submit(
    config: RunConfig,
    text: str | None = None,
    *,
    visitor: str,
    address: str = "",
    room: str = "",
    alias: str = "",
    is_private: bool = False,
    is_shared: bool = False,
    limits: Limits | None = None,
) -> Job:
    """Ask for a run; what is done already is answered at once, what was stopped goes on.

    Raises LimitError if the run is too large, the visitor has a job already, their address too
    many, or the queue is full, SettingError if the settings are impossible, and RunError if the
    presenter cancelled it, or the folder of the runs cannot be written.

    Parameters
    ----------
    text : str, the training text of a run whose corpus is in no catalogue
    visitor : str
        Who asks. Whoever asks first for a run is the one whose job it is, until it has ended.
    address : str, from where, as the caller counts them; empty for nowhere that counts
    room, alias : str, the class room of whoever asks, and their name in it; empty outside of one
    is_private : bool, whether it learns from the visitor's own text, and nobody else is to see what comes of it
    is_shared : bool, whether their class room may see it all the same
    limits : Limits, by default those of the environment
    """
    limits = limits or Limits.from_environment()
    config = _allowed(config, text, limits)
    if is_private:
        config = replace(config, owner=visitor)
    asker = Asker(visitor, address, room, alias, is_shared)
    run = RunFolder.keyed(config.fingerprint())
    with changing_queue():
        if run.path.exists():
            _ask_again(run, asker, limits, text)
        else:
            _take_place(asker, limits)
            store.make_room(limits)
            status = RunStatus(
                RunState.QUEUED,
                config.training["steps"],
                **asker._asdict(),
                pause_at=store.turn_seconds(limits),
                ticket=store.next_ticket(),
                turn=store.next_turn(asker),
            )
            run.create(config, status, text)
    return job(run.key)


def resume(
    key: str, *, visitor: str, is_presenter: bool = False, limits: Limits | None = None
) -> Job:
    """Put a run that was paused, cancelled or failed back into the queue, at its end.

    It stays the job of whoever asked for it. Raises LimitError if the visitor whose job it is has
    another one, or the queue is full. Raises RunError if there is no such run, it is another
    visitor's, the presenter cancelled it, or its text was deleted; the presenter may resume what is
    others' or was cancelled so.
    """
    run = RunFolder.keyed(key)
    with changing_queue():
        status = run.status()
        if status.visitor != visitor and not is_presenter:
            raise RunError(
                "only the visitor who asked for a training, or the presenter, resumes it"
            )
        if run.lacks_text:
            raise RunError("its text was deleted: start the training again with the same text")
        if is_presenter:
            run.bar(False)
        asker = Asker(status.visitor, status.address, status.room, status.alias, status.is_shared)
        _ask_again(run, asker, limits or Limits.from_environment())
    return job(key)


def cancel(key: str, *, is_presenter: bool = False) -> Job:
    """Stop a run for good within a second; what it has learned is kept until it is cleaned away.

    What the presenter cancels, nobody else lets go on. Raises RunError if there is no such run.
    """
    run = RunFolder.keyed(key)
    if is_presenter and run.status().state is not RunState.FINISHED:
        run.bar(True)
    return _stop(key, Marker.CANCEL, RunState.CANCELLED)


def pause(key: str) -> Job:
    """Stop a run after its present step, to go on from there with `resume`.

    Raises RunError if there is no such run.
    """
    return _stop(key, Marker.PAUSE, RunState.PAUSED)


def clean(key: str | None = None) -> list[str]:
    """Remove one ended or damaged run, or all ended ones, for good, and return their keys.

    Raises RunError if the run is unknown or live.
    """
    with changing_queue():
        runs = [RunFolder.keyed(key)] if key else [run for run, _ in store.ended()]
        for run in runs:
            _require_ended(run)
            store.remove(run)
    return [run.key for run in runs]


def discard(key: str) -> None:
    """Stop a run, whatever it is doing, and remove it for good.

    Raises RunError if there is no such run, or its process does not let go of it in time.
    """
    run = cancel(key).run
    with run.own(_FAREWELL_S) or contextlib.nullcontext():
        pass  # its process is over
    clean(key)


def delete(key: str) -> None:
    """Remove one ended or damaged run; `undo_delete` brings it back for `store.UNDO_S` seconds.

    Raises RunError if the run is unknown or live.
    """
    with changing_queue():
        run = RunFolder.keyed(key)
        _require_ended(run)
        store.delete(run)


def undo_delete(key: str) -> None:
    """Bring a run back that was deleted a moment ago.

    Raises RunError if it is deleted for good, or the same run was asked for again.
    """
    with changing_queue():
        deleted_run(key).bring_back()


def deleted(visitor: str) -> list[Job]:
    """Return a visitor's runs that `undo_delete` can bring back."""
    found = []
    for run in deleted_runs():
        with contextlib.suppress(RunError):  # damaged, or gone for good just now
            found.append(Job(run, run.config(), run.status()))
    return [job for job in found if job.status.visitor == visitor]


def _require_ended(run: RunFolder) -> None:
    if run.key in {other.key for other, _ in store.live()}:
        raise RunError(f"run {run.key} is {run.status().state}: cancel it first")


def _stop(key: str, marker: Marker, state: RunState) -> Job:
    run = RunFolder.keyed(key)
    with changing_queue():
        run.status()  # or say that there is no such run
        lock = run.own()
        if lock is None:
            run.mark(marker)
        else:
            with lock:
                if run.status().state.is_live or run.status().state is RunState.PAUSED:
                    run.update(state=state, ended_at=now(), message="")
    return job(key)


def _ask_again(run: RunFolder, asker: Asker, limits: Limits, text: str | None = None) -> None:
    """Put a run into the queue, unless it is there, is alive, or has reached its end."""
    # The process of a run that has just ended may take a moment to let go of it.
    lock = run.own(0.0 if run.status().state.is_live else _FAREWELL_S)
    if lock is None:
        return
    with lock:
        status = run.status()
        done = status.state is RunState.FINISHED and run.checkpoint.exists()
        if done or status.state.is_live:
            return
        if run.is_barred:
            raise RunError("the presenter cancelled this training: it may not go on")
        _take_place(asker, limits)
        run.clear_markers()
        if text is not None:
            run.keep_text(text)
        last = run.last_metrics()
        run.update(
            state=RunState.QUEUED, **asker._asdict(), ticket=store.next_ticket(),
            turn=store.next_turn(asker),
            pause_at=(last["seconds"] if last else 0.0) + store.turn_seconds(limits),
            crashes=0, slot=None, message="", ended_at=None,
        )  # fmt: skip


def _take_place(asker: Asker, limits: Limits) -> None:
    """Let a run of the largest crowd make way, where the queue is full and the asker's crowd is smaller.

    Raises LimitError if there is no place.
    """
    displaced = store.require_place(asker, limits)
    lock = displaced.own() if displaced else None
    if displaced is None or lock is None:
        return
    with lock:
        message = (
            "made way, because the queue was full and others had fewer trainings in it: resume it to"
            " queue again"
        )
        displaced.update(state=RunState.PAUSED, ended_at=now(), message=message)


def _allowed(config: RunConfig, text: str | None, limits: Limits) -> RunConfig:
    """Return the config with its defaults and the machine's time limit, or say which limit it breaks."""
    kind = kind_of(config)
    config = kind.settled(config)
    limits.require("parameters", kind.parameter_count(config), "the model's number of parameters")
    if text is not None:
        limits.require("text_bytes", len(text.encode()), "the text's length in bytes")
    return replace(
        config, max_seconds=min(config.max_seconds or limits.run_seconds, limits.run_seconds)
    )


def _with_places(queue: list[Job]) -> list[Job]:
    """Tell each queued job how many come before it."""
    return [
        replace(job, n_ahead=n) if job.status.state is RunState.QUEUED else job
        for n, job in enumerate(queue)
    ]
