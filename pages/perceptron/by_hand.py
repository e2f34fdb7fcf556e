"""The network of the lecture slides for XOR: three step units with their weights set by hand, number by number."""

from itertools import combinations

import pyarrow as pa
import streamlit as st

from lm_core.experiments.perceptron.tasks import TASKS, XOR
from lm_core.models.perceptron import XOR_NETWORK, Perceptron, StepNetwork, StepTrace
from pages.perceptron.by_hand_diagram import HEIGHT, draw_diagram, formula_of, function_of
from pages.perceptron.by_hand_planes import UNITS, hidden_plane, input_plane
from pages.perceptron.own_points import LEGEND
from pages.shared import page
from pages.shared.components.plane_panels import plane_panels

_LABELS = {
    "h1": ("weight of x1", "weight of x2", "bias"),
    "h2": ("weight of x1", "weight of x2", "bias"),
    "y": ("weight of h1", "weight of h2", "bias"),
}
_WIDEST = 10.0
_ANSWERS = ("The first hidden unit, h1", "The second, h2", "The output, y")


def by_hand(screen: page.FirstScreen) -> None:
    """Draw the network with the numbers of one input, unit by unit, and both of its planes."""
    with screen.controls, st.popover("Weights", icon=":material/tune:"):
        network = StepNetwork(
            *(_unit(name, unit) for name, unit in zip(UNITS, XOR_NETWORK, strict=True))
        )
    points = TASKS[XOR]
    trace = network.trace(points.inputs)
    first, second, output = (function_of(trace, unit) for unit in range(len(UNITS)))
    asked = page.ask(
        screen,
        "by_hand",
        "A unit is to compute “NOT h1 AND h2”. Which of the three does?",
        _ANSWERS,
        right=_ANSWERS[2],
        reason=f"The output does: its sum reaches 0 for h1 = 0 and h2 = 1 alone. Of x1 and x2, h1 is"
        f" **{first}**, h2 is **{second}**, and so y is **{output}**.",
        when=network == XOR_NETWORK,
    )
    with screen.picture:
        st.markdown(f"**{_finding(trace)}**")
        n_steps = len(UNITS) * len(points.targets)
        page.playback_bar(
            "unit",
            n_steps,
            lambda step: _draw(network, trace, step, is_masked=asked.masks),
            label="Unit by unit, for each of the four inputs",
            seconds_per_step=0.8,
        )
    page.note_beside(
        screen,
        "Each unit adds up its inputs times their weights, plus its *bias*, and *fires* (1) if the sum is"
        f" not negative. No line divides XOR in the plane of x1 and x2, because its classes lie crosswise. {_in_their_plane(trace)}",
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


def _finding(trace: StepTrace) -> str:
    n_right = int((trace.outputs[:, 2] == TASKS[XOR].targets).sum())
    if n_right == 4:
        return "Three step units compute XOR: all 4 inputs are right"
    return f"With these weights {n_right} of 4 inputs are right: y is {function_of(trace, 2)}"


def _in_their_plane(trace: StepTrace) -> str:
    """Say where the hidden units put the inputs, and whether a line can divide XOR there."""
    task, places = TASKS[XOR], [tuple(row) for row in trace.outputs[:, :2].tolist()]
    named = [f"({x:.0f}, {y:.0f})" for x, y in task.inputs.tolist()]
    together = [
        (f"{named[i]} and {named[j]}", bool(task.targets[i] == task.targets[j]))
        for i, j in combinations(range(len(places)), 2)
        if places[i] == places[j]
    ]
    apart = next((pair for pair, is_alike in together if not is_alike), None)
    if apart:
        return f"The hidden units put {apart}, which differ, in the same place, so no line divides XOR in their plane."
    if not together:
        return "The hidden units keep all four apart, as x1 and x2 do, so no line divides XOR in their plane either."
    return (
        f"But the hidden units put {' and '.join(pair for pair, _ in together)} in the same place, so in their"
        " plane one line is enough."
    )


def _draw(network: StepNetwork, trace: StepTrace, step: int, *, is_masked: bool) -> None:
    example, unit = divmod(step, len(UNITS))
    left, right = st.columns([1, 1.5], gap="small")
    with left:
        draw_diagram(network, trace, example, unit, is_masked=is_masked)
    with right:
        plane_panels(
            [
                input_plane(network, trace, example),
                hidden_plane(network, trace, example if unit == 2 else None),
            ],
            key="hand_planes",
            name="xor-by-hand",
            columns=2,
            hint=LEGEND,
            height=HEIGHT - 50,
        )
        st.markdown(formula_of(network, trace, example, unit))


def _truth_table(trace: StepTrace) -> None:
    """Show all sums and outputs, a row for each input."""
    points = TASKS[XOR]
    columns: dict[str, list[str]] = {
        "x1, x2": [f"{x1:g}, {x2:g}" for x1, x2 in points.inputs.tolist()]
    }
    for unit, name in enumerate(UNITS):
        sums, outputs = trace.sums[:, unit].tolist(), trace.outputs[:, unit].tolist()
        columns[f"{name}: {function_of(trace, unit)}"] = [
            f"{total + 0.0:g} → {out:g}".replace("-", "−")
            for total, out in zip(sums, outputs, strict=True)
        ]
    columns["XOR"] = [str(target) for target in points.targets.tolist()]
    st.dataframe(pa.table(columns), hide_index=True, height="content")
