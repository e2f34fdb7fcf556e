"""Jobs: runs that wait their turn, first come first served, and are trained by worker processes.

Whoever asks, looks or ends a job also sees to the queue (`tend`): runs whose worker died are put
back, and free workers are started on what is next. No process has to live for that. All changes
are made under one lock on `LM_LAB_HOME`, and those of one run by its owner alone; nothing is
decided by a clock or a process number.
"""

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass, replace

from lm_core.errors import LimitError, RunError
from lm_core.training.checkpoints import META_FILE
from lm_core.training.experiments import parameter_count, settled
from lm_core.training.launchers import Launcher, chosen_launcher
from lm_core.training.limits import Limits, variable
from lm_core.training.locks import FileLock, take
from lm_core.training.records import Marker, RunConfig, RunState, RunStatus, now
from lm_core.training.runs import RunFolder, home

_LONGEST_WAIT_S = 20.0
_MOST_CRASHES = 3


@dataclass(frozen=True)
class Job:
    """One run as it stood when it was looked at.

    Attributes
    ----------
    run : RunFolder
        For its metrics, samples and checkpoint.
    config : RunConfig
    status : RunStatus
    n_ahead : int
        Jobs that come before it; 0 unless it is queued.
    """

    run: RunFolder
    config: RunConfig
    status: RunStatus
    n_ahead: int = 0

    @property
    def key(self) -> str:
        """By which it is found again."""
        return self.run.key

    @property
    def step(self) -> int:
        """Steps done so far."""
        metrics = self.run.last_metrics() if self.status.state is RunState.RUNNING else None
        return metrics["step"] if metrics else self.status.step


# Looking --------------------------------------------------------------------------------------


def jobs() -> list[Job]:
    """Return all runs: the live ones in the order of the queue, then the ended ones, newest first.

    Look at most once a second; each look tends the queue.

    Raises
    ------
    RunError
        If the folder of the runs cannot be read or written.
    """
    tend()
    found = [Job(run, run.config(), status) for run, status in _statuses()]
    live = sorted((j for j in found if j.status.state.is_live), key=_turn)
    ended = [j for j in found if not j.status.state.is_live]
    ended.sort(key=lambda j: j.status.ended_at or "", reverse=True)
    return [*_with_places(live), *ended]


def job(key: str) -> Job:
    """Return one run; a look at it tends the queue.

    Raises
    ------
    RunError
        If there is none of that key, or its folder is damaged.
    """
    run = RunFolder.keyed(key)
    if run.status().state.is_live:
        tend()
    status = run.status()
    n_ahead = 0
    if status.state is RunState.QUEUED:
        n_ahead = sum(
            other.state.is_live and 0 < other.ticket < status.ticket for _, other in _statuses()
        )
    return Job(run, run.config(), status, n_ahead)


def damaged() -> dict[str, str]:
    """Return what is wrong with the folders that cannot be read, by key; `clean` removes them."""
    faults = {}
    for run in _folders():
        try:
            run.config(), run.status()
        except RunError as error:
            faults[run.key] = str(error)
    return faults


# Asking ---------------------------------------------------------------------------------------


def submit(
    config: RunConfig, text: str | None = None, *, visitor: str, limits: Limits | None = None
) -> Job:
    """Ask for a run; what is done already is answered at once, what was stopped goes on.

    Parameters
    ----------
    config : RunConfig
    text : str, optional
        The training text of a run whose corpus is in no catalogue.
    visitor : str
        Who asks. Whoever asks first for a run is the one whose job it is.
    limits : Limits, optional
        By default those of the environment.

    Raises
    ------
    LimitError
        If the run is too large, the visitor has a job already, or the queue is full.
    SettingError
        If the settings are impossible.
    RunError
        If the folder of the runs cannot be written.
    """
    limits = limits or Limits.from_environment()
    config = _allowed(config, text, limits)
    run = RunFolder.keyed(config.fingerprint())
    with _queue():
        if run.path.exists():
            _ask_again(run, visitor, limits)
        else:
            _require_place(visitor, limits)
            _make_room(limits)
            status = RunStatus(
                RunState.QUEUED, config.training["steps"], visitor=visitor, ticket=_next_ticket()
            )
            run.create(config, status, text)
        _tend(chosen_launcher())
    return job(run.key)


def resume(key: str, *, visitor: str, limits: Limits | None = None) -> Job:
    """Put a run that was paused, cancelled or failed back into the queue, at its end.

    Raises
    ------
    LimitError
        If the visitor has a job already, or the queue is full.
    RunError
        If there is no such run.
    """
    run = RunFolder.keyed(key)
    with _queue():
        _ask_again(run, visitor, limits or Limits.from_environment())
        _tend(chosen_launcher())
    return job(key)


def cancel(key: str) -> Job:
    """Stop a run for good within a second; what it has learned is kept until it is cleaned away.

    Raises
    ------
    RunError
        If there is no such run.
    """
    return _stop(key, Marker.CANCEL, RunState.CANCELLED)


def pause(key: str) -> Job:
    """Stop a run after its present step, to go on from there with `resume`.

    Raises
    ------
    RunError
        If there is no such run.
    """
    return _stop(key, Marker.PAUSE, RunState.PAUSED)


def clean(key: str | None = None) -> list[str]:
    """Remove one ended or damaged run, or all ended ones, and return their keys.

    Raises
    ------
    RunError
        If the run is unknown or live.
    """
    with _queue():
        runs = [RunFolder.keyed(key)] if key else [run for run, _ in _ended()]
        for run in runs:
            _remove(run)
    return [run.key for run in runs]


# The queue ------------------------------------------------------------------------------------


def tend(wait_s: float = 0.0) -> None:
    """Put back the runs whose worker died, and start free workers on what is next.

    Does nothing if somebody else is at it for `wait_s` seconds.
    """
    lock = _lock_queue(wait_s)
    if lock:
        with lock:
            _tend(chosen_launcher())


def _tend(launcher: Launcher) -> None:
    busy, waiting = set(), []
    for run, status in sorted(_live(), key=lambda pair: pair[1].ticket):
        lock = run.own()
        if lock is None:
            busy.add(status.slot)
            continue
        with lock:
            status = run.status()  # it may have ended just before we owned it
            if status.state is RunState.STARTING and launcher.is_on_its_way(run):
                busy.add(status.slot)
            elif status.state in (RunState.STARTING, RunState.RUNNING):
                status = _recover(run, status)
            if status.state is RunState.QUEUED:
                waiting.append(run)
    if waiting:
        free = [slot for slot in range(launcher.slots()) if slot not in busy]
        for run, slot in zip(waiting, free, strict=False):
            _launch(launcher, run, slot)


def _recover(run: RunFolder, status: RunStatus) -> RunStatus:
    """Decide what becomes of a run whose worker is gone without a word."""
    last = run.last_metrics()
    step = last["step"] if last else status.step
    died = f"its process died at about step {step}"
    asked = run.marker()
    if asked is Marker.CANCEL:
        return run.update(state=RunState.CANCELLED, step=step, ended_at=now())
    if asked is Marker.PAUSE or status.ticket == 0:
        message = f"{died}; resume to go on from the last saved step"
        return run.update(state=RunState.PAUSED, step=step, ended_at=now(), message=message)
    crashes = status.crashes + (asked is not Marker.REQUEUE)
    run.clear_markers()
    if crashes < _MOST_CRASHES:
        message = f"{died}; it goes on from the last saved step"
        return run.update(state=RunState.QUEUED, crashes=crashes, slot=None, message=message)
    message = (
        f"{died}, {crashes} times in all; perhaps the memory ran out. Try a smaller model or batch,"
        f" or resume to try again; {run.log_file.name} in {run.path} may know more"
    )
    return run.update(
        state=RunState.FAILED, step=step, crashes=crashes, ended_at=now(), message=message
    )


def _launch(launcher: Launcher, run: RunFolder, slot: int) -> None:
    lock = run.own()
    if lock is None:
        return
    with lock:
        run.update(state=RunState.STARTING, slot=slot, started_at=now())
        try:
            launcher.start(run, slot, lock)
        except OSError as error:
            message = f"no worker could be started: {error}"
            run.update(state=RunState.FAILED, ended_at=now(), message=message)


@contextlib.contextmanager
def _queue() -> Iterator[None]:
    lock = _lock_queue(_LONGEST_WAIT_S)
    if lock is None:
        raise RunError(f"the queue in {home()} has been busy for {_LONGEST_WAIT_S:g} s: try again")
    with lock:
        yield


def _lock_queue(wait_s: float) -> FileLock | None:
    try:
        home().mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise RunError(
            f"{home()} could not be made: {error}. Choose another folder with LM_LAB_HOME"
        ) from error
    return take(home() / "queue.lock", wait_s)


def _stop(key: str, marker: Marker, state: RunState) -> Job:
    run = RunFolder.keyed(key)
    with _queue():
        run.status()  # or say that there is no such run
        lock = run.own()
        if lock is None:
            run.mark(marker)
        else:
            with lock:
                if run.status().state.is_live or run.status().state is RunState.PAUSED:
                    run.update(state=state, ended_at=now(), message="")
        _tend(chosen_launcher())
    return job(key)


def _ask_again(run: RunFolder, visitor: str, limits: Limits) -> None:
    """Put a run into the queue, unless it is there, is alive, or has reached its end."""
    status = run.status()
    lock = run.own()
    if lock is None:
        return
    with lock:
        done = status.state is RunState.FINISHED and (run.checkpoint / META_FILE).exists()
        if done or status.state.is_live:
            return
        _require_place(visitor, limits)
        run.clear_markers()
        run.update(
            state=RunState.QUEUED, visitor=visitor, ticket=_next_ticket(), crashes=0, slot=None,
            message="", ended_at=None,
        )  # fmt: skip


# Limits and room ------------------------------------------------------------------------------


def _allowed(config: RunConfig, text: str | None, limits: Limits) -> RunConfig:
    """Return the config with its defaults and the machine's time limit, or say which limit it breaks."""
    config = settled(config)
    limits.require("parameters", parameter_count(config), "the model's number of parameters")
    if text is not None:
        limits.require("text_bytes", len(text.encode()), "the text's length in bytes")
    return replace(
        config, max_seconds=min(config.max_seconds or limits.run_seconds, limits.run_seconds)
    )


def _require_place(visitor: str, limits: Limits) -> None:
    live = [status for _, status in _live()]
    if sum(status.visitor == visitor for status in live) >= limits.jobs_per_visitor:
        raise LimitError(
            f"one visitor may have {limits.jobs_per_visitor} training at a time here"
            f" ({variable('jobs_per_visitor')}): wait for yours to end, or cancel it"
        )
    if len(live) >= limits.jobs:
        raise LimitError(
            f"{len(live)} trainings wait already, the most that are taken here"
            f" ({variable('jobs')}): try again when some have ended"
        )


def _make_room(limits: Limits) -> None:
    """Remove the oldest ended runs until the others keep within the limit."""
    used = sum(run.size_bytes() for run in _folders())
    for run, _ in sorted(_ended(), key=lambda pair: pair[1].ended_at or ""):
        if used <= limits.runs_bytes:
            return
        used -= run.size_bytes()
        _remove(run)
    limits.require("runs_bytes", used, "the disk space of all runs, in bytes,")


def _remove(run: RunFolder) -> None:
    if not run.path.exists():
        raise RunError(f"there is no run {run.key} in {run.path.parent}")
    lock = run.own()
    if lock is None:
        raise RunError(f"run {run.key} is being trained: cancel it first")
    with lock:
        run.remove()


def _folders() -> list[RunFolder]:
    return [RunFolder(path) for path in sorted((home() / "runs").glob("[!.]*")) if path.is_dir()]


def _statuses() -> Iterator[tuple[RunFolder, RunStatus]]:
    """Yield the runs with where they stand; `damaged` tells of those that cannot be read."""
    for run in _folders():
        with contextlib.suppress(RunError):
            yield run, run.status()


def _live() -> list[tuple[RunFolder, RunStatus]]:
    return [pair for pair in _statuses() if pair[1].state.is_live]


def _ended() -> list[tuple[RunFolder, RunStatus]]:
    return [pair for pair in _statuses() if not pair[1].state.is_live]


def _next_ticket() -> int:
    return 1 + max((status.ticket for _, status in _statuses()), default=0)


def _turn(job: Job) -> int:
    return job.status.ticket


def _with_places(live: list[Job]) -> list[Job]:
    """Tell each queued job how many come before it."""
    return [
        replace(j, n_ahead=n) if j.status.state is RunState.QUEUED else j
        for n, j in enumerate(live)
    ]
