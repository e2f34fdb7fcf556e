"""How surprised models are by texts: bits by kind of text, and how tokens share out over ranks."""

import pandas as pd
import pyarrow as pa

from pages.shared.charts import vega_lite as vl
from pages.shared.charts.drawing import Drawing, with_columns
from pages.shared.charts.palette import BLUE, GREY, ORANGE

_ROW = 26
_BAR = {"band": 0.66}
_ROLES = ("ours", "rival", "own text")
_COLOURS = (BLUE, ORANGE, GREY)
RANK_COLOURS = ("#009E73", "#F0E442", "#E69F00", "#CC79A7")
"""Of the classes of ranks, from the expected to the unexpected."""


def bits_by_kind(table: pa.Table) -> Drawing:
    """Draw the mean surprisal of a character by kind of text, as bars with their values.

    Parameters
    ----------
    table : Table
        Columns kind, model, role ("ours", "rival" or "own text": it sets the colour), bits,
        standard_error (0 where there is none) and is_hidden (its bar waits for a guess).
    """
    rows = table.to_pylist()
    data = with_columns(
        table,
        drawn=[0.0 if row["is_hidden"] else row["bits"] for row in rows],
        text=["?" if row["is_hidden"] else f"{row['bits']:.2f}" for row in rows],
        place=range(len(rows)),
        name=[f"{row['kind']} · {row['model']}" if row["model"] else row["kind"] for row in rows],
    )
    axis = {"title": "bits per character", "tickCount": 6}
    place = {"y": _names("name:N"), "x": vl.field("drawn:Q", axis=axis, scale={"domainMin": 0})}
    bar = {
        "color": vl.colours("role:N", _COLOURS, _ROLES),
        "tooltip": ["kind:N", "model:N", vl.field("text:N", title="bits per character")],
    }
    spec = vl.layered(
        vl.mark("bar", place, bar, height=_BAR),
        vl.mark("text", place, {"text": "text:N"}, align="left", dx=5),
        height=40 + _ROW * len(rows),
    )
    return Drawing(spec, data, "Bars: mean surprisal of a character by kind of text.")


def _names(column: str) -> vl.Spec:
    """Return the axis of names in the order of their places."""
    axis = {"title": None, "labelLimit": 340, "labelOverlap": False, **vl.BARE}
    return vl.field(column, sort=vl.by("place"), axis=axis)


def rank_bars(frame: pd.DataFrame, classes: tuple[str, ...], *, of: str = "the tokens") -> Drawing:
    """Draw which share of the tokens has a rank in each class, as one divided bar for each kind of text.

    Parameters
    ----------
    frame : DataFrame, columns kind, rank (one of the classes) and share; the shares of a kind sum to 1
    classes : tuple of str, from the expected to the unexpected, at most four
    of : str, of what the shares are
    """
    kinds = list(dict.fromkeys(frame["kind"]))
    data = frame.assign(
        order=frame["rank"].map(classes.index), place=[kinds.index(kind) for kind in frame["kind"]]
    )
    inks = {"domain": list(classes), "range": list(RANK_COLOURS[: len(classes)])}
    legend = {"title": None, "orient": "top"}
    share = {"title": f"share of {of}", "format": ".0%"}
    bar = {
        "y": _names("kind:N"),
        "x": vl.field("share:Q", stack="zero", axis=share, scale={"domain": [0, 1]}),
        "color": vl.field("rank:N", sort=list(classes), scale=inks, legend=legend),
        "order": "order:Q",
        "tooltip": ["kind:N", "rank:N", "share:Q .1%"],
    }
    spec = vl.layered(vl.mark("bar", bar, height=_BAR), height=130 + _ROW * len(kinds))
    return Drawing(spec, data, f"Divided bars: shares of {of} by class.")
