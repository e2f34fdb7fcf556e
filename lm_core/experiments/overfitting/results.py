"""What the experiment has measured, as it is shipped."""

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from lm_core.errors import ResultError
from lm_core.experiments.overfitting.book import BookCurve
from lm_core.experiments.overfitting.speed_up import Speed
from lm_core.experiments.overfitting.study import DescentCurve, SweepPoint
from lm_core.experiments.results import Results, results_path

EXPERIMENT = "overfitting"
SHIPPED = results_path(EXPERIMENT)


@dataclass(frozen=True)
class OverfittingResults:
    """All that was measured.

    Attributes
    ----------
    provenance : dict
    sweep : tuple of SweepPoint
    descents : tuple of DescentCurve
    book : tuple of BookCurve
    speeds : tuple of Speed
    """

    provenance: dict[str, Any]
    sweep: tuple[SweepPoint, ...]
    descents: tuple[DescentCurve, ...]
    book: tuple[BookCurve, ...]
    speeds: tuple[Speed, ...]

    def swept(self, varied: str, remedy: str) -> list[SweepPoint]:
        """Return what one setting does under one remedy, by rising value."""
        return [p for p in self.sweep if (p.varied, p.remedy) == (varied, remedy)]

    def descent(self, noise: float, weight_decay: float) -> DescentCurve:
        """Return one curve; StopIteration if there is none."""
        wanted = (noise, weight_decay)
        return next(c for c in self.descents if (c.noise, c.weight_decay) == wanted)

    def curve(self, name: str) -> BookCurve:
        """Return one training on the book; StopIteration if there is none."""
        return next(curve for curve in self.book if curve.name == name)

    def save(self, path: Path = SHIPPED) -> None:
        """Write them as one results file."""
        data = {
            "sweep": [list(asdict(point).values()) for point in self.sweep],
            "descents": [asdict(curve) for curve in self.descents],
            "book": [asdict(curve) for curve in self.book],
            "speeds": [asdict(speed) for speed in self.speeds],
        }
        Results(EXPERIMENT, self.provenance, data).save(path)


def load_results(path: Path = SHIPPED) -> OverfittingResults:
    """Read what was measured.

    Raises
    ------
    ResultError
        If the file is missing, or is another one.
    """
    results = Results.load(path, EXPERIMENT)
    data = results.data
    try:
        return OverfittingResults(
            results.provenance,
            tuple(SweepPoint(*row) for row in data["sweep"]),
            tuple(DescentCurve(**_tuples(row)) for row in data["descents"]),
            tuple(BookCurve(**_tuples(row)) for row in data["book"]),
            tuple(Speed(**row) for row in data["speeds"]),
        )
    except (KeyError, TypeError) as error:
        raise ResultError(
            f"{path.name} must hold sweep, descents, book and speeds: {error!r}; python -m lm_core"
            f" experiment {EXPERIMENT} makes it"
        ) from error


def _tuples(row: dict[str, Any]) -> dict[str, Any]:
    return {k: tuple(v) if isinstance(v, list) else v for k, v in row.items()}
