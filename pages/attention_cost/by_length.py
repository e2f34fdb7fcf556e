"""Time or memory against the length of the text, on two logarithmic axes, and what the numbers say."""

import pandas as pd
import streamlit as st

from lm_core.experiments.attention_cost.measurement import DEFAULT_SIZES as _SIZES
from lm_core.experiments.attention_cost.measurement import METHODS, AttentionCost
from lm_core.experiments.attention_cost.study import GENERATION_MODEL
from pages.attention_cost.measurements import FUSED, LINEAR, LOCAL, NAIVE, Measurements
from pages.shared.charts.lines import Axis, LineStyle, line_chart
from pages.shared.charts.palette import BLUE, GREEN, PURPLE, VERMILLION
from pages.shared.ui.figures import show_chart
from pages.shared.ui.lesson import Prediction, guesses_in_picture, show_verdict

TIME, MEMORY = "time", "memory"
PREDICTED_LENGTHS = (2048, 4096)
"""The lengths that the class compares before it sees the measurement."""
FACTORS = (2, 4, 16)
"""What the class may guess."""
ABOUT_METHODS = (
    "The *naive matrix* stores every score. The *fused kernel* computes the same output tile by tile, so"
    f" it stores none. A *local window* looks {_SIZES.window} tokens back and no further. The *linear"
    f" kernel* approximates the exponential by {_SIZES.n_features} features, so no query meets each key."
)
_SAME_OUTPUT = (NAIVE, FUSED)
_PROPORTION = 2.5
"""Times the time of half the length, from which on it is said that this is more than the work doubled."""
_CONTINUED = {n: f"{NAIVE} × {n}" for n in FACTORS}
STYLES = {
    NAIVE: LineStyle(VERMILLION),
    FUSED: LineStyle(PURPLE, 1),
    LOCAL: LineStyle(BLUE, 2),
    LINEAR: LineStyle(GREEN),
    **dict.fromkeys(_CONTINUED.values(), LineStyle(VERMILLION, 2)),
}
_CACHED, _UNCACHED = "cached", "uncached"
_CACHE_STYLES = {_CACHED: LineStyle(BLUE), _UNCACHED: LineStyle(VERMILLION, 1)}
_POWERS = tuple(10.0**power for power in range(-1, 4))
_LENGTHS = Axis(
    "length of the text (tokens)", (64.0, 8192.0), True, tuple(2.0**power for power in range(6, 14))
)
_AXES = {
    TIME: Axis("time (ms)", (0.02, 5e3), True, _POWERS),
    MEMORY: Axis("memory (MiB)", (0.02, 5e3), True, _POWERS),
}
_CHARACTERS = Axis(
    "characters so far", (64.0, 1024.0), True, tuple(2.0**power for power in range(6, 11))
)
_CHARACTER_TIME = Axis("time of one more character (ms)", (0.5, 200.0), True, (1, 10, 100))

Lines = dict[str, list[tuple[float, float]]]


def answer(measurements: Measurements, prediction: Prediction) -> None:
    """State how the time of the naive matrix grows with the length, and whether the guess was right."""
    short, long = PREDICTED_LENGTHS
    seconds = measurements.seconds(NAIVE)
    ratio = seconds[long] / seconds[short]
    nearest = min(FACTORS, key=lambda times: abs(times / ratio - 1.0))
    show_verdict(
        prediction,
        right=f"{nearest} times",
        reason=f"It takes **{ratio:.1f} times** as long: {1e3 * seconds[short]:,.0f} ms become"
        f" {1e3 * seconds[long]:,.0f} ms, because there are twice as many queries, and each has"
        " twice as many keys.",
    )


def cost_by_length(
    measurements: Measurements, quantity: str, methods: list[str], prediction: Prediction
) -> None:
    """Draw the chosen methods.

    Before the answer, of the naive matrix the time at one length is known, and where each guess would
    continue from there. Afterwards the guess remains, beside a line that grows as n squared.
    """
    costs = [c for c in measurements.costs if c.method in methods]
    values = {(c.method, c.length): _value(c, quantity) for c in costs}
    known = [c for c in costs if prediction.revealed or c.method != NAIVE]
    measured = {
        method: [(c.length, _value(c, quantity)) for c in known if c.method == method]
        for method in METHODS
    }
    lines: Lines = {
        method: [(float(length), value) for length, value in pairs]
        for method, pairs in measured.items()
        if pairs
    }
    finding = _growth(lines, quantity) if prediction.revealed else _same_output(values, quantity)
    st.markdown(f"**{finding}**")
    is_asked = quantity == TIME  # of memory nothing is guessed
    start = values.get((NAIVE, PREDICTED_LENGTHS[0])) if is_asked else None
    guess = guesses_in_picture(
        prediction,
        lambda said: (PREDICTED_LENGTHS[1], int(said.split()[0]) * start) if start else None,
    )
    chart = line_chart(
        lines if prediction.revealed else lines | _guesses(start),
        STYLES,
        _LENGTHS,
        _AXES[quantity],
        references=_square(lines) if prediction.revealed else None,
        guess=guess,
        has_points=True,
        height=360,
    )

    def table() -> pd.DataFrame:
        rows = [(c.method, c.length, 1e3 * c.seconds, c.peak_bytes / 2**20) for c in known]
        return pd.DataFrame(rows, columns=["method", "length", "time (ms)", "memory (MiB)"])

    alt = f"Cost of attention by length. {finding}."
    show_chart(chart, table, key="cost_by_length", alt=alt, name=f"attention-{quantity}")


def _guesses(start: float | None) -> Lines:
    """Return a line to each place where the class may expect the longer text; none without a start."""
    if start is None:
        return {}
    short, long = PREDICTED_LENGTHS
    return {_CONTINUED[n]: [(short, start), (long, n * start)] for n in FACTORS}


def explain(measurements: Measurements, shipped: Measurements) -> None:
    """Explain the chart with the numbers of the longest text at which all methods were measured."""
    costs = {(cost.method, cost.length): cost for cost in measurements.costs}
    lengths = {length for _, length in costs}
    common = [n for n in lengths if all((method, n) in costs for method in METHODS)]
    if not common:
        return explain(shipped, shipped) if measurements is not shipped else None
    length = max(common)
    naive, fused, local, linear = (costs[method, length] for method in METHODS)
    st.markdown(
        f"The *naive matrix* stores all scores. At {length:,} tokens these are {_SIZES.heads} heads"
        f" x {length:,} x {length:,} numbers, and the computation needs"
        f" {naive.peak_bytes / 2**20:,.0f} MiB. PyTorch's *fused kernel* computes the same output"
        f" tile by tile and never stores the matrix: {fused.peak_bytes / 2**20:.1f} MiB, and"
        f" **{naive.seconds / fused.seconds:.0f} times** as fast. Its memory grows only with the"
        " length, but its time still grows with the square, because each query still meets each"
        " key."
    )
    st.markdown(
        f"The work of a *local window* of {_SIZES.window} tokens and of a *linear kernel* with"
        f" {_SIZES.n_features} features grows in proportion to the length. Here they take"
        f" {1e3 * local.seconds:.1f} ms and {1e3 * linear.seconds:.1f} ms, the fused kernel"
        f" {1e3 * fused.seconds:.1f} ms.{_out_of_proportion(costs)} For short texts they save"
        f" nothing, because there the whole matrix is small as well. Each head has {_SIZES.width}"
        " numbers; queries, keys and values are random, which does not change the time."
    )
    return None


def _out_of_proportion(costs: dict[tuple[str, int], AttentionCost]) -> str:
    """Say where twice as long a text took clearly more than twice as long although its work is doubled."""
    said = []
    for method in (LOCAL, LINEAR):
        last = max(length for name, length in costs if name == method)
        before = costs.get((method, last // 2))
        if before and (ratio := costs[method, last].seconds / before.seconds) > _PROPORTION:
            said.append(
                f" Measured time is not work alone: from {last // 2:,} to {last:,} tokens the"
                f" *{method}* took {ratio:.1f} times as long, for twice the computation and twice"
                " the memory. Why was not measured; memory that no longer fits the processor's"
                " cache is a likely reason."
            )
    return "".join(said)


def one_more_character(measurements: Measurements) -> None:
    """Draw the time of the next character, with and without the key-value cache, and explain it."""
    st.header("The key-value cache", anchor=False)
    if not measurements.generation:
        st.caption("This has not been measured on this server.")
        return
    left, right = st.columns([1.6, 1], gap="medium")
    with left:
        _cache_chart(measurements)
    first, last = measurements.generation[0], measurements.generation[-1]
    right.markdown(
        "The keys and values of earlier characters never change. The *key-value cache* stores them, so that"
        " for one more character a transformer computes the query, key and value of the last one only. It"
        f" takes up: **{last.cache_bytes / 2**20:.1f} MiB** after {last.length:,} characters"
        f" ({GENERATION_MODEL.layers} layers, width {GENERATION_MODEL.width}, float32)."
    )
    right.markdown(
        f"From {first.length:,} to {last.length:,} characters, the time of the next one grows"
        f" {last.uncached_seconds / first.uncached_seconds:.0f} times without the cache, and"
        f" {last.cached_seconds / first.cached_seconds:.1f} times with it, because without the"
        " cache the model reads the whole text again for every character."
    )


def _cache_chart(measurements: Measurements) -> None:
    last = measurements.generation[-1]
    ratio = last.uncached_seconds / last.cached_seconds
    finding = (
        f"After {last.length:,} characters, the cache makes the next one {ratio:.0f} times as fast"
    )
    st.markdown(f"**{finding}**")
    records = measurements.generation
    lines = {
        _CACHED: [(r.length, 1e3 * r.cached_seconds) for r in records],
        _UNCACHED: [(r.length, 1e3 * r.uncached_seconds) for r in records],
    }
    chart = line_chart(
        lines, _CACHE_STYLES, _CHARACTERS, _CHARACTER_TIME, has_points=True, height=300
    )

    def table() -> pd.DataFrame:
        rows = [
            (r.length, 1e3 * r.cached_seconds, 1e3 * r.uncached_seconds, r.cache_bytes)
            for r in records
        ]
        names = ["characters so far", "cached (ms)", "uncached (ms)", "cache (bytes)"]
        return pd.DataFrame(rows, columns=names)

    alt = f"Time of one more character. {finding}."
    show_chart(chart, table, key="cost_cache", alt=alt, name="key-value-cache")


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
