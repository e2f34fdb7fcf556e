"""Division by sqrt(d), on and off: what it does to a softmax and its gradient as d grows."""

import math
from typing import NamedTuple

import numpy as np
import pandas as pd
import streamlit as st

from lm_core.experiments.attention_by_hand.scaling import WIDTHS, ScaleEffect, scale_effects
from lm_core.rng import generator
from pages.shared import charts
from pages.shared.server import model_calls
from pages.shared.ui.controls import control
from pages.shared.ui.figures import show_chart
from pages.shared.ui.lesson import predict_then_reveal

_KEYS = (4, 8, 16, 32)
_QUERIES = 100


class Quantity(NamedTuple):
    """What is drawn against the width: a field of `ScaleEffect`, its axis, and its unit."""

    field: str
    title: str
    domain: tuple[float, float]


_QUANTITIES = {
    "Slope": Quantity("slope", "slope of the softmax", (1e-7, 1.0)),
    "Largest weight": Quantity("peak", "largest weight", (0.05, 1.0)),
    "Entropy": Quantity("entropy", "entropy (bits)", (1e-4, 10.0)),
}


@st.fragment
def scale_by_width() -> None:
    """Ask, then draw what becomes of the softmax as vectors get wider."""
    st.markdown(
        "Queries and keys of *d* random numbers each (mean 0, variance 1) have dot products of"
        " variance *d*. Dividing by √d makes it 1 again. What does the softmax notice?"
    )
    prediction = predict_then_reveal(
        "scale",
        "Without the division: of 16 random keys, what share does the best get at d = 1,024?",
        ("About 1/16", "About a quarter", "About half", "Nearly all"),
    )
    if not prediction.revealed:
        return
    left, right = st.columns([1, 3.2], gap="medium")
    with left:
        name = control(
            st.segmented_control,
            "quantity",
            "Show",
            list(_QUANTITIES),
            default="Slope",
            required=True,
        )
        width = control(st.select_slider, "width", "Width d", WIDTHS, 64)
        n_keys = control(st.select_slider, "n_keys", "Keys", _KEYS, 16)
        seed = control(st.number_input, "seed", "Seed", 0, 9_999, 1)
    effects = _effects(n_keys, int(seed))
    with right:
        _picture(_QUANTITIES[name], effects, width)
    _explain(effects, width, n_keys)


@st.cache_data(max_entries=32, show_spinner=False)
def _effects(n_keys: int, seed: int) -> list[dict[str, np.ndarray]]:
    with model_calls:
        return [
            _kept(effect) for effect in scale_effects(n_keys, generator(seed), n_queries=_QUERIES)
        ]


def _kept(effect: ScaleEffect) -> dict[str, np.ndarray]:
    return {name: np.asarray(value) for name, value in effect._asdict().items()}


def _picture(quantity: Quantity, effects: list[dict[str, np.ndarray]], width: int) -> None:
    frame = charts.scale_frame(
        [charts.WidthRow(int(e["width"]), bool(e["is_scaled"]), e[quantity.field]) for e in effects]
    )
    at_width = frame[frame["width"] == width].set_index("scores")["median"]
    finding = (
        f"At d = {width:,} the {quantity.title.split(' (')[0]} is {_short(at_width[charts.SCALED])}"
        f" with the division, {_short(at_width[charts.UNSCALED])} without"
    )
    st.markdown(f"**{finding}**")
    show_chart(
        charts.scale_chart(frame, title=quantity.title, domain=quantity.domain, now=width),
        frame,
        key="scale_effect",
        alt=f"{finding}. Medians of {_QUERIES} queries; the bands hold the middle 80%.",
        name=f"scale-{quantity.field}",
    )


def _explain(effects: list[dict[str, np.ndarray]], width: int, n_keys: int) -> None:
    def at(d: int, field: str, is_scaled: bool) -> float:
        found = next(e for e in effects if e["width"] == d and e["is_scaled"] == is_scaled)
        return float(np.median(found[field]))

    with_scale, without = at(width, "deviation", True), at(width, "deviation", False)
    st.markdown(
        f"What enters the softmax has standard deviation {with_scale:.2f} with the division and"
        f" {without:.2f} without, where √{width:,} = {math.sqrt(width):.2f}. With {n_keys} keys, the"
        f" best gets {_share(at(width, 'peak', True))} or {_share(at(width, 'peak', False))} of the weight"
        f" (median of {_QUERIES} queries), and at d = 1,024 {_share(at(1024, 'peak', True))} or"
        f" **{_share(at(1024, 'peak', False))}**. The *slope* is the norm of the softmax's Jacobian: how"
        " strongly the weights still answer when the scores move, and so how much gradient gets"
        f" through. Without the division its median falls to {_short(at(1024, 'slope', False))} at"
        f" d = 1,024; with it, {_short(at(1024, 'slope', True))} is left."
    )
    with st.expander("The weights of one query, sorted"):
        _one_query(effects, width)


def _one_query(effects: list[dict[str, np.ndarray]], width: int) -> None:
    columns = {
        charts.SCALED if e["is_scaled"] else charts.UNSCALED: np.sort(e["weights"])[::-1]
        for e in effects
        if e["width"] == width
    }
    table = pd.DataFrame(columns)
    table.insert(0, "rank", np.arange(1, len(table) + 1))
    st.dataframe(table, hide_index=True, height="content")


def _share(weight: float) -> str:
    return f"{weight:.0%}" if weight < 0.995 else "over 99%"


def _short(number: float) -> str:
    return f"{number:.2g}" if number >= 0.001 else f"{number:.0e}"
