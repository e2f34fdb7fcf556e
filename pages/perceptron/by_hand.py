"""The network of the lecture slides for XOR: three step units with their weights set by hand, number by number."""

import pyarrow as pa
import streamlit as st

from lm_core.experiments.perceptron.tasks import BOUNDS, TASKS, XOR
from lm_core.models.perceptron import XOR_NETWORK, Perceptron, StepNetwork, StepTrace
from pages.perceptron.own_points import LEGEND
from pages.perceptron.planes import borders, picture_of
from pages.shared import page
from pages.shared.charts.network_diagram import Edge, Node, diagram_table, network_diagram
from pages.shared.charts.palette import GREEN, PURPLE
from pages.shared.components.plane_panels import Plane, PlaneMark, plane_panels

UNITS = ("h1", "h2", "y")
_LABELS = {
    "h1": ("weight of x1", "weight of x2", "bias"),
    "h2": ("weight of x1", "weight of x2", "bias"),
    "y": ("weight of h1", "weight of h2", "bias"),
}
_WIDEST = 10.0
_FUNCTIONS = {
    (0, 0, 0, 0): "always 0",
    (0, 0, 0, 1): "AND",
    (0, 1, 1, 1): "OR",
    (0, 1, 1, 0): "XOR",
    (1, 0, 0, 1): "NOT XOR",
    (1, 1, 1, 0): "NOT AND",
    (1, 0, 0, 0): "NOT OR",
    (0, 0, 1, 1): "x1",
    (0, 1, 0, 1): "x2",
    (1, 1, 0, 0): "NOT x1",
    (1, 0, 1, 0): "NOT x2",
    (0, 0, 1, 0): "x1 AND NOT x2",
    (0, 1, 0, 0): "x2 AND NOT x1",
    (1, 0, 1, 1): "x1 OR NOT x2",
    (1, 1, 0, 1): "x2 OR NOT x1",
    (1, 1, 1, 1): "always 1",
}
"""By the outputs for (0, 0), (0, 1), (1, 0), (1, 1)."""
_ANSWERS = ("The first hidden unit, h1", "The second, h2", "The output, y")
_HEIGHT = 310


def by_hand(screen: page.FirstScreen) -> None:
    """Draw the network with the numbers of one input, unit by unit, and both of its planes."""
    with screen.controls, st.popover("Weights", icon=":material/tune:"):
        network = StepNetwork(
            *(_unit(name, unit) for name, unit in zip(UNITS, XOR_NETWORK, strict=True))
        )
    points = TASKS[XOR]
    trace = network.trace(points.inputs)
    first, second, output = (_function(trace, unit) for unit in range(len(UNITS)))
    asked: page.Asked[str] = page.ask(
        screen,
        "by_hand",
        "A unit is to compute “NOT h1 AND h2”. Which of the three does?",
        _ANSWERS,
        right=_ANSWERS[2],
        reason=f"The output does: its sum reaches 0 for h1 = 0 and h2 = 1 alone. Of x1 and x2, h1 is"
        f" **{first}**, h2 is **{second}**, and so y is **{output}**.",
    )
    with screen.picture:
        st.markdown(f"**{_finding(trace)}**")
        n_steps = len(UNITS) * len(points.targets)
        page.playback_bar(
            "unit",
            n_steps,
            lambda step: _draw(network, trace, step, is_masked=asked.masks),
            label="Unit by unit, for each of the four inputs",
            start=n_steps - 1,
        )
    page.note_beside(
        screen,
        "Each unit adds up its inputs times their weights, plus its *bias*, and *fires* (1) if the sum is"
        " not negative. No line divides XOR in the plane of x1 and x2. But the hidden units put (0, 1)"
        " and (1, 0) in the same place, so in their plane one line is enough.",
    )
    if not (asked.masks or page.is_presenting()):
        _truth_table(trace)


def _unit(name: str, given: Perceptron) -> Perceptron:
    """Draw a unit's three numbers in a row, and return it."""
    numbers, keys = [], ("weight_1", "weight_2", "bias")
    starts = zip(keys, _LABELS[name], (*given.weights, given.bias), strict=True)
    with st.container(horizontal=True, gap="small"):
        for key, label, start in starts:
            with st.container(width=120):
                title, ends = f"{name}: {label}", (-_WIDEST, _WIDEST)
                numbers.append(
                    page.number(f"{name}_{key}", title, *ends, start, 0.5, format="%.1f")
                )
    *weights, bias = numbers
    return Perceptron(tuple(weights), bias)


def _function(trace: StepTrace, unit: int) -> str:
    first, second, third, fourth = map(int, trace.outputs[:, unit].tolist())
    return _FUNCTIONS[first, second, third, fourth]


def _finding(trace: StepTrace) -> str:
    n_right = int((trace.outputs[:, 2] == TASKS[XOR].targets).sum())
    if n_right == 4:
        return "Three step units compute XOR: all 4 inputs are right"
    return f"With these weights {n_right} of 4 inputs are right: y is {_function(trace, 2)}"


def _draw(network: StepNetwork, trace: StepTrace, step: int, *, is_masked: bool) -> None:
    example, unit = divmod(step, len(UNITS))
    left, right = st.columns([1, 1.5], gap="small")
    with left:
        _diagram(network, trace, example, unit, is_masked=is_masked)
    with right:
        plane_panels(
            [
                _input_plane(network, trace, example),
                _hidden_plane(network, trace, example if unit == 2 else None),
            ],
            key="hand_planes",
            name="xor-by-hand",
            columns=2,
            hint=LEGEND,
            height=_HEIGHT - 50,
        )
        st.markdown(_formula(network, trace, example, unit))


def _formula(network: StepNetwork, trace: StepTrace, example: int, unit: int) -> str:
    """Return the sum of the unit that is computed now, with its numbers."""
    read = TASKS[XOR].inputs[example] if unit < 2 else trace.outputs[example, :2]
    terms = " ".join(
        f"{_sign(weight) if i else _minus(weight)}{abs(weight):g} · {value:g}"
        for i, (weight, value) in enumerate(zip(network[unit].weights, read.tolist(), strict=True))
    )
    bias, total = network[unit].bias, float(trace.sums[example, unit])
    fires = int(trace.outputs[example, unit])
    comparison = "≥ 0" if fires else "< 0"
    sum_ = f"{total + 0.0:g}".replace("-", "−")
    return (
        f"{UNITS[unit]}: {terms} {_sign(bias)}{abs(bias):g} = {sum_} {comparison}, so **{fires}**"
    )


def _sign(number: float) -> str:
    return "− " if number < 0 else "+ "


def _minus(number: float) -> str:
    return "−" if number < 0 else ""


def _diagram(
    network: StepNetwork, trace: StepTrace, example: int, unit: int, *, is_masked: bool
) -> None:
    inputs = TASKS[XOR].inputs[example].tolist()
    nodes = [
        Node(0.0, y, f"{value:g}", f"x{i}")
        for i, (y, value) in enumerate(zip((1.0, 0.0), inputs, strict=True), 1)
    ]
    for i, (x, y) in enumerate(((0.5, 1.0), (0.5, 0.0), (1.0, 0.5))):
        is_known = i <= unit
        fires = is_known and bool(trace.outputs[example, i])
        bias = f"bias {network[i].bias:g}".replace("-", "−")
        said = UNITS[i] if is_masked else f"{UNITS[i]}: {_function(trace, i)}"
        value = f"{int(fires)}" if is_known else "?"
        nodes.append(Node(x, y, value, said, bias, fires, i == unit))
    x1, x2, h1, h2, output = nodes
    edges = [
        Edge(start, end, f"{network[i].weights[k]:g}".replace("-", "−"), i == unit)
        for i, (end, starts) in enumerate(((h1, (x1, x2)), (h2, (x1, x2)), (output, (h1, h2))))
        for k, start in enumerate(starts)
    ]
    table = diagram_table(nodes, edges)
    page.show_chart(
        network_diagram(table, height=_HEIGHT - 20),
        table,
        key="hand_network",
        alt=f"For input ({inputs[0]:g}, {inputs[1]:g}): "
        + ", ".join(f"{node.name} = {node.value}" for node in nodes[2:]),
        name="xor-network",
        is_small=True,
    )


def _input_plane(network: StepNetwork, trace: StepTrace, example: int) -> Plane:
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


def _hidden_plane(network: StepNetwork, trace: StepTrace, example: int | None) -> Plane:
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


def _truth_table(trace: StepTrace) -> None:
    """Show all sums and outputs, a row for each input."""
    points = TASKS[XOR]
    columns: dict[str, list[str]] = {
        "x1, x2": [f"{x1:g}, {x2:g}" for x1, x2 in points.inputs.tolist()]
    }
    for unit, name in enumerate(UNITS):
        sums, outputs = trace.sums[:, unit].tolist(), trace.outputs[:, unit].tolist()
        columns[f"{name}: {_function(trace, unit)}"] = [
            f"{total + 0.0:g} → {out:g}".replace("-", "−")
            for total, out in zip(sums, outputs, strict=True)
        ]
    columns["XOR"] = [str(target) for target in points.targets.tolist()]
    st.dataframe(pa.table(columns), hide_index=True, height="content")
