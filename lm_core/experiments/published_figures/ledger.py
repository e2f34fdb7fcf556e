"""The ledger: every published figure with what we have and the verdict."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from lm_core.errors import LMCoreError
from lm_core.experiments.published_figures.figures import FIGURES
from lm_core.experiments.published_figures.record import Ours, PublishedFigure, Verdict
from lm_core.experiments.published_figures.sources import Sources


@dataclass(frozen=True)
class Entry:
    """A published figure with its verdict."""

    figure: PublishedFigure
    ours: Ours
    """Where a file could not be read, the message is its reason."""
    verdict: Verdict

    @property
    def theirs(self) -> str:
        """Their number as it is written; their words where there is none."""
        return self.figure.written.split(" (")[0]

    @property
    def shown(self) -> str:
        """Ours with as many digits, one after the point at least if it is not whole; empty where there is none."""
        if self.ours.words or self.ours.value is None:
            return self.ours.words
        return self._written(self.ours.value)

    @property
    def spread(self) -> str:
        """Our lowest and highest; empty where there are none."""
        if self.ours.low is None or self.ours.high is None:
            return ""
        return f"{self._written(self.ours.low)}–{self._written(self.ours.high)}"

    @property
    def deviation(self) -> float | None:
        """How far ours is from theirs, as a share of theirs; None where one has no number, or is 0."""
        return self.relative(self.ours.value)

    def relative(self, value: float | None) -> float | None:
        """Return how far a number is from theirs, as a share of theirs."""
        theirs = self.figure.value
        return None if value is None or not theirs or self.ours.words else value / theirs - 1.0

    def _written(self, value: float) -> str:
        decimals = self.figure.decimals or int(not float(value).is_integer())
        return f"{value:,.{decimals}f}"


def load_ledger(figures: Iterable[PublishedFigure] = FIGURES) -> tuple[Entry, ...]:
    """Read everything that is shipped, and return an entry for each figure.

    A file that cannot be read costs only the figures that need it: these are `Verdict.NOT_READ`.
    """
    sources = Sources()
    return tuple(_entry(figure, sources) for figure in figures)


def _entry(figure: PublishedFigure, sources: Sources) -> Entry:
    try:
        ours = figure.ours(sources)
    except LMCoreError as error:
        return Entry(figure, Ours(None, str(error)), Verdict.NOT_READ)
    half = 0.5 * 10.0**-figure.decimals
    return Entry(figure, ours, figure.rule.judge(figure.value or 0.0, half, ours))


def tally(entries: Iterable[Entry]) -> dict[Verdict, int]:
    """Return how many figures have each verdict, in the order of `Verdict`."""
    counts = Counter(entry.verdict for entry in entries)
    return {verdict: counts[verdict] for verdict in Verdict}
