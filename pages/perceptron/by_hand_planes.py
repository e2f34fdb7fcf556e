"""The network for XOR in two planes: its inputs, and what its hidden units make of them."""

from lm_core.experiments.perceptron.tasks import BOUNDS, TASKS, XOR
from lm_core.models.perceptron import StepNetwork, StepTrace
from pages.perceptron.planes import borders, picture_of
from pages.shared.charts.palette import GREEN, PURPLE
from pages.shared.components.plane_panels import Plane, PlaneMark

UNITS = ("h1", "h2", "y")


def input_plane(network: StepNetwork, trace: StepTrace, example: int) -> Plane:
    """Return the plane of the inputs, with the lines of the hidden units."""
    points = TASKS[XOR]
    wrong = (trace.outputs[:, 2] != points.targets).tolist()
    return Plane(
        "Inputs",
        "",
        BOUNDS,
        "The four inputs, and where h1 and h2 begin to fire.",
        picture_of(lambda places: network.trace(places).outputs[..., 2]),
        borders((network.first, network.second), UNITS, (PURPLE, GREEN), 3.0),
        [
            PlaneMark((x, y), class_, is_ringed=i == example, is_wrong=wrong[i])
            for i, ((x, y), class_) in enumerate(
                zip(points.inputs.tolist(), points.targets.tolist(), strict=True)
            )
        ],
        ("x1", "x2"),
    )


def hidden_plane(network: StepNetwork, trace: StepTrace, example: int | None) -> Plane:
    """Return the plane of the hidden units, in which one line is enough."""
    points = TASKS[XOR]
    names: dict[tuple[float, float], list[str]] = {}
    for place, (x1, x2) in zip(trace.outputs[:, :2].tolist(), points.inputs.tolist(), strict=True):
        names.setdefault((place[0], place[1]), []).append(f"({x1:g},{x2:g})")
    marks = []
    for i, (place, class_) in enumerate(
        zip(trace.outputs[:, :2].tolist(), points.targets.tolist(), strict=True)
    ):
        named = names.pop((place[0], place[1]), [])
        marks.append(
            PlaneMark((place[0], place[1]), class_, name=" ".join(named), is_ringed=i == example)
        )
    return Plane(
        "Hidden units",
        "",
        BOUNDS,
        "The four inputs as h1 and h2 report them, and where y begins to fire.",
        picture_of(network.output.outputs),
        borders((network.output,), UNITS[2:]),
        marks,
        ("h1", "h2"),
    )
