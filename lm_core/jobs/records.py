"""What is trained, and how far it has come: the two records of every run."""

import hashlib
import json
import re
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from typing import Annotated, Any, NamedTuple

from pydantic import Field

from lm_core.errors import SettingError
from lm_core.files import now

SCHEMA = 1
_NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,63}")
_Count = Annotated[int, Field(ge=0)]
_NOT_IN_FINGERPRINT = ("name", "title", "start", "teachers", "teachers_sha256", "max_seconds")


class RunState(StrEnum):
    """How far a run is. The first three are live: somebody sees to it that they go on."""

    QUEUED = "queued"
    STARTING = "starting"
    RUNNING = "running"
    PAUSED = "paused"
    CANCELLED = "cancelled"
    FAILED = "failed"
    FINISHED = "finished"

    @property
    def is_live(self) -> bool:
        """Whether it waits, starts or runs."""
        return self in (RunState.QUEUED, RunState.STARTING, RunState.RUNNING)

    @property
    def is_over(self) -> bool:
        """Whether it has ended, and nothing of a visitor's is kept to go on with."""
        return self in (RunState.CANCELLED, RunState.FAILED, RunState.FINISHED)


class Marker(StrEnum):
    """A file by which a run is asked to stop."""

    CANCEL = "cancel"
    PAUSE = "pause"
    REQUEUE = "requeue"
    """Stop now, go on later: the worker's machine is shutting down."""


@dataclass(frozen=True)
class RunConfig:
    """What is trained, on what: two equal ones are the same run."""

    name: str
    """Of the checkpoint that comes out of it: lower-case letters, digits and hyphens."""
    title: str
    """For people."""
    model: dict[str, Any]
    """Of a language model as written by `lm_core.models.registry.config_to_dict`; else as its
    experiment says."""
    training: dict[str, Any]
    """Of a language model the fields of a `TrainingConfig`; always with ``steps`` and ``seed``."""
    corpus: str = ""
    corpus_sha256: str = ""
    """`corpus` and `corpus_sha256`: name in the catalogue, and the file's hash; or what the text
    is, and the hash of its UTF-8; empty for an experiment that draws its own data."""
    vocabulary: str = ""
    """Name of the vocabulary in which the text is read."""
    characters: str | None = None
    """Of a vocabulary that was made from a text; None for one that is known by its name."""
    start: str | None = None
    start_sha256: str | None = None
    """`start` and `start_sha256`: A shipped checkpoint's name, or a checkpoint's folder, whose
    weights the run begins with, and the hash of these weights."""
    teachers: tuple[str, ...] = ()
    teachers_sha256: tuple[str, ...] = ()
    """`teachers` and `teachers_sha256`: likewise of models whose mean probabilities are learned
    instead of the text's own next tokens; on one device only."""
    averaged: bool = False
    """Whether the weights that it begins with and those that it comes to are averaged in the
    end."""
    snapshot_steps: tuple[int, ...] = ()
    """Steps after which the model is kept; the last step always is."""
    snapshots_of: str | None = None
    """Name of the model that the snapshots are training steps of; None for this run's own."""
    devices: int = 1
    """Processors or graphics cards that share each batch: `lm_core.training.data_parallel`."""
    experiment: str = "war_and_peace"
    """Name in `lm_core.jobs.registry`."""
    max_seconds: float | None = None
    """Training time after which the run is stopped; None for as long as it takes."""
    owner: str = ""
    """The visitor from whose own text it learns, and who alone sees what comes of it: the same
    text of another visitor is another run. Empty for a run that everybody may see."""

    def __post_init__(self) -> None:
        if not _NAME.fullmatch(self.name):
            raise SettingError(
                f"name must be up to 64 lower-case letters, digits and hyphens, got {self.name!r}"
            )
        if self.devices < 1:
            raise SettingError(f"devices must be at least 1, got {self.devices}")
        if (self.start is None) != (self.start_sha256 is None):
            raise SettingError("start and start_sha256 must be given together or not at all")
        if len(self.teachers) != len(self.teachers_sha256):
            raise SettingError(
                f"teachers_sha256 must have a hash for each of the {len(self.teachers)} teachers,"
                f" got {len(self.teachers_sha256)}"
            )
        if self.averaged and not self.start:
            raise SettingError("averaged must be False where no start is given: there is no mean")
        if self.teachers and self.devices > 1:
            raise SettingError(f"devices must be 1 where a teacher is given, got {self.devices}")

    def fingerprint(self) -> str:
        """Return the run's key: 16 hexadecimal digits of everything that its weights depend on."""
        kept = {n: v for n, v in asdict(self).items() if n not in _NOT_IN_FINGERPRINT}
        for later in ("owner", "averaged"):
            if not kept[later]:
                del kept[later]
        # In the words of the time when there was one teacher at most: runs keep their keys.
        kept["teacher_sha256"] = "+".join(self.teachers_sha256) or None
        document = json.dumps({"schema": SCHEMA, **kept}, sort_keys=True)
        return hashlib.sha256(document.encode()).hexdigest()[:16]


class Asker(NamedTuple):
    """Who asks for a run, as `RunStatus` keeps it."""

    visitor: str = ""
    address: str = ""
    room: str = ""
    alias: str = ""
    is_shared: bool = False


def crowd_of(asker: "Asker | RunStatus") -> tuple[str, str]:
    """Return with whom an asker shares their turns: a class room at one address, or all others there."""
    return asker.address or asker.visitor, asker.room


@dataclass(frozen=True)
class RunStatus:
    """How far a run has come, as of its last change of state."""

    state: RunState
    steps: Annotated[int, Field(ge=1)]
    """Of the whole run."""
    step: _Count = 0
    """Int. Done by the last change of state; `RunFolder.last_metrics` knows more."""
    visitor: str = ""
    """Who asked for it."""
    address: str = ""
    """From where, as the page counts it; empty if it does not."""
    room: str = ""
    alias: str = ""
    """`room` and `alias`: the class room in which they asked, and their name in it then; empty
    outside of one. A name is whatever somebody typed: on its way to Markdown it is escaped."""
    is_shared: bool = False
    """Whether the owner of a private run shows it to this class room."""
    pause_at: float | None = None
    """Seconds of training after which it makes way if others wait; None for never."""
    ticket: _Count = 0
    """Int. Place in the order of jobs; 0 for a run in the foreground, which no queue looks
    after."""
    turn: _Count = 0
    """Int. Round of the queue in which it comes: in each round every crowd has one."""
    slot: _Count | None = None
    """Int or None. Which of the machine's workers has it: the number of the GPU, where there are
    any."""
    crashes: _Count = 0
    """Int. Deaths of a worker since somebody last asked for the run."""
    message: str = ""
    """Why it ended as it did, for people."""
    device: str | None = None
    host: str | None = None
    pid: int | None = None
    """`device`, `host` and `pid`: of the last worker; for people only, nothing is decided by
    them."""
    created_at: str = field(default_factory=now)
    started_at: str | None = None
    ended_at: str | None = None
    """`created_at`, `started_at` and `ended_at`: ISO 8601; likewise."""
