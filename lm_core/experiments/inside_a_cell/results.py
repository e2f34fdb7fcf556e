"""The small networks as they come with the project: trained by a command, kept with their provenance.

    python -m lm_core inside

trains every variety with every learning rate, clipped and not, and keeps the weights at two
moments. A folder holds ``results.json`` (the provenance, and of every network its curve and accuracies)
and ``weights.safetensors``; what is before the training is drawn again from the seed.
"""

import hashlib
import json
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

import safetensors.torch
import torch
from safetensors import SafetensorError
from torch import Tensor

from lm_core.assets import RESULTS
from lm_core.errors import ResultError, SettingError
from lm_core.experiments.inside_a_cell.training import (
    VARIETIES,
    FirstSymbolConfig,
    FirstSymbolNetwork,
    FirstSymbolStep,
    accuracy,
    train_first_symbol,
)
from lm_core.files import write_whole
from lm_core.rng import generator

SCHEMA = 1
RESULTS_FILE, WEIGHTS_FILE = "results.json", "weights.safetensors"
SHIPPED = RESULTS / "inside-a-cell"
LEARNING_RATES = (0.03, 0.01, 0.003, 0.001)
CLIPS = (None, 1.0)
KEPT = (200, 1000)
"""Numbers of updates after which the weights are kept."""
TEST_SEED, TEST_SEQUENCES = 2_000_000, 1000
_CURVE_STRIDE = 10


def grid(seed: int = 1) -> tuple[FirstSymbolConfig, ...]:
    """Return the trainings whose networks are shipped, KEPT[-1] updates each."""
    return tuple(
        FirstSymbolConfig(variety, rate, clip, updates=KEPT[-1], seed=seed)
        for variety in VARIETIES
        for rate in LEARNING_RATES
        for clip in CLIPS
    )


def name_of(config: FirstSymbolConfig) -> str:
    """Return the name under which a network of the grid is kept."""
    return f"{config.variety}/rate-{config.learning_rate:g}/clip-{config.clip or 'none'}"


class FirstSymbolResults(NamedTuple):
    """What a folder holds."""

    provenance: dict[str, Any]  # date, device, seconds, libraries, settings of all trainings
    networks: dict[str, dict[str, Any]]  # by name: config, curve, accuracy by number of updates
    weights: dict[str, Tensor]

    def network(self, config: FirstSymbolConfig, updates: int) -> FirstSymbolNetwork:
        """Return a network of the grid at one moment of its training.

        Raises
        ------
        ResultError
            If this moment of this network is not kept.
        """
        network = FirstSymbolNetwork(config)
        if updates == 0:
            return network
        prefix = f"{name_of(config)}/{updates}/"
        weights = {
            k.removeprefix(prefix): w for k, w in self.weights.items() if k.startswith(prefix)
        }
        try:
            network.load_state_dict(weights, strict=True)
        except RuntimeError as error:
            raise ResultError(
                f"no weights of {prefix[:-1]} that fit its config: {error}"
            ) from error
        return network


def train_grid(
    configs: Sequence[FirstSymbolConfig],
    kept: Sequence[int] = KEPT,
    *,
    on_trained: Callable[[str, dict[str, Any]], None] = lambda name, record: None,
) -> FirstSymbolResults:
    """Train networks one after another.

    Parameters
    ----------
    configs : sequence of FirstSymbolConfig
    kept : sequence of int
        Numbers of updates after which weights and accuracy are kept; none beyond a config's own.
    on_trained : callable
        Told the name and record of each network as soon as it is trained.

    Raises
    ------
    SettingError
        If a moment to keep lies outside a training.
    DivergenceError
        If a training leaves the numbers.
    """
    began = time.monotonic()
    networks, weights = {}, {}
    for config in configs:
        if not all(1 <= moment <= config.updates for moment in kept):
            raise SettingError(f"moments must lie in 1 to {config.updates}, got {tuple(kept)}")
        name = name_of(config)
        record, at_moments = _train_one(config, kept)
        networks[name] = record
        weights |= {f"{name}/{key}": tensor for key, tensor in at_moments.items()}
        on_trained(name, record)
    provenance = {
        "date": datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        "device": "CPU, 1 thread",
        "seconds": round(time.monotonic() - began, 1),
        "libraries": {"torch": torch.__version__},
        "kept": list(kept),
        "test": {"seed": TEST_SEED, "sequences": TEST_SEQUENCES},
    }
    return FirstSymbolResults(provenance, networks, weights)


def _train_one(
    config: FirstSymbolConfig, kept: Sequence[int]
) -> tuple[dict[str, Any], dict[str, Tensor]]:
    network = FirstSymbolNetwork(config)
    steps: list[FirstSymbolStep] = []
    accuracies = {"0": _accuracy(network, config)}
    weights = {}
    for step in train_first_symbol(network, config):
        steps.append(step)
        if step.update in kept:
            accuracies[str(step.update)] = _accuracy(network, config)
            state = network.state_dict().items()
            weights |= {f"{step.update}/{key}": tensor.clone() for key, tensor in state}
    return {"config": asdict(config), "accuracy": accuracies, "curve": _curve(steps)}, weights


def _accuracy(network: FirstSymbolNetwork, config: FirstSymbolConfig) -> float:
    return accuracy(network, generator(TEST_SEED), sequences=TEST_SEQUENCES, length=config.length)


def _curve(steps: list[FirstSymbolStep]) -> dict[str, list[float]]:
    """Return of every ten updates the last one's number, the mean loss and the longest gradient."""
    groups = [steps[i : i + _CURVE_STRIDE] for i in range(0, len(steps), _CURVE_STRIDE)]
    return {
        "update": [group[-1].update for group in groups],
        "loss": [round(sum(s.loss for s in group) / len(group), 4) for group in groups],
        "gradient_norm": [float(f"{max(s.gradient_norm for s in group):.4g}") for group in groups],
    }


def save_results(folder: Path, results: FirstSymbolResults) -> None:
    """Write a folder; the weights first, so that their hash in the provenance is never ahead of them.

    Raises
    ------
    OSError
        If it cannot be written.
    """
    payload = safetensors.torch.save(results.weights)
    write_whole(folder / WEIGHTS_FILE, payload)
    document = {
        "schema": SCHEMA,
        **results.provenance,
        "weights_sha256": hashlib.sha256(payload).hexdigest(),
        "networks": results.networks,
    }
    write_whole(folder / RESULTS_FILE, (json.dumps(document) + "\n").encode())


def load_results(folder: Path = SHIPPED) -> FirstSymbolResults:
    """Read a folder that `save_results` wrote.

    Raises
    ------
    ResultError
        If it is missing, of another schema, or its weights are not those of its provenance.
    """
    try:
        document = json.loads((folder / RESULTS_FILE).read_text(encoding="utf-8"))
        payload = (folder / WEIGHTS_FILE).read_bytes()
        if document.pop("schema") != SCHEMA:
            raise ResultError(f"{folder} is of another schema than {SCHEMA}: train it again")
        digest, expected = hashlib.sha256(payload).hexdigest(), document.pop("weights_sha256")
        if digest != expected:
            raise ResultError(
                f"{folder / WEIGHTS_FILE} has sha256 {digest}, {RESULTS_FILE} says {expected}"
            )
        return FirstSymbolResults(
            networks=document.pop("networks"),
            provenance=document,
            weights=safetensors.torch.load(payload),
        )
    except (OSError, ValueError, KeyError, AttributeError, SafetensorError) as error:
        raise ResultError(f"no readable results in {folder}: {error}") from error
