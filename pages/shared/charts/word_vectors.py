"""Word vectors as pictures: neighbours, all pairs of a few words, analogies."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa

from pages.shared.charts import vega_lite as vl
from pages.shared.charts.drawing import Drawing, with_columns
from pages.shared.charts.palette import BLUE, GREY, GUESS, SIGNED, VERMILLION, inks_on


def neighbour_frame(
    words: Sequence[str], cosines: Sequence[float], counts: Sequence[int]
) -> pd.DataFrame:
    """Return one row per word: place (from 1), word, cosine, count (how often it occurs) where known."""
    places = range(1, len(words) + 1)
    frame = pd.DataFrame({"place": places, "word": words, "cosine": cosines})
    return frame.assign(count=counts) if any(counts) else frame


def neighbour_bars(
    frame: pd.DataFrame, colour: str, *, chosen: str = "", guess: str = "", height: int = 290
) -> Drawing:
    """Draw a `neighbour_frame`, the nearest above; a bar can be clicked: the selection is ``pick``.

    Parameters
    ----------
    chosen : str, a word whose bar is outlined, if it is there
    guess : str, the word that a visitor chose; its bar says so
    """
    words, cosines = frame["word"].tolist(), frame["cosine"].tolist()
    text = [
        f"{cosine:.3f}".replace("-", "−") + (f" ◀ {GUESS}" if word == guess else "")
        for word, cosine in zip(words, cosines, strict=True)
    ]
    table = pa.Table.from_pandas(frame, preserve_index=False)
    data = with_columns(table, chosen=[word == chosen for word in words], text=text)
    names = {"title": None, "labelLimit": 130, "labelOverlap": False, **vl.BARE}
    across = vl.scale(-1.0 if min(cosines) < 0 else 0.0, 1.0)
    place = {
        "y": vl.field("word:N", sort={"field": "place"}, axis=names),
        "x": vl.field(
            "cosine:Q", scale=across, axis={"title": "cosine", "tickCount": 5, "format": "~g"}
        ),
        "tooltip": ["word:N", "cosine:Q .4f", *["count:Q ,"] * ("count" in frame)],
    }
    frame_of_chosen = {
        "stroke": vl.either("datum.chosen", VERMILLION, None),
        "strokeWidth": vl.either("datum.chosen", 3, 0),
    }
    look: vl.Spec = {"color": colour, "height": {"band": 0.72}, "cursor": "pointer"}
    bars = vl.mark("bar", place, frame_of_chosen, **look)
    numbers = vl.mark("text", place, {"text": "text:N"}, align="left", dx=5)
    spec = vl.layered(vl.clickable(bars, "pick", "word"), numbers, height=height)
    description = "Bars: the cosine of each neighbour, the nearest above."
    return Drawing(spec, data, description, numbers=frame)


def picked_word(selection: Mapping[str, Any]) -> str | None:
    """Return the word that was clicked in a chart of this package, if any."""
    points = selection.get("pick") or []
    return str(points[0]["word"]) if points and "word" in points[0] else None


# All pairs ------------------------------------------------------------------------------------


def similarity_frame(words: Sequence[str], cosines: np.ndarray) -> pd.DataFrame:
    """Return one row per pair: row, column (places from 0), first, second, cosine."""
    row, column = (index.ravel() for index in np.indices(cosines.shape))
    names = np.array(words, object)
    return pd.DataFrame(
        {
            "row": row,
            "column": column,
            "first": names[row],
            "second": names[column],
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


def _matrix_spec(n: int, height: int) -> vl.Spec:
    plain = {"title": None, "labelLimit": 110, "labelOverlap": False, **vl.BARE}
    above = {"orient": "top", "labelAngle": -60}
    pair = {
        "x": vl.field("second:N", sort=vl.by("column"), axis=above | plain),
        "y": vl.field("first:N", sort=vl.by("row"), axis=plain),
        "tooltip": ["first:N", "second:N", "cosine:Q .4f"],
    }
    number = {"text": "text:N", "color": vl.literal("ink:N")}
    size = vl.expression(f"clamp(0.36 * width / {n}, 9, 22)")
    return vl.layered(
        vl.mark("rect", pair, {"color": vl.colours("cosine:Q")}, stroke=GREY, strokeWidth=0.4),
        vl.mark("text", pair, number, fontSize=size),
        height=height,
        resolve={"scale": {"color": "independent"}},
    )


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
    numbers = {"title": "number", "values": [1, 50, 100, 150], "labelAngle": 0}
    words = {"title": None, "ticks": False, "labelFlush": False}
    cell = {
        "x": vl.field("place:O", axis=numbers),
        "y": vl.field("word:N", sort=None, axis=words),
        "color": vl.colours("shade:Q"),
        "tooltip": ["word:N", "place:O", "value:Q .3f"],
    }
    spec = vl.layered(vl.mark("rect", cell), height=70 + 26 * frame["word"].nunique())
    description = "Strips: the numbers of each vector by colour."
    return Drawing(spec, data, description, numbers=frame)


# Shared contexts ------------------------------------------------------------------------------


def context_frame(contexts: Sequence[tuple[str, float, float]]) -> pd.DataFrame:
    """Return one row per context: place (from 1), context, first, second (bits for either word)."""
    rows = [(place, *context) for place, context in enumerate(contexts, 1)]
    return pd.DataFrame(rows, columns=["place", "context", "first", "second"])


def context_chart(frame: pd.DataFrame, *, names: tuple[str, str]) -> Drawing:
    """Draw a `context_frame`: two marks a context, one for each of the two words of these names.

    The names are written where the marks are farthest apart.
    """
    which = ["first", "second"]
    marks = frame.melt(["place", "context"], which, "which", "bits")
    word = marks["which"].map(dict(zip(which, names, strict=True)))
    widest = frame["place"].iloc[(frame["first"] - frame["second"]).abs().argmax()]
    data = marks.assign(label=word.where(marks["place"] == widest, ""), word=word)
    axis = {"title": None, "labelFlush": False, "labelOverlap": False}
    bits = {"title": "pointwise mutual information (bits)", "tickCount": 6, "format": "~g"}
    place = {
        "x": vl.field("bits:Q", axis=bits),
        "y": vl.field("context:N", sort=vl.by("place"), axis=axis),
        "tooltip": ["context:N", "word:N", "bits:Q .1f"],
    }
    look: vl.Spec = {
        "color": vl.colours("which:N", (BLUE, VERMILLION), which),
        "shape": vl.colours("which:N", ("circle", "diamond"), which),
    }
    spec = vl.layered(
        vl.mark("line", place, {"detail": "context:N"}, color=GREY, opacity=0.5),
        vl.mark("point", place, look, filled=True, size=110, opacity=1),
        vl.mark("text", place, {"text": "label:N"}, dy=-12),
        height=40 + 24 * len(frame),
    )
    return Drawing(spec, data, "Marks: how telling contexts are.")


# Analogies -------------------------------------------------------------------------------------


def analogy_frame(
    words: Sequence[str], points: np.ndarray, arrows: Sequence[tuple[int, int]]
) -> pd.DataFrame:
    """Return one row per word and per arrow: kind ("word" or an arrow's number), word, x, y, to_x, to_y.

    Parameters
    ----------
    points : ndarray of shape (n, 2)
    arrows : sequence of pairs of int, from which word's place to which
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
    square = vl.scale(-1, 1)
    axis = {"title": None, "labels": False, "ticks": False, "grid": False}
    start = {name: vl.field(f"{name}:Q", scale=square, axis=axis) for name in ("x", "y")}
    end = {name: vl.field(f"to_{name}:Q", scale=square) for name in ("x", "y")}
    kinds = ["arrow 1", "arrow 2", "word"]
    arrow = {"color": vl.colours("kind:N", (BLUE, VERMILLION, GREY), kinds)}
    shaft = {
        "x2": "to_x",
        "y2": "to_y",
        "strokeDash": vl.either("datum.kind == 'arrow 2'", [6, 4], [1, 0]),
    }
    turn = "atan2((datum.y - datum.to_y) * height, (datum.to_x - datum.x) * width) * 180 / PI + 90"
    head: vl.Spec = {"shape": "triangle-up", "filled": True, "size": 230, "opacity": 1}
    is_word, is_arrow = "datum.kind == 'word'", "datum.kind != 'word'"
    dot: vl.Spec = {"filled": True, "size": 60, "color": GREY, "opacity": 1}
    spec = vl.layered(
        vl.mark("rule", start, arrow, shaft, when=is_arrow, strokeWidth=3),
        vl.mark("point", end, arrow, when=is_arrow, angle=vl.expression(turn), **head),
        vl.mark("point", start, {"tooltip": ["word:N"]}, when=is_word, **dot),
        vl.mark("text", start, {"text": "word:N"}, when=is_word, dy=-16, fontWeight="bold"),
        height=height,
    )
    return Drawing(spec, data, "Arrows between words in the plane of both steps.")
