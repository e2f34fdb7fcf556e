"""Random queries, keys and layers: the division by sqrt(d) as d grows, and what heads cost."""

import math
from typing import NamedTuple

import pandas as pd
import streamlit as st

from lm_core.experiments.attention_by_hand.head_parameters import HeadCount, count_heads
from lm_core.experiments.attention_by_hand.scaling import (
    WIDTHS,
    ScaleEffect,
    Spread,
    scale_effects,
    spread_over_queries,
)
from lm_core.models.multi_head_attention import projection_parameters
from lm_core.rng import generator
from pages.shared import page
from pages.shared.charts.lines import Axis, LineStyle, line_chart
from pages.shared.charts.palette import BLUE, PURPLE, VERMILLION
from pages.shared.numbers import percent, significant
from pages.shared.turns import model_calls
from pages.shared.ui import lesson
from pages.shared.ui.figures import show_chart

_KEYS = (4, 8, 16, 32)
_QUERIES = 100
_SCALED, _UNSCALED = "divided by √d", "not divided"
_SCALE_STYLES = {_SCALED: LineStyle(BLUE), _UNSCALED: LineStyle(VERMILLION, 1)}
_ASKED_KEYS = 16
_GUESSES = {"About 1/16": 1 / 16, "About a quarter": 0.25, "About half": 0.5, "Nearly all": 1.0}
_LAYER_WIDTHS = (16, 32, 64, 128)
_HEADS = (1, 2, 4, 8, 16)
_SHARED, _FULL = "d = D / H", "d = D"
_FACTORS = {"Eight times as many": 8.0, "As many as before": 1.0, "An eighth": 0.125}
_HEAD_STYLES = {_SHARED: LineStyle(PURPLE), _FULL: LineStyle(VERMILLION, 1)}


class Quantity(NamedTuple):
    """What is drawn against the width: a field of `ScaleEffect` and its axis."""

    field: str
    axis: Axis


_QUANTITIES = {
    "Largest weight": Quantity("peak", Axis("largest weight", (0.05, 1.0), True)),
    "Slope": Quantity("slope", Axis("slope of the softmax", (1e-7, 1.0), True)),
    "Entropy": Quantity("entropy", Axis("entropy, bits", (1e-4, 10.0), True)),
}

# Division by the root of the width ------------------------------------------------------------


def scale_by_width(screen: page.FirstScreen) -> None:
    """Draw what becomes of the softmax as vectors get wider; without the division after a guess."""
    with screen.controls:
        name = page.choice("quantity", "Show", list(_QUANTITIES), width=170)
        with st.popover("More", icon=":material/tune:"):
            width = page.pick("width", "Width d", WIDTHS, 64)
            n_keys = page.pick("keys", "Keys", _KEYS, 16)
            seed = page.number("seed", "Seed", 0, 9_999, 1)
    effects = _effects(n_keys, int(seed))
    with screen.beside:
        prediction = lesson.predict_then_reveal(
            "scale",
            "Without the division: of 16 random keys, how much weight does the best get at d = 1,024?",
            list(_GUESSES),
        )
        if prediction.revealed:
            _answer_scale(prediction)
    page.note_beside(
        screen,
        "A dot product of *d* random numbers with *d* others (mean 0, variance 1) is a sum of *d*"
        " products, so its variance is *d*: the wider the vectors, the farther apart the scores. The"
        " division by √d makes the variance 1 again.",
    )
    with screen.picture:
        _scale_picture(_QUANTITIES[name], effects, width, prediction)
    if prediction.revealed:
        _explain_scale(effects, width, n_keys)


def _answer_scale(prediction: lesson.Prediction) -> None:
    effects = _effects(_ASKED_KEYS, 1)
    with_it, without = (
        spread_over_queries(effects[WIDTHS[-1], is_scaled].peak).median
        for is_scaled in (True, False)
    )
    nearest = lesson.nearest_answer(without, _GUESSES)
    lesson.show_verdict(
        prediction,
        right=nearest,
        reason=f"It gets **{_share(without)}**, and {_share(with_it)} with the division. Without it scores"
        " differ by tens, and the softmax takes e to their power, so one key gets nearly"
        " everything.",
    )


@st.cache_data(max_entries=32, show_spinner=False)
def _effects(n_keys: int, seed: int) -> dict[tuple[int, bool], ScaleEffect]:
    """Return the effects by width and whether scores are divided."""
    with model_calls:
        found = scale_effects(n_keys, generator(seed), n_queries=_QUERIES)
    return {(effect.width, effect.is_scaled): effect for effect in found}


def _scale_picture(
    quantity: Quantity,
    effects: dict[tuple[int, bool], ScaleEffect],
    width: int,
    prediction: lesson.Prediction,
) -> None:
    spreads: dict[str, dict[int, Spread]] = {_SCALED: {}, _UNSCALED: {}}
    for (d, is_scaled), effect in effects.items():
        values = getattr(effect, quantity.field)
        spreads[_SCALED if is_scaled else _UNSCALED][d] = spread_over_queries(values)
    title = quantity.axis.title.split(",")[0]
    now = {name: significant(by[width].median, 2) for name, by in spreads.items()}
    finding = f"At d = {width:,} the {title} is {now[_SCALED]} with the division"
    if prediction.revealed:
        finding += f", {now[_UNSCALED]} without"
    else:
        del spreads[_UNSCALED]
    rings = {name: [(float(width), by[width].median)] for name, by in spreads.items()}
    is_peak = quantity.field == "peak"
    guess = lesson.guesses_in_picture(
        prediction, lambda said: (float(WIDTHS[-1]), _GUESSES[said]) if is_peak else None
    )
    st.markdown(f"**{finding}**")
    show_chart(
        line_chart(
            {name: [(d, s.median) for d, s in by.items()] for name, by in spreads.items()},
            _SCALE_STYLES,
            Axis("width d", (1, 1024), True, tuple(4.0**p for p in range(6))),
            quantity.axis,
            bands={
                name: [(d, s.low, s.high) for d, s in by.items()] for name, by in spreads.items()
            },
            rings=rings,
            guess=guess,
            now=width,
            height=340,
        ),
        pd.DataFrame(
            {"width": d, "scores": name, **spread._asdict()}
            for name, by in spreads.items()
            for d, spread in by.items()
        ),
        key="scale_effect",
        alt=f"{finding}. Medians of {_QUERIES} queries; the bands hold the middle 80 %.",
        name=f"scale-{quantity.field}",
    )


def _explain_scale(effects: dict[tuple[int, bool], ScaleEffect], width: int, n_keys: int) -> None:
    def median(d: int, field: str, is_scaled: bool) -> float:
        return spread_over_queries(getattr(effects[d, is_scaled], field)).median

    deviations = effects[width, True].deviation, effects[width, False].deviation
    st.markdown(
        f"The scores have standard deviation {deviations[0]:.2f} with the division and"
        f" {deviations[1]:.2f} without: each adds up {width:,} products, so without the division"
        f" the spread grows with √{width:,} = {math.sqrt(width):.2f}. Of {n_keys} keys, the best"
        f" gets {_share(median(width, 'peak', True))} of the weight with the division and"
        f" {_share(median(width, 'peak', False))} without (median of {_QUERIES} queries). At d ="
        f" 1,024 it gets {_share(median(1024, 'peak', True))} with and"
        f" **{_share(median(1024, 'peak', False))}** without. The *slope* is the norm of the"
        " softmax's Jacobian: how strongly the weights respond to the scores, and how much"
        " gradient passes. Its median at d = 1,024 is"
        f" {significant(median(1024, 'slope', True), 2)} with the division and"
        f" {significant(median(1024, 'slope', False), 2)} without."
    )
    with st.expander("The weights of one query, sorted"):
        table = pd.DataFrame(
            {
                name: effects[width, is_scaled].weights.sort(descending=True).values.tolist()
                for name, is_scaled in ((_SCALED, True), (_UNSCALED, False))
            }
        )
        table.insert(0, "rank", range(1, len(table) + 1))
        st.dataframe(table, hide_index=True, height="content")


def _share(weight: float) -> str:
    return percent(weight) if weight < 0.995 else "over 99 %"


# Heads ----------------------------------------------------------------------------------------


def heads_at_constant_width(screen: page.FirstScreen) -> None:
    """Count the parameters of layers with more and more heads; of the usual ones after a guess."""
    with screen.controls:
        width = page.pick("layer_width", "Width D", _LAYER_WIDTHS, 64, width=160)
        heads = page.pick("heads", "Heads H", _HEADS, 8, width=160)
    with screen.beside:
        prediction = lesson.predict_then_reveal(
            "heads",
            "Eight heads instead of one, at the same width D, each of width D / 8: how many numbers in"
            " the query, key and value matrices?",
            list(_FACTORS),
        )
        if prediction.revealed:
            lesson.show_verdict(
                prediction,
                right=lesson.answer_meaning(1, _FACTORS),
                reason="**As many as before**, because eight heads of an eighth of the width are"
                " together as wide as one. More heads look at more places for the same price,"
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
        _heads_picture(width, heads, counts, prediction)
    if prediction.revealed:
        now = next(count for count in counts[_SHARED] if count.heads == heads)
        _explain_heads(width, now, max(count.difference for count in counts[_SHARED]))


@st.cache_data(max_entries=8, show_spinner=False)
def _counts(width: int) -> dict[str, list[HeadCount]]:
    with model_calls:
        return {
            kind: [count_heads(width, n, generator(1), head_width=head_width) for n in _HEADS]
            for kind, head_width in ((_SHARED, None), (_FULL, width))
        }


def _heads_picture(
    width: int, heads: int, counts: dict[str, list[HeadCount]], prediction: lesson.Prediction
) -> None:
    drawn = _SHARED if prediction.revealed else _FULL
    lines = {
        kind: [(c.heads, c.in_heads) for c in found]
        for kind, found in counts.items()
        if kind in (drawn, _FULL)
    }
    now = next(count for count in counts[drawn] if count.heads == heads)
    expected = projection_parameters(width, heads)
    powers = tuple(float(expected * 2**i) for i in range(-3, 5))
    finding = f"{heads} heads of width {now.head_width}: {now.in_heads:,} numbers in Q, K and V"
    guess = lesson.guesses_in_picture(prediction, lambda said: (8.0, expected * _FACTORS[said]))
    st.markdown(f"**{finding}**")
    show_chart(
        line_chart(
            lines,
            _HEAD_STYLES,
            Axis("heads H", (1, _HEADS[-1]), True, tuple(map(float, _HEADS))),
            Axis("numbers in Q, K, V", (powers[0], powers[-1]), True, powers[::2]),
            guess=guess,
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
