"""What Bengio's model learned of names, as it is shipped: losses, weights, snapshots of the letters."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from lm_core.errors import ResultError
from lm_core.experiments.neural_language_model.names import KnownNames
from lm_core.experiments.neural_language_model.study import (
    EMBEDDINGS,
    EXPERIMENT,
    PUBLISHED,
    TrainedNetwork,
)
from lm_core.models.mlp import MLPLanguageModel
from lm_core.results import (
    Results,
    load_with_weights,
    provenance,
    results_path,
    save_with_weights,
    tensors_below,
)
from lm_core.text.names import NameSplit

SHIPPED = results_path(EXPERIMENT)


@dataclass(frozen=True)
class NeuralLanguageModelResults:
    """All that the page shows of the names.

    Attributes
    ----------
    provenance : dict
    starts : tuple of TrainedNetwork
        Of the published sizes, each from another start.
    grid : tuple of TrainedNetwork
        All sizes, and further seeds of the published ones; of each only the last snapshot.
    weights : tuple of dict of str to Tensor
        Of each network of the grid.
    maps : tuple of TrainedNetwork
        Whose letters are drawn; of each only the last snapshot.
    embeddings : tuple of Tensor
        Of each map at `steps_of_snapshots`, (snapshots, V, m).
    known : KnownNames
    """

    provenance: dict[str, Any]
    starts: tuple[TrainedNetwork, ...]
    grid: tuple[TrainedNetwork, ...]
    weights: tuple[dict[str, Tensor], ...]
    maps: tuple[TrainedNetwork, ...]
    embeddings: tuple[Tensor, ...]
    known: KnownNames

    def trained(self, context_size: int, embedding_size: int, hidden_size: int) -> TrainedNetwork:
        """Return the first network of these sizes; StopIteration if there is none."""
        return self.grid[self._place(context_size, embedding_size, hidden_size)]

    def network(self, context_size: int, embedding_size: int, hidden_size: int) -> MLPLanguageModel:
        """Return the first network of these sizes as it was at the end of its training."""
        place = self._place(context_size, embedding_size, hidden_size)
        model = MLPLanguageModel(self.grid[place].config.network)
        model.load_state_dict(self.weights[place])
        return model.eval().requires_grad_(False)

    def _place(self, *sizes: int) -> int:
        return next(i for i, trained in enumerate(self.grid) if _sizes(trained) == sizes)

    def of_seeds(self) -> tuple[TrainedNetwork, ...]:
        """Return the trainings of the published sizes that differ in the seed alone."""
        return tuple(t for t in self.grid if t.config.network == PUBLISHED)


def _sizes(trained: TrainedNetwork) -> tuple[int, int, int]:
    n = trained.config.network
    return n.context_size, n.embedding_size, n.hidden_size


Found = Sequence[tuple[TrainedNetwork, dict[str, Tensor]]]
"""Trainings and their tensors, as `lm_core.experiments.neural_language_model.study.carry_out` returns them."""


def collect(
    starts: Found, maps: Found, grid: Found, split: NameSplit
) -> NeuralLanguageModelResults:
    """Return what is shipped: weights of the grid, and of the maps the letters at every snapshot."""
    learned = set(split.train)  # the list has some names twice, on both sides of the cut
    return NeuralLanguageModelResults(
        provenance(
            device="cpu",
            seconds=sum(trained.seconds for trained, _ in (*starts, *maps, *grid)),
            names="shuffled with Python's random seed 42; 80 % learned from, 10 % held out, 10 % test",
        ),
        tuple(trained for trained, _ in starts),
        _without_snapshots(grid),
        tuple(
            {name: value for name, value in tensors.items() if name != EMBEDDINGS}
            for _, tensors in grid
        ),
        _without_snapshots(maps),
        tuple(tensors[EMBEDDINGS] for _, tensors in maps),
        KnownNames.of(learned, {*split.validation, *split.test} - learned),
    )


def _without_snapshots(found: Found) -> tuple[TrainedNetwork, ...]:
    return tuple(replace(trained, snapshots=trained.snapshots[-1:]) for trained, _ in found)


def save_results(path: Path, results: NeuralLanguageModelResults) -> None:
    """Write the losses, and weights, snapshots and hashes beside them."""
    data = {
        "starts": [trained.to_dict() for trained in results.starts],
        "maps": [trained.to_dict() for trained in results.maps],
        "grid": [trained.to_dict() for trained in results.grid],
    }
    stored = {
        f"{place}.{name}": value
        for place, weights in enumerate(results.weights)
        for name, value in weights.items()
    }
    stored |= {f"{EMBEDDINGS}.{place}": value for place, value in enumerate(results.embeddings)}
    for name, hashed in results.known._asdict().items():
        stored[f"names.{name}"] = torch.from_numpy(hashed)
    save_with_weights(path, Results(EXPERIMENT, results.provenance, data), stored)


def load_results(path: Path = SHIPPED) -> NeuralLanguageModelResults:
    """Read what `save_results` wrote.

    Raises
    ------
    ResultError
        If a file is missing, or is another one.
    """
    results, stored = load_with_weights(path, EXPERIMENT)
    try:
        starts, maps, grid = (
            tuple(map(TrainedNetwork.from_dict, results.data[name]))
            for name in ("starts", "maps", "grid")
        )
        return NeuralLanguageModelResults(
            results.provenance,
            starts,
            grid,
            tuple(tensors_below(stored, f"{place}.") for place in range(len(grid))),
            maps,
            tuple(stored[f"{EMBEDDINGS}.{place}"] for place in range(len(maps))),
            KnownNames(*(stored[f"names.{name}"].numpy() for name in KnownNames._fields)),
        )
    except (KeyError, TypeError, ValueError) as error:
        raise ResultError(
            f"{path.name} must hold starts, maps and grid: {error!r};"
            f" python -m lm_core experiment {EXPERIMENT} makes it"
        ) from error
