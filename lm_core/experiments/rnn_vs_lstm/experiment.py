"""A batch of recall networks as a run: queued, watched, stopped and resumed like any training."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict, replace
from pathlib import Path

import torch

from lm_core.errors import SettingError
from lm_core.experiments.rnn_vs_lstm.backbones import BACKBONES
from lm_core.experiments.rnn_vs_lstm.settings import RecallSettings
from lm_core.experiments.rnn_vs_lstm.training import RecallStep, RecallTraining, recall_results
from lm_core.files import write_whole
from lm_core.jobs.experiment import Experiment, ExperimentKind
from lm_core.jobs.records import RunConfig
from lm_core.jobs.registry import register

RESULTS_FILE = "results.json"
_OF_MODEL = ("backbone", "lengths", "vocabulary", "width")

NAME = "rnn_vs_lstm"
"""Of its runs, which visitors have."""


class RecallExperiment(Experiment):
    """A batch of recall networks in training, as a run sees it."""

    training: RecallTraining

    def __init__(self, config: RunConfig, device: torch.device) -> None:
        self._config = config
        self.training = RecallTraining(recall_settings(config), device=device)
        self._last: RecallStep | None = None

    def __iter__(self) -> Iterator[RecallStep]:
        """Yield the remaining epochs."""
        for step in self.training:
            if step.is_news:
                self._last = step
            yield step

    def save(self, root: Path, *, is_last: bool, quick: bool = False) -> Path:
        """Write what each network can do; an early stop leaves the last measured epoch."""
        del is_last, quick  # a few numbers cost the same at any time
        folder = root / self._config.name
        results = [] if self._last is None else recall_results(self.training, self._last)
        document = {
            "settings": asdict(self.training.settings),
            "step": self._last.step if self._last else 0,
            "results": [result._asdict() for result in results],
        }
        write_whole(folder / RESULTS_FILE, json.dumps(document, indent=1).encode())
        return folder


def recall_run(settings: RecallSettings) -> RunConfig:
    """Return the run that trains these networks; equal settings are the same run."""
    fields = asdict(settings)
    lengths = sorted(set(settings.lengths))
    width = settings.hidden_units
    span = f"L {lengths[0]}" if len(lengths) == 1 else f"L {lengths[0]} to {lengths[-1]}"
    n_seeds = len(set(settings.seeds))
    seeds = "1 seed" if n_seeds == 1 else f"{n_seeds} seeds"
    training = {n: v for n, v in fields.items() if n not in (*_OF_MODEL, "epochs")}
    return RunConfig(
        name=f"recall-{settings.backbone}",
        title=f"{BACKBONES[settings.backbone].title}, {span}, {seeds}, rate {settings.learning_rate:g}",
        model={"backbone": settings.backbone, "lengths": lengths, "width": width}
        | {"vocabulary": settings.vocabulary},
        training=training
        | {"steps": settings.epochs, "seed": settings.seeds[0], "seeds": list(settings.seeds)},
        experiment=NAME,
    )


def recall_settings(config: RunConfig) -> RecallSettings:
    """Return what a run trains.

    Raises SettingError if a field is missing, surplus or out of its range.
    """
    training = {n: v for n, v in config.training.items() if n not in ("steps", "seed")}
    training["seeds"] = _whole(training.get("seeds", [config.training.get("seed", 0)]))
    model = dict(config.model)
    model["lengths"] = _whole(model.get("lengths", ()))
    try:
        return RecallSettings(**model, **training, epochs=config.training["steps"])
    except (TypeError, KeyError) as error:
        raise SettingError(f"fields of RecallSettings do not match: {error}") from error


def _whole(numbers: Iterable[int]) -> tuple[int, ...]:
    return tuple(int(number) for number in numbers)


def _prepare(config: RunConfig, text: str | None, device: torch.device) -> RecallExperiment:
    del text  # the task makes its own sequences
    return RecallExperiment(config, device)


def _settled(config: RunConfig) -> RunConfig:
    settled = recall_run(recall_settings(config))
    return replace(config, model=settled.model, training=settled.training)


def _parameter_count(config: RunConfig) -> int:
    return sum(recall_settings(config).parameter_counts)


register(NAME, ExperimentKind(_prepare, _settled, _parameter_count))
