"""The models of the ladder, and where the name of each finds room."""

from collections.abc import Sequence
from typing import NamedTuple

from pages.shared.charts.lines import Axis
from pages.shared.charts.names_apart import spread

ABOVE = Axis(
    "loss (nats per character)", (0.03, 3.6), True, (0.03, 0.05, 0.1, 0.2, 0.3, 0.5, 1, 2, 3)
)
"""Losses less `FLOOR`: so stretched, the rungs far down are as far apart as those high up."""
FLOOR = 1.0
_NAMES_AT = 1.4e7
"""Where the names of the large models begin, which lie close together; a phone needs the room after."""
_ASIDE = 1.6  # how much further left than their points the names of the small models end
_LARGE = 1e6
RIGHT, UP, LEFT = "right", "up", "left"
"""Where a name is drawn: in the column of the large models, above a line's point, left of another."""


class LadderPoint(NamedTuple):
    """A model as it is drawn."""

    # model and label: its title, and what stands beside its point
    model: str
    label: str
    family: str
    parameters: int
    loss: float  # nats per character
    standard_error: float  # nats per character
    training: str  # how long it took; read out, as are the characters that it has seen
    characters_seen: int
    is_joined: bool  # whether a line leads through the point: n-grams of rising length
    is_chosen: bool  # whether it is ringed

    @property
    def place(self) -> str:
        """Where its name is drawn."""
        if self.parameters > _LARGE and not self.is_joined:
            return RIGHT
        return UP if self.is_joined else LEFT

    @property
    def name_at(self) -> float:
        """The size at which its name ends or begins: a thin line leads there, unless it is above its point."""
        if self.place == RIGHT:
            return _NAMES_AT
        return float(self.parameters) / (_ASIDE if self.place == LEFT else 1.0)


def above(loss: float) -> float:
    """Return what a loss is above the floor, the lowest at the end of the axis."""
    return max(loss - FLOOR, ABOVE.domain[0])


def name_heights(points: Sequence[LadderPoint], least_apart: float) -> list[float]:
    """Return at which height each name is drawn: apart from the others right, or left, of the points."""
    heights = [above(point.loss) for point in points]
    for side in (RIGHT, LEFT):
        named = sorted(
            (i for i, point in enumerate(points) if point.place == side), key=heights.__getitem__
        )
        own = [ABOVE.place(heights[i]) for i in named]
        places = spread(own, least_apart)
        # Above the highest of these points runs the line of the n-grams.
        if side == LEFT and places:
            lower = max(0.0, min(places[-1] - own[-1], places[0]))
            places = [place - lower for place in places]
        for i, place in zip(named, places, strict=True):
            heights[i] = ABOVE.value(place)
    return heights
