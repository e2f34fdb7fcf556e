"""What LSTMs of several depths have learned, as it is shipped."""

from dataclasses import dataclass
from typing import Annotated, NamedTuple

from lm_core.results import NOT_EMPTY, NonNegative, Positive, Recorded


class StackedLayers(NamedTuple):
    """One LSTM after its training; losses in nats a character."""

    layers: Positive
    seed: Positive
    width: Positive  # units of each layer
    parameters: Positive
    curve: Annotated[tuple[NonNegative, ...], NOT_EMPTY]  # held out, after each hundred steps
    loss: NonNegative  # of the last tenth of the book
    seconds: NonNegative  # of training


@dataclass(frozen=True)
class StackedLayersResults(Recorded, name="stacked-layers"):
    """All trainings so far, by seed and depth."""

    trained: Annotated[tuple[StackedLayers, ...], NOT_EMPTY]

    def of(self, layers: int) -> tuple[StackedLayers, ...]:
        """Return the trainings of one depth, by seed."""
        return tuple(found for found in self.trained if found.layers == layers)
