"""Every batch of a short training: what the units respond, and how often each is saturated at the end."""

from collections.abc import Sequence
from functools import partial

import numpy as np
import pandas as pd
import pyarrow as pa
import streamlit as st
from torch import Tensor

from lm_core.analysis.saturation import SATURATED
from lm_core.experiments.neural_language_model.activations import ActivationResults
from pages.neural_language_model.saturated_notes import STARTS
from pages.shared import page
from pages.shared.charts import vega_lite as vl
from pages.shared.charts.drawing import Drawing
from pages.shared.charts.pixels import png_address, shades
from pages.shared.numbers import percent

_FIRST = 20  # batches of the beginning
_SHADES, _PALE, _STRONG = 200, (247, 251, 255), (8, 48, 107)
_HIGHEST = (
    0.15  # share of the responses with the strongest colour: only the outermost parts have more
)
_BINS = 20  # of the histogram, as in the post
_results = partial(page.shipped, ActivationResults)


def every_batch(start: str) -> None:
    """Draw the histogram of each batch as a column of colours, and the units by their share of the last."""
    trained = next(t for t in _results().trainings if t.config.network.initialisation == start)
    title, style = STARTS[start]
    st.header("Every batch of a short training", anchor=False)
    is_first = page.switch("first_batches", f"Only the first {_FIRST} batches")
    responses = trained.responses[:_FIRST] if is_first else trained.responses
    left, right = st.columns(2, gap="medium")
    with left:
        st.markdown(f"**Responses by batch, start {title}**")
        page.show_chart(
            _heat_map(responses),
            key="responses_by_batch",
            alt=f"At the ends of tanh lie {percent(_at_the_ends(responses[0]))} of the responses to the"
            f" first batch, and {percent(_at_the_ends(responses[-1]))} to the last one shown.",
            name="responses-by-batch",
            is_small=True,
        )
    with right:
        st.markdown("**Units by how much of the last batch saturates them**")
        page.show_chart(
            _units(trained.saturated.tolist(), style.colour),
            key="units_saturated",
            alt=f"The unit that is saturated most often is so for {percent(trained.most_saturated)}.",
            name="units-by-saturation",
            is_small=True,
        )
    config = trained.config
    st.markdown(
        f"On the left each of {config.steps} batches of {config.batch} letters is a column, and the"
        " stronger a colour, the more of the responses lie there. Strong edges are units at the flat ends of"
        f" tanh. On the right each of {config.network.hidden_size} units is counted by the share of the last"
        f" batch for which it responds beyond ±{SATURATED}. The most saturated one does so for"
        f" **{percent(trained.most_saturated)}** of it, so no unit is dead: each still learns from the rest"
        " of the letters. The post on Bengio's model found none above 75 %, in a network of its own."
    )


def _at_the_ends(counts: Tensor) -> float:
    return ((counts[0] + counts[-1]) / counts.sum()).item()


def _heat_map(responses: Tensor) -> Drawing:
    """Draw batches from left to right and responses from -1 below to 1 above."""
    shares = (responses / responses.sum(1, keepdim=True)).numpy()
    places = np.round((_SHADES - 1) * np.clip(shares / _HIGHEST, 0, 1)).T[::-1]
    table = pa.table(
        {
            "batch": [0, len(shares)],
            "response": [-1.0, 1.0],
            "picture": [png_address(places, shades((_PALE, _STRONG), _SHADES)), ""],
        }
    )
    batch = vl.field("batch:Q", scale=vl.scale(0, len(shares)), axis={"grid": False})
    axis = {"title": "response h", "values": [-1, -0.5, 0, 0.5, 1], "grid": False}
    response = vl.field("response:Q", scale=vl.scale(-1, 1), axis=axis)
    ends = vl.mark("point", {"x": batch, "y": response}, opacity=0)
    numbers = (
        pd.DataFrame(shares)
        .rename_axis("batch")
        .reset_index()
        .melt("batch", var_name="part of -1..1", value_name="share")
    )
    description = "Heat map: what the hidden units respond to each batch of a training."
    return Drawing(
        vl.layered(vl.picture(smooth=False), ends, height=260), table, description, numbers=numbers
    )


def _units(saturated: Sequence[float], colour: str) -> Drawing:
    counts, edges = np.histogram(saturated, _BINS, (0.0, 1.0))
    table = pa.table({"low": edges[:-1], "high": edges[1:], "units": counts})
    share = {"title": "share of the batch", "format": "%", "grid": False}
    bar = {
        "x": vl.field("low:Q", scale=vl.scale(0, 1), axis=share),
        "x2": "high",
        "y": vl.field("units:Q", axis={"tickCount": 5, "tickMinStep": 1}),
        "y2": {"datum": 0},
        "tooltip": [vl.field("low:Q .0%"), vl.field("high:Q .0%"), vl.field("units:Q")],
    }
    spec = vl.layered(vl.mark("bar", bar, color=colour), height=260)
    return Drawing(
        spec, table, "Histogram: hidden units by the share of a batch that saturates them."
    )
