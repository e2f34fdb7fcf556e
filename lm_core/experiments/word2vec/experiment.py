"""Word vectors learned from a short text as a run: in a worker, its snapshots to be seen meanwhile."""

import hashlib
import math
from collections.abc import Iterator
from dataclasses import asdict, fields
from pathlib import Path

import safetensors.torch
import torch
from safetensors import SafetensorError

from lm_core.errors import RunError, SettingError, TextError
from lm_core.experiments.word2vec.full_softmax import FullSoftmaxConfig
from lm_core.experiments.word2vec.negative_sampling_training import NegativeSamplingConfig
from lm_core.experiments.word2vec.short_text import (
    MOST_VECTORS,
    SNAPSHOTS,
    RecordedTraining,
    ShortText,
    Snapshot,
    TrainingRecord,
    VectorConfig,
    short_text,
)
from lm_core.files import write_whole
from lm_core.jobs.experiment import ExperimentKind, ShortExperiment
from lm_core.jobs.records import RunConfig
from lm_core.jobs.registry import register
from lm_core.jobs.run_folder import RunFolder
from lm_core.text.character_vocabulary import UNKNOWN
from lm_core.training.loop import TrainStep

NAME = "word2vec"
_SNAPSHOTS_FILE = "snapshots.safetensors"
_OF_RUN = {"steps", "minimum_count"}
_MAPS_RARE = "maps_rare"  # absent where rare words are left out, so that runs keep their keys


class ShortTextExperiment(ShortExperiment):
    """A short text in training, as a run sees it; interrupted, it begins again: it takes seconds."""

    def __init__(self, config: RunConfig, text: ShortText) -> None:
        self._name = config.name
        self._training = RecordedTraining(text, vector_config(config))
        if self._training.n_steps != config.training["steps"]:
            raise TextError(
                f"this text takes {self._training.n_steps} steps, the run has"
                f" {config.training['steps']}: it is another text"
            )

    def __iter__(self) -> Iterator[TrainStep]:
        """Yield all steps."""
        return iter(self._training)

    def save(self, root: Path, *, is_last: bool, quick: bool = False) -> Path:
        """Write losses and snapshots so far, without a word of the text; the last one is of this moment."""
        del quick
        folder, training = root / self._name, self._training
        if is_last:
            training.take_snapshot()
        tensors = {
            "losses": torch.tensor(training.losses, dtype=torch.float64),
            "seconds": torch.tensor(training.seconds, dtype=torch.float64),
            "steps": torch.tensor([snapshot.step for snapshot in training.snapshots]),
            "input": torch.stack([snapshot.input for snapshot in training.snapshots]),
            "output": torch.stack([snapshot.output for snapshot in training.snapshots]),
        }
        write_whole(folder / _SNAPSHOTS_FILE, safetensors.torch.save(tensors))
        return folder


def short_text_run(
    text: str, short: ShortText, minimum_count: int, config: VectorConfig, *, corpus: str
) -> RunConfig:
    """Return the run that learns from a text; equal texts and settings are the same run.

    Parameters
    ----------
    short : ShortText, the same text, read by `short_text` with this minimum count
    corpus : str, what the text is, for people
    """
    steps = RecordedTraining(short, config).n_steps
    training = {n: v for n, v in asdict(config).items() if n != "width"}
    return RunConfig(
        name="word-vectors",
        title=f"Word vectors, {corpus}",
        model={"width": config.width},
        training=training
        | {"steps": steps, "minimum_count": minimum_count}
        | ({_MAPS_RARE: True} if UNKNOWN in short.vocabulary else {}),
        corpus=corpus,
        corpus_sha256=hashlib.sha256(text.encode()).hexdigest(),
        snapshot_steps=tuple(
            sorted({math.ceil(steps * i / SNAPSHOTS) for i in range(1, SNAPSHOTS)} - {steps})
        ),
        experiment=NAME,
    )


def vector_config(config: RunConfig) -> VectorConfig:
    """Return how a run learns; raises SettingError if a field is missing, surplus or out of its range."""
    given = {**config.model, **config.training}
    kind = NegativeSamplingConfig if "negatives" in given else FullSoftmaxConfig
    known = {field.name for field in fields(kind)} | _OF_RUN
    given.pop(_MAPS_RARE, None)
    if set(given) != known:
        raise SettingError(f"fields missing or surplus: {sorted(set(given) ^ known)}")
    if "thresholds" in given:
        given["thresholds"] = tuple(given["thresholds"])  # which JSON knows as a list
    return kind(**{n: v for n, v in given.items() if n not in _OF_RUN})


def read_record(run: RunFolder) -> TrainingRecord:
    """Return what a run has left so far; before its first snapshot, nothing.

    Raises RunError if its file is damaged.
    """
    n_steps = run.config().training["steps"]
    path = run.checkpoint / _SNAPSHOTS_FILE
    if not path.exists():
        return TrainingRecord(n_steps, [], [], 0.0)
    try:
        found = safetensors.torch.load(path.read_bytes())
        steps = found["steps"].tolist()
        rows = zip(steps, found["input"], found["output"], strict=True)
        snapshots = [Snapshot(step / n_steps, step, *tables) for step, *tables in rows]
        return TrainingRecord(n_steps, found["losses"].tolist(), snapshots, float(found["seconds"]))
    except (OSError, SafetensorError, KeyError, ValueError) as error:
        raise RunError(f"run {run.key}: {path.name} is damaged: {error}. Train again") from error


def _prepare(config: RunConfig, text: str | None, device: torch.device) -> ShortTextExperiment:
    del device  # too small for any but the processor
    if text is None:
        raise RunError("its text was deleted: start the training again with the same text")
    training = config.training
    short = short_text(text, training["minimum_count"], training.get(_MAPS_RARE, False))
    return ShortTextExperiment(config, short)


def _settled(config: RunConfig) -> RunConfig:
    vector_config(config)  # it has every field, or is refused
    return config


def _parameter_count(config: RunConfig) -> int:
    return 2 * MOST_VECTORS * vector_config(config).width


register(NAME, ExperimentKind(_prepare, _settled, _parameter_count, uses_cards=False))
