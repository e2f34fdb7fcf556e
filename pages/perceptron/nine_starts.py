"""Nine starts of a network that learns XOR, to be watched."""

from typing import NamedTuple

import streamlit as st

from lm_core.experiments.perceptron.tasks import BOUNDS, TASKS, XOR
from lm_core.experiments.perceptron.training import (
    NetworkSettings,
    Training,
    hidden_units,
    network_of,
    surfaces,
    train,
)
from pages.perceptron.own_points import LEGEND, marks_of
from pages.perceptron.planes import borders
from pages.shared.charts.planes import surface_picture
from pages.shared.components.plane_panels import Plane, plane_panels
from pages.shared.turns import model_calls

_SHOWN = 9
HEIGHT = 300
_SIZE = 32  # places of a small picture in each direction


class Measured(NamedTuple):
    """What is watched: the network, and the seed of its nine starts."""

    activation: str
    units: int
    layers: int
    seed: int


@st.cache_data(max_entries=32, show_spinner="Training")
def nine_trainings(measured: Measured) -> Training:
    """Return nine starts, trained side by side once for all visitors."""
    settings = NetworkSettings(
        (measured.units,) * measured.layers,
        measured.activation,
        seed=measured.seed,
        networks=_SHOWN,
    )
    with model_calls:
        return train(TASKS[XOR], settings)


def draw_nine(measured: Measured, training: Training, i: int, *, is_masked: bool) -> None:
    """Draw nine starts at one step."""
    layers = training.layers[i]
    shares = surfaces(layers, measured.activation, BOUNDS, _SIZE).numpy()
    marks = [mark._replace(radius=4.0) for mark in marks_of(TASKS[XOR])]
    planes = []
    for start in range(_SHOWN):
        said = f"Start {start + 1} at step {training.steps[i]}."
        if is_masked:
            planes.append(Plane("?", "", BOUNDS, said, marks=marks, is_asked=True))
            continue
        n_right = int(training.n_right[i, start])
        units = hidden_units(network_of(layers, start), 0)
        planes.append(
            Plane(
                f"{n_right} of 4" + (" ✓" if n_right == 4 else ""),
                "",
                BOUNDS,
                said,
                surface_picture(shares[start]),
                borders(units, width=1.5, has_arrows=False),
                marks,
            )
        )
    plane_panels(
        planes, key="nine_planes", name="nine-starts", columns=3, height=HEIGHT, hint=LEGEND
    )
