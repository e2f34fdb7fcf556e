"""The results of fine-tuning, as they are shipped."""

from copy import deepcopy
from dataclasses import dataclass

import torch
from torch import nn

from lm_core.errors import ShapeError
from lm_core.experiments.fine_tuning.settings import EXPERIMENT, KIND, LORA, TASKS, FineTuningConfig
from lm_core.experiments.fine_tuning.study import AuxiliaryPoint, Point, RateScore
from lm_core.experiments.fine_tuning.training import learned_weights
from lm_core.models.low_rank import add_low_rank_updates
from lm_core.models.masked_language_model import MaskedLanguageModel
from lm_core.models.task_heads import TaskModel
from lm_core.results import Count, Positive, Recorded, Share, StoredTensor
from lm_core.rng import generator


@dataclass(frozen=True)
class TaskRecord:
    """What a task is made of."""

    labels: tuple[str, ...]  # classes or tags; the two ends of a span
    n_training: Count  # texts
    n_test: Positive  # texts, of which the accuracies are
    baselines: dict[str, Share]  # accuracies of what reads nothing, or little
    learned: dict[str, Count]  # numbers that are learned, by method


@dataclass(frozen=True)
class Adapter:
    """What low-rank tuning has learned: all that a task needs beside the encoder."""

    task: str
    n_labelled: Positive
    weights: dict[str, StoredTensor]  # as `training.learned_weights` names them, in half precision

    @torch.no_grad()
    def model(self, encoder: MaskedLanguageModel, n_labels: int) -> TaskModel:
        """Return the model that was tuned, ready to be asked.

        Raises ShapeError if the updates are of another encoder.

        Parameters
        ----------
        encoder : MaskedLanguageModel
            The pretrained one. It is not changed, and its numbers are shared, not copied: a task costs
            no more memory than its updates.
        n_labels : int, of the task
        """
        shared = {id(w): nn.Parameter(w.detach(), False) for w in encoder.parameters()}
        own = deepcopy(encoder, shared)
        rank = FineTuningConfig(self.task, LORA, self.n_labelled).rank
        add_low_rank_updates(own, rank, generator(0))
        model = TaskModel(own, KIND[self.task], n_labels, generator(0))
        learned = learned_weights(model)
        if {n: w.shape for n, w in learned.items()} != {
            n: w.shape for n, w in self.weights.items()
        }:
            raise ShapeError(f"the low-rank updates of {self.task!r} are of another encoder")
        for name, weight in learned.items():
            weight.copy_(self.weights[name])
        return model.eval()


@dataclass(frozen=True)
class FineTuningResults(Recorded, name=EXPERIMENT):
    """Everything that the page shows.

    The provenance's `pretrained_masked_loss`, `pretrained_test_loss` and `pretrained_book_loss` are nats per
    subword before any tuning, as in `Point` and `AuxiliaryPoint`.
    """

    tasks: dict[str, TaskRecord]
    points: tuple[Point, ...]
    auxiliary: tuple[AuxiliaryPoint, ...]
    rates: tuple[RateScore, ...]
    adapters: tuple[Adapter, ...]

    def __post_init__(self) -> None:
        if set(self.tasks) != set(TASKS):
            raise ValueError(f"there must be the tasks {TASKS}, got {tuple(self.tasks)}")

    def accuracies(self, task: str, method: str) -> dict[int, list[float]]:
        """Return the test accuracies by number of labelled examples, one a seed."""
        found: dict[int, list[float]] = {}
        for point in self.points:
            if (point.task, point.method) == (task, method):
                found.setdefault(point.n_labelled, []).append(point.accuracy)
        return dict(sorted(found.items()))
