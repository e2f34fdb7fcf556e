"""The trainings whose networks are shipped."""

import time
from collections.abc import Callable, Sequence

from torch import Tensor

from lm_core.errors import SettingError
from lm_core.experiments.inside_a_cell.results import Curve, TrainedNetwork, TrainedNetworks
from lm_core.experiments.inside_a_cell.training import (
    LOSS_STEPS,
    VARIANTS,
    FirstSymbolConfig,
    FirstSymbolNetwork,
    accuracy,
    train_first_symbol,
)
from lm_core.results import provenance
from lm_core.rng import generator
from lm_core.training.loop import TrainStep

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


def train_grid(
    configs: Sequence[FirstSymbolConfig],
    snapshots: Sequence[int] = SNAPSHOTS,
    *,
    on_trained: Callable[[str, TrainedNetwork], object] = lambda name, trained: None,
) -> TrainedNetworks:
    """Train networks one after another.

    Raises SettingError if a snapshot lies outside a training, and DivergenceError if a loss or
    gradient is no number any more.

    Parameters
    ----------
    snapshots : sequence of int
        Numbers of updates after which weights and accuracy are stored; at most a config's own.
    on_trained : callable, called with the name of each network, and with it, as soon as it is trained
    """
    began = time.monotonic()
    networks: dict[str, TrainedNetwork] = {}
    for config in configs:
        if not all(1 <= updates <= config.updates for updates in snapshots):
            raise SettingError(
                f"snapshots must lie in 1 to {config.updates}, got {tuple(snapshots)}"
            )
        name = config.name
        networks[name] = _train_one(config, snapshots)
        on_trained(name, networks[name])
    origin = provenance(
        device="CPU, 1 thread",
        seconds=time.monotonic() - began,
        snapshots=list(snapshots),
        test={"seed": TEST_SEED, "sequences": TEST_SEQUENCES},
    )
    return TrainedNetworks(origin, networks)


def _train_one(config: FirstSymbolConfig, snapshots: Sequence[int]) -> TrainedNetwork:
    network = FirstSymbolNetwork(config)
    steps: list[TrainStep] = []
    accuracies = {0: _accuracy(network, config)}
    weights: dict[int, dict[str, Tensor]] = {}
    for step in train_first_symbol(network, config):
        steps.append(step)
        if step.step in snapshots:
            accuracies[step.step] = _accuracy(network, config)
            weights[step.step] = {n: w.clone() for n, w in network.state_dict().items()}
    return TrainedNetwork(config, accuracies, _curve(steps), weights)


def _accuracy(network: FirstSymbolNetwork, config: FirstSymbolConfig) -> float:
    return accuracy(network, generator(TEST_SEED), sequences=TEST_SEQUENCES, length=config.length)


def _curve(steps: list[TrainStep]) -> Curve:
    groups = [steps[i : i + _CURVE_STRIDE] for i in range(0, len(steps), _CURVE_STRIDE)]
    return Curve(
        tuple(group[-1].step for group in groups),
        tuple(round(sum(s.loss for s in group) / len(group), 4) for group in groups),
        tuple(float(f"{max(s.gradient_norm for s in group):.4g}") for group in groups),
    )
