"""What heads cost: parameters and work at a constant width, by their number."""

import pandas as pd
import streamlit as st

from lm_core.experiments.attention_by_hand.head_parameters import HeadCount, count_heads
from lm_core.models.multi_head_attention import projection_parameters
from lm_core.rng import generator
from pages.shared import page
from pages.shared.charts.palette import PURPLE, VERMILLION
from pages.shared.numbers import significant

_LAYER_WIDTHS = (16, 32, 64, 128)
_HEADS = (1, 2, 4, 8, 16)
_SHARED, _FULL = "d = D / H", "d = D"
_FACTORS = {"Eight times as many": 8.0, "As many as before": 1.0, "An eighth": 0.125}
_HEAD_STYLES = {_SHARED: page.LineStyle(PURPLE), _FULL: page.LineStyle(VERMILLION, 1)}


def heads_at_constant_width(screen: page.FirstScreen) -> None:
    """Count the parameters of layers with more and more heads; of the usual ones after a guess."""
    with screen.controls:
        width = page.pick("layer_width", "Width D", _LAYER_WIDTHS, 64, width=160)
        heads = page.pick("heads", "Heads H", _HEADS, 8, width=160)
    asked = page.ask(
        screen,
        "heads",
        "Eight heads instead of one, at the same width D, each of width D / 8: how many numbers in"
        " the query, key and value matrices?",
        _FACTORS,
        right=1.0,
        reason="**As many as before**, because eight heads of an eighth of the width are"
        " together as wide as one. More heads look at more places with no more weights,"
        " each with shorter queries and keys.",
    )
    page.note_beside(
        screen,
        "A layer of width *D* with *H* heads has a query, a key and a value matrix for each head,"
        " every one of them *D* by *d*. Usually *d* = *D* / *H*, so that all heads together are"
        " as wide as the layer.",
    )
    counts = _counts(width)
    with screen.picture:
        _heads_picture(width, heads, counts, asked)
    if not asked.masks:
        now = next(count for count in counts[_SHARED] if count.heads == heads)
        _explain_heads(width, now, max(count.difference for count in counts[_SHARED]))


@st.cache_data(max_entries=8, show_spinner=False)
def _counts(width: int) -> dict[str, list[HeadCount]]:
    with page.model_calls:
        return {
            kind: [count_heads(width, n, generator(1), head_width=head_width) for n in _HEADS]
            for kind, head_width in ((_SHARED, None), (_FULL, width))
        }


def _heads_picture(
    width: int, heads: int, counts: dict[str, list[HeadCount]], asked: page.Asked
) -> None:
    drawn = _FULL if asked.masks else _SHARED
    lines = {
        kind: [(c.heads, c.in_heads) for c in found]
        for kind, found in counts.items()
        if kind in (drawn, _FULL)
    }
    now = next(count for count in counts[drawn] if count.heads == heads)
    expected = projection_parameters(width, heads)
    powers = tuple(float(expected * 2**i) for i in range(-3, 5))
    finding = f"{heads} heads of width {now.head_width}: {now.in_heads:,} numbers in Q, K and V"
    st.markdown(f"**{finding}**")
    page.show_chart(
        page.line_chart(
            lines,
            _HEAD_STYLES,
            page.Axis("heads H", (1, _HEADS[-1]), True, tuple(map(float, _HEADS))),
            page.Axis("numbers in Q, K, V", (powers[0], powers[-1]), True, powers[::2]),
            guess=asked.at(lambda factor: (8.0, expected * factor)),
            now=heads,
            has_points=True,
            height=340,
        ),
        pd.DataFrame(
            {"head width": kind, "heads": heads, "parameters": parameters}
            for kind, row in lines.items()
            for heads, parameters in row
        ),
        key="head_counts",
        alt=f"{finding}. Drawn: {', '.join(lines)}.",
        name="heads",
    )


def _explain_heads(width: int, now: HeadCount, difference: float) -> None:
    count = f"{now.in_heads:,}".replace(",", "{,}")
    st.latex(
        r"\begin{aligned}"
        rf"3 \cdot D \cdot d \cdot H &= 3 \cdot {width} \cdot {now.head_width} \cdot {now.heads}"
        rf" = {count} \\ 3 \cdot D \cdot D &= 3 \cdot {width} \cdot {width} = {count}"
        r"\end{aligned}"
    )
    st.markdown(
        "The numbers are counted in real layers, not taken from the formula. Head by head, Q, K"
        f" and V have {now.in_heads:,} numbers. The layer stores them side by side in one matrix of"
        f" {width} by {3 * now.heads * now.head_width}: {now.in_projections:,} numbers. Another"
        f" {now.in_output:,} mix the outputs of the heads. Computed head by head and all at once"
        " from the same weights and 10 random tokens, the outputs differ by at most"
        f" **{significant(difference, 1)}**: the rounding of float32, since both compute the same"
        " sums in another order."
    )
