"""The trained small networks that come with the project: their results, and their weights.

    python -m lm_core experiment inside_a_cell

trains every variant with both losses and every learning rate, clipped and not, and stores the weights of two
snapshots in safetensors beside the results. What is before the training is drawn again from the
seed.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, NamedTuple

from torch import Tensor

from lm_core.errors import ResultError, SettingError
from lm_core.experiments.inside_a_cell.training import (
    LOSS_STEPS,
    VARIANTS,
    FirstSymbolConfig,
    FirstSymbolNetwork,
    accuracy,
    train_first_symbol,
)
from lm_core.results import (
    Results,
    load_with_weights,
    provenance,
    results_path,
    save_with_weights,
    tensors_below,
)
from lm_core.rng import generator
from lm_core.training.loop import TrainStep

NAME = "inside_a_cell"
SHIPPED = results_path("inside-a-cell")
LEARNING_RATES = (0.03, 0.01, 0.003, 0.001)
CLIPS = (None, 1.0)
SNAPSHOTS = (200, 1000)
"""Numbers of updates after which weights and accuracy are stored."""
TEST_SEED, TEST_SEQUENCES = 2_000_000, 1000
_CURVE_STRIDE = 10


def grid(seed: int = 1) -> tuple[FirstSymbolConfig, ...]:
    """Return the trainings whose networks are shipped, SNAPSHOTS[-1] updates each."""
    return tuple(
        FirstSymbolConfig(variant, rate, clip, loss_steps, updates=SNAPSHOTS[-1], seed=seed)
        for loss_steps in LOSS_STEPS
        for variant in VARIANTS
        for rate in LEARNING_RATES
        for clip in CLIPS
    )


def name_of(config: FirstSymbolConfig) -> str:
    """Return the name of a network of the grid."""
    return (
        f"{config.variant}/loss-{config.loss_steps}/rate-{config.learning_rate:g}"
        f"/clip-{config.clip or 'none'}"
    )


class TrainedNetworks(NamedTuple):
    """All networks of a grid.

    Attributes
    ----------
    results : Results
        Its data: of each network, by name, its config, curve, and accuracy by number of updates.
    weights : dict of str to Tensor
        By network, number of updates and parameter.
    """

    results: Results
    weights: dict[str, Tensor]

    @property
    def provenance(self) -> dict[str, Any]:
        """Date, device, seconds, library versions and settings of all trainings."""
        return self.results.provenance

    @property
    def networks(self) -> dict[str, dict[str, Any]]:
        """Config, curve and accuracies of each network, by name."""
        return self.results.data

    def network(self, config: FirstSymbolConfig, updates: int) -> FirstSymbolNetwork:
        """Return one snapshot of a network of the grid.

        Raises
        ------
        ResultError
            If there is no such snapshot.
        """
        network = FirstSymbolNetwork(config)
        if updates == 0:
            return network
        prefix = f"{name_of(config)}/{updates}/"
        try:
            network.load_state_dict(tensors_below(self.weights, prefix), strict=True)
        except RuntimeError as error:
            raise ResultError(
                f"no weights of {prefix[:-1]} that fit its config: {error}"
            ) from error
        return network


def train_grid(
    configs: Sequence[FirstSymbolConfig],
    snapshots: Sequence[int] = SNAPSHOTS,
    *,
    on_trained: Callable[[str, dict[str, Any]], None] = lambda name, record: None,
) -> TrainedNetworks:
    """Train networks one after another.

    Parameters
    ----------
    configs : sequence of FirstSymbolConfig
    snapshots : sequence of int
        Numbers of updates after which weights and accuracy are stored; at most a config's own.
    on_trained : callable
        Called with the name and record of each network as soon as it is trained.

    Raises
    ------
    SettingError
        If a snapshot lies outside a training.
    DivergenceError
        If a loss or gradient is no number any more.
    """
    began = time.monotonic()
    networks: dict[str, dict[str, Any]] = {}
    weights: dict[str, Tensor] = {}
    for config in configs:
        if not all(1 <= updates <= config.updates for updates in snapshots):
            raise SettingError(
                f"snapshots must lie in 1 to {config.updates}, got {tuple(snapshots)}"
            )
        name = name_of(config)
        networks[name], trained = _train_one(config, snapshots)
        weights |= {f"{name}/{key}": tensor for key, tensor in trained.items()}
        on_trained(name, networks[name])
    origin = provenance(
        device="CPU, 1 thread",
        seconds=time.monotonic() - began,
        snapshots=list(snapshots),
        test={"seed": TEST_SEED, "sequences": TEST_SEQUENCES},
    )
    return TrainedNetworks(Results(NAME, origin, networks), weights)


def _train_one(
    config: FirstSymbolConfig, snapshots: Sequence[int]
) -> tuple[dict[str, Any], dict[str, Tensor]]:
    network = FirstSymbolNetwork(config)
    steps: list[TrainStep] = []
    accuracies = {"0": _accuracy(network, config)}
    weights: dict[str, Tensor] = {}
    for step in train_first_symbol(network, config):
        steps.append(step)
        if step.step in snapshots:
            accuracies[str(step.step)] = _accuracy(network, config)
            state = network.state_dict().items()
            weights |= {f"{step.step}/{key}": tensor.clone() for key, tensor in state}
    return {"config": asdict(config), "accuracy": accuracies, "curve": _curve(steps)}, weights


def _accuracy(network: FirstSymbolNetwork, config: FirstSymbolConfig) -> float:
    return accuracy(network, generator(TEST_SEED), sequences=TEST_SEQUENCES, length=config.length)


def _curve(steps: list[TrainStep]) -> dict[str, list[float]]:
    """Return of every ten updates the last one's number, the mean loss and the longest gradient."""
    groups = [steps[i : i + _CURVE_STRIDE] for i in range(0, len(steps), _CURVE_STRIDE)]
    return {
        "update": [group[-1].step for group in groups],
        "loss": [round(sum(s.loss for s in group) / len(group), 4) for group in groups],
        "gradient_norm": [float(f"{max(s.gradient_norm for s in group):.4g}") for group in groups],
    }


def save_networks(path: Path, trained: TrainedNetworks) -> None:
    """Write results to `path` and weights beside it.

    Raises
    ------
    OSError
        If they cannot be written.
    """
    save_with_weights(path, trained.results, trained.weights)


def load_networks(path: Path = SHIPPED) -> TrainedNetworks:
    """Read what `save_networks` wrote.

    Raises
    ------
    ResultError
        If a file is missing or damaged, or the weights are not those of the provenance.
    """
    return TrainedNetworks(*load_with_weights(path, NAME))
