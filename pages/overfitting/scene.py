"""What the first two parts share: the network, its points and its surface, and how losses are drawn."""

from typing import Any

import streamlit as st

from lm_core.experiments.overfitting.points import BOUNDS
from lm_core.experiments.overfitting.study import LABEL_NOISE, POINTS, UNITS, VALUES
from lm_core.experiments.overfitting.training import NetworkSettings, Training, train
from lm_core.experiments.perceptron.training import surfaces
from pages.shared import page
from pages.shared.charts.palette import BLUE, GREY, VERMILLION
from pages.shared.charts.planes import surface_picture
from pages.shared.components.plane_panels import Plane, PlaneMark, plane_panels
from pages.shared.numbers import percent
from pages.shared.ui.controls import control

TRAINING, VALIDATION = "training", "validation"
WITHOUT = "no remedy"
STYLES = {
    TRAINING: page.LineStyle(BLUE, 1),
    VALIDATION: page.LineStyle(VERMILLION),
    WITHOUT: page.LineStyle(GREY, 2),
}
HEIGHT = 290
FIRST_SEED = 2
FIRST = NetworkSettings(seed=FIRST_SEED)
DECAYS = (0.0, 0.001, 0.003, 0.01, 0.03, 0.1)
DROPOUTS = (0.0, 0.1, 0.2, 0.3, 0.5)
_SIZE = 72  # places of a surface in each direction
_LABELS = {
    UNITS: "Hidden units, in each of two layers",
    POINTS: "Training points",
    LABEL_NOISE: "Wrong labels",
}


def choose_setting(name: str, **settings: Any) -> float:
    """Draw the choice of units, points or wrong labels, and return it."""
    return control(
        st.select_slider,
        name,
        _LABELS[name],
        VALUES[name],
        getattr(FIRST, name),
        format_func=(lambda share: percent(share)) if name == LABEL_NOISE else str,
        **settings,
    )


def choose_seed() -> int:
    """Draw the choice of the seed, and return it."""
    return int(control(st.number_input, "seed", "Seed of points and weights", 0, 999, FIRST_SEED))


@st.cache_resource(max_entries=48, show_spinner="Training")
def trained(settings: NetworkSettings) -> Training:
    """Return a training, done once for all visitors who ask for the same; it is only read."""
    with page.model_calls:
        return train(settings)


@st.cache_data(max_entries=512, show_spinner=False)
def _picture(settings: NetworkSettings, i: int) -> str:
    """Return the surface of a network at one of its evaluations."""
    layers = trained(settings).layers[i]
    with page.model_calls:
        shares = surfaces(layers, "tanh", BOUNDS, _SIZE)[0]
    return surface_picture(shares.numpy())


def draw_network(
    settings: NetworkSettings, i: int, *, key: str, height: int = HEIGHT, is_masked: bool = False
) -> None:
    """Draw what a network says at each place, and the points that it learns from.

    Parameters
    ----------
    i : int, at which of its evaluations
    is_masked : bool, whether it is left out how many new points are wrong
    """
    found = trained(settings)
    samples = found.samples
    shown = zip(
        samples.inputs[0].tolist(),
        samples.targets[0].tolist(),
        samples.is_flipped[0].tolist(),
        strict=True,
    )
    radius = 6.0 if settings.points <= 40 else 4.0
    marks = [
        PlaneMark((x, y), class_, is_ringed=is_flipped, radius=radius)
        for (x, y), class_, is_flipped in shown
    ]
    n_wrong = round(float(found.training.errors[i, 0]) * settings.points)
    wrong = f"{n_wrong} of {settings.points} points wrong"
    if not is_masked:
        wrong += f", {percent(float(found.validation.errors[i, 0]))} of new ones"
    plane_panels(
        [
            Plane(
                f"Step {found.steps[i]}",
                wrong,
                BOUNDS,
                f"{settings.points} points, {sum(m.is_ringed for m in marks)} of them with a wrong label.",
                _picture(settings, i),
                marks=marks,
                names=("x1", "x2"),
            )
        ],
        key=key,
        name="network",
        columns=1,
        height=height,
        hint="Ringed points have a wrong label." if any(m.is_ringed for m in marks) else "",
    )
