"""Models side by side: how they learned, and how well they predict."""

from collections.abc import Mapping

import altair as alt
import pandas as pd

from pages.shared.charts.palette import BLUE, GREY, VERMILLION


def learning_curve(
    frame: pd.DataFrame,
    *,
    losses: tuple[float, float] = (1.0, 4.5),
    references: Mapping[str, float] | None = None,
    height: int = 280,
) -> alt.LayerChart:
    """Draw loss against characters seen, one named line per series.

    Parameters
    ----------
    frame : DataFrame
        Columns characters_seen (at least 1; the axis is logarithmic), loss (nats per character)
        and series.
    losses : pair of float
        The fixed axis.
    references : mapping of str to float, optional
        Losses to draw as thin grey lines with their names: chance, the source's figure.
    """
    first, last = frame["characters_seen"].min(), frame["characters_seen"].max()
    x = alt.X(
        "characters_seen:Q",
        scale=alt.Scale(type="log", domain=[first, 4 * last], nice=False),
        axis=alt.Axis(
            format="~s",
            title="characters seen",
            values=[10.0**power for power in range(3, 11)],
        ),
    )
    y_scale = alt.Scale(domain=list(losses), clamp=True)
    y = alt.Y("loss:Q", scale=y_scale, title="loss (nats per character)")
    base = alt.Chart(frame).encode(
        x=x, y=y, color=alt.Color("series:N", legend=None), tooltip=list(frame.columns)
    )
    ends = _apart(
        frame.loc[frame.groupby("series")["characters_seen"].idxmax()],
        (losses[1] - losses[0]) / 14,
    )
    names = alt.Chart(ends).mark_text(align="left", dx=8).encode(x=x, y=y, text="series:N")
    return alt.layer(
        *_references(references or {}, y_scale), base.mark_line(point=True), names
    ).properties(height=height)


def _apart(ends: pd.DataFrame, least: float) -> pd.DataFrame:
    """Move the names of lines that end close together to at least this distance of loss."""
    ends = ends.sort_values("loss")
    heights = ends["loss"].tolist()
    for i in range(1, len(heights)):
        heights[i] = max(heights[i], heights[i - 1] + least)
    return ends.assign(loss=heights)


def _references(references: Mapping[str, float], y_scale: alt.Scale) -> list[alt.Chart]:
    if not references:
        return []
    frame = pd.DataFrame({"name": list(references), "loss": list(references.values())})
    base = alt.Chart(frame).encode(y=alt.Y("loss:Q", scale=y_scale))
    return [
        base.mark_rule(color=GREY, strokeWidth=1),
        base.mark_text(align="left", dy=-8, dx=4).encode(text="name:N", x=alt.value(0)),
    ]


def loss_comparison(
    frame: pd.DataFrame, *, losses: tuple[float, float] | None = None
) -> alt.LayerChart:
    """Draw each model's loss under each protocol as a point with one standard error either way.

    Parameters
    ----------
    frame : DataFrame
        Columns model, protocol, loss, standard_error (nats per character; 0 or missing where it
        is not known) and origin ("ours", "source", "baseline": it sets colour and shape).
    losses : pair of float, optional
        The axis; by default what the points need.
    """
    values = frame.assign(
        standard_error=frame["standard_error"].fillna(0.0),
        low=frame["loss"] - frame["standard_error"].fillna(0.0),
        high=frame["loss"] + frame["standard_error"].fillna(0.0),
    )
    models = values.groupby("model", sort=False)["loss"].min().sort_values().index.tolist()
    origins = ["ours", "source", "baseline"]
    scale = alt.Scale(zero=False, domain=list(losses)) if losses else alt.Scale(zero=False)
    y = alt.Y("model:N", sort=models, title=None, axis=alt.Axis(labelLimit=260))
    x = alt.X(
        "loss:Q",
        scale=scale,
        axis=alt.Axis(
            tickCount=6,
            labelOverlap=True,
            title="loss (nats per character), with one standard error",
        ),
    )
    base = alt.Chart(values).encode(y=y, yOffset=alt.YOffset("protocol:N"))
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
    n_protocols = values["protocol"].nunique()
    layers = [bars, points, names] if n_protocols > 1 else [bars, points]
    return alt.layer(*layers).properties(height=90 + 26 * len(models) * n_protocols)
