"""Networks between vectors and sequences: the letters they write, their running verdicts."""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from pages.shared.charts.drawing import Drawing, specification
from pages.shared.charts.palette import BLUE, GREEN, GREY, ORANGE, VERMILLION

_END = "⊣"


def letters_frame(
    letters: Sequence[str], probabilities: Sequence[Sequence[float]], symbols: str
) -> pd.DataFrame:
    """Return every probability of every step: step, written, letter, probability, chosen.

    Parameters
    ----------
    letters : sequence of T str
        What was written; empty for the end of the word.
    probabilities : T rows of 1 + len(symbols) floats
        The end first.
    symbols : str
    """
    names = [_END, *symbols]
    steps = [f"{i:02d} {letter or _END}" for i, letter in enumerate(letters, 1)]
    return pd.DataFrame(
        {
            "step": np.repeat(steps, len(names)),
            "letter": names * len(steps),
            "probability": np.concatenate([np.asarray(row, float) for row in probabilities]),
            "chosen": [name == (letter or _END) for letter in letters for name in names],
        }
    )


def letters_chart(frame: pd.DataFrame, *, height: int = 250) -> Drawing:
    """Draw a `letters_frame` as a heat map: a column for each letter, a row for each step."""
    description = "Heat map: the probability of each letter at each step."
    return Drawing(_letters_spec(tuple(frame["letter"].unique()), height), frame, description)


@cache
def _letters_spec(letters: tuple[str, ...], height: int) -> dict[str, Any]:
    axis = alt.Axis(labelAngle=0, labelOverlap=False, labelFont="monospace", labelPadding=2)
    base = alt.Chart().encode(
        x=alt.X("letter:N", sort=list(letters), title="letter", axis=axis),
        y=alt.Y("step:N", title="step, and what was written", axis=alt.Axis(labelOverlap=False)),
        tooltip=["step:N", "letter:N", alt.Tooltip("probability:Q", format=".2%")],
    )
    cells = base.mark_rect().encode(
        color=alt.Color(
            "probability:Q",
            scale=alt.Scale(domain=[0, 1], scheme="viridis"),
            legend=alt.Legend(title=None, format="%", orient="top", gradientLength=140),
        )
    )
    chosen = base.transform_filter("datum.chosen").mark_rect(
        filled=False, stroke=VERMILLION, strokeWidth=2.5, color="transparent"
    )
    return specification(alt.layer(cells, chosen).properties(height=height))


def verdict_frame(characters: str, verdicts: Mapping[str, Sequence[float]]) -> pd.DataFrame:
    """Return the probability after each character, by reader: position, character, reader, probability."""
    return pd.concat(
        [
            pd.DataFrame(
                {
                    "position": np.arange(1, len(characters) + 1),
                    "character": list(characters.replace(" ", "·")),
                    "reader": reader,
                    "probability": probabilities,
                }
            )
            for reader, probabilities in verdicts.items()
        ],
        ignore_index=True,
    )


def verdict_chart(frame: pd.DataFrame, *, height: int = 260) -> Drawing:
    """Draw a `verdict_frame`: one line per reader, over the characters of the sentence."""
    readers = tuple(frame["reader"].unique())
    text = frame.drop_duplicates("position")["character"]
    labels = "".join(text)
    description = "Lines: each reader's running verdict, character by character."
    return Drawing(_verdict_spec(readers, len(labels), height), frame, description)


_SPEECH = alt.Scale(domain=[-0.15, 1], nice=False)
"""Below 0 stand the characters, where the chart is wide enough for all of them."""
_LETTER_WIDTH = 8  # pixels


@cache
def _verdict_spec(readers: tuple[str, ...], length: int, height: int) -> dict[str, Any]:
    x = alt.X(
        "position:Q",
        scale=alt.Scale(domain=[1, max(2, length)], nice=False),
        axis=alt.Axis(title="characters read", tickMinStep=1, format="d"),
    )
    y = alt.Y(
        "probability:Q",
        scale=_SPEECH,
        axis=alt.Axis(format="%", title="speech", values=[0, 0.25, 0.5, 0.75, 1]),
    )
    colours = [GREEN, BLUE, ORANGE][: len(readers)]
    how = {"scale": alt.Scale(domain=list(readers), range=colours), "title": None}
    dashes = alt.Scale(domain=list(readers), range=[[1, 0], [6, 3], [2, 2]][: len(readers)])
    legend = alt.Legend(orient="top")
    lines = (
        alt.Chart()
        .mark_line(strokeWidth=2.2)
        .encode(
            x=x,
            y=y,
            color=alt.Color("reader:N", legend=legend, **how),
            strokeDash=alt.StrokeDash("reader:N", scale=dashes, legend=legend, title=None),
            tooltip=[
                "position:Q",
                "character:N",
                "reader:N",
                alt.Tooltip("probability:Q", format=".1%"),
            ],
        )
    )
    letters = (
        alt.Chart()
        .transform_filter(f"datum.reader == '{readers[0]}' && width >= {_LETTER_WIDTH * length}")
        .mark_text(font="monospace", fontSize=12)
        .encode(x=x, y=alt.datum(-0.09, scale=_SPEECH), text="character:N")
    )
    middle = (
        alt.Chart()
        .transform_filter("datum.position == 1")
        .mark_rule(color=GREY, strokeDash=[4, 3])
        .encode(y=alt.datum(0.5, scale=_SPEECH))
    )
    return specification(alt.layer(middle, lines, letters).properties(height=height))
