"""What the experiment has measured, as it is shipped."""

from dataclasses import dataclass

from lm_core.experiments.overfitting.book import BookCurve
from lm_core.experiments.overfitting.speed_up import Speed
from lm_core.experiments.overfitting.study import DescentCurve, SweepPoint
from lm_core.results import Recorded


@dataclass(frozen=True)
class OverfittingResults(Recorded, name="overfitting"):
    """All that was measured."""

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
