"""Time or memory against the length of the text, on two logarithmic axes, and what the numbers say."""

import pandas as pd
import streamlit as st

from lm_core.experiments.attention_cost.measurement import DEFAULT_SIZES as _SIZES
from lm_core.experiments.attention_cost.measurement import METHODS, AttentionCost
from pages.attention_cost.measurements import FUSED, LINEAR, LOCAL, NAIVE, Measurements
from pages.shared import page
from pages.shared.charts.palette import BLUE, GREEN, PURPLE, VERMILLION

TIME, MEMORY = "time", "memory"
PREDICTED_LENGTHS = (2048, 4096)
"""The lengths that the class compares before it sees the measurement."""
_FACTORS = {f"{times} times": times for times in (2, 4, 16)}  # what the class may guess
ABOUT_METHODS = (
    "The *naive matrix* stores every score. The *fused kernel* computes the same output tile by tile, so"
    f" it stores none. A *local window* looks {_SIZES.window} tokens back and no further. The *linear"
    f" kernel* approximates the exponential by {_SIZES.n_features} features, so no query meets each key."
)
_SAME_OUTPUT = (NAIVE, FUSED)
_CONTINUED = {n: f"{NAIVE} × {n}" for n in _FACTORS.values()}
STYLES = {
    NAIVE: page.LineStyle(VERMILLION),
    FUSED: page.LineStyle(PURPLE, 1),
    LOCAL: page.LineStyle(BLUE, 2),
    LINEAR: page.LineStyle(GREEN),
    **dict.fromkeys(_CONTINUED.values(), page.LineStyle(VERMILLION, 2)),
}
_POWERS = tuple(10.0**power for power in range(-1, 4))
_LENGTHS = page.Axis(
    "length of the text (tokens)", (64.0, 8192.0), True, tuple(2.0**power for power in range(6, 14))
)
_AXES = {
    TIME: page.Axis("time (ms)", (0.02, 5e3), True, _POWERS),
    MEMORY: page.Axis("memory (MiB)", (0.02, 5e3), True, _POWERS),
}

Lines = dict[str, list[tuple[float, float]]]


def ask(screen: page.FirstScreen, measurements: Measurements) -> page.Asked[int]:
    """Ask how the time of the naive matrix grows with the length."""
    short, long = PREDICTED_LENGTHS
    seconds = measurements.seconds(NAIVE)
    ratio = seconds[long] / seconds[short]
    return page.ask(
        screen,
        "twice",
        f"A text has {long:,} tokens instead of {short:,}. How many times the time does the naive"
        " matrix need?",
        _FACTORS,
        right=ratio,
        reason=f"It takes **{ratio:.1f} times** as long: {1e3 * seconds[short]:,.0f} ms become"
        f" {1e3 * seconds[long]:,.0f} ms, because there are twice as many queries, and each has"
        " twice as many keys.",
    )


def cost_by_length(
    measurements: Measurements, quantity: str, methods: list[str], asked: page.Asked[int]
) -> None:
    """Draw the chosen methods.

    Before the answer, of the naive matrix the time at one length is known, and where each guess would
    continue from there. Afterwards the guess remains, beside a line that grows as n squared.
    """
    costs = [c for c in measurements.costs if c.method in methods]
    values = {(c.method, c.length): _value(c, quantity) for c in costs}
    known = [c for c in costs if not asked.masks or c.method != NAIVE]
    measured = {
        method: [(c.length, _value(c, quantity)) for c in known if c.method == method]
        for method in METHODS
    }
    lines: Lines = {
        method: [(float(length), value) for length, value in pairs]
        for method, pairs in measured.items()
        if pairs
    }
    finding = _same_output(values, quantity) if asked.masks else _growth(lines, quantity)
    st.markdown(f"**{finding}**")
    is_asked = quantity == TIME  # of memory nothing is guessed
    start = values.get((NAIVE, PREDICTED_LENGTHS[0])) if is_asked else None
    guess = asked.at(lambda times: (PREDICTED_LENGTHS[1], times * start) if start else None)
    chart = page.line_chart(
        lines | _guesses(start) if asked.masks else lines,
        STYLES,
        _LENGTHS,
        _AXES[quantity],
        references=None if asked.masks else _square(lines),
        guess=guess,
        has_points=True,
        height=360,
    )

    def table() -> pd.DataFrame:
        rows = [(c.method, c.length, 1e3 * c.seconds, c.peak_bytes / 2**20) for c in known]
        return pd.DataFrame(rows, columns=["method", "length", "time (ms)", "memory (MiB)"])

    alt = f"Cost of attention by length. {finding}."
    page.show_chart(chart, table, key="cost_by_length", alt=alt, name=f"attention-{quantity}")


def _guesses(start: float | None) -> Lines:
    """Return a line to each place where the class may expect the longer text; none without a start."""
    if start is None:
        return {}
    short, long = PREDICTED_LENGTHS
    return {_CONTINUED[n]: [(short, start), (long, n * start)] for n in _FACTORS.values()}


def _value(cost: AttentionCost, quantity: str) -> float:
    return 1e3 * cost.seconds if quantity == TIME else cost.peak_bytes / 2**20


def _square(lines: Lines) -> Lines:
    """Return a line beside the first method's that grows with the square of the length."""
    if not lines:
        return {}
    length, value = next(iter(lines.values()))[-1]
    last = _LENGTHS.domain[1]
    # Above the line that it is to be compared with, where there is room for its name.
    return {"n²": [(x, 2.5 * value * (x / length) ** 2) for x in (last / 8, last)]}


def _growth(lines: Lines, quantity: str) -> str:
    by_step: dict[float, list[str]] = {}
    for method, pairs in lines.items():
        values = dict(pairs)
        last = max(values)
        if last // 2 in values:
            by_step.setdefault(last, []).append(
                f"{method} {values[last] / values[last // 2]:.1f} times"
            )
    if not by_step:
        return f"No {quantity} measured so far"
    steps = (
        f"from {last // 2:,.0f} to {last:,.0f} tokens, {', '.join(ratios)}"
        for last, ratios in by_step.items()
    )
    return f"The {quantity} grows {'; '.join(steps)}"


def _same_output(values: dict[tuple[str, int], float], quantity: str) -> str:
    length, unit = PREDICTED_LENGTHS[0], {TIME: "ms", MEMORY: "MiB"}[quantity]
    found = [
        f"{method} {value:,.{0 if value >= 10 else 1}f} {unit}"
        for method in _SAME_OUTPUT
        if (value := values.get((method, length))) is not None
    ]
    if not found:
        return f"No {quantity} measured at {length:,} tokens"
    return f"The same output at {length:,} tokens: {', '.join(found)}"
