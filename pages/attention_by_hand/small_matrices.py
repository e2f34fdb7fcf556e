"""Attention between typed matrices, and of a query that is dragged among keys in two dimensions."""

import math
from functools import partial

import numpy as np
import streamlit as st
import torch

from lm_core.experiments.attention_by_hand import printed_example
from lm_core.models.attention import AttentionTrace, attend, causal_mask
from pages.shared import page
from pages.shared.charts.attention import weights_chart, weights_frame
from pages.shared.charts.matrices import matrix_frame, matrix_panels
from pages.shared.components.query_pad import QUERY_REACH, Point, query_pad
from pages.shared.numbers import percent
from pages.shared.ui.figures import show_chart
from pages.shared.ui.lesson import (
    nearest_answer,
)
from pages.shared.ui.text_input import checked_text, read_or_keep

_DEFAULTS = {"Q": "1 0\n0 1\n1 2", "K": "1 0\n0 2\n1 1", "V": "1 0\n0 1\n2 2"}
_LONGEST = 400
_GIVEN = ("Q", "K", "V")
_STAGES = ("scores Q Kᵀ", "scaled", "masked", "weights", "output")
_CHART = "hand_matrices"
_WEIGHTS, _OUTPUT = _STAGES[-2:]
_ASKED_QUERY, _ASKED_KEY = 3, 2
_WEIGHT_GUESSES = {
    "50 %: its share of the scores": 0.5,
    "62 %": 0.62,
    "100 %: it is the largest": 1.0,
}
"""The answers to choose from, and the weight that each says."""


def small_matrices(screen: page.FirstScreen) -> None:
    """Draw all stages of the attention between typed matrices, and one cell's formula."""
    with screen.controls:
        is_scaled = page.switch("scaled", "Divide by √d", True)
        is_causal = page.switch("causal", "Causal mask")
        with st.popover("Q, K and V", icon=":material/edit:"):
            typed = _typed()
    with screen.beside:
        read, trace = read_or_keep(
            "matrices", typed, partial(_attend, is_scaled=is_scaled, is_causal=is_causal), _DEFAULTS
        )
        asked: page.Asked = page.Asked()
        if read == _DEFAULTS and is_scaled and not is_causal:
            asked = _ask_about_softmax(screen, trace)
    with screen.picture:
        place = st.container(gap="xsmall")
    query, key = _cell(trace)
    with place:
        _picture(trace, query, key, asked)
    divided = (
        "divided by √d so that they do not grow with the number of columns"
        if is_scaled
        else "not divided by √d now, so they grow with the number of columns"
    )
    page.note_beside(
        screen,
        f"Each query is multiplied with each key: *Q Kᵀ* are the scores, {divided}. *Softmax* makes weights of a"
        " row that add up to 1, so the output is a mean of the rows of *V*."
        " Click a cell to follow its numbers below; change *Q, K and V* above.",
    )
    if asked.masks:
        return
    divisor = math.sqrt(trace.queries.shape[1]) if is_scaled else 1.0
    st.latex(_aligned(formula(trace, query - 1, key - 1, divisor=divisor)))
    _explain(trace, query, key)


def _ask_about_softmax(screen: page.FirstScreen, trace: AttentionTrace) -> page.Asked:
    """Ask for a weight whose scores are on screen; say what the softmax makes of them."""
    scores = trace.scores[_ASKED_QUERY - 1]
    weight = float(trace.weights[_ASKED_QUERY - 1, _ASKED_KEY - 1])
    nearest = nearest_answer(weight, _WEIGHT_GUESSES)
    return page.ask(
        screen,
        "softmax",
        f"Query {_ASKED_QUERY} scores the keys {_listed(scores)}. How much weight does key"
        f" {_ASKED_KEY} get?",
        _WEIGHT_GUESSES,
        right=nearest,
        reason=f"It gets **{percent(weight)}**. The weights follow the exponentials of the"
        " scaled scores, so a scaled score that is larger by 1 weighs e = 2.7 times as much,"
        " whatever the scores are.",
    )


def _listed(scores: torch.Tensor) -> str:
    *first, last = (_n(score) for score in scores.tolist())
    return f"{', '.join(first)} and {last}"


def _typed() -> dict[str, str]:
    return {
        name: page.control(
            st.text_area,
            name,
            name,
            default,
            height=96,
            help=f"Write one row on each line, with spaces between the numbers. At most {printed_example.MOST_ROWS} rows"
            f" of {printed_example.MOST_COLUMNS} numbers.",
        )
        for name, default in _DEFAULTS.items()
    }


def _attend(
    typed: dict[str, str], *, is_scaled: bool, is_causal: bool
) -> tuple[dict[str, str], AttentionTrace]:
    """Return the matrices as they were typed, with all stages; LMCoreError where they do not fit."""
    queries, keys, values = (
        printed_example.read_matrix(checked_text(text, most=_LONGEST, name=name), name)
        for name, text in typed.items()
    )
    mask = causal_mask(len(queries), len(keys)) if is_causal else None
    return typed, attend(queries, keys, values, mask, scale=None if is_scaled else 1.0)


def _cell(trace: AttentionTrace) -> tuple[int, int]:
    """Draw the choice of a query and a key, from 1; a click in the picture sets both."""
    n_queries, n_keys = trace.weights.shape
    clicked = st.session_state.get(_CHART, {}).get("selection", {}).get("cell") or [{}]
    if clicked[0] and st.session_state.get(f"{_CHART}_taken") != clicked[0]:
        matrix, row, column = (clicked[0][name] for name in ("matrix", "row", "column"))
        if matrix not in ("K", "V"):
            st.session_state["query"] = min(row, n_queries)
        if matrix not in ("Q", _OUTPUT):
            st.session_state["key"] = min(row if matrix in ("K", "V") else column, n_keys)
    st.session_state[f"{_CHART}_taken"] = clicked[0]
    chosen = []
    with st.container(horizontal=True, gap="small"):
        for name, label, most, first in (
            ("query", "Query", n_queries, _ASKED_QUERY),
            ("key", "Key", n_keys, _ASKED_KEY),
        ):
            if st.session_state.get(name, 1) > most:
                st.session_state[name] = most
            with st.container(width=120):
                chosen.append(page.number(name, label, 1, most, min(first, most)))
    return int(chosen[0]), int(chosen[1])


def _picture(trace: AttentionTrace, query: int, key: int, asked: page.Asked) -> None:
    """Draw all stages; what is asked for waits, and the guess stays written in its cell."""
    is_masked = asked.masks
    given = dict(zip(_GIVEN, (trace.queries, trace.keys, trace.values), strict=True))
    stages = (trace.scores, trace.scaled_scores, trace.masked_scores, trace.weights, trace.output)
    computed = dict(zip(_STAGES, stages, strict=True))
    shown = {name: matrix.numpy().copy() for name, matrix in (given | computed).items()}
    if is_masked:
        for name in (_WEIGHTS, _OUTPUT):
            shown[name][_ASKED_QUERY - 1] = np.nan
        query, key = _ASKED_QUERY, _ASKED_KEY
    frame = matrix_frame(shown)
    weight = float(trace.weights[query - 1, key - 1])
    finding = f"Query {query} gives key {key} the weight {'?' if is_masked else f'{weight:.3f}'}"
    notes = {}
    if asked.guess is not None:
        cell = (_WEIGHTS, _ASKED_QUERY, _ASKED_KEY)
        notes[cell] = f"guess {_WEIGHT_GUESSES[asked.guess]:g}"
    st.markdown(f"**{finding}**")
    show_chart(
        matrix_panels(
            frame,
            per_line=4,
            chosen=(query, key),
            whole_rows={"Q": query, "K": key, "V": key, _OUTPUT: query},
            notes=notes,
            height=290,
        ),
        frame,
        key=_CHART,
        alt=f"{finding}. Eight matrices: {', '.join(_GIVEN + _STAGES)}; in those computed, queries down,"
        " keys across.",
        name="attention-stages",
        selectable=True,
    )


def formula(trace: AttentionTrace, query: int, key: int, *, divisor: float) -> list[str]:
    """Return the stages of the chosen cell as lines of LaTeX, each with its ``&=``.

    Parameters
    ----------
    trace : AttentionTrace, of matrices without leading axes
    query, key : int, from 0
    divisor : float, what the scores were divided by
    """
    q, k = trace.queries[query].tolist(), trace.keys[key].tolist()
    products = " + ".join(rf"{_factor(a)} \cdot {_factor(b)}" for a, b in zip(q, k, strict=True))
    score, scaled = float(trace.scores[query, key]), float(trace.scaled_scores[query, key])
    masked, weight = float(trace.masked_scores[query, key]), float(trace.weights[query, key])
    row = [value for value in trace.masked_scores[query].tolist() if value != -math.inf]
    if masked == -math.inf:
        after, share = r"-\infty", r"e^{-\infty} = 0"
    else:
        exponents = " + ".join(f"e^{{{_n(value)}}}" for value in row)
        after, share = _n(masked), rf"\frac{{e^{{{_n(masked)}}}}}{{{exponents}}} = {_n(weight, 3)}"
    mixed = [
        rf"{_n(w, 3)}\,{_vector(v)}"
        for w, v in zip(trace.weights[query].tolist(), trace.values.tolist(), strict=True)
    ]
    return [
        rf"\text{{score}} &= q_{query + 1} \cdot k_{key + 1}",
        rf"&= {products} = {_n(score)}",
        rf"\text{{scaled}} &= {_n(score)} / {_n(divisor, 3)} = {_n(scaled)}",
        rf"\text{{masked}} &= {after}",
        rf"\text{{weight}} &= {share}",
        rf"\text{{output}}_{query + 1} &= {mixed[0]}",
        *(rf"&\quad + {term}" for term in mixed[1:]),
        rf"&= \mathbf{{{_vector(trace.output[query].tolist(), 3)}}}",
    ]


def _explain(trace: AttentionTrace, query: int, key: int) -> None:
    weights = trace.weights[query - 1]
    n_visible = int((trace.masked_scores[query - 1] != -math.inf).sum())
    best = int(weights.argmax()) + 1
    width = trace.queries.shape[1]
    st.markdown(
        f"Query {query} attends to {n_visible} of {len(weights)} keys. Its weights add up to"
        f" {float(weights.sum()):.3f}; the largest, {float(weights[best - 1]):.3f}, is that of key {best}."
        f" Its output is the mean of the rows of V with these weights. Queries and keys have d = {width}"
        f" numbers, so √d = {math.sqrt(width):.3f}. Row {key} of K and row {key} of V come from the same"
        " token."
    )


def _aligned(lines: list[str]) -> str:
    return r"\begin{aligned}" + r" \\ ".join(lines) + r"\end{aligned}"


def _n(number: float, digits: int = 2) -> str:
    return f"{number + 0.0:.{digits}f}".rstrip("0").rstrip(".") or "0"


def _factor(number: float) -> str:
    return f"({_n(number)})" if number < 0 else _n(number)


def _vector(numbers: list[float], digits: int = 2) -> str:
    return "(" + ",\\, ".join(_n(number, digits) for number in numbers) + ")"


# A query to drag ------------------------------------------------------------------------------

_ARRANGEMENTS: dict[str, tuple[tuple[Point, ...], tuple[Point, ...]]] = {
    "four ways": (
        ((1.5, 0.0), (0.0, 1.5), (-1.5, 0.0), (0.0, -1.5)),
        ((2.4, 2.4), (-2.4, 2.4), (-2.4, -2.4), (2.4, -2.4)),
    ),
    "two alike": (((1.5, 0.4), (1.5, -0.4), (-1.2, 1.0)), ((2.4, 2.0), (2.4, -2.0), (-2.4, 0.8))),
    "one long, one short": (
        ((2.6, 1.2), (0.8, -0.5), (-1.2, 0.8)),
        ((0.8, 2.6), (2.4, -1.8), (-2.4, -1.2)),
    ),
}
_LONGER = 2.0


def dragged_query(screen: page.FirstScreen) -> None:
    """Draw the pad, and the numbers for the query's present place."""
    with screen.controls:
        arrangement = page.choice("arrangement", "Keys and values", list(_ARRANGEMENTS), width=220)
        with st.popover("More", icon=":material/tune:"):
            is_scaled = page.switch("scaled", "Divide by √2", True)
            x = _coordinate("query_x", "Query, across", 1.2)
            y = _coordinate("query_y", "Query, up", 0.8)
    keys, values = _ARRANGEMENTS[arrangement]
    divisor = math.sqrt(2.0) if is_scaled else 1.0
    trace, twice_as_long = (
        _attend_to_points((factor * x, factor * y), keys, values, divisor)
        for factor in (1.0, _LONGER)
    )
    finding = _finding((x, y), trace)
    asked = _ask_about_length(
        screen, float(trace.weights.max()), float(twice_as_long.weights.max())
    )
    with screen.picture:
        mix = ", ".join(f"{number:.2f}" for number in trace.output[0].tolist())
        st.markdown(f"**{finding}; the output is ({mix})**")
        query_pad(
            (x, y),
            keys,
            values,
            divisor=divisor,
            longer=None if asked.masks else _LONGER,
            key="query_pad",
            on_drop=_place,
        )
    page.note_beside(
        screen,
        "The red arrow is a *query*, blue arrows are *keys*, diamonds their *values*. **Drag the"
        " query's tip** (or use the arrow keys): the larger its dot product with a key, the more"
        " of that key's value is in the output. The product grows with the length of the key and"
        " as the two directions come together, so a long key can win although another one points"
        " nearer.",
    )
    _numbers((x, y), trace, finding)


def _ask_about_length(screen: page.FirstScreen, now: float, twice_as_long: float) -> page.Asked:
    """Ask for the largest weight of a longer query."""
    return page.ask(
        screen,
        "length",
        "The query gets twice as long, in the same direction. What happens to the largest weight?",
        ("It grows", "It stays", "It shrinks"),
        right=("It grows" if twice_as_long > now else "It stays"),
        reason=f"From here it would go from {percent(now)} to **{percent(twice_as_long)}**, dashed in the"
        " picture. All scores double, so their differences double, and the softmax sharpens.",
    )


def _coordinate(name: str, label: str, start: float) -> float:
    return page.number(name, label, -QUERY_REACH, QUERY_REACH, start, 0.1, format="%.1f")


def _place(point: Point) -> None:
    st.session_state["query_x"], st.session_state["query_y"] = point


def _attend_to_points(
    query: Point, keys: tuple[Point, ...], values: tuple[Point, ...], divisor: float
) -> AttentionTrace:
    return attend(
        torch.tensor([query], dtype=torch.float64),
        torch.tensor(keys, dtype=torch.float64),
        torch.tensor(values, dtype=torch.float64),
        scale=1.0 / divisor,
    )


def _finding(query: Point, trace: AttentionTrace) -> str:
    best = int(trace.weights[0].argmax())
    share = float(trace.weights[0, best])
    return f"At ({query[0]:g}, {query[1]:g}) key {best + 1} gets {percent(share, 1)}"


def _numbers(query: Point, trace: AttentionTrace, finding: str) -> None:
    scores, weights = trace.scores[0].tolist(), trace.weights[0].tolist()
    names = [f"k{i + 1}" for i in range(len(scores))]
    frame = weights_frame(names, scores, weights)
    st.markdown(
        "A score is the length of the query, times the length of the key, times the cosine between"
        f" them. This query has length {math.hypot(*query):.2f}. At length 0 all scores are 0 and the"
        " weights equal. The output never leaves the convex hull of the values, because weights are"
        " positive and add up to 1."
    )
    with st.expander("These weights as a chart, to export"):
        show_chart(
            weights_chart(frame, height=40 + 34 * len(names)),
            frame,
            key="drag_weights",
            alt=f"{finding}: "
            + ", ".join(f"{n} {w:.3f}" for n, w in zip(names, weights, strict=True)),
            name="query-weights",
        )
