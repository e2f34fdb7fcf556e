"""A published figure, what we have in its place, and the rules by which one is held against the other."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple, TypeAlias

from lm_core.experiments.published_figures.sources import Sources


class Verdict(StrEnum):
    """What becomes of a published figure here."""

    HOLDS = "holds"
    DOES_NOT_HOLD = "does not hold"
    # Their own weights have the number here too: no training of ours does.
    SCORED_AGAIN = "scored again"
    NOT_COMPARABLE = "not comparable"
    NOT_REPRODUCED = "not reproduced"
    NOT_READ = "not readable"


_ONE_IN = 20
"""Of so many seeds one at least must be as low, and one as high, as a figure that holds."""


@dataclass(frozen=True)
class Ours:
    """What we have in the place of a published figure."""

    value: float | None
    """None where nothing is measured, or `words` say it."""
    reason: str
    """One or two sentences on what it means, with the numbers of the results."""
    low: float | None = None
    high: float | None = None
    """`low` and `high`: lowest and highest over the seeds, or other ends of a spread that the
    reason names."""
    seeds: int = 0
    """Trainings, draws or restarts that the value is of; 0 where nothing is drawn."""
    words: str = ""
    """What is shown instead of a number."""
    values: tuple[float, ...] = ()
    """One of each seed, draw or restart, where the rule counts how many lie as low or as high."""


def of_seeds(values: Sequence[float], reason: str, value: float | None = None) -> Ours:
    """Return the mean of a measurement over its seeds, or another value, with its lowest and highest."""
    value = sum(values) / len(values) if value is None else value
    return Ours(value, reason, min(values), max(values), len(values), values=tuple(values))


class Rule(NamedTuple):
    """How a verdict comes about."""

    text: str
    """The rule as the page says it."""
    judge: Callable[[float, float, Ours], Verdict]
    """Returns the verdict from the published number, half a unit of its last digit, and ours."""


def _verdict(holds: bool) -> Verdict:
    return Verdict.HOLDS if holds else Verdict.DOES_NOT_HOLD


def _in_spread(theirs: float, half: float, ours: Ours) -> Verdict:
    # The range alone would hold more the more seeds there are.
    n_as_low = sum(value <= theirs + half for value in ours.values)
    n_as_high = sum(value >= theirs - half for value in ours.values)
    return _verdict(min(n_as_low, n_as_high) >= max(1.0, len(ours.values) / _ONE_IN))


def _equal_as_written(theirs: float, half: float, ours: Ours) -> Verdict:
    assert ours.value is not None
    # A number that ends in 5 may be written either way.
    return _verdict(abs(ours.value - theirs) <= half * (1.0 + 1e-9))


def _never_below(theirs: float, half: float, ours: Ours) -> Verdict:
    assert ours.low is not None
    return _verdict(ours.low >= theirs - half)


def _never_above(theirs: float, half: float, ours: Ours) -> Verdict:
    assert ours.high is not None
    return _verdict(ours.high <= theirs + half)


IN_SPREAD = Rule(
    f"Holds if at least one in {_ONE_IN} of ours is as low, and one in {_ONE_IN} as high, to the digits"
    " written. Of fewer it must lie between our lowest and our highest.",
    _in_spread,
)
AS_WRITTEN = Rule("Holds if ours, rounded to the digits written, is the same.", _equal_as_written)
NEVER_BELOW = Rule("Holds if our lowest is no lower.", _never_below)
NEVER_ABOVE = Rule("Holds if our highest is no higher.", _never_above)


def within(tolerance: float, why: str) -> Rule:
    """Return the rule that ours may differ by a tolerance, and why by so much."""
    return Rule(
        f"Holds if ours differs by {tolerance:g} at most: {why}.",
        lambda theirs, half, ours: _verdict(
            ours.value is not None and abs(ours.value - theirs) <= tolerance
        ),
    )


def judged(verdict: Verdict) -> Rule:
    """Return the rule of a verdict in words: where there is no number, or protocols differ."""
    return Rule("Judged in words, not by a number.", lambda theirs, half, ours: verdict)


RULES = {
    "in spread": IN_SPREAD,
    "as written": AS_WRITTEN,
    "never below": NEVER_BELOW,
    "never above": NEVER_ABOVE,
    **{str(verdict): judged(verdict) for verdict in Verdict},
}
"""By their names in `figures.toml`."""

_NUMBER = re.compile(r"\d[\d,]*(?:\.(\d+))?|\.(\d+)")


@dataclass(frozen=True)
class PublishedFigure:
    """A figure that a document reports."""

    name: str
    """Unique; letters, digits and hyphens."""
    document: str
    measured: str
    """What it is a figure of."""
    written: str
    """As the document has it; the first number is the one that is compared."""
    protocol: str
    """`document` and `protocol`: where it is reported, and how it was measured there."""
    ours: Callable[[Sources], Ours]
    """Reads what we have from what is shipped; raises an `LMCoreError` where it cannot be read."""
    rule: Rule
    page: str
    """Address of the page that shows the experiment."""
    settings: dict[str, str] = field(default_factory=dict)
    """What the link asks for there, by the names of the page's controls."""
    unit: str = ""
    """Follows both numbers; empty for a pure one."""

    @property
    def value(self) -> float | None:
        """The number that is compared; None where the document reports none."""
        found = _NUMBER.search(self.written)
        return float(found[0].replace(",", "")) if found else None

    @property
    def decimals(self) -> int:
        """Digits after the point of that number."""
        found = _NUMBER.search(self.written)
        return len(found[1] or found[2] or "") if found else 0


Reader: TypeAlias = Callable[..., Ours]
"""From what is shipped, and the arguments of the row, to what stands beside a published figure."""
READERS: dict[str, Reader] = {}
"""By their names in `figures.toml`."""


def reads(name: str) -> Callable[[Reader], Reader]:
    """Return a decorator that makes a function known to the rows of `figures.toml`."""

    def register(reader: Reader) -> Reader:
        READERS[name] = reader
        return reader

    return register


@reads("not reproduced")
def _not_reproduced(_: Sources, needs: str) -> Ours:
    return Ours(None, f"Not reproduced here: {needs}")
