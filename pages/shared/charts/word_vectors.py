"""Word vectors as pictures: neighbours, all pairs of a few words, analogies."""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

import altair as alt
import numpy as np
import pandas as pd
import pyarrow as pa

from pages.shared.charts.drawing import Drawing, specification, with_columns
from pages.shared.charts.palette import BLUE, GREY, GUESS, SIGNED, VERMILLION, inks_on


def neighbour_frame(
    words: Sequence[str], cosines: Sequence[float], counts: Sequence[int]
) -> pd.DataFrame:
    """Return one row per word: place (from 1), word, cosine, count (how often it occurs)."""
    places = range(1, len(words) + 1)
    columns = (places, words, cosines, counts)
    return pd.DataFrame(dict(zip(("place", "word", "cosine", "count"), columns, strict=True)))


def neighbour_bars(
    frame: pd.DataFrame, colour: str, *, chosen: str = "", guess: str = "", height: int = 290
) -> Drawing:
    """Draw a `neighbour_frame`, the nearest above; a bar can be clicked: the selection is ``pick``.

    Parameters
    ----------
    frame : DataFrame
    colour : str
    chosen : str
        A word whose bar is outlined, if it is there.
    guess : str
        The word that a visitor chose; its bar says so.
    """
    words, cosines = frame["word"].tolist(), frame["cosine"].tolist()
    text = [
        f"{cosine:.3f}".replace("-", "−") + (f" ◀ {GUESS}" if word == guess else "")
        for word, cosine in zip(words, cosines, strict=True)
    ]
    table = pa.Table.from_pandas(frame, preserve_index=False)
    data = with_columns(table, chosen=[word == chosen for word in words], text=text)
    low = -1.0 if min(cosines) < 0 else 0.0
    description = "Bars: the cosine of each neighbour, the nearest above."
    return Drawing(_bar_spec(colour, low, height), data, description)


@cache
def _bar_spec(colour: str, low: float, height: int) -> dict[str, Any]:
    y = alt.Y(
        "word:N",
        sort=alt.EncodingSortField("place"),
        axis=alt.Axis(title=None, ticks=False, domain=False, labelLimit=130, labelOverlap=False),
    )
    scale = alt.Scale(domain=[low, 1.0], nice=False)
    x = alt.X("cosine:Q", scale=scale, axis=alt.Axis(title="cosine", tickCount=5, format="~g"))
    tooltip: list[Any] = [
        "word:N",
        alt.Tooltip("cosine:Q", format=".4f"),
        alt.Tooltip("count:Q", format=","),
    ]
    base = alt.Chart().encode(y=y, tooltip=tooltip)
    bars = (
        base.mark_bar(color=colour, height={"band": 0.72}, cursor="pointer")
        .encode(
            x=x,
            stroke=alt.condition("datum.chosen", alt.value(VERMILLION), alt.value(None)),
            strokeWidth=alt.condition("datum.chosen", alt.value(3), alt.value(0)),
        )
        .add_params(alt.selection_point(name="pick", fields=["word"], on="click"))
    )
    numbers = base.mark_text(align="left", dx=5).encode(x=x, text="text:N")
    return specification(alt.layer(bars, numbers).properties(height=height))


def picked_word(selection: Mapping[str, Any]) -> str | None:
    """Return the word that was clicked in a chart of this package, if any."""
    points = selection.get("pick") or []
    return str(points[0]["word"]) if points and "word" in points[0] else None


# All pairs ------------------------------------------------------------------------------------


def similarity_frame(words: Sequence[str], cosines: np.ndarray) -> pd.DataFrame:
    """Return one row per pair: row, column (places from 0), first, second, cosine."""
    row, column = np.indices(cosines.shape)
    names = np.array(words, object)
    return pd.DataFrame(
        {
            "row": row.ravel(),
            "column": column.ravel(),
            "first": names[row.ravel()],
            "second": names[column.ravel()],
            "cosine": cosines.ravel().astype(float),
        }
    )


def similarity_matrix(frame: pd.DataFrame, *, height: int = 400) -> Drawing:
    """Draw a `similarity_frame` as a heat map with its numbers: blue is negative, orange positive."""
    cosines = frame["cosine"]
    data = frame.assign(
        text=(cosines.round(2) + 0.0)
        .map("{:.2f}".format)
        .str.replace("-", "−")
        .str.replace("0.", ".", regex=False),
        ink=inks_on((cosines.clip(-1.0, 1.0) + 1.0) / 2.0, SIGNED),
    )
    n = int(frame["row"].max()) + 1
    return Drawing(_matrix_spec(n, height), data, "Heat map: the cosine of every pair of words.")


@cache
def _matrix_spec(n: int, height: int) -> dict[str, Any]:
    plain: dict[str, Any] = {"title": None, "ticks": False, "domain": False, "labelLimit": 110}
    x = alt.X(
        "second:N",
        sort=alt.EncodingSortField("column", op="min"),
        axis=alt.Axis(orient="top", labelAngle=-60, labelOverlap=False, **plain),
    )
    y = alt.Y(
        "first:N",
        sort=alt.EncodingSortField("row", op="min"),
        axis=alt.Axis(labelOverlap=False, **plain),
    )
    colour = alt.Color(
        "cosine:Q",
        scale=alt.Scale(domain=[-1, -0.5, 0, 0.5, 1], range=list(SIGNED), interpolate="rgb"),
        legend=None,
    )
    base = alt.Chart().encode(
        x=x, y=y, tooltip=["first:N", "second:N", alt.Tooltip("cosine:Q", format=".4f")]
    )
    cells = base.mark_rect(stroke=GREY, strokeWidth=0.4).encode(color=colour)
    size = alt.ExprRef(f"clamp(0.36 * width / {n}, 9, 22)")
    numbers = base.mark_text(fontSize=size).encode(
        text="text:N", color=alt.Color("ink:N", scale=None)
    )
    chart = alt.layer(cells, numbers).resolve_scale(color="independent")
    return specification(chart.properties(height=height))


# The numbers of a vector ------------------------------------------------------------------------


def vector_frame(words: Sequence[str], vectors: np.ndarray) -> pd.DataFrame:
    """Return one row per number: word, place (from 1), value; vectors is (n, D)."""
    rows, places = np.indices(vectors.shape)
    names = np.array(words, object)
    columns = {"word": names[rows.ravel()], "place": places.ravel() + 1, "value": vectors.ravel()}
    return pd.DataFrame(columns)


def vector_strips(frame: pd.DataFrame) -> Drawing:
    """Draw a `vector_frame`, a strip a word: blue is negative, white 0, orange positive."""
    largest = float(frame["value"].abs().max()) or 1.0
    data = frame.assign(shade=frame["value"] / largest)
    words = tuple(dict.fromkeys(frame["word"]))
    return Drawing(_strip_spec(len(words)), data, "Strips: the numbers of each vector by colour.")


@cache
def _strip_spec(n_words: int) -> dict[str, Any]:
    cells = (
        alt.Chart()
        .mark_rect()
        .encode(
            x=alt.X(
                "place:O", axis=alt.Axis(title="number", values=[1, 50, 100, 150], labelAngle=0)
            ),
            y=alt.Y("word:N", sort=None, axis=alt.Axis(title=None, ticks=False, labelFlush=False)),
            color=alt.Color(
                "shade:Q",
                scale=alt.Scale(
                    domain=[-1, -0.5, 0, 0.5, 1], range=list(SIGNED), interpolate="rgb"
                ),
                legend=None,
            ),
            tooltip=["word:N", "place:O", alt.Tooltip("value:Q", format=".3f")],
        )
    )
    return specification(alt.layer(cells).properties(height=70 + 26 * n_words))


# Shared contexts ------------------------------------------------------------------------------


def context_frame(contexts: Sequence[tuple[str, float, float]]) -> pd.DataFrame:
    """Return one row per context: place (from 1), context, first, second (bits for either word)."""
    rows = [(place, *context) for place, context in enumerate(contexts, 1)]
    return pd.DataFrame(rows, columns=["place", "context", "first", "second"])


def context_chart(frame: pd.DataFrame, *, names: tuple[str, str]) -> Drawing:
    """Draw a `context_frame`: two marks a context, one for each of the two words of these names.

    The names are written where the marks are farthest apart.
    """
    marks = frame.melt(["place", "context"], ["first", "second"], "which", "bits")
    word = marks["which"].map(dict(zip(("first", "second"), names, strict=True)))
    widest = frame["place"].iloc[(frame["first"] - frame["second"]).abs().argmax()]
    data = marks.assign(label=word.where(marks["place"] == widest, ""), word=word)
    return Drawing(_context_spec(40 + 24 * len(frame)), data, "Marks: how telling contexts are.")


@cache
def _context_spec(height: int) -> dict[str, Any]:
    axis = alt.Axis(title=None, labelFlush=False, labelOverlap=False)
    bits = alt.Axis(title="pointwise mutual information (bits)", tickCount=6, format="~g")
    base = alt.Chart().encode(
        x=alt.X("bits:Q", axis=bits),
        y=alt.Y("context:N", sort=alt.EncodingSortField("place", op="min"), axis=axis),
        tooltip=["context:N", "word:N", alt.Tooltip("bits:Q", format=".1f")],
    )
    scale = alt.Scale(domain=["first", "second"], range=[BLUE, VERMILLION])
    shape = alt.Scale(domain=["first", "second"], range=["circle", "diamond"])
    marks = base.mark_point(filled=True, size=110, opacity=1).encode(
        color=alt.Color("which:N", scale=scale, legend=None),
        shape=alt.Shape("which:N", scale=shape, legend=None),
    )
    names = base.mark_text(dy=-12).encode(text="label:N")
    lines = base.mark_line(color=GREY, opacity=0.5).encode(detail="context:N")
    return specification(alt.layer(lines, marks, names).properties(height=height))


# Analogies -------------------------------------------------------------------------------------


def analogy_frame(
    words: Sequence[str], points: np.ndarray, arrows: Sequence[tuple[int, int]]
) -> pd.DataFrame:
    """Return one row per word and per arrow: kind ("word" or an arrow's number), word, x, y, to_x, to_y.

    Parameters
    ----------
    words : sequence of str
    points : ndarray of shape (n, 2)
    arrows : sequence of pairs of int
        From which word's place to which.
    """
    rows: list[tuple] = [
        ("word", word, x, y, np.nan, np.nan) for word, (x, y) in zip(words, points, strict=True)
    ]
    for i, (start, end) in enumerate(arrows):
        name = f"{words[start]} → {words[end]}"
        rows.append((f"arrow {i + 1}", name, *points[start], *points[end]))
    return pd.DataFrame(rows, columns=["kind", "word", "x", "y", "to_x", "to_y"])


def analogy_plane(frame: pd.DataFrame, *, height: int = 380) -> Drawing:
    """Draw an `analogy_frame`: the first arrow is the step, the second the same step elsewhere.

    One unit is as long across as up, at most: the narrower side decides.
    """
    words = frame[frame["kind"] == "word"]
    middle = [(words[axis].min() + words[axis].max()) / 2 for axis in ("x", "y")]
    reach = [float(words[axis].max() - words[axis].min()) for axis in ("x", "y")]
    half = 0.5 * max(*reach, 1e-6) * 1.3
    data = frame.assign(
        **{
            column: (frame[column] - centre) / half
            for columns, centre in zip((("x", "to_x"), ("y", "to_y")), middle, strict=True)
            for column in columns
        }
    )
    return Drawing(_analogy_spec(height), data, "Arrows between words in the plane of both steps.")


@cache
def _analogy_spec(height: int) -> dict[str, Any]:
    scale = alt.Scale(domain=[-1, 1], nice=False)
    axis = alt.Axis(title=None, labels=False, ticks=False, grid=False)
    base = alt.Chart().encode(
        x=alt.X("x:Q", scale=scale, axis=axis), y=alt.Y("y:Q", scale=scale, axis=axis)
    )
    is_arrow = "datum.kind != 'word'"
    colour = alt.Color(
        "kind:N",
        legend=None,
        scale=alt.Scale(domain=["arrow 1", "arrow 2", "word"], range=[BLUE, VERMILLION, GREY]),
    )
    shafts = (
        base.transform_filter(is_arrow)
        .mark_rule(strokeWidth=3)
        .encode(
            x2="to_x:Q",
            y2="to_y:Q",
            color=colour,
            strokeDash=alt.condition(
                "datum.kind == 'arrow 2'", alt.value([6, 4]), alt.value([1, 0])
            ),
        )
    )
    turn = "atan2((datum.y - datum.to_y) * height, (datum.to_x - datum.x) * width) * 180 / PI + 90"
    heads = (
        base.transform_filter(is_arrow)
        .mark_point(shape="triangle-up", filled=True, size=230, opacity=1, angle=alt.ExprRef(turn))
        .encode(x=alt.X("to_x:Q", scale=scale), y=alt.Y("to_y:Q", scale=scale), color=colour)
    )
    is_word = base.transform_filter("datum.kind == 'word'")
    dots = is_word.mark_point(filled=True, size=60, color=GREY, opacity=1).encode(
        tooltip=["word:N"]
    )
    names = is_word.mark_text(dy=-16, fontWeight="bold").encode(text="word:N")
    return specification(alt.layer(shafts, heads, dots, names).properties(height=height))
