"""What a sweep forward and a sweep in reverse cost, as measured."""

import streamlit as st

from lm_core.experiments.gradients.expressions import Computed
from lm_core.experiments.gradients.study import GradientResults, SweepCost
from pages.shared import page
from pages.shared.charts.palette import BLUE, VERMILLION
from pages.shared.ui.messages import errors_in_place


def costs(computed: Computed) -> None:
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
    costs = _costs()
    sizes = tuple(float(cost.inputs) for cost in costs)
    page.show_lines(
        "sweep_cost",
        {
            "forward": [(float(cost.inputs), 1e3 * cost.forward) for cost in costs],
            "reverse": [(float(cost.inputs), 1e3 * cost.reverse) for cost in costs],
        },
        {"forward": page.LineStyle(VERMILLION), "reverse": page.LineStyle(BLUE, 1)},
        page.Axis(
            f"inputs n, of a function with m = {costs[0].outputs} / n outputs",
            (sizes[0], sizes[-1]),
            True,
            sizes,
        ),
        page.Axis("milliseconds for the Jacobian", (0.1, 1_000.0), True, (0.1, 1, 10, 100, 1_000)),
        beside={"outputs": [cost.outputs for cost in costs]},
        has_points=True,
        fills_screen=False,
        height=240,
    )


@st.cache_data(max_entries=1, show_spinner=False)
def _costs() -> list[SweepCost]:
    return list(GradientResults.load().costs)
