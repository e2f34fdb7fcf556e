"""Inside a recurrent network: its states and gates, step by step."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from pages.shared.charts.drawing import Drawing, specification
from pages.shared.charts.palette import GREY, SIGNED

_GAP = 2
"""Units between two panels."""
_PLAIN = {"labelAngle": 0, "ticks": False, "domain": False}


def state_frame(panels: Mapping[str, np.ndarray], symbols: Sequence[str], now: int) -> pd.DataFrame:
    """Return one row per panel, unit and step.

    Parameters
    ----------
    panels : mapping of str to ndarray of shape (T, H)
        By name, from top to bottom: a gate, the memory, the hidden state.
    symbols : sequence of T str
        What is read at each step.
    now : int
        The step, from 0, that has just been read.

    Returns
    -------
    DataFrame
        Columns part, unit, step (both from 1), symbol, value, read (whether up to now), now.
    """
    frames = []
    for name, values in panels.items():
        step, unit = np.meshgrid(np.arange(len(symbols)), np.arange(values.shape[1]), indexing="ij")
        frames.append(
            pd.DataFrame(
                {
                    "part": name,
                    "unit": unit.ravel() + 1,
                    "step": step.ravel() + 1,
                    "symbol": np.asarray(list(symbols))[step.ravel()],
                    "value": values.ravel().astype(float),
                }
            )
        )
    frame = pd.concat(frames, ignore_index=True)
    return frame.assign(read=frame["step"] <= now + 1, now=frame["step"] == now + 1)


def state_map(frame: pd.DataFrame, reaches: Mapping[str, float], *, height: int = 300) -> Drawing:
    """Draw a `state_frame`: steps across, units down, one band a panel; the step of now outlined.

    Parameters
    ----------
    frame : DataFrame
    reaches : mapping of str to float
        By panel, from top to bottom: its colours run from -reach (blue) through 0 (white) to
        +reach (orange).
    """
    units = int(frame["unit"].max())
    panel = frame["part"].map({name: index for index, name in enumerate(reaches)})
    top = panel * (units + _GAP) + frame["unit"] - 1
    data = frame.assign(
        top=top,
        bottom=top + 1,
        shade=frame["value"] / frame["part"].map(reaches),
        head=(panel == 0) & (frame["unit"] == 1),
    )
    description = "Heat map: each unit's value after each symbol, one band for each gate or state."
    spec = _state_spec(tuple(reaches.items()), units, int(frame["step"].max()), height)
    return Drawing(spec, data, description)


@lru_cache(maxsize=64)
def _state_spec(
    reaches: tuple[tuple[str, float], ...], units: int, steps: int, height: int
) -> dict[str, Any]:
    bottom = len(reaches) * (units + _GAP) - _GAP
    above = 0.12 * bottom  # for the symbols that are read
    y_scale = alt.Scale(domain=[-above, bottom], reverse=True, nice=False, zero=False)
    x = alt.X("step:O", axis=alt.Axis(title=None, labelOverlap="greedy", **_PLAIN))
    colour = alt.Color(
        "shade:Q",
        scale=alt.Scale(domain=[-1, -0.5, 0, 0.5, 1], range=list(SIGNED), clamp=True),
        legend=None,
    )
    base = alt.Chart().encode(x=x)
    cells = base.mark_rect().encode(
        alt.Y("top:Q", scale=y_scale, axis=_band_axis(reaches, units)),
        y2="bottom:Q",
        color=colour,
        opacity=alt.condition("datum.read", alt.value(1), alt.value(0.15)),
        tooltip=["part:N", "unit:O", "step:O", "symbol:N", alt.Tooltip("value:Q", format=".3f")],
    )
    heads = base.transform_filter("datum.head")
    size = alt.ExprRef(f"clamp(1.35 * width / {steps}, 7, 16)")  # as large as they do not touch
    symbols = heads.mark_text(baseline="middle", fontSize=size).encode(
        y=alt.datum(-above / 2, scale=y_scale),
        text="symbol:N",
        opacity=alt.condition("datum.read", alt.value(1), alt.value(0.4)),
    )
    outline = (
        heads.transform_filter("datum.now")
        .mark_rect(filled=False, stroke=GREY, strokeWidth=2)
        .encode(y=alt.datum(-above, scale=y_scale), y2=alt.datum(bottom))
    )
    return specification(alt.layer(cells, symbols, outline).properties(height=height))


def _band_axis(reaches: tuple[tuple[str, float], ...], units: int) -> alt.Axis:
    """Return an axis that writes each band's name and range at its middle."""
    middles = [index * (units + _GAP) + units / 2 for index in range(len(reaches))]
    labels = "".join(
        f"datum.value == {middle} ? {[name, f'±{reach:g}']!r} : "
        for middle, (name, reach) in zip(middles, reaches, strict=True)
    )
    return alt.Axis(
        values=middles, labelExpr=f"{labels}''", grid=False, title=None, labelLimit=240, **_PLAIN
    )
