"""One run carried out in its folder: resumed, measured, saved, and stopped when it is asked to.

The worker process and the command line consume the same generator.
"""

import contextlib
import os
import socket
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import torch

from lm_core.errors import CheckpointError, LMCoreError, RunError
from lm_core.files import now
from lm_core.jobs import store
from lm_core.jobs.experiment import Experiment, StepRecord
from lm_core.jobs.metrics_log import MetricsLogWriter
from lm_core.jobs.records import Marker, RunConfig, RunState, RunStatus
from lm_core.jobs.registry import kind_of
from lm_core.jobs.resume import ResumeFile
from lm_core.jobs.run_folder import RunFolder, not_written
from lm_core.training.checkpoints import clear_leftovers
from lm_core.training.devices import choose_device, describe_device

_METRICS_EVERY_S = 0.25
_MARKERS_EVERY_S = 0.1
_GRACE_S = 0.6  # for the step that runs when a cancel arrives, before the process is ended
_SHARE_OF_EACH = 0.0075  # of the time that validation and samples may take, each
_FIRST_S, _EVERY_S = 1.0, 3.0
_WAITING_EVERY_S = 5.0

_STOPPED = {
    Marker.CANCEL: RunState.CANCELLED,
    Marker.PAUSE: RunState.PAUSED,
    Marker.REQUEUE: RunState.QUEUED,
}


def carry_out(
    run: RunFolder, device: torch.device | None = None, *, may_exit: bool = False
) -> Iterator[StepRecord]:
    """Train a run that this process owns until its end or until it is asked to stop; yield its steps.

    Whoever stops iterating pauses the run. Its status says how it ended. Raises LMCoreError if it
    cannot be trained; the status has failed with the same message.

    Parameters
    ----------
    device : torch.device, optional
        By default `choose_device`'s; the processor for a kind of run that uses no cards.
    may_exit : bool
        Whether this process may be ended in the middle of a step that takes too long to wait for
        when the run is cancelled.
    """
    if run.status().state is RunState.FINISHED:
        return
    run.update(state=RunState.RUNNING, pid=os.getpid(), host=socket.gethostname(), message="")
    watch = _Watch(run, may_exit)
    try:
        config = run.config()
        kind = kind_of(config)
        device = (device or choose_device()) if kind.uses_cards else torch.device("cpu")
        experiment = kind.prepare(config, _text(run), device)
        with contextlib.closing(experiment):
            run.update(device=describe_device(device), started_at=now())
            yield from _Session(run, config, experiment, watch).steps()
    except Exception as error:
        run.update(state=RunState.FAILED, ended_at=now(), message=_explained(error, run))
        raise
    finally:
        watch.close()


def train_here(
    run: RunFolder, config: RunConfig, text: str | None = None, device: torch.device | None = None
) -> Iterator[StepRecord]:
    """Carry out a run in this process, from where an earlier call stopped; yield its steps.

    Raises RunError if the folder holds another run, or another process trains it.

    Parameters
    ----------
    run : RunFolder, any folder; made if it is missing
    text : str, the training text of a run whose corpus is in no catalogue
    device : torch.device, by default `choose_device`'s
    """
    config = kind_of(config).settled(config)
    if not run.path.exists():
        run.create(config, RunStatus(RunState.PAUSED, config.training["steps"]), text)
    # Settled, too: it may have been begun before there was some setting that has a default now.
    begun = run.config()
    if kind_of(begun).settled(begun).fingerprint() != config.fingerprint():
        raise RunError(
            f"{run.path} holds a run of other settings: choose another folder, or remove it"
        )
    lock = run.own()
    if lock is None:
        status = run.status()
        raise RunError(f"{run.path} is being trained by process {status.pid} on {status.host}")
    with lock:
        run.clear_markers()
        if text is not None and run.lacks_text:
            run.keep_text(text)
        yield from carry_out(run, device)


class _Session:
    """One stretch of a run, from where it was to its end or to the next stop."""

    def __init__(
        self, run: RunFolder, config: RunConfig, experiment: Experiment, watch: "_Watch"
    ) -> None:
        self._run, self._config, self._experiment, self._watch = run, config, experiment, watch
        status = run.status()
        self._steps, self._pause_at = status.steps, status.pause_at
        self._step, self._seconds = 0, 0.0
        clear_leftovers(run.checkpoints)
        self._resume = ResumeFile(run.resume_file)
        if state := self._resume.load():
            experiment.load_state_dict(state)
            self._step, self._seconds = state["step"], state["seconds"]

    def steps(self) -> Iterator[StepRecord]:
        """Yield the remaining steps, and store all that a run stores."""
        self._resume.begin(self._seconds)
        validation = _Paced(self._experiment.validation_loss, self._seconds)
        sample = _Paced(self._experiment.sample, self._seconds)
        with (
            _Metrics(self._run.metrics_file) as metrics,
            _Samples(self._run.samples_file) as samples,
        ):
            try:
                for record in self._experiment:
                    self._step, self._seconds = record.step, record.seconds
                    is_last = record.step == self._steps
                    metrics.add(record, validation.when_due(record.seconds, is_last), is_last)
                    samples.add(record, sample.when_due(record.seconds, is_last))
                    if record.step in self._config.snapshot_steps and not is_last:
                        self._experiment.save(self._run.checkpoints, is_last=False)
                    if not is_last and self._resume.is_due(record.seconds):
                        self._save()
                    yield record
                    if not is_last and self._must_stop():
                        return
            except GeneratorExit:
                self._stop(Marker.PAUSE)
                raise
            except Exception as error:
                try:
                    self._resume.wait()
                except CheckpointError as failed:
                    error.add_note(f"A checkpoint could not be saved either: {failed}")
                raise  # what went wrong first
        self._finish()

    def _must_stop(self) -> bool:
        limit = self._config.max_seconds
        if self._watch.asked:
            self._stop(self._watch.asked)
        elif limit and self._seconds > limit:
            message = f"stopped after {limit:,.0f} s of training, the most that a run may take here"
            self._stop(Marker.CANCEL, message)
        elif self._must_make_way():
            message = (
                f"made way for others after {self._seconds:,.0f} s: resume to go on after them"
            )
            self._stop(Marker.PAUSE, message)
        else:
            return False
        return True

    def _must_make_way(self) -> bool:
        """Whether the run has had its turn and others wait; they are looked for now and then."""
        if self._pause_at is None or self._seconds <= self._pause_at:
            return False
        self._pause_at = self._seconds + _WAITING_EVERY_S
        return store.somebody_waits()

    def _stop(self, marker: Marker, message: str = "") -> None:
        if marker is not Marker.CANCEL:
            self._save()
        if marker is not Marker.REQUEUE:
            self._experiment.save(self._run.checkpoints, is_last=True, quick=True)
        self._resume.wait()
        self._watch.close()
        self._run.clear_markers()
        self._run.update(state=_STOPPED[marker], step=self._step, ended_at=now(), message=message)

    def _finish(self) -> None:
        self._experiment.save(self._run.checkpoints, is_last=True)
        self._watch.close()
        self._run.clear_markers()
        self._run.update(state=RunState.FINISHED, step=self._steps, ended_at=now(), message="")
        self._resume.remove()

    def _save(self) -> None:
        self._resume.save(self._experiment.state_dict(), self._seconds)


class _Watch:
    """Looks, beside the training, for a marker; ends the process if a cancel finds a step too slow."""

    def __init__(self, run: RunFolder, may_exit: bool) -> None:
        self.asked: Marker | None = None
        self._run, self._may_exit = run, may_exit
        self._closed = threading.Event()
        self._thread = threading.Thread(target=self._look, name="watch-markers")
        self._thread.start()

    def close(self) -> None:
        """Stop looking."""
        self._closed.set()
        self._thread.join()

    def _look(self) -> None:
        while not self._closed.wait(_MARKERS_EVERY_S):
            self.asked = self._run.marker()
            if self.asked is Marker.CANCEL and self._may_exit:
                if not self._closed.wait(_GRACE_S):
                    self._end_process()
                return

    def _end_process(self) -> None:
        """Give up the step; what was saved last is still there."""
        last = self._run.last_metrics()
        self._run.clear_markers()
        self._run.update(state=RunState.CANCELLED, ended_at=now(), step=last["step"] if last else 0)
        os._exit(0)


class _Paced:
    """Does something now and then, so that it takes a small share of the training's time."""

    def __init__(self, action: Callable[[], Any], seconds: float) -> None:
        self._action = action
        self._next = seconds + _FIRST_S

    def when_due(self, seconds: float, is_last: bool) -> Any:
        """Return what the action gives, or None if it is not its turn."""
        if seconds < self._next and not is_last:
            return None
        begun = time.perf_counter()
        result = self._action()
        cost = time.perf_counter() - begun
        self._next = seconds + max(_EVERY_S, cost / _SHARE_OF_EACH)
        return result


class _Metrics(contextlib.AbstractContextManager):
    """Writes a line a few times a second: the mean loss since the last one, and what else is known."""

    def __init__(self, path: Path) -> None:
        self._log = MetricsLogWriter(path)
        self._losses: list[float] = []
        self._next = 0.0

    def add(self, record: StepRecord, validation_loss: float | None, is_last: bool) -> None:
        """Take in a step; the first, the last and those with more than a loss are written at once."""
        self._losses.append(record.loss)
        has_news = is_last or validation_loss is not None or record.is_news
        if not has_news and time.monotonic() < self._next:
            return
        line = record._asdict() | {
            "loss": sum(self._losses) / len(self._losses),
            "validation_loss": validation_loss,
        }
        self._log.append(line)
        self._losses.clear()
        self._next = time.monotonic() + _METRICS_EVERY_S

    def __exit__(self, *_: object) -> None:
        self._log.close()


class _Samples(contextlib.AbstractContextManager):
    """Writes a line for each sample."""

    def __init__(self, path: Path) -> None:
        self._log = MetricsLogWriter(path)

    def add(self, record: StepRecord, text: str | None) -> None:
        """Take in what the model made after a step, if it was asked to."""
        if text is not None:
            self._log.append({"step": record.step, "seconds": record.seconds, "text": text})

    def __exit__(self, *_: object) -> None:
        self._log.close()


def _explained(error: Exception, run: RunFolder) -> str:
    """Return a failure's message for the visitor."""
    if isinstance(error, LMCoreError):
        return str(error)
    if isinstance(error, OSError):
        return str(not_written(run.path, error))
    return f"{type(error).__name__}: {error}"


def _text(run: RunFolder) -> str | None:
    return run.text_file.read_text(encoding="utf-8") if run.text_file.exists() else None
