"""The training that comes with the project: the network before it and after every epoch."""

from pathlib import Path
from typing import Any, NamedTuple

import torch

from lm_core.errors import ResultError
from lm_core.experiments.counting.training import CountingConfig, CountingEpoch
from lm_core.models.counting_network import CountingNetwork
from lm_core.results import Results, load_with_weights, provenance, results_path, save_with_weights

NAME = "counting"
SHIPPED = results_path("counting")
CONFIG = CountingConfig()
"""Of the shipped training."""


class ShippedTraining(NamedTuple):
    """A training of `CONFIG`.

    Attributes
    ----------
    provenance : dict
        Date, device, seconds, library versions.
    epochs : tuple of CountingEpoch
        The untrained network first.
    """

    provenance: dict[str, Any]
    epochs: tuple[CountingEpoch, ...]


def save_epochs(path: Path, epochs: tuple[CountingEpoch, ...], seconds: float) -> None:
    """Write the losses of a training of `CONFIG` to `path`, and the weights of all epochs beside it.

    Parameters
    ----------
    path : Path
    epochs : tuple of CountingEpoch
        The untrained network first.
    seconds : float
        Processor time of the training.

    Raises
    ------
    OSError
        If they cannot be written.
    """
    data = {"epochs": [[epoch.epoch, epoch.loss, epoch.learning_rate] for epoch in epochs]}
    weights = [epoch.model.state_dict() for epoch in epochs]
    save_with_weights(
        path,
        Results(NAME, provenance(device="CPU, 1 thread", seconds=seconds, seed=CONFIG.seed), data),
        {name: torch.stack([state[name] for state in weights]) for name in weights[0]},
    )


def load_epochs(path: Path = SHIPPED) -> ShippedTraining:
    """Read what `save_epochs` wrote.

    Raises
    ------
    ResultError
        If a file is missing or damaged.
    """
    results, weights = load_with_weights(path, NAME)
    epochs = []
    try:
        for i, (epoch, loss, learning_rate) in enumerate(results.data["epochs"]):
            model = CountingNetwork(CONFIG.network)
            model.load_state_dict({name: stacked[i] for name, stacked in weights.items()})
            epochs.append(
                CountingEpoch(epoch, loss, learning_rate, model.eval().requires_grad_(False))
            )
    except (KeyError, ValueError, IndexError, RuntimeError) as error:
        raise ResultError(f"{path.name} must hold epochs of {CONFIG}: {error}") from error
    if len(epochs) != CONFIG.epochs + 1:
        raise ResultError(f"{path.name} must hold {CONFIG.epochs + 1} epochs, it has {len(epochs)}")
    return ShippedTraining(results.provenance, tuple(epochs))
