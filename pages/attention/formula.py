"""The formula with the numbers of one cell put in, and the vectors behind them."""

import math
from collections.abc import Iterator

import streamlit as st

from lm_core.analysis.attention_cell import AttentionCell, attention_cell
from lm_core.analysis.attention_trace import Intervention
from pages.attention.choices import Choice
from pages.attention.measured import stages_of
from pages.shared import charts
from pages.shared.charts import numbered
from pages.shared.ui.figures import show_chart


def cell_in_numbers(choice: Choice, query: int, key: int) -> None:
    """Write every stage of one cell, from the two vectors to the mix."""
    tokens = numbered(list(choice.sentence.text))
    stages = stages_of(choice)
    cell = attention_cell(stages, query, key)
    width = choice.sentence.config.head_width
    st.markdown(
        f"**Head {choice.layer + 1}.{choice.head + 1}: `{tokens[query]}` looks at `{tokens[key]}`.**"
        f" From each character's vector of {choice.sentence.config.width} numbers, three matrices"
        f" make its query q, key k and value v, {width} numbers each."
    )
    n_allowed = query + 1 if choice.is_causal else len(tokens)
    st.latex(aligned(equations(cell, width, choice.intervention, n_allowed)))
    frame = charts.vectors_frame(
        {
            "q": stages.queries[query].numpy(),
            "k": stages.keys[key].numpy(),
            "q × k": cell.products.numpy(),
            "v": stages.values[key].numpy(),
            "w × v": cell.weighted_value.numpy(),
            "o": cell.output.numpy(),
        }
    )
    show_chart(
        charts.vectors_chart(frame),
        frame,
        key="vectors",
        alt=f"The {width} coordinates of query, key, their products, value, weighted value and"
        f" output. The products add up to {cell.score:.2f}.",
        name=f"vectors-{query}-{key}",
    )


def equations(
    cell: AttentionCell, width: int, intervention: Intervention, n_allowed: int
) -> list[str]:
    """Return the stages of one cell as lines of LaTeX, each with its ``&=``.

    Parameters
    ----------
    cell : AttentionCell
    width : int
        d, of queries and keys.
    intervention : Intervention
        Says whether there is a scale, and which temperature.
    n_allowed : int
        Keys that the query may look at.
    """
    lines = [rf"q \cdot k &= \textstyle\sum_{{i=1}}^{{{width}}} q_i k_i = {_n(cell.score)}"]
    lines += _scaling(cell, width, intervention.is_scaled, intervention.temperature)
    if not cell.is_visible:
        return [*lines, r"s &\to -\infty \quad\text{(masked)}", r"w &= \mathbf{0}"]
    return [
        *lines,
        rf"e^{{s - m}} &= e^{{{_n(cell.scaled_score)} {_minus(cell.largest)}}}"
        rf" = {_n(cell.exponential)}",
        rf"\textstyle\sum e^{{s - m}} &= {_n(cell.total)}"
        rf" \quad\text{{({n_allowed} {'key' if n_allowed == 1 else 'keys'})}}",
        rf"w &= {_n(cell.exponential)} / {_n(cell.total)} = \mathbf{{{_n(cell.weight)}}}",
        rf"o &= \textstyle\sum w\,v = {_n(cell.weight)}\,v + \dots",
    ]


def aligned(lines: list[str]) -> str:
    """Return lines of LaTeX, one below the other at their ``&``."""
    return r"\begin{aligned}" + r" \\ ".join(lines) + r"\end{aligned}"


def _scaling(cell: AttentionCell, width: int, is_scaled: bool, temperature: float) -> Iterator[str]:
    divisors = [rf"\sqrt{{{width}}}"] if is_scaled else []
    divisors += [f"{temperature:g}"] if temperature != 1.0 else []
    if not divisors:
        yield rf"s &= q \cdot k = {_n(cell.scaled_score)}"
        return
    divisor = math.prod([width**0.5 if is_scaled else 1.0, temperature])
    written = r" \cdot ".join(divisors)
    yield rf"s &= q \cdot k / ({written})"
    yield rf"&= {_n(cell.score)} / {_n(divisor)} = {_n(cell.scaled_score)}"


def _n(number: float) -> str:
    """Write a number with about four digits, a huge or tiny one as a power of ten."""
    if number and not 0.0005 <= abs(number) < 10_000:
        mantissa, power = f"{number:.2e}".split("e")
        return rf"{mantissa} \cdot 10^{{{int(power)}}}"
    digits = 3 if abs(number) < 10 else 2 if abs(number) < 100 else 1
    return f"{number + 0.0:.{digits}f}"


def _minus(number: float) -> str:
    return f"+ {_n(-number)}" if number < 0 else f"- {_n(number)}"
