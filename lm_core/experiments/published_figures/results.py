"""What the repetitions came to, as it is shipped."""

from dataclasses import dataclass

from lm_core.experiments.published_figures import repetitions
from lm_core.results import Recorded

RNN, LSTM, ONE_HEAD, TWO_HEADS = "RNN", "LSTM", "one head", "two heads"
EQUALITIES = (RNN, LSTM, ONE_HEAD, TWO_HEADS)
"""What is compared with torch's own layers."""

ENCODER, CROSS_ATTENTION, TRANSFORMER = "encoder", "cross-attention", "transformer"
PERMUTED = (ENCODER, CROSS_ATTENTION, TRANSFORMER)
"""Whose input is reversed."""


@dataclass(frozen=True)
class Repetitions(Recorded, name="published-figures"):
    """Repeated experiments."""

    counting: tuple[dict[int, float], ...]
    """One a seed: nats by epoch, of those in `COUNTING_LOSSES`."""
    iris: tuple[repetitions.IrisRestart, ...]
    blobs: dict[str, tuple[int, ...]]  # of both drawn data sets: wrong points of 100, one a seed
    temperature: tuple[float, ...]  # the 16 probabilities of the sampling notebook
    queries: tuple[float, ...]  # of the worked example of attention
    differences: dict[str, tuple[float, ...]]
    """Of `EQUALITIES`, one a seed: largest, from torch's layer."""
    permutations: dict[str, tuple[repetitions.Permutation, ...]]  # of `PERMUTED`, one a seed

    def __post_init__(self) -> None:
        held = {repetitions.BALANCED, repetitions.UNBALANCED} <= set(self.blobs) and set(
            EQUALITIES
        ) <= set(self.differences)
        if not (held and set(PERMUTED) <= set(self.permutations) and self.counting and self.iris):
            raise ValueError("there must be trainings, restarts, and every comparison")
