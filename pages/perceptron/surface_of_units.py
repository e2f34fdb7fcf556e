"""What a network makes of the plane, with the lines of its hidden units."""

from lm_core.experiments.perceptron.tasks import BOUNDS, XOR
from lm_core.experiments.perceptron.training import Training, hidden_units, surfaces
from lm_core.models.perceptron import XOR_NETWORK
from pages.perceptron import own_points
from pages.perceptron.network_choice import Chosen
from pages.perceptron.own_points import LEGEND, OWN, marks_of
from pages.perceptron.planes import SIZE, borders, picture_of
from pages.shared.charts.palette import GREEN, PURPLE
from pages.shared.charts.planes import surface_picture
from pages.shared.components.plane_panels import Plane, plane_panels

_NAMED_UNITS = 4
HEIGHT = 300


def draw_panels(chosen: Chosen, training: Training | None, i: int, *, is_masked: bool) -> None:
    """Draw the plane at a step, and that of the network set by hand beside it."""
    planes = [_by_hand()] if chosen.task == XOR else []
    painting = own_points.painting_of(chosen.points) if chosen.task == OWN else None
    planes.append(_plane(chosen, training, i, is_masked=is_masked))
    plane_panels(
        planes,
        key="trained_planes",
        name="trained-network",
        columns=len(planes),
        hint=LEGEND,
        height=HEIGHT - (40 if painting else 0),
        painting=painting,
    )


def _by_hand() -> Plane:
    return Plane(
        "By hand",
        "",
        BOUNDS,
        "h1 is AND, h2 is OR.",
        picture_of(lambda places: XOR_NETWORK.trace(places).outputs[..., 2]),
        borders((XOR_NETWORK.first, XOR_NETWORK.second), ("h1", "h2"), (PURPLE, GREEN)),
        marks_of(own_points.points_of(XOR, "")),
    )


def _plane(chosen: Chosen, training: Training | None, i: int, *, is_masked: bool) -> Plane:
    marks = [] if chosen.task == OWN else marks_of(chosen.points)
    if training is None:
        return Plane("Your points", "", BOUNDS, "No points yet.", names=("x1", "x2"))
    if is_masked:
        return Plane("Trained", "", BOUNDS, "The lines are asked for.", marks=marks, is_asked=True)
    layers = training.layers[i]
    shares = surfaces(layers, chosen.settings.activation, BOUNDS, SIZE)[0]
    units = hidden_units(layers, 0)
    names = [f"h{k}" for k in range(1, len(units) + 1)] if len(units) <= _NAMED_UNITS else []
    n, n_right = len(chosen.points.targets), int(training.n_right[i, 0])
    return Plane(
        "Trained",
        f"step {training.steps[i]:,}: {n_right} of {n} right",
        BOUNDS,
        f"{len(units)} lines, one for each hidden unit of the first layer.",
        surface_picture(shares.numpy()),
        borders(units, names, width=2.0, has_arrows=bool(names)),
        marks,
        ("x1", "x2"),
    )
