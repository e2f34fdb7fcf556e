"""The network for XOR as a diagram, number by number."""

from lm_core.experiments.perceptron.tasks import TASKS, XOR
from lm_core.models.perceptron import StepNetwork, StepTrace
from pages.perceptron.by_hand_planes import UNITS
from pages.shared import page
from pages.shared.charts.network_diagram import Edge, Node, diagram_table, network_diagram

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
HEIGHT = 310


def function_of(trace: StepTrace, unit: int) -> str:
    """Return what a unit computes, in words."""
    first, second, third, fourth = map(int, trace.outputs[:, unit].tolist())
    return _FUNCTIONS[first, second, third, fourth]


def formula_of(network: StepNetwork, trace: StepTrace, example: int, unit: int) -> str:
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


def draw_diagram(
    network: StepNetwork, trace: StepTrace, example: int, unit: int, *, is_masked: bool
) -> None:
    """Draw the network with the numbers of one example."""
    inputs = TASKS[XOR].inputs[example].tolist()
    nodes = [
        Node(0.0, y, f"{value:g}", f"x{i}")
        for i, (y, value) in enumerate(zip((1.0, 0.0), inputs, strict=True), 1)
    ]
    for i, (x, y) in enumerate(((0.5, 1.0), (0.5, 0.0), (1.0, 0.5))):
        is_known = i <= unit
        fires = is_known and bool(trace.outputs[example, i])
        bias = f"bias {network[i].bias:g}".replace("-", "−")
        said = UNITS[i] if is_masked else f"{UNITS[i]}: {function_of(trace, i)}"
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
        network_diagram(table, height=HEIGHT - 20),
        key="hand_network",
        alt=f"For input ({inputs[0]:g}, {inputs[1]:g}): "
        + ", ".join(f"{node.name} = {node.value}" for node in nodes[2:]),
        name="xor-network",
        is_small=True,
    )
