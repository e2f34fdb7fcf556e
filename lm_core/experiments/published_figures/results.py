"""What the repetitions came to, as it is shipped."""

import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lm_core.errors import ResultError
from lm_core.experiments.published import COUNTING_LOSSES
from lm_core.experiments.published_figures.repetitions import (
    BALANCED,
    UNBALANCED,
    IrisRestart,
    Permutation,
)
from lm_core.experiments.results import Results, results_path

EXPERIMENT = "published-figures"
SHIPPED = results_path(EXPERIMENT)

RNN, LSTM, ONE_HEAD, TWO_HEADS = "RNN", "LSTM", "one head", "two heads"
EQUALITIES = (RNN, LSTM, ONE_HEAD, TWO_HEADS)
"""What is compared with torch's own layers."""

ENCODER, CROSS_ATTENTION, TRANSFORMER = "encoder", "cross-attention", "transformer"
PERMUTED = (ENCODER, CROSS_ATTENTION, TRANSFORMER)
"""Whose input is reversed."""


@dataclass(frozen=True)
class Repetitions:
    """Repeated experiments.

    Attributes
    ----------
    provenance : dict
    counting : tuple of dict of int to float
        One a seed: the loss in nats by epoch, of the epochs in
        `lm_core.experiments.published.COUNTING_LOSSES`.
    iris : tuple of IrisRestart
    blobs : dict of str to tuple of int
        Of the two drawn data sets: wrong points of 100, one a seed.
    temperature : tuple of float
        The 16 probabilities of the sampling notebook.
    queries : tuple of float
        Of the worked example of attention.
    differences : dict of str to tuple of float
        Of `EQUALITIES`: the largest difference from torch's layer, one a seed.
    permutations : dict of str to tuple of Permutation
        Of `PERMUTED`, one a seed.
    """

    provenance: dict[str, Any]
    counting: tuple[dict[int, float], ...]
    iris: tuple[IrisRestart, ...]
    blobs: dict[str, tuple[int, ...]]
    temperature: tuple[float, ...]
    queries: tuple[float, ...]
    differences: dict[str, tuple[float, ...]]
    permutations: dict[str, tuple[Permutation, ...]]

    def save(self, path: Path = SHIPPED) -> None:
        """Write them as one results file; a loss that is no number has none there."""
        data = {
            "counting": [[_rounded(loss) for loss in losses.values()] for losses in self.counting],
            "iris": [[*restart[:2], _rounded(restart.em_loss)] for restart in self.iris],
            "blobs": {name: list(errors) for name, errors in self.blobs.items()},
            "temperature": [_rounded(share) for share in self.temperature],
            "queries": list(self.queries),
            "differences": {n: list(map(_rounded, d)) for n, d in self.differences.items()},
            "permutations": {
                name: [[_rounded(one.difference), one.is_close] for one in found]
                for name, found in self.permutations.items()
            },
        }
        Results(EXPERIMENT, self.provenance, data).save(path)


def _rounded(number: float) -> float | None:
    return float(f"{number:.6g}") if math.isfinite(number) else None


def load_results(path: Path = SHIPPED) -> Repetitions:
    """Read a file that `Repetitions.save` wrote.

    Raises
    ------
    ResultError
        If it is missing, or is another file.
    """
    results = Results.load(path, EXPERIMENT)
    data = results.data
    try:
        if not (data["counting"] and data["iris"]):
            raise ValueError("there must be trainings and restarts")
        return Repetitions(
            results.provenance,
            tuple(dict(zip(COUNTING_LOSSES, row, strict=True)) for row in data["counting"]),
            tuple(
                IrisRestart(hard, soft, -math.inf if loss is None else loss)
                for hard, soft, loss in data["iris"]
            ),
            {name: tuple(data["blobs"][name]) for name in (BALANCED, UNBALANCED)},
            tuple(data["temperature"]),
            tuple(data["queries"]),
            {name: tuple(data["differences"][name]) for name in EQUALITIES},
            {
                name: tuple(Permutation(*row) for row in data["permutations"][name])
                for name in PERMUTED
            },
        )
    except (KeyError, TypeError, ValueError) as error:
        raise ResultError(
            f"{path.name} must hold the repetitions: {error!r};"
            f" python -m lm_core experiment {EXPERIMENT} makes it"
        ) from error
