"""The plane of the inputs: what units answer at each of its places, and where they begin to fire."""

from collections.abc import Callable, Sequence
from functools import cache

from torch import Tensor

from lm_core.experiments.perceptron.tasks import BOUNDS
from lm_core.models.perceptron import Perceptron, grid
from pages.shared.charts.planes import surface_picture
from pages.shared.components.plane_panels import Line

SIZE = 96  # places of a picture in each direction, enough for a sharp edge


@cache
def _places() -> Tensor:
    return grid(BOUNDS, SIZE)


def picture_of(outputs: Callable[[Tensor], Tensor]) -> str:
    """Return a picture of what is 0 or 1 at each place of the plane."""
    return surface_picture(outputs(_places()).numpy())


def borders(
    units: Sequence[Perceptron],
    names: Sequence[str] = (),
    colours: Sequence[str] = (),
    width: float = 2.5,
    *,
    has_arrows: bool = True,
) -> list[Line]:
    """Return the line of each unit that crosses the picture, with an arrow to where it fires."""
    lines = []
    for i, unit in enumerate(units):
        ends = unit.border(BOUNDS)
        if ends is not None:
            lines.append(
                Line(
                    ends,
                    colours[i % len(colours)] if colours else None,
                    width,
                    name=names[i] if names else "",
                    towards=(unit.weights[0], unit.weights[1]) if has_arrows else None,
                )
            )
    return lines


def in_words(perceptron: Perceptron) -> str:
    """Return weights and bias as they are written on this page."""
    weights = ", ".join(map(signed, perceptron.weights))
    return f"w = ({weights}), b = {signed(perceptron.bias)}"


def signed(number: float) -> str:
    """Return a number to two decimals, with a true minus."""
    return f"{round(number, 2) + 0.0:g}".replace("-", "−")
