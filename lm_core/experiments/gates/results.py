"""What cells with and without gates recall, as it is shipped."""

import statistics
from dataclasses import dataclass
from typing import Annotated, NamedTuple

from lm_core.experiments.gates.taps import TAPS
from lm_core.results import NOT_EMPTY, Count, NonNegative, Positive, Recorded, Share, one_of


class GateReading(NamedTuple):
    """One network after its training, reading on without a reset."""

    kind: Annotated[str, one_of(TAPS)]
    length: Positive  # letters of a word
    words: Positive  # read in training before a reset
    seed: Count
    right: tuple[Share, ...]  # last answers, by how many words have been read
    sizes: tuple[NonNegative, ...]  # of a cell's number, without its sign, on average
    steps: Count | None  # of training until its loss first was below `training.LEARNED`


class Spread(NamedTuple):
    """A number of several networks."""

    middle: float
    """Mean, or median where it is said."""
    each: tuple[float, ...]
    """By seed."""


@dataclass(frozen=True)
class GatesResults(Recorded, name="gates"):
    """All networks."""

    read_on: tuple[Positive, ...]  # words after which was measured
    readings: Annotated[tuple[GateReading, ...], NOT_EMPTY]

    def of(self, kind: str, length: int, words: int) -> tuple[GateReading, ...]:
        """Return the networks of one kind and training, by seed."""
        wanted = (kind, length, words)
        return tuple(found for found in self.readings if found[:3] == wanted)

    def spread(self, kind: str, length: int, words: int, *, of_sizes: bool) -> tuple[Spread, ...]:
        """Return the share of right answers, or the size of the cells, by how much has been read."""
        found = self.of(kind, length, words)
        columns = zip(*((one.sizes if of_sizes else one.right) for one in found), strict=True)
        return tuple(Spread(statistics.fmean(column), tuple(column)) for column in columns)

    def steps(self, kind: str, length: int, words: int, most: int) -> Spread:
        """Return the steps of training until the networks had learned: their median, `most` for never."""
        each = [most if one.steps is None else one.steps for one in self.of(kind, length, words)]
        return Spread(statistics.median(each), tuple(map(float, each)))
