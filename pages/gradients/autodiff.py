"""A formula of the class as a graph, swept forward or in reverse, and what either sweep costs."""

import streamlit as st

from lm_core.experiments.gradients.expressions import Computed
from lm_core.experiments.gradients.study import GradientResults
from lm_core.models import autodiff as diff
from pages.gradients.formula_choice import FORMULA, VALUES, Chosen, choose_formula
from pages.gradients.sweep import draw_sweep
from pages.shared import page
from pages.shared.charts.palette import BLUE, VERMILLION
from pages.shared.numbers import significant
from pages.shared.ui.messages import errors_in_place

_ANSWERS = ("5: the larger of the two", "5.5: their sum", "2.5: their product")
_ADJOINTS = (
    "The numbers at the edges are *partial derivatives*. The reverse sweep carries the *adjoint*, how"
    " fast the output moves with a value, back along the edges and adds up what meets: a *vector-Jacobian"
    " product*. One sweep finds the derivatives by all inputs, which is why networks are trained with it."
    " **Type a formula.**"
)
_TANGENTS = (
    "The numbers at the edges are *partial derivatives*. The forward sweep carries the *tangent*, how"
    " fast a value moves with one input, along the computation: a *Jacobian-vector product*. It follows"
    " one input, so each input needs a sweep of its own."
)


def autodiff(screen: page.FirstScreen) -> None:
    """Draw the graph with its derivatives as far as the sweep has come."""
    chosen = choose_formula(screen)
    asked = page.ask(
        screen,
        "autodiff",
        "x is read twice: 0.5 arrives through log, 5 through the product. What is the adjoint of x?",
        _ANSWERS,
        right=_ANSWERS[1],
        reason="**5.5**, because moving x moves the output along both ways at once, so the changes add up.",
        when=chosen.is_reverse and (chosen.formula, chosen.values) == (FORMULA, VALUES),
    )
    n = sum(bool(node.arguments) for node in chosen.computed.graph.nodes)
    with screen.picture:
        st.markdown(f"**{_finding(chosen, is_masked=asked.masks)}**")
        page.playback_bar(
            "sweep_step",
            n + 1,
            lambda step: draw_sweep(chosen, step, is_masked=asked.masks),
            label="Operations swept",
            seconds_per_step=0.8,
        )
    page.note_beside(screen, _ADJOINTS if chosen.is_reverse else _TANGENTS)
    page.below("What it costs: n inputs, m outputs", "cost", _costs, chosen.computed, icon="timer")


def _finding(chosen: Chosen, *, is_masked: bool) -> str:
    graph, inputs, outputs = chosen.computed
    start = graph.nodes[chosen.start]
    if is_masked:
        return f"One reverse sweep finds both derivatives: f = {significant(start.value, 4)}"
    if chosen.is_reverse:
        (row,) = diff.jacobian(graph, list(inputs.values()), [chosen.start], is_reverse=True)
        by_input = zip(inputs, row, strict=True)
        found = (f"∂f/∂{name} = {significant(value, 4)}" for name, value in by_input)
        many = ("the derivative", "both derivatives", "all derivatives")[min(len(row), 3) - 1]
        return f"One reverse sweep finds {many} of one output: {', '.join(found)}"
    column = diff.jacobian(graph, [chosen.start], outputs, is_reverse=False)
    signs = "₁₂₃" if len(column) > 1 else ("",)
    rows = zip(signs, column, strict=False)
    found = (f"∂f{sign}/∂{start.name} = {significant(row[0], 4)}" for sign, row in rows)
    return f"A forward sweep finds the derivatives by one input, {start.name}: {', '.join(found)}"


def _costs(computed: Computed) -> None:
    """Show how many products either way takes for the formula, and what was measured of larger ones."""
    graph = computed.graph
    n, m = len(computed.inputs), len(computed.outputs)
    edges = sum(len(graph.edges(place)) for place in range(len(graph.nodes)))
    st.markdown(
        r"By the chain rule, the Jacobian of $\mathbf{o} = f_4(f_3(f_2(f_1(\mathbf{x}))))$ is"
        r" $J_f = J_{f_4} J_{f_3} J_{f_2} J_{f_1}$; it has a column for each of the n inputs and a row for"
        r" each of the m outputs. A forward sweep multiplies it by a column,"
        r" $J_f(\mathbf{x})\,\mathbf{v}$, from right to left; a reverse sweep multiplies a row by it,"
        r" $\mathbf{u}^\top J_f(\mathbf{x})$, from left to right. One sweep finds one column or one"
        r" row, so the whole Jacobian takes **n forward or m reverse sweeps**. Either kind multiplies once at"
        r" each edge."
    )
    st.markdown(
        f"Your formula{'s have' if m > 1 else ' has'} {n} input{'s' * (n > 1)}, {m} output{'s' * (m > 1)} and"
        f" {edges} edges, so forward sweeps take {n} · {edges} = **{n * edges}** products and reverse sweeps"
        f" {m} · {edges} = **{m * edges}**."
    )
    with errors_in_place():
        _measured_cost()


def _measured_cost() -> None:
    costs = page.shipped(GradientResults).costs
    sizes = tuple(float(cost.inputs) for cost in costs)
    inputs = f"inputs n, of a function with m = {costs[0].outputs} / n outputs"
    page.show_lines(
        "sweep_cost",
        {
            "forward": [(float(cost.inputs), 1e3 * cost.forward) for cost in costs],
            "reverse": [(float(cost.inputs), 1e3 * cost.reverse) for cost in costs],
        },
        {"forward": page.LineStyle(VERMILLION), "reverse": page.LineStyle(BLUE, 1)},
        page.Axis(inputs, (sizes[0], sizes[-1]), True, sizes),
        page.Axis("milliseconds for the Jacobian", (0.1, 1_000.0), True, (0.1, 1, 10, 100, 1_000)),
        beside={"outputs": [cost.outputs for cost in costs]},
        has_points=True,
        fills_screen=False,
        height=240,
    )
