"""The training that comes with the project: the network before it and after every epoch."""

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import torch

from lm_core.errors import ResultError
from lm_core.experiments.counting.training import CountingConfig, CountingEpoch
from lm_core.models.counting_network import CountingNetwork
from lm_core.results import Count, Recorded, StoredTensor, provenance

CONFIG = CountingConfig()
"""Of the shipped training."""


class EpochLoss(NamedTuple):
    """What is written of a `CountingEpoch` beside its network."""

    epoch: Count
    loss: float
    learning_rate: float


@dataclass(frozen=True)
class CountingResults(Recorded, name="counting"):
    """A training of `CONFIG`."""

    losses: tuple[EpochLoss, ...]  # the untrained network first
    weights: dict[str, StoredTensor]  # by parameter, of all epochs, (epochs, ...)

    def __post_init__(self) -> None:
        if len(self.losses) != CONFIG.epochs + 1:
            raise ValueError(f"there must be {CONFIG.epochs + 1} epochs, got {len(self.losses)}")

    @classmethod
    def of(cls, epochs: tuple[CountingEpoch, ...], seconds: float) -> "CountingResults":
        """Return the results of a training of `CONFIG` that took so many seconds of the processor."""
        states = [epoch.model.state_dict() for epoch in epochs]
        return cls(
            provenance(device="CPU, 1 thread", seconds=seconds, seed=CONFIG.seed),
            tuple(EpochLoss(*epoch[:3]) for epoch in epochs),
            {name: torch.stack([state[name] for state in states]) for name in states[0]},
        )

    @cached_property
    def epochs(self) -> tuple[CountingEpoch, ...]:
        """The networks; ResultError if the weights are of another one than `CONFIG` says."""
        return tuple(CountingEpoch(*loss, self._network(i)) for i, loss in enumerate(self.losses))

    def _network(self, i: int) -> CountingNetwork:
        model = CountingNetwork(CONFIG.network)
        try:
            model.load_state_dict({name: stacked[i] for name, stacked in self.weights.items()})
        except (IndexError, RuntimeError) as error:
            raise ResultError(f"the weights must be of {CONFIG.network}: {error}") from error
        return model.eval().requires_grad_(False)
