"""How many heads: the same number of parameters, counted in the layers themselves."""

import streamlit as st

from lm_core.experiments.attention_by_hand.head_parameters import HeadCount, count_heads
from lm_core.models.multi_head_attention import projection_parameters
from lm_core.rng import generator
from pages.shared import charts
from pages.shared.server import model_calls
from pages.shared.ui.controls import control
from pages.shared.ui.figures import show_chart
from pages.shared.ui.lesson import predict_then_reveal

_WIDTHS = (16, 32, 64, 128)
_HEADS = (1, 2, 4, 8, 16)
_SHARED, _OWN = "width shared out, d = D / H", "each head as wide as the layer, d = D"


@st.fragment
def heads_at_constant_width() -> None:
    """Ask, then count the parameters of layers with more and more heads, in both of their forms."""
    st.markdown(
        "A layer of width *D* with *H* heads has a query, a key and a value matrix for each head,"
        " every one of them *D* by *d*. Usually *d* = *D* / *H*."
    )
    prediction = predict_then_reveal(
        "heads",
        "Eight heads instead of one, at the same width D: how many numbers in the query, key and"
        " value matrices?",
        ("Eight times as many", "As many as before", "An eighth"),
    )
    if not prediction.revealed:
        return
    left, right = st.columns([1, 3.2], gap="medium")
    with left:
        width = control(st.select_slider, "layer_width", "Width D", _WIDTHS, 64)
        heads = control(st.select_slider, "heads", "Heads H", _HEADS, 8)
    shared, own = _counts(width)
    with right:
        _picture(width, heads, shared, own)
    _explain(width, next(c for c in shared if c.heads == heads), max(c.difference for c in shared))


@st.cache_data(max_entries=8, show_spinner=False)
def _counts(width: int) -> tuple[list[HeadCount], list[HeadCount]]:
    with model_calls:
        return (
            [count_heads(width, heads, generator(1)) for heads in _HEADS],
            [count_heads(width, heads, generator(1), head_width=width) for heads in _HEADS],
        )


def _picture(width: int, heads: int, shared: list[HeadCount], own: list[HeadCount]) -> None:
    frame = charts.head_frame(
        {kind: [(c.heads, c.in_heads) for c in counts] for kind, counts in _kinds(shared, own)},
        heads,
    )
    now = next(c for c in shared if c.heads == heads)
    finding = f"{heads} heads of width {now.head_width}: {now.in_heads:,} numbers in Q, K and V"
    st.markdown(f"**{finding}**")
    show_chart(
        charts.head_chart(frame, expected=projection_parameters(width, heads)),
        frame,
        key="head_counts",
        alt=f"{finding}. Flat for heads that share the width, rising for heads as wide as the"
        " layer.",
        name="heads",
    )


def _kinds(
    shared: list[HeadCount], own: list[HeadCount]
) -> tuple[tuple[str, list[HeadCount]], tuple[str, list[HeadCount]]]:
    return (_SHARED, shared), (_OWN, own)


def _explain(width: int, now: HeadCount, difference: float) -> None:
    count = f"{now.in_heads:,}".replace(",", "{,}")
    st.latex(
        r"\begin{aligned}"
        rf"3 \cdot D \cdot d \cdot H &= 3 \cdot {width} \cdot {now.head_width} \cdot {now.heads}"
        rf" = {count} \\ 3 \cdot D \cdot D &= 3 \cdot {width} \cdot {width} = {count}"
        r"\end{aligned}"
    )
    st.markdown(
        "These are counts of the parameters of real layers, not of a formula. Heads with matrices"
        f" of their own hold {now.in_heads:,} numbers; the fused form, which lays them side by side"
        f" in three matrices of {width} by {now.heads * now.head_width}, holds {now.in_projections:,}."
        f" Another {now.in_output:,} mix the heads' outputs. Both forms, with the same weights and"
        f" the same 10 random tokens, differ by at most **{difference:.0e}** for any of these"
        " numbers of heads: the rounding of float32."
    )
