"""The results of fine-tuning: read and written here, and nowhere else."""

from copy import deepcopy
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

from lm_core.errors import ResultError, SettingError, ShapeError
from lm_core.experiments.fine_tuning.settings import EXPERIMENT, KIND, LORA, TASKS, FineTuningConfig
from lm_core.experiments.fine_tuning.study import AuxiliaryPoint, Point, RateScore
from lm_core.experiments.fine_tuning.training import learned_weights
from lm_core.models.low_rank import add_low_rank_updates
from lm_core.models.masked_language_model import MaskedLanguageModel
from lm_core.models.task_heads import TaskModel
from lm_core.results import (
    Results,
    load_with_weights,
    results_path,
    save_with_weights,
    tensors_below,
)
from lm_core.rng import generator

SHIPPED = results_path(EXPERIMENT)


@dataclass(frozen=True)
class TaskRecord:
    """What a task is made of.

    Attributes
    ----------
    labels : tuple of str
        Classes or tags; the two ends of a span.
    n_training, n_test : int
        Texts; accuracies are of the test texts.
    baselines : dict of str to float
        Accuracies of what reads nothing, or little.
    learned : dict of str to int
        Numbers that are learned, by method.
    """

    labels: tuple[str, ...]
    n_training: int
    n_test: int
    baselines: dict[str, float]
    learned: dict[str, int]


@dataclass(frozen=True)
class Adapter:
    """What low-rank tuning has learned: all that a task needs beside the encoder.

    Attributes
    ----------
    task : str
    n_labelled : int
    weights : dict of str to Tensor
        As `lm_core.experiments.fine_tuning.training.learned_weights` names them.
    """

    task: str
    n_labelled: int
    weights: dict[str, Tensor]


@dataclass(frozen=True)
class FineTuningResults:
    """Everything that the page shows.

    Attributes
    ----------
    provenance : dict
        `pretrained_masked_loss`, `pretrained_test_loss` and `pretrained_book_loss` are nats per subword
        before any tuning, as in `Point` and `AuxiliaryPoint`.
    tasks : dict of str to TaskRecord
    points : tuple of Point
    auxiliary : tuple of AuxiliaryPoint
    rates : tuple of RateScore
    adapters : tuple of Adapter
    """

    provenance: dict[str, Any]
    tasks: dict[str, TaskRecord]
    points: tuple[Point, ...]
    auxiliary: tuple[AuxiliaryPoint, ...]
    rates: tuple[RateScore, ...]
    adapters: tuple[Adapter, ...]

    def accuracies(self, task: str, method: str) -> dict[int, list[float]]:
        """Return the test accuracies by number of labelled examples, one a seed."""
        found: dict[int, list[float]] = {}
        for point in self.points:
            if (point.task, point.method) == (task, method):
                found.setdefault(point.n_labelled, []).append(point.accuracy)
        return dict(sorted(found.items()))

    def save(self, path: Path) -> None:
        """Write the results, and the low-rank updates beside them."""
        weights = {
            f"{number}.{name}": tensor.half()
            for number, adapter in enumerate(self.adapters)
            for name, tensor in adapter.weights.items()
        }
        data = {
            "tasks": {name: asdict(record) for name, record in self.tasks.items()},
            "points": [list(point) for point in self.points],
            "auxiliary": [list(point) for point in self.auxiliary],
            "rates": [list(score) for score in self.rates],
            "adapters": [[adapter.task, adapter.n_labelled] for adapter in self.adapters],
        }
        save_with_weights(path, Results(EXPERIMENT, self.provenance, data), weights)


def load_results(path: Path = SHIPPED) -> FineTuningResults:
    """Read what `FineTuningResults.save` wrote.

    Raises
    ------
    ResultError
        If a file is missing, damaged or of another version.
    """
    results, stored = load_with_weights(path, EXPERIMENT)
    try:
        data = results.data
        tasks = {
            name: TaskRecord(**(record | {"labels": tuple(record["labels"])}))
            for name, record in data["tasks"].items()
        }
        if set(tasks) != set(TASKS):
            raise ResultError(f"{path.name} must have the tasks {TASKS}, got {tuple(tasks)}")
        return FineTuningResults(
            results.provenance,
            tasks,
            tuple(Point(*entry) for entry in data["points"]),
            tuple(AuxiliaryPoint(*entry) for entry in data["auxiliary"]),
            tuple(RateScore(*entry) for entry in data["rates"]),
            tuple(
                Adapter(task, n_labelled, tensors_below(stored, f"{number}."))
                for number, (task, n_labelled) in enumerate(data["adapters"])
            ),
        )
    except (KeyError, TypeError, ValueError, AttributeError, SettingError) as error:
        raise ResultError(
            f"{path.name} must hold tasks, points and low-rank updates: {error!r}; python -m lm_core"
            f" experiment {EXPERIMENT} makes it"
        ) from error


@torch.no_grad()
def adapted_model(encoder: MaskedLanguageModel, adapter: Adapter, n_labels: int) -> TaskModel:
    """Return the model that low-rank tuning has made, ready to be asked.

    Parameters
    ----------
    encoder : MaskedLanguageModel
        The pretrained one. It is not changed, and its numbers are shared, not copied: a task costs
        no more memory than its updates.
    adapter : Adapter
    n_labels : int
        Of the task.

    Raises
    ------
    ShapeError
        If the updates are of another encoder.
    """
    shared = {id(w): nn.Parameter(w.detach(), requires_grad=False) for w in encoder.parameters()}
    own = deepcopy(encoder, shared)
    rank = FineTuningConfig(adapter.task, LORA, adapter.n_labelled).rank
    add_low_rank_updates(own, rank, generator(0))
    model = TaskModel(own, KIND[adapter.task], n_labels, generator(0))
    learned = learned_weights(model)
    if {n: w.shape for n, w in learned.items()} != {n: w.shape for n, w in adapter.weights.items()}:
        raise ShapeError(f"the low-rank updates of {adapter.task!r} are of another encoder")
    for name, weight in learned.items():
        weight.copy_(adapter.weights[name])
    return model.eval()
