"""Random queries and keys: the division by sqrt(d) as d grows."""

import math
from typing import NamedTuple

import pandas as pd
import streamlit as st

from lm_core.experiments.attention_by_hand.scaling import (
    WIDTHS,
    ScaleEffect,
    Spread,
    scale_effects,
    spread_over_queries,
)
from lm_core.rng import generator
from pages.shared import page
from pages.shared.charts.palette import BLUE, VERMILLION
from pages.shared.numbers import percent, significant

_KEYS = (4, 8, 16, 32)
_QUERIES = 100
_SCALED, _UNSCALED = "divided by √d", "not divided"
_SCALE_STYLES = {_SCALED: page.LineStyle(BLUE), _UNSCALED: page.LineStyle(VERMILLION, 1)}
_ASKED_KEYS = 16
_GUESSES = {"About 1/16": 1 / 16, "About a quarter": 0.25, "About half": 0.5, "Nearly all": 1.0}


class Quantity(NamedTuple):
    """What is drawn against the width: a field of `ScaleEffect` and its axis."""

    field: str
    axis: page.Axis


_QUANTITIES = {
    "Largest weight": Quantity("peak", page.Axis("largest weight", (0.05, 1.0), True)),
    "Slope": Quantity("slope", page.Axis("slope of the softmax", (1e-7, 1.0), True)),
    "Entropy": Quantity("entropy", page.Axis("entropy, bits", (1e-4, 10.0), True)),
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
    asked = _ask(screen)
    page.note_beside(
        screen,
        "A dot product of *d* random numbers with *d* others (mean 0, variance 1) is a sum of *d*"
        " products, so its variance is *d*: the wider the vectors, the farther apart the scores. The"
        " division by √d makes the variance 1 again.",
    )
    with screen.picture:
        _scale_picture(_QUANTITIES[name], effects, width, asked)
    if not asked.masks:
        _explain_scale(effects, width, n_keys)


def _ask(screen: page.FirstScreen) -> page.Asked:
    effects = _effects(_ASKED_KEYS, 1)
    with_it, without = (
        spread_over_queries(effects[WIDTHS[-1], is_scaled].peak).median
        for is_scaled in (True, False)
    )
    return page.ask(
        screen,
        "scale",
        "Without the division: of 16 random keys, how much weight does the best get at d = 1,024?",
        _GUESSES,
        right=without,
        reason=f"It gets **{_share(without)}**, and {_share(with_it)} with the division. Without it scores"
        " differ by tens, and the softmax takes e to their power, so one key gets nearly"
        " everything.",
    )


@st.cache_data(max_entries=32, show_spinner=False)
def _effects(n_keys: int, seed: int) -> dict[tuple[int, bool], ScaleEffect]:
    """Return the effects by width and whether scores are divided."""
    with page.model_calls:
        found = scale_effects(n_keys, generator(seed), n_queries=_QUERIES)
    return {(effect.width, effect.is_scaled): effect for effect in found}


def _scale_picture(
    quantity: Quantity, effects: dict[tuple[int, bool], ScaleEffect], width: int, asked: page.Asked
) -> None:
    spreads: dict[str, dict[int, Spread]] = {_SCALED: {}, _UNSCALED: {}}
    for (d, is_scaled), effect in effects.items():
        values = getattr(effect, quantity.field)
        spreads[_SCALED if is_scaled else _UNSCALED][d] = spread_over_queries(values)
    title = quantity.axis.title.split(",")[0]
    now = {name: significant(by[width].median, 2) for name, by in spreads.items()}
    finding = f"At d = {width:,} the {title} is {now[_SCALED]} with the division"
    if asked.masks:
        del spreads[_UNSCALED]
    else:
        finding += f", {now[_UNSCALED]} without"
    rings = {name: [(float(width), by[width].median)] for name, by in spreads.items()}
    is_peak = quantity.field == "peak"
    guess = asked.at(lambda weight: (float(WIDTHS[-1]), weight) if is_peak else None)
    st.markdown(f"**{finding}**")
    page.show_chart(
        page.line_chart(
            {name: [(d, s.median) for d, s in by.items()] for name, by in spreads.items()},
            _SCALE_STYLES,
            page.Axis("width d", (1, 1024), True, tuple(4.0**p for p in range(6))),
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
