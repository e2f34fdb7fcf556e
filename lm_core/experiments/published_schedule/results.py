"""The curve of a training by the published schedule, as it is shipped."""

from dataclasses import dataclass
from typing import Annotated

from lm_core.results import NOT_EMPTY, Count, NonNegative, Positive, Recorded

PUBLISHED_STEPS = 19_495
"""Seven epochs of 2,785 batches: christianb93/MLLM, warandpeace, losses.dat."""
PUBLISHED = {1: 4.2589, 1_000: 1.90, 5_000: 1.33, 10_000: 1.25, PUBLISHED_STEPS: 1.2030}
"""Nats of a batch, with dropout, after steps of the published training; from the same file."""


@dataclass(frozen=True)
class Point:
    """Where the training had come to."""

    step: Positive
    loss: NonNegative  # nats a character of the batches since the point before, with dropout
    validation: NonNegative | None
    """Nats a character of held-out windows, without; None if not read then."""


@dataclass(frozen=True)
class ScheduleResults(Recorded, name="published-schedule"):
    """As far as the training came."""

    steps: Count
    seconds: NonNegative  # of the steps, on one core beside other work
    points: Annotated[tuple[Point, ...], NOT_EMPTY]
