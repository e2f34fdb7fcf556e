"""Time or memory against length, on two logarithmic axes, and what the numbers say."""

import pandas as pd
import streamlit as st
from lm_core.experiments.attention_cost.measure import METHODS, AttentionCost

from pages.attention_cost.measured import LOOKS, Measured
from pages.shared import charts
from pages.shared.ui.figures import show_chart

TIME, MEMORY = "time", "memory"
_LENGTHS = charts.Axis(
    "length of the text (tokens)", (64.0, 8192.0), True, tuple(2.0**power for power in range(6, 14))
)
_AXES = {
    TIME: charts.Axis("time (ms)", (0.02, 5e3), True, tuple(10.0**power for power in range(-1, 4))),
    MEMORY: charts.Axis(
        "memory (MiB)", (0.02, 5e3), True, tuple(10.0**power for power in range(-1, 4))
    ),
}
NAIVE, FUSED, LOCAL, LINEAR = METHODS


def cost_by_length(
    measured: Measured, quantity: str, methods: list[str], *, has_square: bool
) -> None:
    """Draw the chosen methods and, unless the class is still to guess, a line that grows as n squared."""
    lines = {}
    for method in (m for m in METHODS if m in methods):
        lines[method] = [
            (cost.length, _value(cost, quantity))
            for cost in measured.costs
            if cost.method == method
        ]
    lines = {method: pairs for method, pairs in lines.items() if pairs}
    finding = _finding(lines, quantity)
    st.markdown(f"**{finding}**")
    chart = charts.line_chart(
        lines,
        LOOKS,
        _LENGTHS,
        _AXES[quantity],
        references=_growth(lines) if has_square else {},
        has_points=True,
        height=360,
    )
    table = pd.DataFrame(
        [
            (c.method, c.length, 1e3 * c.seconds, c.peak_bytes / 2**20)
            for c in measured.costs
            if c.method in lines
        ],
        columns=["method", "length", "time (ms)", "memory (MiB)"],
    )
    alt = f"Cost of attention by length. {finding}."
    show_chart(chart, table, key="cost_by_length", alt=alt, name=f"attention-{quantity}")
    st.caption(measured.provenance)


def _value(cost: AttentionCost, quantity: str) -> float:
    return 1e3 * cost.seconds if quantity == TIME else cost.peak_bytes / 2**20


def _growth(lines: dict[str, list[tuple[float, float]]]) -> dict[str, list[tuple[float, float]]]:
    """Return a line beside the first method's that grows with the square of the length."""
    if not lines:
        return {}
    length, value = next(iter(lines.values()))[-1]
    last = _LENGTHS.domain[1]
    # Above the line that it is to be compared with, where there is room for its name.
    return {"n²": [(x, 2.5 * value * (x / length) ** 2) for x in (last / 8, last)]}


def _finding(lines: dict[str, list[tuple[float, float]]], quantity: str) -> str:
    told = []
    for method, pairs in lines.items():
        found = dict(pairs)
        last = max(found)
        if last // 2 in found:
            told.append(f"{method} {found[last] / found[last // 2]:.1f} times")
    if not told:
        return f"No {quantity} measured so far"
    return f"Twice the text takes, at the longest measured: {', '.join(told)} the {quantity}"
