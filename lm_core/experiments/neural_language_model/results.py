"""What Bengio's model learned of names, as it is shipped: losses, weights, snapshots of the letters."""

from collections.abc import Sequence
from dataclasses import dataclass

from torch import Tensor

from lm_core.experiments.neural_language_model.names import KnownNames
from lm_core.experiments.neural_language_model.study import (
    EMBEDDINGS,
    EXPERIMENT,
    PUBLISHED,
    TrainedNetwork,
)
from lm_core.models.mlp import MLPLanguageModel
from lm_core.results import Recorded, StoredTensor, provenance
from lm_core.text.names import NameSplit

Found = Sequence[tuple[TrainedNetwork, dict[str, Tensor]]]
"""Trainings and their tensors, as `study.carry_out` returns them."""


@dataclass(frozen=True)
class NeuralLanguageModelResults(Recorded, name=EXPERIMENT):
    """All that the page shows of the names."""

    starts: tuple[TrainedNetwork, ...]  # of the published sizes, each from another start
    grid: tuple[TrainedNetwork, ...]
    """All sizes, further seeds of the published; last snapshot alone."""
    weights: tuple[dict[str, StoredTensor], ...]  # of each network of the grid
    maps: tuple[TrainedNetwork, ...]  # whose letters are drawn; the last snapshot alone
    embeddings: tuple[StoredTensor, ...]  # of each map, at its snapshots, (snapshots, V, m)
    known: KnownNames

    @classmethod
    def of_study(
        cls, starts: Found, maps: Found, grid: Found, split: NameSplit
    ) -> "NeuralLanguageModelResults":
        """Return what is shipped: weights of the grid, and of the maps the letters at every snapshot."""
        learned = set(split.train)  # the list has some names twice, on both sides of the cut
        made = provenance(
            device="cpu",
            seconds=sum(trained.seconds for trained, _ in (*starts, *maps, *grid)),
            names="shuffled with Python's random seed 42; 80 % learned from, 10 % held out, 10 % test",
        )
        return cls(
            made,
            starts=tuple(trained for trained, _ in starts),
            grid=tuple(trained.at_its_end for trained, _ in grid),
            weights=tuple({n: w for n, w in found.items() if n != EMBEDDINGS} for _, found in grid),
            maps=tuple(trained.at_its_end for trained, _ in maps),
            embeddings=tuple(tensors[EMBEDDINGS] for _, tensors in maps),
            known=KnownNames.of(learned, {*split.validation, *split.test} - learned),
        )

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
        return next(i for i, trained in enumerate(self.grid) if trained.sizes == sizes)

    def of_seeds(self) -> tuple[TrainedNetwork, ...]:
        """Return the trainings of the published sizes that differ in the seed alone."""
        return tuple(t for t in self.grid if t.config.network == PUBLISHED)
