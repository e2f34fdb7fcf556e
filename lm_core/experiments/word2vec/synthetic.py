"""Vectors of the synthetic text, trained once and shipped: eight numbers a word, few enough to be drawn.

    python -m lm_core experiment word2vec --synthetic

makes them again.
"""

import time
from dataclasses import asdict, dataclass

import torch

from lm_core.experiments.word2vec.full_softmax import FullSoftmaxConfig
from lm_core.experiments.word2vec.short_text import (
    RecordedTraining,
    ShortText,
    Snapshot,
    short_text,
    synthetic_text,
)
from lm_core.results import Count, Recorded, provenance
from lm_core.rng import generator

SENTENCES, TEXT_SEED, MINIMUM_COUNT = 1_500, 1, 5
CONFIG = FullSoftmaxConfig(width=8, learning_rate=0.1, epochs=10, batch=256)
_DIGITS = 4


@dataclass(frozen=True)
class SyntheticVectors(Recorded, name="word2vec", experiment="word2vec --synthetic"):
    """The trained vectors, rounded."""

    step: Count
    words: tuple[str, ...]
    input: tuple[tuple[float, ...], ...]  # of each word
    output: tuple[tuple[float, ...], ...]

    def __post_init__(self) -> None:
        if {len(row) for row in (*self.input, *self.output)} != {CONFIG.width} or not (
            len(self.words) == len(self.input) == len(self.output)
        ):
            raise ValueError(f"each word must have two rows of {CONFIG.width} numbers")

    @property
    def vectors(self) -> Snapshot:
        """The vectors as they were at the end of the training."""
        return Snapshot(1.0, self.step, torch.tensor(self.input), torch.tensor(self.output))


def synthetic_short_text() -> ShortText:
    """Return the synthetic text of the page, ready to be learned from."""
    return short_text(synthetic_text(SENTENCES, generator(TEXT_SEED)), MINIMUM_COUNT)


def train_synthetic() -> SyntheticVectors:
    """Train the vectors: some seconds of one core."""
    training, begin = RecordedTraining(synthetic_short_text(), CONFIG), time.monotonic()
    for _ in training:
        pass
    last = training.snapshots[-1]
    origin = provenance(
        device="cpu", seconds=time.monotonic() - begin, sentences=SENTENCES, **asdict(CONFIG)
    )
    return SyntheticVectors(
        origin,
        last.step,
        training.text.vocabulary.words,
        _rounded(last.input),
        _rounded(last.output),
    )


def _rounded(table: torch.Tensor) -> tuple[tuple[float, ...], ...]:
    return tuple(tuple(round(x, _DIGITS) for x in row) for row in table.tolist())
