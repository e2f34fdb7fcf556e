"""What a saving costs: one mark for each size of each method, time across and loss up."""

import math
from collections.abc import Mapping

import altair as alt
import pandas as pd

from pages.shared.charts.lines import LineStyle
from pages.shared.charts.palette import GREY

_ROOM = (0.07, 0.07)
"""Of the axes: the least distance between two labels."""
_SHAPES = ("circle", "square", "triangle-up")


def trade_off(
    frame: pd.DataFrame,
    looks: Mapping[str, LineStyle],
    *,
    exact: tuple[str, float, float],
    times: tuple[float, float],
    losses: tuple[float, float],
    height: int = 320,
) -> alt.LayerChart:
    """Draw methods by what they take and what they lose, each mark with its size where there is room.

    Parameters
    ----------
    frame : DataFrame
        Columns method, size, milliseconds (above 0; the axis is logarithmic) and loss (nats per
        character).
    looks : mapping of str to LineStyle
        By method; their order is that of the legend.
    exact : (name, milliseconds, loss)
        What is approximated: two thin grey lines that meet in a cross, with its name.
    times, losses : pairs of float
        The fixed axes.
    """
    x_scale = alt.Scale(type="log", domain=list(times), nice=False, clamp=True)
    y_scale = alt.Scale(domain=list(losses), nice=False, clamp=True)
    x = alt.X("milliseconds:Q", scale=x_scale, axis=alt.Axis(title="time (ms)", format="~g"))
    y = alt.Y("loss:Q", scale=y_scale, axis=alt.Axis(title="loss (nats per character)"))
    methods = list(looks)
    legend = alt.Legend(orient="top", title=None)
    colour = alt.Color(
        "method:N",
        legend=legend,
        scale=alt.Scale(domain=methods, range=[look.colour for look in looks.values()]),
    )
    shape = alt.Shape(
        "method:N",
        legend=legend,
        scale=alt.Scale(domain=methods, range=[_SHAPES[look.dash] for look in looks.values()]),
    )
    labelled = frame.assign(label=_labels(frame, times, losses))
    base = alt.Chart(labelled).encode(x, y, tooltip=list(frame.columns))
    centre = alt.Chart(pd.DataFrame([exact], columns=["name", "milliseconds", "loss"]))
    return alt.layer(
        centre.mark_rule(color=GREY, strokeDash=[3, 3]).encode(x),
        centre.mark_rule(color=GREY, strokeDash=[3, 3]).encode(y),
        centre.mark_point(color=GREY, shape="cross", size=110, filled=True, opacity=1).encode(x, y),
        centre.mark_text(align="left", dx=9, dy=-11).encode(x, y, text="name:N"),
        base.mark_point(size=70, filled=True, opacity=1).encode(color=colour, shape=shape),
        base.mark_text(dy=-13).encode(text="label:N"),
    ).properties(height=height)


def _labels(
    frame: pd.DataFrame, times: tuple[float, float], losses: tuple[float, float]
) -> list[str]:
    """Return the size of each mark, empty where it would cover that of another."""
    kept: list[tuple[float, float]] = []
    labels = []
    for row in frame.itertuples():
        across = math.log(row.milliseconds / times[0]) / math.log(times[1] / times[0])
        up = (row.loss - losses[0]) / (losses[1] - losses[0])
        is_free = all(abs(across - x) > _ROOM[0] or abs(up - y) > _ROOM[1] for x, y in kept)
        labels.append(str(row.size) if is_free else "")
        if is_free:
            kept.append((across, up))
    return labels
