"""The trainings on names that the page shows: sizes, and starts of the weights."""

import time
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path
from typing import NamedTuple

import torch
from torch import Tensor
from torch.nn import functional

from lm_core.analysis.saturation import Saturation, saturation
from lm_core.errors import ResultError
from lm_core.experiments.neural_language_model import training
from lm_core.experiments.neural_language_model.training import start_network
from lm_core.models.mlp import INITIALISATIONS, MLPLanguageModel, MLPLanguageModelConfig
from lm_core.results import Count, NonNegative, Recorded, StoredTensor, provenance
from lm_core.text.names import SYMBOLS, NameSplit

EXPERIMENT = "neural-language-model"

CONTEXT_SIZES, EMBEDDING_SIZES, HIDDEN_SIZES = (1, 2, 3, 5, 8), (2, 10), (50, 200)
N_SEEDS = 2
"""Trainings of the network of the published sizes, to see what chance does."""

EMBEDDINGS = "embeddings"
"""Name of the tensor that holds a training's embeddings at every snapshot."""

_N_SNAPSHOTS = 24


class Snapshot(NamedTuple):
    """A network at one step of its training, on the validation names."""

    step: Count  # 0 is before the training
    loss: NonNegative  # nats per symbol
    saturation: Saturation  # of its hidden units


@dataclass(frozen=True)
class TrainedNetwork:
    """A training on names, and what came of it."""

    config: training.MLPTrainingConfig
    train: NonNegative  # nats per symbol at its end, on each part of the names
    validation: NonNegative
    test: NonNegative
    seconds: NonNegative  # of the processor, for the steps, on one core
    snapshots: tuple[Snapshot, ...]

    @property
    def sizes(self) -> tuple[int, int, int]:
        """Of the context, the embeddings and the hidden layer."""
        n = self.config.network
        return n.context_size, n.embedding_size, n.hidden_size

    @property
    def at_its_end(self) -> "TrainedNetwork":
        """The training with its last snapshot alone."""
        return replace(self, snapshots=self.snapshots[-1:])


@dataclass(frozen=True)
class FinishedTraining(Recorded, name=f"{EXPERIMENT}-training", experiment=EXPERIMENT):
    """One training in a file of its own, so that the study can go on."""

    trained: TrainedNetwork
    tensors: dict[str, StoredTensor]


def sizes_of_the_grid() -> tuple[training.MLPTrainingConfig, ...]:
    """Return the trainings of all sizes, and at the end the further seeds of the published ones."""
    grid = [
        training.MLPTrainingConfig(
            MLPLanguageModelConfig(len(SYMBOLS), context, embedding, hidden),
            steps=8_000,
            batch=256,
            learning_rate=0.01,
            weight_decay=0.01,
        )
        for context, embedding, hidden in product(CONTEXT_SIZES, EMBEDDING_SIZES, HIDDEN_SIZES)
    ]
    published = next(config for config in grid if config.network == PUBLISHED)
    return (*grid, *(replace(published, seed=seed) for seed in range(1, N_SEEDS)))


PUBLISHED = MLPLanguageModelConfig(len(SYMBOLS), 3, 10, 200)
"""Sizes of the network in makemore's second notebook."""


def starts() -> tuple[training.MLPTrainingConfig, ...]:
    """Return the trainings that differ in their start alone, by the notebooks' own recipe."""
    return tuple(
        training.MLPTrainingConfig(
            replace(PUBLISHED, initialisation=initialisation),
            steps=200_000,
            batch=32,
            optimizer=training.SGD_IN_TWO,
            learning_rate=0.1,
        )
        for initialisation in INITIALISATIONS
    )


def letter_maps() -> tuple[training.MLPTrainingConfig, ...]:
    """Return short trainings whose embeddings begin near 0, so that what moves them is what they learn."""
    return tuple(
        training.MLPTrainingConfig(
            replace(PUBLISHED, embedding_size=size, embedding_scale=0.1),
            steps=3_000,
            batch=256,
            learning_rate=0.01,
            weight_decay=0.01,
        )
        for size in EMBEDDING_SIZES
    )


def steps_of_snapshots(steps: int) -> tuple[int, ...]:
    """Return which steps are looked at: 0, 1, and on in equal ratios to the last one.

    Examples
    --------
    >>> steps_of_snapshots(4)
    (0, 1, 2, 3, 4)
    """
    powers = (round(steps ** (i / (_N_SNAPSHOTS - 2))) for i in range(_N_SNAPSHOTS - 1))
    return tuple(sorted({0, *powers}))


def carry_out(
    config: training.MLPTrainingConfig, split: NameSplit
) -> tuple[TrainedNetwork, dict[str, Tensor]]:
    """Train a network on names, and look at it now and then.

    Returns
    -------
    trained : TrainedNetwork
    tensors : dict of str to Tensor
        Its weights, and as ``embeddings`` those of every snapshot, (snapshots, V, m).
    """
    train, validation = (
        training.examples_of_names(names, config.network.context_size) for names in split[:2]
    )
    model, rng = start_network(config)
    wanted = set(steps_of_snapshots(config.steps))
    snapshots = [_snapshot(model, validation, 0)]
    embeddings = [model.embedding.weight.detach().clone()]
    seconds, started = 0.0, time.thread_time()
    for step in training.train_network(model, train, config, rng):
        if step.step in wanted:
            seconds += time.thread_time() - started
            snapshots.append(_snapshot(model, validation, step.step))
            embeddings.append(model.embedding.weight.detach().clone())
            started = time.thread_time()
    train_loss, validation_loss, test_loss = (
        round(training.loss_on_names(model, names), 5) for names in split
    )
    trained = TrainedNetwork(
        config, train_loss, validation_loss, test_loss, round(seconds, 1), tuple(snapshots)
    )
    weights = {name: value.detach().clone() for name, value in model.state_dict().items()}
    return trained, {**weights, EMBEDDINGS: torch.stack(embeddings)}


@torch.no_grad()
def _snapshot(model: MLPLanguageModel, examples: training.Examples, step: int) -> Snapshot:
    trace = model.trace(examples.contexts)
    found = saturation(trace.hidden)
    rounded = Saturation(tuple(round(share, 5) for share in found.histogram), *found[1:])
    loss = functional.cross_entropy(trace.logits, examples.targets).item()
    return Snapshot(step, round(loss, 5), rounded)


def carry_out_or_read(
    folder: Path, config: training.MLPTrainingConfig, split: NameSplit
) -> tuple[TrainedNetwork, dict[str, Tensor]]:
    """Return a training that a folder has already, or carry it out and leave it there."""
    path = folder / f"{_name(config)}.json"
    if path.exists():
        found = FinishedTraining.load(path)
        if found.trained.config != config:
            raise ResultError(f"{path} is of another training: {found.trained.config}; delete it")
        return found.trained, found.tensors
    trained, tensors = carry_out(config, split)
    made = provenance(device="cpu", seconds=trained.seconds)
    FinishedTraining(made, trained, tensors).save(path)
    return trained, tensors


def _name(config: training.MLPTrainingConfig) -> str:
    n = config.network
    sizes = f"{n.context_size}-{n.embedding_size}-{n.hidden_size}"
    scale = "" if n.embedding_scale == 1 else f"-{n.embedding_scale:g}"
    return f"{config.optimizer}-{n.initialisation}{scale}-{sizes}-seed-{config.seed}"
