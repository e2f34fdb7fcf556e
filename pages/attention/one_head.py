"""One head: the row of a query as arcs, and the whole map at each stage."""

import math
from collections.abc import Iterator
from functools import partial

import pandas as pd
import streamlit as st

from lm_core.analysis.attention_cell import AttentionCell
from lm_core.analysis.attention_trace import Intervention
from lm_core.analysis.head_patterns import PRONOUNS
from pages.attention.traces import STAGES, Choice, map_of
from pages.shared import page
from pages.shared.charts.palette import numbered
from pages.shared.components.attention import data_popover, head_map, pack_map
from pages.shared.ui.controls import begin_anew

# Row and map ----------------------------------------------------------------------------------

_CAPTIONS = {
    "scores": "q · k: blue is negative, orange positive",
    "scaled": "q · k, divided by √d and the temperature",
    "masked": "keys ahead of the query are masked before the softmax",
    "weights": "each row adds up to 1",
}
_WITHOUT_MASK = "no mask: every token attends to all tokens"


def choose_query(choice: Choice) -> int:
    """Draw the control of the query token, and return its position."""
    last = len(choice.sentence.symbols) - 1
    spoken = [symbol.strip().lower() for symbol in choice.sentence.symbols]
    start = next((i for i, word in enumerate(spoken) if word in PRONOUNS), last)
    begin_anew("query", choice.sentence.text, start)
    _keep_within("query", last)
    return page.slider(
        "query",
        "Query token",
        0,
        last,
        start,
        help="The token whose row is drawn, so the one that attends.",
    )


def whole_map(choice: Choice, cell: tuple[int, int]) -> None:
    """Draw the head's map at a chosen stage; a click on a cell puts its numbers in the formula."""
    stage = page.segments("stage", "Stage", list(STAGES), "weights")
    name = f"head {choice.layer + 1}.{choice.head + 1}"
    caption = _CAPTIONS[stage]
    if stage == "masked" and not choice.is_causal:
        caption = _WITHOUT_MASK
    st.caption(f"Queries down, keys across, shaded by the square root; {caption}.")
    head_map(
        pack_map(map_of(choice, stage)),
        choice.sentence.symbols,
        key="map",
        chosen=cell,
        title=f"{name}: {stage}",
        is_weight=stage == "weights",
        name=f"attention-{choice.layer + 1}-{choice.head + 1}-{stage}",
        on_choose=_choose_cell,
    )
    table = partial(_map_frame, choice, stage)
    data_popover(table, key="map_data", name=f"attention-{name.replace(' ', '-')}-{stage}")


def choose_key(choice: Choice, query: int) -> int:
    """Draw the control of the key token, and return its position."""
    last = len(choice.sentence.symbols) - 1
    _keep_within("key", last)
    strongest = int(choice.stages.weights[query].argmax())
    if page.switch(
        "strongest_key",
        "The key with the largest weight",
        True,
        help="Switch it off to choose a key, here or by a click in the map.",
    ):
        return strongest
    return page.slider("key", "Key token", 0, last, min(strongest, last))


def _map_frame(choice: Choice, stage: str) -> pd.DataFrame:
    """Return the map as a table: a row for each query, a column for each key."""
    labels = numbered(choice.sentence.symbols)
    frame = pd.DataFrame(map_of(choice, stage).round(5), columns=labels)
    frame.insert(0, "query", labels)
    return frame


def _choose_cell(cell: list[int]) -> None:
    st.session_state["query"], st.session_state["key"] = cell
    st.session_state["strongest_key"] = False


def _keep_within(name: str, last: int) -> None:
    """Stay within a sentence that got shorter."""
    if st.session_state.get(name, 0) > last:
        st.session_state[name] = last


# One cell in numbers --------------------------------------------------------------------------


def equations(
    cell: AttentionCell, width: int, intervention: Intervention, n_visible: int
) -> list[str]:
    """Return the stages of one cell as lines of LaTeX, each with its ``&=``.

    Parameters
    ----------
    width : int, d, of queries and keys
    intervention : Intervention, says whether there is a scale, and which temperature
    n_visible : int, keys that the query may attend to
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
        rf" \quad\text{{({n_visible} {'key' if n_visible == 1 else 'keys'})}}",
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
