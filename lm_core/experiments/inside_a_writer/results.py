"""Units of a language model by what they keep track of: what is shipped, and how it is read.

Of the text on which they were measured nothing is shipped: only activations, and where quotations and
paragraphs begin and end.
"""

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor

from lm_core.analysis.continuations import NextMark
from lm_core.analysis.text_spans import KINDS
from lm_core.analysis.unit_activations import CELL, HIDDEN
from lm_core.analysis.unit_search import UnitScore
from lm_core.errors import ResultError
from lm_core.results import Results, load_with_weights, results_path, save_with_weights

EXPERIMENT = "inside-a-writer"
SHIPPED = results_path(EXPERIMENT)
PARTS = (HIDDEN, CELL)
MODEL = "full-lstm"
_LEVELS = 255


@dataclass(frozen=True)
class KindScores:
    """The units that go best with one kind of place.

    Attributes
    ----------
    kind : str
        One of `lm_core.analysis.text_spans.KINDS`.
    part : str
        `HIDDEN` or `CELL`.
    units : tuple of UnitScore
        The best first.
    chance : float
        Largest correlation that any unit had with the target shifted, the mean over shifts.
    """

    kind: str
    part: str
    units: tuple[UnitScore, ...]
    chance: float

    def __post_init__(self) -> None:
        if self.kind not in KINDS or self.part not in PARTS or not self.units:
            raise ValueError(f"scores have a known kind and part, and units, got {self}")


@dataclass(frozen=True)
class BinnedActivations:
    """All units over a long stretch of text, some characters to a bin.

    Attributes
    ----------
    low, mean, high : float32 ndarray of shape (bins, units)
        Least, mean and largest activation of each bin's characters.
    """

    low: np.ndarray
    mean: np.ndarray
    high: np.ndarray


@dataclass(frozen=True)
class ClampResults:
    """Which quotation mark comes next where a quotation is open, with one unit free and held.

    Attributes
    ----------
    unit : int
    part : str
    places : int
        Quotations of held-out text that were written on from.
    marks : dict of str to NextMark
        Over all texts: ``free``, held ``off`` and held ``on``.
    """

    unit: int
    part: str
    places: int
    marks: dict[str, NextMark]


@dataclass(frozen=True)
class UnitResults:
    """What was measured of one model.

    Attributes
    ----------
    provenance : dict
    model : str
        Name of the checkpoint.
    scores : tuple of KindScores
    clamp : ClampResults
    levels : dict of str to float32 ndarray of shape (2, units)
        By part: the activations below and above which a fiftieth of the characters lies.
    chapter : dict of str to BinnedActivations
        By part.
    characters : int
        Of the chapter.
    quotations : tuple of (int, int)
        Where the chapter's quotations begin and end.
    paragraphs : tuple of int
        Where its paragraphs end.
    written : str
        What the model wrote itself.
    """

    provenance: dict[str, Any]
    model: str
    scores: tuple[KindScores, ...]
    clamp: ClampResults
    levels: dict[str, np.ndarray]
    chapter: dict[str, BinnedActivations]
    characters: int
    quotations: tuple[tuple[int, int], ...]
    paragraphs: tuple[int, ...]
    written: str

    def of_kind(self, kind: str, part: str) -> KindScores:
        """Return the scores of one kind; KeyError if it was not measured."""
        return {(scores.kind, scores.part): scores for scores in self.scores}[kind, part]

    def found(self, unit: int, part: str) -> tuple[KindScores, UnitScore] | None:
        """Return for what a unit was found best; None for a unit that is among no kind's best."""
        fits = [(k, score) for k in self.scores for score in k.units if score.unit == unit]
        own = [(k, score) for k, score in fits if k.part == part]
        return max(own, key=lambda fit: abs(fit[1].held_out), default=None)


def binned(activations: np.ndarray, n_bins: int) -> BinnedActivations:
    """Return least, mean and largest activation of each of some bins of nearly equal length.

    Parameters
    ----------
    activations : ndarray of shape (T, units)
        T at least `n_bins`.
    n_bins : int
    """
    starts = np.linspace(0, len(activations), n_bins + 1).astype(int)[:-1]
    lengths = np.diff([*starts, len(activations)])[:, None]
    return BinnedActivations(
        np.minimum.reduceat(activations, starts),
        np.add.reduceat(activations, starts) / lengths,
        np.maximum.reduceat(activations, starts),
    )


def save_results(path: Path, results: UnitResults) -> None:
    """Write the results, and beside them the activations, a byte each."""
    data = {
        "model": results.model,
        "scores": [_rounded(asdict(scores)) for scores in results.scores],
        "clamp": asdict(results.clamp),
        "characters": results.characters,
        "quotations": [list(span) for span in results.quotations],
        "paragraphs": list(results.paragraphs),
        "written": results.written,
    }
    arrays: dict[str, Tensor] = {}
    for part, chapter in results.chapter.items():
        bounds = np.stack([chapter.low.min(0), chapter.high.max(0)]).astype(np.float32)
        stacked = np.stack([chapter.low, chapter.mean, chapter.high])
        arrays[f"{part}.levels"] = torch.from_numpy(results.levels[part].astype(np.float32))
        arrays[f"{part}.bounds"] = torch.from_numpy(bounds)
        arrays[f"{part}.chapter"] = torch.from_numpy(_as_bytes(stacked, bounds))
    save_with_weights(path, Results(EXPERIMENT, results.provenance, data), arrays)


def _rounded(record: dict[str, Any]) -> dict[str, Any]:
    units = [
        {k: round(v, 4) if isinstance(v, float) else v for k, v in unit.items()}
        for unit in record["units"]
    ]
    return record | {"units": units, "chance": round(record["chance"], 4)}


def _as_bytes(values: np.ndarray, bounds: np.ndarray) -> np.ndarray:
    """Return values (..., units) as steps from each unit's lower bound to its upper one."""
    width = np.maximum(bounds[1] - bounds[0], 1e-6)
    return np.rint((values - bounds[0]) / width * _LEVELS).clip(0, _LEVELS).astype(np.uint8)


def load_results(path: Path = SHIPPED) -> UnitResults:
    """Read what `save_results` wrote.

    Raises
    ------
    ResultError
        If a file is missing, damaged or another experiment's.
    """
    results, arrays = load_with_weights(path, EXPERIMENT)
    data = results.data
    try:
        scores = tuple(
            KindScores(**{**row, "units": tuple(UnitScore(**unit) for unit in row["units"])})
            for row in data["scores"]
        )
        return UnitResults(
            provenance=results.provenance,
            model=data["model"],
            scores=scores,
            clamp=ClampResults(
                **{
                    **data["clamp"],
                    "marks": {name: NextMark(*m) for name, m in data["clamp"]["marks"].items()},
                }
            ),
            levels={part: arrays[f"{part}.levels"].numpy() for part in PARTS},
            chapter={part: _chapter(arrays, part) for part in PARTS},
            characters=int(data["characters"]),
            quotations=tuple((int(start), int(end)) for start, end in data["quotations"]),
            paragraphs=tuple(int(place) for place in data["paragraphs"]),
            written=str(data["written"]),
        )
    except (KeyError, TypeError, ValueError) as error:
        raise ResultError(
            f"{path.name} must hold the scores and activations of units: {error!r};"
            f" python -m lm_core experiment {EXPERIMENT} makes it"
        ) from error


def _chapter(arrays: dict[str, Tensor], part: str) -> BinnedActivations:
    bounds = arrays[f"{part}.bounds"].numpy()
    steps = arrays[f"{part}.chapter"].numpy().astype(np.float32) / _LEVELS
    return BinnedActivations(*(bounds[0] + steps * (bounds[1] - bounds[0])))
