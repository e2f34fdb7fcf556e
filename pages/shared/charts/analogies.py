"""An analogy's arrows: the step from one word to another, and the same step from a third."""

from collections.abc import Sequence
from functools import cache
from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from pages.shared.charts.drawing import Drawing, specification
from pages.shared.charts.palette import BLUE, GREY, VERMILLION


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
