"""Units of a language model by what they keep track of: what is shipped, and how it is read.

Of the text on which they were measured nothing is shipped: only activations, and where quotations and
paragraphs begin and end.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Annotated

import numpy as np

from lm_core.analysis.continuations import NextMark
from lm_core.analysis.text_spans import KINDS
from lm_core.analysis.unit_activations import CELL, HIDDEN
from lm_core.analysis.unit_search import UnitScore
from lm_core.results import NOT_EMPTY, Count, Recorded, StoredArray, one_of

PARTS = (HIDDEN, CELL)
MODEL = "full-lstm"
_LEVELS = 255


@dataclass(frozen=True)
class KindScores:
    """The units that go best with one kind of place."""

    kind: Annotated[str, one_of(KINDS)]
    part: Annotated[str, one_of(PARTS)]
    units: Annotated[tuple[UnitScore, ...], NOT_EMPTY]  # the best first
    chance: float  # largest correlation of a unit with the target shifted, the mean over shifts


@dataclass(frozen=True)
class BinnedActivations:
    """All units over a long stretch of text, some characters to a bin: float32, (bins, units)."""

    low: np.ndarray  # least of each bin's characters
    mean: np.ndarray
    high: np.ndarray

    @classmethod
    def of(cls, activations: np.ndarray, n_bins: int) -> "BinnedActivations":
        """Return (T, units) activations in bins of nearly equal length; T is at least their number."""
        starts = np.linspace(0, len(activations), n_bins + 1).astype(int)[:-1]
        lengths = np.diff([*starts, len(activations)])[:, None]
        return cls(
            np.minimum.reduceat(activations, starts),
            np.add.reduceat(activations, starts) / lengths,
            np.maximum.reduceat(activations, starts),
        )


@dataclass(frozen=True)
class StoredBins:
    """Binned activations, a byte each."""

    bounds: StoredArray  # least and largest activation of each unit, float32 (2, units)
    steps: StoredArray
    """Low, mean and high, from 0 at the one to 255 at the other, (3, bins, units)."""

    @classmethod
    def of(cls, bins: BinnedActivations) -> "StoredBins":
        """Return activations as they are stored."""
        bounds = np.stack([bins.low.min(0), bins.high.max(0)]).astype(np.float32)
        width = np.maximum(bounds[1] - bounds[0], 1e-6)
        shares = (np.stack([bins.low, bins.mean, bins.high]) - bounds[0]) / width
        return cls(bounds, np.rint(shares * _LEVELS).clip(0, _LEVELS).astype(np.uint8))

    def read(self) -> BinnedActivations:
        """Return the activations."""
        low, high = self.bounds
        shares = self.steps.astype(np.float32) / _LEVELS
        return BinnedActivations(*(low + shares * (high - low)))


@dataclass(frozen=True)
class ClampResults:
    """Which quotation mark comes next where a quotation is open, with one unit free and held."""

    unit: Count
    part: Annotated[str, one_of(PARTS)]
    places: Count  # quotations of held-out text that were written on from
    marks: dict[str, NextMark]  # over all texts: ``free``, held ``off`` and held ``on``


@dataclass(frozen=True)
class UnitResults(Recorded, name="inside-a-writer"):
    """What was measured of one model."""

    model: str  # name of the checkpoint
    scores: tuple[KindScores, ...]
    clamp: ClampResults
    levels: dict[str, StoredArray]  # by part: what 2 % of the activations are below, and 2 % above
    bins: dict[str, StoredBins]  # of the chapter, by part
    characters: Count  # of the chapter
    quotations: tuple[tuple[Count, Count], ...]  # where the chapter's quotations begin and end
    paragraphs: tuple[Count, ...]  # where its paragraphs end
    written: str  # what the model wrote itself

    @cached_property
    def chapter(self) -> dict[str, BinnedActivations]:
        """Activations over a chapter, by part."""
        return {part: bins.read() for part, bins in self.bins.items()}

    def of_kind(self, kind: str, part: str) -> KindScores:
        """Return the scores of one kind; KeyError if it was not measured."""
        return {(scores.kind, scores.part): scores for scores in self.scores}[kind, part]

    def found(self, unit: int, part: str) -> tuple[KindScores, UnitScore] | None:
        """Return for what a unit was found best; None for a unit that is among no kind's best."""
        fits = [(k, score) for k in self.scores for score in k.units if score.unit == unit]
        own = [(k, score) for k, score in fits if k.part == part]
        return max(own, key=lambda fit: abs(fit[1].held_out), default=None)
