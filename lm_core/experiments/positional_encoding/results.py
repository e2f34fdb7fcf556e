"""Losses by position, far beyond the trained length, as they are shipped."""

from dataclasses import dataclass, replace
from typing import Annotated, NamedTuple

import numpy as np

from lm_core.models.transformer_config import POSITIONS
from lm_core.results import NOT_EMPTY, NonNegative, Positive, Recorded, StoredTensor, one_of

GROUP = 16
"""Positions whose losses are averaged, because a single one differs with the characters that are there."""


class GroupLoss(NamedTuple):
    """The loss of a group of positions, over the trainings of one kind."""

    last: int
    """Position of the group's last prediction: after so many characters of context."""
    mean: float
    """Nats a character, over the trainings."""


@dataclass(frozen=True)
class LongReading:
    """One model, asked at positions that its training windows did not have; nats a character."""

    position: Annotated[str, one_of(POSITIONS)]  # how it is told positions
    seed: int
    parameters: Positive
    attending_to_all: tuple[NonNegative, ...]  # by position; ends where a learned table does
    attending_to_last: tuple[NonNegative, ...]  # no farther back than in training


@dataclass(frozen=True)
class BeyondLengthResults(Recorded, name="positional-encoding"):
    """All trainings, and the positions that the first one has learned."""

    trained: Positive  # characters of a training window
    learned_table: StoredTensor  # (trained, width)
    readings: Annotated[tuple[LongReading, ...], NOT_EMPTY]

    def of(self, position: str) -> tuple[LongReading, ...]:
        """Return the trainings of one kind, by seed."""
        return tuple(found for found in self.readings if found.position == position)

    def added(self, reading: LongReading, seconds: float) -> "BeyondLengthResults":
        """Return results with one more training, and the seconds of all of them."""
        made = self.provenance | {"seconds": round(seconds, 1)}
        return replace(self, provenance=made, readings=(*self.readings, reading))

    def losses(self, position: str, *, is_limited: bool) -> tuple[GroupLoss, ...]:
        """Return the losses of one kind by groups of positions.

        `is_limited`: bool, whether it attends to no more characters than in training, or else to all.
        """
        found = self.of(position)
        rows = [one.attending_to_last if is_limited else one.attending_to_all for one in found]
        groups = np.array(rows).reshape(len(rows), -1, GROUP).mean((0, 2)).round(4)
        return tuple(GroupLoss((i + 1) * GROUP, loss) for i, loss in enumerate(groups.tolist()))
