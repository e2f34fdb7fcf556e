"""A tuning on a class's own labels as a run: queued, watched, stopped and resumed like any training.

The sentences are the run's text, which is deleted once it is over; what is left are numbers.
"""

import hashlib
import json
from dataclasses import asdict, replace
from pathlib import Path

import torch

from lm_core.errors import CheckpointError, RunError, SettingError
from lm_core.experiments.fine_tuning.own_labels import OwnLabels
from lm_core.experiments.fine_tuning.own_tuning import OwnTuning, OwnTuningConfig
from lm_core.experiments.fine_tuning.settings import ENCODER
from lm_core.files import parse_record, write_whole
from lm_core.jobs.experiment import Experiment, ExperimentKind
from lm_core.jobs.records import RunConfig
from lm_core.jobs.registry import register
from lm_core.jobs.run_folder import RunFolder
from lm_core.text.training_text import OWN_TEXT
from lm_core.text.vocabularies import vocabulary_named
from lm_core.training.checkpoints import SHIPPED, load_shipped, read_meta

RUNS = "fine_tuning"
"""The runs' experiment: the name of this folder."""
_PREDICTIONS = "predictions.json"


class OwnTuningExperiment(Experiment):
    """Two models in tuning, as a run sees them. They stay on the processor: their steps are small."""

    training: OwnTuning

    def __init__(self, config: RunConfig, text: str) -> None:
        checkpoint = load_shipped(ENCODER)
        if checkpoint.meta.weights_sha256 != config.start_sha256:
            raise CheckpointError(f"{ENCODER} has other weights than the run began with")
        self._name = config.name
        vocabulary = vocabulary_named(config.vocabulary)
        labels = OwnLabels.from_text(text, vocabulary)
        self.training = OwnTuning(checkpoint.model, own_tuning_config(config), labels, vocabulary)

    def save(self, root: Path, *, is_last: bool, quick: bool = False) -> Path:
        """Write what both models make of the sentences without a label."""
        del is_last, quick  # a few sentences cost the same at any time
        folder = root / self._name
        write_whole(folder / _PREDICTIONS, json.dumps(self.training.predict()).encode())
        return folder


def own_tuning_run(config: OwnTuningConfig, labels: OwnLabels) -> RunConfig:
    """Return the run of a tuning on these labels, whose text is `labels.to_text()`.

    Raises CheckpointError if the encoder is not there.
    """
    meta = read_meta(SHIPPED / ENCODER)
    return RunConfig(
        name="own-labels",
        title=f"{config.method} on {len(labels.labels)} sentences of a class",
        model={},
        training=asdict(config),
        corpus=OWN_TEXT,
        corpus_sha256=hashlib.sha256(labels.to_text().encode()).hexdigest(),
        vocabulary=meta.vocabulary,
        start=ENCODER,
        start_sha256=meta.weights_sha256,
        experiment=RUNS,
    )


def own_tuning_config(config: RunConfig) -> OwnTuningConfig:
    """Return how a run tunes; raises SettingError if a field is unknown or out of its range."""
    try:
        return parse_record(OwnTuningConfig, dict(config.training))
    except SettingError as error:
        raise SettingError(f"fields of OwnTuningConfig do not match: {error}") from error


def read_predictions(run: RunFolder) -> dict[str, list[float]]:
    """Return the probability of label 1 for each sentence without a label, by method.

    Raises RunError if the run has not left them.
    """
    try:
        found = json.loads((run.checkpoint / _PREDICTIONS).read_text(encoding="utf-8"))
        return {str(method): [float(p) for p in values] for method, values in found.items()}
    except (OSError, ValueError, TypeError, AttributeError) as error:
        raise RunError(f"run {run.key} has left no predictions: tune again") from error


def _prepare(config: RunConfig, text: str | None, device: torch.device) -> OwnTuningExperiment:
    del device  # so few sentences are as quick without a GPU
    if text is None:
        raise RunError("its sentences were deleted: label them and tune again")
    return OwnTuningExperiment(config, text)


def _settled(config: RunConfig) -> RunConfig:
    return replace(config, training=asdict(own_tuning_config(config)))


def _parameter_count(config: RunConfig) -> int:
    return 2 * read_meta(SHIPPED / str(config.start)).parameter_count


register(RUNS, ExperimentKind(_prepare, _settled, _parameter_count, uses_cards=False))
