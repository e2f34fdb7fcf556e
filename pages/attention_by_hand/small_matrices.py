"""Attention between typed matrices."""

import math
from functools import partial

import numpy as np
import streamlit as st
import torch

from lm_core.models.attention import AttentionTrace
from pages.attention_by_hand.formula import formula, written
from pages.attention_by_hand.typed_matrices import (
    DEFAULTS,
    PROJECTED,
    attend_typed,
    show_projections,
    type_matrices,
)
from pages.shared import page
from pages.shared.charts.matrices import matrix_frame, matrix_panels
from pages.shared.numbers import percent

_GIVEN = ("Q", "K", "V")
_STAGES = ("scores Q Kᵀ", "scaled", "masked", "weights", "output")
_CHART = "hand_matrices"
_WEIGHTS, _OUTPUT = _STAGES[-2:]
_ASKED_QUERY, _ASKED_KEY = 3, 2
_TOLERANCE = 5.0
"""Percent by which a weight may be off that was worked out with few digits of the exponentials."""


def small_matrices(screen: page.FirstScreen) -> None:
    """Draw all stages of the attention between typed matrices, and one cell's formula."""
    with screen.controls:
        is_scaled = page.switch("scaled", "Divide by √d", True)
        is_causal = page.switch("causal", "Causal mask")
        with st.popover("Q, K and V", icon=":material/edit:"):
            typed = type_matrices()
    with screen.beside:
        read, trace = page.read_or_keep(
            "inputs" if "X" in typed else "matrices",
            typed,
            partial(attend_typed, is_scaled=is_scaled, is_causal=is_causal),
            PROJECTED if "X" in typed else DEFAULTS,
        )
        asked: page.Asked[float] = page.Asked()
        if read == DEFAULTS and is_scaled and not is_causal:
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
    show_projections(read)


def _ask_about_softmax(screen: page.FirstScreen, trace: AttentionTrace) -> page.Asked[float]:
    """Ask for a weight whose scores are on screen; say what the softmax makes of them."""
    scores = trace.scores[_ASKED_QUERY - 1]
    weight = float(trace.weights[_ASKED_QUERY - 1, _ASKED_KEY - 1])
    share = float(scores[_ASKED_KEY - 1] / scores.sum())
    return page.ask_number(
        screen,
        "softmax",
        f"Query {_ASKED_QUERY} scores the keys {_listed(scores)}. How much weight does key"
        f" {_ASKED_KEY} get, in percent?",
        (0.0, 100.0),
        _TOLERANCE,
        right=100 * weight,
        reason=f"It gets **{percent(weight)}**, and not the {percent(share)} that are its share of the scores, nor all"
        " of it because it is the largest. The weights follow the exponentials of the"
        " scaled scores, so a scaled score that is larger by 1 weighs e = 2.7 times as much,"
        " whatever the scores are.",
    )


def _listed(scores: torch.Tensor) -> str:
    *first, last = (written(score) for score in scores.tolist())
    return f"{', '.join(first)} and {last}"


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


def _picture(trace: AttentionTrace, query: int, key: int, asked: page.Asked[float]) -> None:
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
    if asked.value is not None:
        cell = (_WEIGHTS, _ASKED_QUERY, _ASKED_KEY)
        notes[cell] = f"guess {asked.value / 100:g}"
    st.markdown(f"**{finding}**")
    page.show_chart(
        matrix_panels(
            frame,
            per_line=4,
            chosen=(query, key),
            whole_rows={"Q": query, "K": key, "V": key, _OUTPUT: query},
            notes=notes,
            height=290,
        ),
        key=_CHART,
        alt=f"{finding}. Eight matrices: {', '.join(_GIVEN + _STAGES)}; in those computed, queries down,"
        " keys across.",
        name="attention-stages",
        selectable=True,
    )


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
