"""Run folders: all that is known of one training, and the whole interface between worker and page.

    config.json      what is trained, on what (`RunConfig`); never changes
    status.json      how far it has come (`RunStatus`); written only by the holder of `owner.lock`
    metrics.jsonl    a line a few times a second     samples.jsonl   a text now and then
    checkpoint/      the model, once there is one    resume/         what is needed to go on
    cancel, pause    markers: somebody wants it to stop
    barred           the presenter cancelled it: nobody else lets it go on
    text.txt         a text that is in no catalogue, until the run is over
    samples.jsonl    of a private run goes, too, when it is cancelled or fails
    worker.log       what the worker process complained of

The folder's name is the fingerprint of the config, so the same run asked for twice is one run.
"""

import json
import math
import os
import re
import shutil
import tempfile
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from lm_core.errors import LMCoreError, RunError
from lm_core.files import parse_record, regular, write_whole
from lm_core.jobs.locks import FileLock, take
from lm_core.jobs.metrics_log import last_row
from lm_core.jobs.records import SCHEMA, Marker, RunConfig, RunState, RunStatus
from lm_core.settings import settings
from lm_core.text.catalogue import is_in_catalogue

_DELETED = ".deleted-"


def home() -> Path:
    """Return the folder of all runs and their queue: ``LM_LAB_HOME``, by default the cache."""
    environment = settings()
    return (environment.home or environment.cache).absolute()


@dataclass(frozen=True)
class RunFolder:
    """One run's folder; a page reads it, the run's owner writes it."""

    path: Path

    @classmethod
    def keyed(cls, key: str) -> "RunFolder":
        """Return the folder of that key below `home`, whether or not it exists.

        Raises RunError if it is no key.
        """
        if not re.fullmatch(r"[0-9a-f]{16}", key):
            raise RunError(f"a run's key has 16 hexadecimal digits, got {key!r}")
        return cls(home() / "runs" / key)

    @property
    def key(self) -> str:
        """The run's name among all runs."""
        return self.path.name.removeprefix(_DELETED)

    @property
    def metrics_file(self) -> Path:
        """A line of JSON for each record of the training: step, loss, seconds, ..."""
        return self.path / "metrics.jsonl"

    @property
    def samples_file(self) -> Path:
        """A line of JSON for each text that the model wrote meanwhile: step, seconds, text."""
        return self.path / "samples.jsonl"

    @property
    def text_file(self) -> Path:
        """The text of a run whose corpus is in no catalogue; gone once the run is over."""
        return self.path / "text.txt"

    @property
    def is_private(self) -> bool:
        """Whether it learns from a visitor's own text, or nobody can say whether it does."""
        try:
            return bool(self.config().owner)
        except RunError:
            return True

    @property
    def lacks_text(self) -> bool:
        """Whether it cannot go on, because the text that it learned from was deleted."""
        corpus = self.config().corpus
        return bool(corpus) and not is_in_catalogue(corpus) and not self.text_file.exists()

    @property
    def resume_file(self) -> Path:
        """All that is needed to go on after an interruption."""
        return self.path / "resume" / "state.safetensors"

    @property
    def log_file(self) -> Path:
        """What the worker process wrote to its standard error."""
        return self.path / "worker.log"

    @property
    def checkpoints(self) -> Path:
        """The folder that holds the run's model and its snapshots, each in a folder of its own."""
        return self.path / "checkpoint"

    @property
    def checkpoint(self) -> Path:
        """The folder of the run's model, whether or not there is one yet."""
        return self.checkpoints / self.config().name

    def snapshot(self, steps: int) -> Path:
        """Return the folder of the model as it was after so many steps, whether or not it exists."""
        config = self.config()
        return self.checkpoints / f"{config.snapshots_of or config.name}-step-{steps}"

    def create(self, config: RunConfig, status: RunStatus, text: str | None = None) -> None:
        """Make the folder with its first files, all at once; raises RunError if it cannot be written."""
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryDirectory(dir=self.path.parent, prefix=".new-") as temporary:
                new = RunFolder(Path(temporary) / self.key)
                new.path.mkdir()
                _write_record(new.path / "config.json", config)
                _write_record(new.path / "status.json", status)
                if text is not None:
                    write_whole(new.text_file, text.encode())
                new.path.rename(self.path)
        except OSError as error:
            raise not_written(self.path, error) from error

    def config(self) -> RunConfig:
        """Read what is trained; raises RunError if there is no such run or its folder is damaged."""
        config: RunConfig = self._read("config.json", RunConfig)
        if not all(isinstance(config.training.get(name), int) for name in ("steps", "seed")):
            raise self._damaged("config.json", f"no whole steps and seed in {config.training}")
        return config

    def status(self) -> RunStatus:
        """Read how far it has come; raises RunError if there is no such run or its folder is damaged."""
        return self._read("status.json", RunStatus)

    def update(self, **changes: Any) -> RunStatus:
        """Change some fields of the status in one write; only the run's owner may.

        A run that is over by it loses its text; a private one that has no end, what it wrote, too.
        Raises RunError if it cannot be written.
        """
        status = replace(self.status(), **changes)
        try:
            _write_record(self.path / "status.json", status)
            if status.state.is_over:
                self.text_file.unlink(missing_ok=True)
                if status.state is not RunState.FINISHED and self.is_private:
                    self.samples_file.unlink(missing_ok=True)
        except OSError as error:
            raise not_written(self.path, error) from error
        return status

    def keep_text(self, text: str) -> None:
        """Write down the text that the run is to learn from; raises RunError if it cannot be written."""
        try:
            write_whole(self.text_file, text.encode())
        except OSError as error:
            raise not_written(self.path, error) from error

    def own(self, wait_s: float = 0.0) -> FileLock | None:
        """Become the run's owner; None if another one holds on to it for `wait_s` seconds."""
        return take(self.path / "owner.lock", wait_s)

    def mark(self, marker: Marker) -> None:
        """Ask the run's owner to stop."""
        (self.path / marker).touch()

    def marker(self) -> Marker | None:
        """Return what the owner is asked for; to cancel comes first."""
        return next((marker for marker in Marker if (self.path / marker).exists()), None)

    def clear_markers(self) -> None:
        """Forget what was asked before."""
        for marker in Marker:
            (self.path / marker).unlink(missing_ok=True)

    @property
    def is_barred(self) -> bool:
        """Whether the presenter cancelled it."""
        return self._bar.exists()

    def bar(self, is_barred: bool) -> None:
        """Leave it to the presenter alone, or to its visitor again, to let the run go on."""
        if is_barred:
            self._bar.touch()
        else:
            self._bar.unlink(missing_ok=True)

    @property
    def _bar(self) -> Path:
        return self.path / "barred"

    def last_metrics(self) -> dict[str, Any] | None:
        """Return the newest line of the metrics; None before the first."""
        return last_row(self.metrics_file)

    def held_out_loss(self) -> float | None:
        """Return the newest loss on held-out text, which is looked at now and then; None before."""
        row = last_row(self.metrics_file, having="validation_loss")
        loss = row["validation_loss"] if row else None
        return float(loss) if isinstance(loss, (int, float)) and math.isfinite(loss) else None

    def last_sample(self) -> dict[str, Any] | None:
        """Return the newest line of the samples; None before the first."""
        return last_row(self.samples_file)

    def size_bytes(self) -> int:
        """Return what the folder takes on the disk."""
        sizes = []
        for path in self.path.rglob("*"):
            try:
                sizes.append(path.lstat().st_size)
            except FileNotFoundError:
                continue  # replaced while we looked
        return sum(sizes)

    def remove(self) -> None:
        """Take the folder away, in one step for whoever looks; only the run's owner may."""
        aside = self._move(self.path.with_name(f".removed-{self.key}"))
        shutil.rmtree(aside, ignore_errors=True)

    def set_aside(self) -> "RunFolder":
        """Move the folder to where nobody finds it but `deleted_run`; only the run's owner may."""
        aside = self._move(deleted_run(self.key).path)
        os.utime(aside)
        return RunFolder(aside)

    def bring_back(self) -> None:
        """Move a folder that was set aside back to its place.

        Raises RunError if its place is taken, or it is gone.
        """
        back = RunFolder.keyed(self.key)
        if back.path.exists():
            raise RunError("the same training was started again: there is nothing to bring back")
        try:
            self.path.rename(back.path)
        except OSError as error:
            raise RunError("this training is deleted for good") from error

    def _move(self, to: Path) -> Path:
        shutil.rmtree(to, ignore_errors=True)
        try:
            return self.path.rename(to)
        except OSError as error:
            raise RunError(f"{self.path} could not be removed: {error}") from error

    def _read(self, name: str, kind: type) -> Any:
        try:
            record = json.loads(regular(self.path / name).read_text(encoding="utf-8"))
            if not isinstance(record, dict) or record.pop("schema", None) != SCHEMA:
                raise RunError(f"it is not a record of schema {SCHEMA}")
            return parse_record(kind, record)
        except FileNotFoundError as error:
            raise RunError(f"there is no run {self.key} in {self.path.parent}") from error
        except (OSError, ValueError, RecursionError, LMCoreError) as error:
            raise self._damaged(name, error) from error

    def _damaged(self, name: str, reason: object) -> RunError:
        return RunError(
            f"run {self.key}: {name} is damaged: {reason}. Remove the run with:"
            f" python -m lm_core jobs clean {self.key}"
        )


def deleted_run(key: str) -> RunFolder:
    """Return where a run's folder lies between its deletion and its end, whether or not it does."""
    run = RunFolder.keyed(key)
    return RunFolder(run.path.with_name(f"{_DELETED}{key}"))


def deleted_runs() -> list[RunFolder]:
    """Return the runs that were deleted a moment ago and can be brought back."""
    return [RunFolder(path) for path in sorted((home() / "runs").glob(f"{_DELETED}*"))]


def _write_record(path: Path, record: RunConfig | RunStatus) -> None:
    document = {"schema": SCHEMA, **asdict(record)}
    write_whole(path, (json.dumps(document, indent=2, ensure_ascii=False) + "\n").encode())


def not_written(path: Path, error: OSError) -> RunError:
    """Return the error that says so, with the remedy."""
    return RunError(
        f"{path} could not be written: {error}. Free some space (python -m lm_core jobs clean),"
        " or choose another folder with LM_LAB_HOME"
    )
