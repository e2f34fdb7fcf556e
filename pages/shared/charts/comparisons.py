"""Models side by side: how they learned, how well they predict, and at what price."""

import math
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache, partial
from typing import Any

import altair as alt
import pandas as pd
import pyarrow as pa

from pages.shared.charts.drawing import Drawing, specification
from pages.shared.charts.lines import Axis, LineStyle, line_chart
from pages.shared.charts.palette import BLUE, GREY, ORANGE, PURPLE, VERMILLION
from pages.shared.numbers import percent, written

_SERIES = (BLUE, VERMILLION, PURPLE, ORANGE)
_ROW = 27
"""Height of a bar with its gap, in pixels."""
_ROOM = 0.07
"""Of each axis: the least distance between two labels of `trade_off`."""
_SHAPES = ("circle", "square", "triangle-up")
_MODEL, _NOISE, _EXACT = "model", "noise", "exact"


def learning_curve(
    frame: pd.DataFrame,
    *,
    losses: tuple[float, float] = (1.0, 4.5),
    references: Mapping[str, float] | None = None,
    height: int = 280,
) -> Drawing:
    """Draw loss against characters seen, one named line per series.

    Parameters
    ----------
    frame : DataFrame
        Columns characters_seen (at least 1; the axis is logarithmic), loss (nats per character)
        and series.
    losses : pair of float
        The fixed axis.
    references : mapping of str to float, optional
        Losses to draw as thin grey lines with their names: chance, a published figure.
    """
    first, last = float(frame["characters_seen"].min()), float(frame["characters_seen"].max())
    lines = {
        name: list(zip(rows["characters_seen"], rows["loss"], strict=True))
        for name, rows in frame.sort_values("characters_seen").groupby("series", sort=False)
    }
    styles = {name: LineStyle(_SERIES[i % 4], i % 3) for i, name in enumerate(lines)}
    ends = {name: [(first, y), (last, y)] for name, y in (references or {}).items()}
    powers = tuple(10.0**p for p in range(3, 11) if first <= 10.0**p <= last)
    x = Axis("characters seen", (first, max(last, 2 * first)), True, powers)
    y = Axis("loss (nats per character)", losses)
    return line_chart(lines, styles, x, y, references=ends, has_points=True, height=height)


def loss_comparison(frame: pd.DataFrame, *, losses: tuple[float, float] | None = None) -> Drawing:
    """Draw each model's loss under each protocol as a point with one standard error either way.

    Parameters
    ----------
    frame : DataFrame
        Columns model, protocol, loss, standard_error (nats per character; 0 or missing where it
        is not known) and origin ("ours", "published", "baseline": it sets colour and shape).
    losses : pair of float
        The axis; by default what the points need.
    """
    values = frame.assign(
        standard_error=frame["standard_error"].fillna(0.0),
        low=frame["loss"] - frame["standard_error"].fillna(0.0),
        high=frame["loss"] + frame["standard_error"].fillna(0.0),
    )
    models = values.groupby("model", sort=False)["loss"].min().sort_values().index
    spec = _loss_spec(tuple(models), losses, values["protocol"].nunique())
    return Drawing(spec, values, "Points: the loss of each model, with one standard error.")


@lru_cache(maxsize=16)
def _loss_spec(
    models: tuple[str, ...], losses: tuple[float, float] | None, n_protocols: int
) -> dict[str, Any]:
    origins = ["ours", "published", "baseline"]
    scale = alt.Scale(zero=False, domain=list(losses)) if losses else alt.Scale(zero=False)
    y = alt.Y("model:N", sort=list(models), title=None, axis=alt.Axis(labelLimit=260))
    x = alt.X(
        "loss:Q",
        scale=scale,
        axis=alt.Axis(
            tickCount=6,
            labelOverlap=True,
            title="loss (nats per character), with one standard error",
        ),
    )
    base = alt.Chart().encode(y=y, yOffset=alt.YOffset("protocol:N"))
    bars = base.mark_rule(color=GREY, strokeWidth=2).encode(
        alt.X("low:Q", scale=scale), x2="high:Q"
    )
    points = base.mark_point(filled=True, size=80, opacity=1).encode(
        x,
        color=alt.Color(
            "origin:N",
            title=None,
            legend=alt.Legend(orient="top"),
            scale=alt.Scale(domain=origins, range=[BLUE, VERMILLION, GREY]),
        ),
        shape=alt.Shape(
            "origin:N",
            title=None,
            legend=alt.Legend(orient="top"),
            scale=alt.Scale(domain=origins, range=["circle", "diamond", "square"]),
        ),
        tooltip=["model:N", "protocol:N", "loss:Q", "standard_error:Q"],
    )
    names = base.mark_text(dy=-11).encode(x, text="protocol:N")
    layers = [bars, points, names] if n_protocols > 1 else [bars, points]
    height = 90 + 26 * len(models) * n_protocols
    return specification(alt.layer(*layers).properties(height=height))


def difference_bars(
    frame: pd.DataFrame, *, noise: float, title: str, is_clickable: bool = False
) -> Drawing:
    """Draw a bar for each model, the best above, each with its value.

    Parameters
    ----------
    frame : DataFrame
        Columns model, difference (negative is better; missing where it waits for a guess: its row
        comes first, and says nothing of its rank) and colour.
    noise : float, at least 0
        Differences up to this, either way, lie in a grey band: another seed changes as much.
    title : str
        Of the axis, with the unit.
    is_clickable : bool
        Whether a bar can be clicked: the selection is ``pick``, with its model (see `picked_model`).
    """
    low = min(-1.5 * noise, 1.1 * frame["difference"].min())
    high = max(1.5 * noise, frame["difference"].max())
    # Room on both sides for the values, which are written beside the bars.
    room = 0.16 * (high - low)
    values = frame.assign(
        kind=_MODEL,
        text=frame["difference"]
        .map(partial(written, form="+.3f"))
        .mask(frame["difference"].isna(), "?"),
        anchor=frame["difference"].clip(lower=0.0).fillna(0.0),
    )
    band = pd.DataFrame([{"kind": _NOISE, "low": -noise, "high": noise}])
    models = tuple(values.sort_values("difference", na_position="first")["model"])
    spec = _difference_spec(models, (low - room, high + room), title, is_clickable)
    data = pd.concat([values, band], ignore_index=True)
    return Drawing(spec, data, f"Bars: {title}, one for each model.")


@lru_cache(maxsize=16)
def _difference_spec(
    models: tuple[str, ...], domain: tuple[float, float], title: str, is_clickable: bool
) -> dict[str, Any]:
    scale = alt.Scale(domain=list(domain), nice=False)
    y = alt.Y("model:N", sort=list(models), title=None, axis=alt.Axis(labelLimit=220))
    x = alt.X("difference:Q", scale=scale, axis=alt.Axis(title=title, tickCount=6))
    band = alt.Chart().transform_filter(alt.datum.kind == _NOISE)
    base = alt.Chart().transform_filter(alt.datum.kind == _MODEL).encode(y=y)
    tooltip = ["model:N", alt.Tooltip("difference:Q", format="+.4f")]
    bars = base.mark_bar(
        height={"band": 0.6}, cursor="pointer" if is_clickable else "default"
    ).encode(x, color=alt.Color("colour:N", scale=None), tooltip=tooltip)
    if is_clickable:
        bars = bars.add_params(alt.selection_point(name="pick", fields=["model"], on="click"))
    layers = [
        band.mark_rect(color=GREY, opacity=0.25).encode(alt.X("low:Q", scale=scale), x2="high:Q"),
        bars,
        base.mark_text(align="left", dx=5).encode(alt.X("anchor:Q", scale=scale), text="text:N"),
    ]
    return specification(alt.layer(*layers).properties(height=85 + _ROW * len(models)))


def picked_model(selection: Mapping[str, Any]) -> str | None:
    """Return the model whose bar was clicked, if any."""
    points = selection.get("pick") or []
    return str(points[0]["model"]) if points and "model" in points[0] else None


def share_pairs(frame: pd.DataFrame, *, title: str) -> Drawing:
    """Draw two shares of each model in a row, joined by a line: a filled dot, then a hollow one.

    Parameters
    ----------
    frame : DataFrame
        Columns model, first, second (0 to 1) and colour; the rows are drawn from the top.
    title : str
        Of the axis: what is filled, and what hollow.
    """
    data = frame.assign(rank=range(len(frame)), text=[percent(share) for share in frame["second"]])
    description = "Dots: two shares of each model, joined by a line."
    return Drawing(_share_pairs_spec(title, 60 + 36 * len(frame)), data, description)


@cache
def _share_pairs_spec(title: str, height: int) -> dict[str, Any]:
    scale = alt.Scale(domain=[0, 1])
    order = alt.EncodingSortField("rank", op="min")
    base = alt.Chart().encode(
        y=alt.Y("model:N", sort=order, axis=alt.Axis(title=None, ticks=False, domain=False)),
        color=alt.Color("colour:N", scale=None),
        tooltip=[
            "model:N",
            alt.Tooltip("first:Q", format=".1%"),
            alt.Tooltip("second:Q", format=".1%"),
        ],
    )
    axis = alt.Axis(title=title, format=".0%", tickCount=5)
    first, second = alt.X("first:Q", scale=scale, axis=axis), alt.X("second:Q", scale=scale)
    layers = (
        base.mark_rule(strokeWidth=2).encode(x=first, x2="second:Q"),
        base.mark_point(filled=True, size=110, opacity=1).encode(x=first),
        base.mark_point(filled=False, size=110, strokeWidth=2.5, opacity=1).encode(x=second),
        base.mark_text(dy=-12, color=GREY).encode(x=second, text="text:N", color=alt.value(GREY)),
    )
    return specification(alt.layer(*layers).properties(height=height))


def trade_off(
    marks: pa.Table,
    styles: Mapping[str, LineStyle],
    *,
    exact: tuple[str, float, float],
    times: tuple[float, float],
    losses: tuple[float, float],
    height: int = 320,
) -> Drawing:
    """Draw the loss of methods against their time, each mark with its size where there is room.

    Parameters
    ----------
    marks : Table
        Columns method, size, milliseconds (above 0; the axis is logarithmic) and loss (nats per
        character).
    styles : mapping of str to LineStyle
        By method; their order is that of the legend.
    exact : (name, milliseconds, loss)
        What is approximated: two thin grey lines that meet in a cross, with its name.
    times, losses : pairs of float
        The fixed axes.
    """
    rows = marks.to_pylist()
    labels = _labels(rows, times, losses)
    table = pa.Table.from_pylist(
        [{**row, "kind": _MODEL, "label": label} for row, label in zip(rows, labels, strict=True)]
        + [dict(zip(("label", "milliseconds", "loss"), exact, strict=True), kind=_EXACT)]
    )
    spec = _trade_off_spec(tuple(styles.items()), times, losses, height)
    return Drawing(spec, table, "Points: the loss of each method against its time, by size.")


@lru_cache(maxsize=16)
def _trade_off_spec(
    styles: tuple[tuple[str, LineStyle], ...],
    times: tuple[float, float],
    losses: tuple[float, float],
    height: int,
) -> dict[str, Any]:
    x_scale = alt.Scale(type="log", domain=list(times), nice=False, clamp=True)
    y_scale = alt.Scale(domain=list(losses), nice=False, clamp=True)
    x = alt.X("milliseconds:Q", scale=x_scale, axis=alt.Axis(title="time (ms)", format="~g"))
    y = alt.Y("loss:Q", scale=y_scale, axis=alt.Axis(title="loss (nats per character)"))
    methods = [method for method, _ in styles]
    legend = alt.Legend(orient="top", title=None)
    colour = alt.Color(
        "method:N",
        legend=legend,
        scale=alt.Scale(domain=methods, range=[style.colour for _, style in styles]),
    )
    shape = alt.Shape(
        "method:N",
        legend=legend,
        scale=alt.Scale(domain=methods, range=[_SHAPES[style.dash] for _, style in styles]),
    )
    tooltip = ["method:N", "size:Q", "milliseconds:Q", "loss:Q"]
    base = alt.Chart().transform_filter(alt.datum.kind == _MODEL).encode(x, y, tooltip=tooltip)
    centre = alt.Chart().transform_filter(alt.datum.kind == _EXACT)
    drawn = alt.layer(
        centre.mark_rule(color=GREY, strokeDash=[3, 3]).encode(x),
        centre.mark_rule(color=GREY, strokeDash=[3, 3]).encode(y),
        centre.mark_point(color=GREY, shape="cross", size=110, filled=True, opacity=1).encode(x, y),
        centre.mark_text(align="left", dx=9, dy=-11).encode(x, y, text="label:N"),
        base.mark_point(size=70, filled=True, opacity=1).encode(color=colour, shape=shape),
        base.mark_text(dy=-13).encode(text="label:N"),
    )
    return specification(drawn.properties(height=height))


def _labels(
    rows: list[dict[str, Any]], times: tuple[float, float], losses: tuple[float, float]
) -> list[str]:
    """Return the size of each mark, empty where it would cover that of another."""
    labelled: list[tuple[float, float]] = []
    labels = []
    for row in rows:
        across = math.log(row["milliseconds"] / times[0]) / math.log(times[1] / times[0])
        up = (row["loss"] - losses[0]) / (losses[1] - losses[0])
        is_free = all(abs(across - x) > _ROOM or abs(up - y) > _ROOM for x, y in labelled)
        labels.append(str(row["size"]) if is_free else "")
        if is_free:
            labelled.append((across, up))
    return labels


def training_frame(rows: Sequence[dict[str, Any]], most_rows: int = 400) -> pd.DataFrame:
    """Return a run's metrics as step, loss and validation_loss, in at most so many rows.

    Parameters
    ----------
    rows : sequence of dict
        By rising step; the validation loss of most is None.
    most_rows : int
        Beyond it, neighbouring rows become one: the mean of their losses at their last step.
    """
    frame = pd.DataFrame(rows, columns=["step", "loss", "validation_loss"]).astype(float)
    if len(frame) <= most_rows:
        return frame
    together = frame.index // math.ceil(len(frame) / most_rows)
    means = {"step": "last", "loss": "mean", "validation_loss": "mean"}
    return frame.groupby(together, as_index=False).agg(means)


def training_curve(
    frame: pd.DataFrame,
    *,
    steps: int,
    now: float | None = None,
    unit: str = "character",
    most_nats: float = 4.5,
    height: int = 260,
) -> Drawing:
    """Draw a `training_frame` that is not empty: its two losses, the validation loss with marks.

    Parameters
    ----------
    frame : DataFrame
    steps : int
        Of the whole run: the end of the axis.
    now : float, optional
        The step that is looked at.
    unit : str
        That the losses are means over.
    most_nats : float
        Top of the fixed axis; what lies above is drawn at it.
    """
    names = {"training": "loss", "validation": "validation_loss"}
    known = {name: frame[["step", column]].dropna() for name, column in names.items()}
    lines = {
        name: list(rows.itertuples(index=False, name=None))
        for name, rows in known.items()
        if len(rows)
    }
    styles = {"training": LineStyle(BLUE), "validation": LineStyle(VERMILLION)}
    marks = {"validation": lines.get("validation", [])}  # a layer from the beginning
    x, y = Axis("step", (0, steps)), Axis(f"loss (nats per {unit})", (0.0, most_nats))
    return line_chart(lines, styles, x, y, rings=marks, now=now, height=height)
