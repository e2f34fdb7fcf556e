"""Models side by side: how they learned, how well they predict, and at what price."""

import math
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import pandas as pd
import pyarrow as pa

from pages.shared.charts import vega_lite as vl
from pages.shared.charts.drawing import Drawing
from pages.shared.charts.lines import Axis, Band, LineStyle, line_chart
from pages.shared.charts.palette import BLUE, GREY, ORANGE, PURPLE, VERMILLION
from pages.shared.numbers import percent, written

_SERIES = (BLUE, VERMILLION, PURPLE, ORANGE)
_ROW = 27  # height of a bar with its gap, in pixels
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
    losses : pair of float, the fixed axis
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
        Columns model (a name may have several lines), protocol, loss, standard_error (nats per
        character; 0 or missing where it is not known) and origin ("ours", "published", "baseline": it sets colour and shape).
    losses : pair of float, the axis; by default what the points need
    """
    values = frame.assign(
        standard_error=frame["standard_error"].fillna(0.0),
        low=frame["loss"] - frame["standard_error"].fillna(0.0),
        high=frame["loss"] + frame["standard_error"].fillna(0.0),
    )
    models = list(values.groupby("model", sort=False)["loss"].min().sort_values().index)
    n_protocols = values["protocol"].nunique()
    across = {"zero": False} | ({"domain": list(losses)} if losses else {})
    names = {"labelLimit": 330, "labelExpr": "split(datum.label, '\\n')", "labelOverlap": False}
    lines = 1 + max(name.count("\n") for name in models)
    if lines > 1:  # small on a phone, and around its row's middle
        names |= {"labelFontSize": vl.expression("width < 400 ? 10 : 14"), "labelLineHeight": 15}
        names |= {"labelOffset": 4 - 4 * lines}
    row: vl.Spec = {
        "y": vl.field("model:N", sort=models, title=None, axis=names),
        "yOffset": "protocol:N",
    }
    error = {"x": vl.field("low:Q", scale=across), "x2": "high"}
    axis = {
        "tickCount": 6,
        "labelOverlap": True,
        "title": "nats per character ± standard error",
    }
    loss = {"x": vl.field("loss:Q", scale=across, axis=axis)}
    looks = {"color": (BLUE, VERMILLION, GREY), "shape": ("circle", "diamond", "square")}
    origins = ("ours", "published", "baseline")
    legend = {"orient": "top", "offset": 4, "columnPadding": 4}
    origin = vl.kinds("origin:N", origins, looks, title=None, legend=legend)
    tooltip = {"tooltip": ["model:N", "protocol:N", "loss:Q", "standard_error:Q"]}
    names = vl.mark("text", row, loss, {"text": "protocol:N"}, dy=-11)
    spec = vl.layered(
        vl.mark("rule", row, error, color=GREY, strokeWidth=2),
        vl.mark("point", row, loss, origin, tooltip, filled=True, size=80, opacity=1),
        *([names] if n_protocols > 1 else []),
        height=90 + (13 + 15 * lines) * len(models) * n_protocols,
    )
    return Drawing(spec, values, "Points: the loss of each model, with one standard error.")


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
    title : str, of the axis, with the unit
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
    models = list(values.sort_values("difference", na_position="first")["model"])
    across = vl.scale(low - room, high + room)
    row: vl.Spec = {"y": vl.field("model:N", sort=models, title=None, axis={"labelLimit": 220})}
    bar = {
        "x": vl.field("difference:Q", scale=across, axis={"title": title, "tickCount": 6}),
        "color": vl.literal("colour:N"),
        "tooltip": ["model:N", "difference:Q +.4f"],
    }
    text = {"x": vl.field("anchor:Q", scale=across), "text": "text:N"}
    between = {"x": vl.field("low:Q", scale=across), "x2": "high"}
    is_model = f"datum.kind === '{_MODEL}'"
    look: vl.Spec = {"height": {"band": 0.6}, "cursor": "pointer" if is_clickable else "default"}
    bars = vl.mark("bar", row, bar, when=is_model, **look)
    spec = vl.layered(
        vl.mark("rect", between, when=f"datum.kind === '{_NOISE}'", color=GREY, opacity=0.25),
        vl.clickable(bars, "pick", "model") if is_clickable else bars,
        vl.mark("text", row, text, when=is_model, align="left", dx=5),
        height=85 + _ROW * len(models),
    )
    data = pd.concat([values, band], ignore_index=True)
    return Drawing(spec, data, f"Bars: {title}, one for each model.")


def picked_model(selection: Mapping[str, Any]) -> str | None:
    """Return the model whose bar was clicked, if any."""
    points = selection.get("pick") or []
    return str(points[0]["model"]) if points and "model" in points[0] else None


def share_pairs(frame: pd.DataFrame, *, title: str) -> Drawing:
    """Draw two shares of each model in a row, joined by a line: a filled dot, then a hollow one.

    Parameters
    ----------
    frame : DataFrame, columns model, first, second (0 to 1) and colour; the rows are drawn from the top
        A name may have several lines.
    title : str, of the axis: what is filled, and what hollow
    """
    data = frame.assign(rank=range(len(frame)), text=[percent(share) for share in frame["second"]])
    lines = 1 + max(name.count("\n") for name in frame["model"])
    whole = {"domain": [0, 1]}
    names = {"title": None, "labelLimit": 330, "labelExpr": "split(datum.label, '\\n')", **vl.BARE}
    if lines > 2:  # small, and around its row's middle
        size: vl.Spec = {"labelFontSize": vl.expression("width < 400 ? 10 : 14")}
        names |= size | {"labelLineHeight": 16, "labelOffset": 8 - 8 * lines, "labelOverlap": False}
    axis = {"title": title, "format": ".0%", "tickCount": 5}
    row: vl.Spec = {
        "y": vl.field("model:N", sort=vl.by("rank"), axis=names),
        "tooltip": [*("model:N", "first:Q .1%", "second:Q .1%")],
    }
    first = {"x": vl.field("first:Q", scale=whole, axis=axis)}
    second = {"x": vl.field("second:Q", scale=whole)}
    colour = {"color": vl.literal("colour:N")}
    spec = vl.layered(
        vl.mark("rule", row, first, colour, {"x2": "second"}, strokeWidth=2),
        vl.mark("point", row, first, colour, filled=True, size=110, opacity=1),
        vl.mark("point", row, second, colour, filled=False, size=110, strokeWidth=2.5, opacity=1),
        vl.mark("text", row, second, {"text": "text:N"}, dy=-12),
        height=60 + (20 + 16 * lines) * len(frame),
    )
    return Drawing(spec, data, "Dots: two shares of each model, joined by a line.")


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
    styles : mapping of str to LineStyle, by method; their order is that of the legend
    exact : (name, milliseconds, loss)
        What is approximated: two thin grey lines that meet in a cross, with its name.
    times, losses : pairs of float, the fixed axes
    """
    rows = marks.to_pylist()
    labels = _labels(rows, times, losses)
    table = pa.Table.from_pylist(
        [{**row, "kind": _MODEL, "label": label} for row, label in zip(rows, labels, strict=True)]
        + [dict(zip(("label", "milliseconds", "loss"), exact, strict=True), kind=_EXACT)]
    )
    spec = _trade_off_spec(styles, times, losses, height)
    return Drawing(spec, table, "Points: the loss of each method against its time, by size.")


def of_styles(name: str, styles: Mapping[str, LineStyle], legend: vl.Spec) -> vl.Spec:
    """Return the colours and the marks of kinds that have a style of lines, with one legend."""
    looks = {
        "color": [style.colour for style in styles.values()],
        "shape": [_SHAPES[style.dash] for style in styles.values()],
    }
    return vl.kinds(name, list(styles), looks, legend=legend)


def _trade_off_spec(
    styles: Mapping[str, LineStyle],
    times: tuple[float, float],
    losses: tuple[float, float],
    height: int,
) -> vl.Spec:
    across, up = vl.scale(*times, type="log", clamp=True), vl.scale(*losses, clamp=True)
    x = {"x": vl.field("milliseconds:Q", scale=across, axis={"title": "time (ms)", "format": "~g"})}
    y = {"y": vl.field("loss:Q", scale=up, axis={"title": "loss (nats per character)"})}
    method = of_styles("method:N", styles, {"orient": "top", "title": None})
    tooltip = {"tooltip": ["method:N", "size:Q", "milliseconds:Q", "loss:Q"]}
    label = {"text": "label:N"}
    is_exact, is_model = f"datum.kind === '{_EXACT}'", f"datum.kind === '{_MODEL}'"
    cross: vl.Spec = {"color": GREY, "shape": "cross", "size": 110, "filled": True, "opacity": 1}
    return vl.layered(
        vl.mark("rule", x, when=is_exact, color=GREY, strokeDash=[3, 3]),
        vl.mark("rule", y, when=is_exact, color=GREY, strokeDash=[3, 3]),
        vl.mark("point", x, y, when=is_exact, **cross),
        vl.mark("text", x, y, label, when=is_exact, align="left", dx=9, dy=-11),
        vl.mark("point", x, y, tooltip, method, when=is_model, size=70, filled=True, opacity=1),
        vl.mark("text", x, y, tooltip, label, when=is_model, dy=-13),
        height=height,
    )


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
    rows : sequence of dict, by rising step; the validation loss of most is None
    most_rows : int, beyond it, neighbouring rows become one: the mean of their losses at their last step
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
    band: Band = (),
    levels: Mapping[str, float] | None = None,
    height: int = 260,
) -> Drawing:
    """Draw a `training_frame` that is not empty: its two losses, the validation loss with marks.

    Parameters
    ----------
    steps : int, of the whole run: the end of the axis
    now : float, the step that is looked at
    unit : str, that the losses are means over
    most_nats : float, top of the fixed axis; what lies above is drawn at it
    band : steps with the lowest and the highest training loss that are normal there
    levels : mapping of str to float, losses to compare with, by name
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
    references = {name: [(0, at), (steps, at)] for name, at in (levels or {}).items()}
    return line_chart(
        lines,
        styles,
        x,
        y,
        bands={"training": band},
        references=references,
        rings=marks,
        now=now,
        height=height,
    )
