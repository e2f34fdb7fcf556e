"""word2vec's network: rows of the input embedding, their mean, rows of the output embedding, softmax."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd

from pages.shared.charts import vega_lite as vl
from pages.shared.charts.drawing import Drawing
from pages.shared.charts.palette import BLUE, GREY, SIGNED, VERMILLION
from pages.shared.numbers import percent

_INPUT, _HIDDEN, _OUTPUT, _NAME, _BAR, _REACH = 13.0, 35.0, 57.0, 72.0, 88.0, 12.0
"""Where the strips, the names and the bars begin, of 100 across; and a bar of 100 %."""

_STRIP = 14.0
_NARROW = 450  # pixels: on a phone
_LARGE = 20  # pixels: in the presenter view
_COLUMNS = ["kind", "word", "x", "y", "x2", "y2", "value", "text", "align", "is_true"]
_HEADINGS = (
    (_INPUT, "input embedding", "input"),
    (_HIDDEN, "hidden: the mean", "hidden"),
    (_OUTPUT, "output embedding, softmax", "output, softmax"),
)
"""Where they are written, on a wide and on a narrow screen."""


class OutputWord(NamedTuple):
    """A word that the network may predict: its output vector, its probability, and whether it is true."""

    word: str
    vector: np.ndarray
    probability: float
    is_true: bool


def network_frame(
    context: Sequence[tuple[str, np.ndarray]], hidden: np.ndarray, outputs: Sequence[OutputWord]
) -> pd.DataFrame:
    """Return one row per cell, link, name and bar of the network: what it is, where, and its value.

    Parameters
    ----------
    context : sequence of (word, vector), in the order of the text
    hidden : ndarray of shape (D,), the mean of the vectors
    outputs : sequence of OutputWord, the likeliest first
    """
    n_rows = max(len(context), len(outputs))
    middle = n_rows / 2
    rows = [
        (kind, "", x, -0.7, 0.0, 0.0, 0.0, said, "left", False)
        for x, *both in _HEADINGS
        for kind, said in zip(("wide", "narrow"), both, strict=True)
    ]
    rows += _strip("hidden", "mean", _HIDDEN, middle, hidden)
    for place, (word, vector) in zip(_heights(len(context), n_rows), context, strict=True):
        rows += _strip("input", word, _INPUT, place, vector)
        rows.append(_link(_INPUT + _STRIP, place, _HIDDEN, middle))
        rows.append(("name", word, _INPUT - 1.0, place, 0.0, 0.0, 0.0, word, "right", False))
    for place, (word, vector, p, is_true) in zip(
        _heights(len(outputs), n_rows), outputs, strict=True
    ):
        rows += _strip("output", word, _OUTPUT, place, vector)
        rows.append(_link(_HIDDEN + _STRIP, middle, _OUTPUT, place))
        rows.append(("name", word, _NAME, place, 0.0, 0.0, 0.0, word, "left", is_true))
        end = _BAR + _REACH * p
        rows.append(("bar", word, _BAR, place - 0.35, end, place + 0.35, p, "", "left", is_true))
        rows.append(("share", word, end + 0.5, place, 0.0, 0.0, p, percent(p), "left", is_true))
    return pd.DataFrame(rows, columns=_COLUMNS)


def _heights(n: int, n_rows: int) -> list[float]:
    """Return the middles of n rows, evenly around the middle of all."""
    return [(n_rows - n) / 2 + i + 0.5 for i in range(n)]


def _strip(kind: str, word: str, left: float, middle: float, vector: np.ndarray) -> list[tuple]:
    width = _STRIP / len(vector)
    return [
        (kind, word, left + i * width, middle - 0.38, left + (i + 1) * width, middle + 0.38,
         float(number), "", "left", False)
        for i, number in enumerate(vector)
    ]  # fmt: skip


def _link(x: float, y: float, x2: float, y2: float) -> tuple:
    return ("link", "", x, y, x2, y2, 0.0, "", "left", False)


def network_chart(frame: pd.DataFrame, *, height: int = 300) -> Drawing:
    """Draw a `network_frame`: blue is negative, orange positive; the true word is framed."""
    is_cell = frame["kind"].isin(["input", "hidden", "output"])
    largest = frame["value"].where(is_cell).abs().groupby(frame["kind"]).transform("max")
    data = frame.assign(shade=(frame["value"] / largest).where(is_cell, 0.0))
    n_rows = float(frame["y"].max()) + 0.7

    def arranged(text_size: int) -> pd.DataFrame:
        """Return all rows; in large type the headings are as short as on a phone."""
        if text_size < _LARGE:
            return data
        short = {wide: narrow for _, wide, narrow in _HEADINGS}
        return data.assign(text=data["text"].replace(short))

    description = "word2vec's network, from context to prediction."
    return Drawing(_spec(n_rows, height), data, description, arranged)


def _spec(n_rows: float, height: int) -> vl.Spec:
    start = vl.place(vl.scale(0, 107), vl.scale(-1.1, n_rows, reverse=True))
    span = start | {"x2": "x2", "y2": "y2"}
    shades = {"domain": list(vl.AROUND_ZERO), "range": list(SIGNED)}
    cell = {
        "color": vl.field("shade:Q", scale=shades, legend=None),
        "tooltip": ["word:N", "value:Q"],
    }
    bar = {
        "color": vl.either("datum.is_true", VERMILLION, BLUE),
        "tooltip": ["word:N", vl.field("value:Q", format=".1%", title="probability")],
    }
    is_cell = "indexof(['input', 'hidden', 'output'], datum.kind) >= 0"
    hidden = vl.expression(f"datum.kind == (width < {_NARROW} ? 'wide' : 'narrow') ? 0 : 1")
    words = [
        vl.mark(
            "text",
            start,
            {"text": "text:N"},
            when=f"datum.text != '' && datum.align == '{align}'",
            align=align,
            baseline="middle",
            opacity=hidden,
        )
        for align in ("left", "right")
    ]
    link: vl.Spec = {"color": GREY, "strokeWidth": 1.2, "opacity": 0.6}
    return vl.layered(
        vl.mark("rule", span, when="datum.kind == 'link'", **link),
        vl.mark("rect", span, cell, when=is_cell, stroke=GREY, strokeWidth=0.4),
        vl.mark("rect", span, bar, when="datum.kind == 'bar'"),
        *words,
        height=height,
        resolve={"scale": {"color": "independent"}},
    )
