"""A reservoir's eigenvalues in the complex plane."""

import math
from typing import NamedTuple

import numpy as np

from lm_core.experiments.reservoir_computing import echo
from pages.reservoir_computing.reservoirs import Chosen
from pages.shared.charts.palette import BLUE, GREY, ORANGE, VERMILLION
from pages.shared.components.plane_panels import Line, Pair, Plane, PlaneMark
from pages.shared.numbers import significant


class Echo(NamedTuple):
    """Two runs, and what the matrix says of them."""

    runs: echo.StartedTwice
    eigenvalues: np.ndarray
    unscaled: float
    largest: float

    @property
    def radius(self) -> float:
        """Spectral radius of (1 - a) I + a W."""
        return float(np.abs(self.eigenvalues).max())


def _circle(radius: float, middle: float = 0.0) -> list[Pair]:
    turns = [2.0 * math.pi * i / 90 for i in range(91)]
    return [(middle + radius * math.cos(turn), radius * math.sin(turn)) for turn in turns]


def draw_plane(chosen: Chosen, found: Echo) -> Plane:
    """Draw the eigenvalues, and the circle of radius 1."""
    leak, radius = chosen.settings.leak, chosen.settings.spectral_radius
    lines = [Line(_circle(1.0), GREY, 2.0)]
    if leak != 1.0:
        lines.append(Line(_circle(radius), ORANGE, 1.5, is_dashed=True))
    # The leak moves the circle of W's eigenvalues towards 1.
    lines.append(Line(_circle(leak * radius, 1.0 - leak), VERMILLION, 2.0, is_dashed=True))
    values = [(float(value.real), float(value.imag)) for value in found.eigenvalues]
    note = f"drawn: {found.unscaled:.2f}, scaled to λ = {radius:g}"
    if leak != 1.0:
        note += f", with leak {significant(found.radius, 3)}"
    return Plane(
        "Eigenvalues of a step",
        note,
        (-1.7, 1.7, -1.7, 1.7),
        f"{len(values)} eigenvalues of (1 − a) I + a W; the largest has size"
        f" {significant(found.radius, 3)}, the grey circle radius 1.",
        None,
        lines,
        [PlaneMark(place, 0, BLUE, radius=4.0) for place in values],
        ("real part", "imaginary part"),
    )
