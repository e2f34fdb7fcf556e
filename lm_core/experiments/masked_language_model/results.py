"""What was measured of the masked language models, as the page reads it."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from lm_core.errors import ResultError
from lm_core.experiments.masked_language_model.settings import EXPERIMENT
from lm_core.experiments.masked_language_model.split_scores import SplitScore
from lm_core.experiments.masked_language_model.text_scores import OrderScore, PairScore, SweepScore
from lm_core.experiments.masked_language_model.word_classes import EVERY, ClassScore
from lm_core.results import Results, results_path

SHIPPED = results_path(EXPERIMENT)
SHIPPED_SPLITS = results_path(f"{EXPERIMENT}-splits")


class CurvePoint(NamedTuple):
    """A moment of a training.

    Attributes
    ----------
    model : str
        Of the recipe.
    step : int
    held_out : float
        Nats per chosen subword of the part of the training text that is never learned.
    """

    model: str
    step: int
    held_out: float


@dataclass(frozen=True)
class MaskedResults:
    """What was measured of the main model.

    Attributes
    ----------
    provenance : dict
    classes : tuple of ClassScore
        All words first, then by tag.
    pairs : tuple of PairScore
    orders : tuple of OrderScore
    sweeps : tuple of SweepScore
    references : dict of str to float
        Bits a character of texts as long as those of the sweeps: the book's, the causal model's own.
    curve : tuple of CurvePoint
    """

    provenance: dict[str, Any]
    classes: tuple[ClassScore, ...]
    pairs: tuple[PairScore, ...]
    orders: tuple[OrderScore, ...]
    sweeps: tuple[SweepScore, ...]
    references: dict[str, float]
    curve: tuple[CurvePoint, ...]

    def of_class(self, tag: str = EVERY) -> ClassScore:
        """Return the score of a class of words; of all words without a tag."""
        return next(score for score in self.classes if score.tag == tag)

    def of_pairs(self, order: str) -> PairScore:
        """Return the score of one way to fill two gaps."""
        return next(score for score in self.pairs if score.order == order)

    def of_order(self, order: str) -> OrderScore:
        """Return the score of sentences with their words in some order."""
        return next(score for score in self.orders if score.order == order)


@dataclass(frozen=True)
class SplitResults:
    """What was measured of the models that learned under different splits.

    Attributes
    ----------
    provenance : dict
    scores : tuple of SplitScore
    curves : tuple of CurvePoint
    """

    provenance: dict[str, Any]
    scores: tuple[SplitScore, ...]
    curves: tuple[CurvePoint, ...]

    def of(self, model: str, condition: str) -> SplitScore:
        """Return the score of a model asked in one way."""
        return next(s for s in self.scores if (s.model, s.condition) == (model, condition))


_RECORDS: dict[str, type[Any]] = {
    "classes": ClassScore,
    "pairs": PairScore,
    "orders": OrderScore,
    "sweeps": SweepScore,
    "curve": CurvePoint,
}
_SPLIT_RECORDS: dict[str, type[Any]] = {"scores": SplitScore, "curves": CurvePoint}


def save_results(path: Path, results: MaskedResults) -> None:
    """Write what was measured of the main model into one file."""
    data = _written(results, _RECORDS) | {"references": results.references}
    Results(EXPERIMENT, results.provenance, data).save(path)


def save_splits(path: Path, results: SplitResults) -> None:
    """Write what was measured of the splits into one file."""
    Results(EXPERIMENT, results.provenance, _written(results, _SPLIT_RECORDS)).save(path)


def load_results(path: Path = SHIPPED) -> MaskedResults:
    """Read what `save_results` wrote.

    Raises
    ------
    ResultError
        If the file is missing, damaged, or another one.
    """
    results = Results.load(path, EXPERIMENT)
    try:
        references = {str(k): float(v) for k, v in results.data["references"].items()}
        read = _read(results, _RECORDS)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise _not_read(path, error) from error
    return MaskedResults(results.provenance, references=references, **read)


def load_splits(path: Path = SHIPPED_SPLITS) -> SplitResults:
    """Read what `save_splits` wrote.

    Raises
    ------
    ResultError
        If the file is missing, damaged, or another one.
    """
    results = Results.load(path, EXPERIMENT)
    try:
        return SplitResults(results.provenance, **_read(results, _SPLIT_RECORDS))
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise _not_read(path, error) from error


def _written(results: MaskedResults | SplitResults, records: dict[str, type]) -> dict[str, Any]:
    return {name: [record._asdict() for record in getattr(results, name)] for name in records}


def _read(results: Results, records: dict[str, type[Any]]) -> dict[str, Any]:
    """Return the lists of records by name; ValueError if one is empty."""
    found = {
        name: tuple(kind(**record) for record in results.data[name])
        for name, kind in records.items()
    }
    if empty := [name for name, rows in found.items() if not rows]:
        raise ValueError(f"{empty} must not be empty")
    return found


def _not_read(path: Path, error: Exception) -> ResultError:
    return ResultError(
        f"{path.name} must hold the scores of masked language models: {error!r};"
        f" python -m lm_core experiment {EXPERIMENT} --measure makes it"
    )
