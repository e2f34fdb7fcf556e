"""A network that learns to count: its losses, what it wrote, what it could have, how often right."""

from collections.abc import Mapping, Sequence
from functools import cache
from itertools import pairwise
from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from pages.shared.charts.drawing import Drawing, specification
from pages.shared.charts.palette import GREY, ORANGE, VERMILLION

_NEXT, _OTHER = "one more", "another"
_SHARE = [0, 0.01, 0.05, 0.1, 0.25, 0.5, 1]


def epochs_frame(losses: Sequence[float], source: Mapping[int, float]) -> pd.DataFrame:
    """Return one row per epoch of ours, from 0 on, and of the source's: epoch, loss, run."""
    ours = pd.DataFrame({"epoch": np.arange(len(losses)), "loss": losses, "run": "this one"})
    theirs = pd.DataFrame({"epoch": list(source), "loss": list(source.values()), "run": "source"})
    return pd.concat([ours, theirs], ignore_index=True).astype({"epoch": int, "loss": float})


def epochs_chart(frame: pd.DataFrame, *, now: int, epochs: int, height: int = 230) -> Drawing:
    """Draw an `epochs_frame` as far as epoch `now`, over a logarithmic axis from 0.0001 to 10 nats.

    Parameters
    ----------
    frame : DataFrame
    now : int
        Last epoch of ours to draw; it is marked.
    epochs : int
        Of the whole training: the end of the axis.
    """
    shown = frame[(frame["run"] == "source") | (frame["epoch"] <= now)]
    data = shown.assign(now=(shown["epoch"] == now) & (shown["run"] == "this one"))
    return Drawing(_epochs_spec(epochs, height), data, "Line: the loss after each epoch.")


@cache
def _epochs_spec(epochs: int, height: int) -> dict[str, Any]:
    x = alt.X(
        "epoch:Q", scale=alt.Scale(domain=[0, epochs], nice=False), title="times all runs were read"
    )
    scale = alt.Scale(type="log", domain=[1e-4, 10], clamp=True, nice=False)
    axis = alt.Axis(values=[1e-4, 1e-3, 1e-2, 0.1, 1, 10], format="~r")
    y = alt.Y("loss:Q", scale=scale, axis=axis, title="loss (nats per number)")
    base = alt.Chart().encode(x=x, y=y, tooltip=["run:N", "epoch:Q", "loss:Q"])
    theirs = base.transform_filter("datum.run == 'source'").mark_point(
        shape="diamond", filled=True, size=80, color=GREY
    )
    name = base.transform_filter("datum.run == 'source' && datum.epoch == 1").mark_text(
        text="◆ the source's run", align="left", dx=8, dy=-8
    )
    ours = base.transform_filter("datum.run != 'source'").mark_line(
        color=VERMILLION, strokeWidth=2.5
    )
    mark = base.transform_filter("datum.now").mark_point(color=VERMILLION, filled=True, size=90)
    return specification(alt.layer(theirs, name, ours, mark).properties(height=height))


def counted_frame(
    prompt: Sequence[int], written: Sequence[int], probabilities: Sequence[float]
) -> pd.DataFrame:
    """Return one row per number, read or written: position (from 1), number, part, probability.

    `part` says whether a written number is the one before it plus one.
    """
    numbers = [*prompt, *written]
    is_next = [b == a + 1 for a, b in pairwise(numbers)][len(prompt) - 1 :]
    parts = ["read"] * len(prompt) + [_NEXT if n else _OTHER for n in is_next]
    return pd.DataFrame(
        {
            "position": np.arange(1, len(numbers) + 1),
            "number": numbers,
            "part": parts,
            "probability": [np.nan] * len(prompt) + list(probabilities),
        }
    )


def counted_chart(frame: pd.DataFrame, *, most: int, height: int = 230) -> Drawing:
    """Draw a `counted_frame`: squares were read, dots count on by one, crosses do not.

    Parameters
    ----------
    frame : DataFrame
    most : int
        The largest number: top of the fixed axis.
    """
    description = "Points: the numbers of the prompt, and those that the network wrote after them."
    # Beside more numbers than these the labels would cover one another.
    data = frame.assign(label=frame["number"].astype(str) if len(frame) <= 30 else "")
    return Drawing(_counted_spec(len(frame), most, height), data, description)


@cache
def _counted_spec(n: int, most: int, height: int) -> dict[str, Any]:
    x = alt.X(
        "position:Q",
        scale=alt.Scale(domain=[0.5, n + 0.5], nice=False),
        axis=alt.Axis(title="position", tickMinStep=1, format="d", grid=False),
    )
    y = alt.Y("number:Q", scale=alt.Scale(domain=[0, 1.08 * most], nice=False), title="number")
    parts = ["read", _NEXT, _OTHER]
    base = alt.Chart().encode(x=x, y=y)
    points = base.mark_point(filled=True, size=80, opacity=1).encode(
        shape=alt.Shape(
            "part:N",
            scale=alt.Scale(domain=parts, range=["square", "circle", "cross"]),
            legend=alt.Legend(orient="top", title=None),
        ),
        color=alt.Color(
            "part:N",
            scale=alt.Scale(domain=parts, range=[GREY, VERMILLION, ORANGE]),
            legend=alt.Legend(orient="top", title=None),
        ),
        tooltip=["position:Q", "number:Q", "part:N", alt.Tooltip("probability:Q", format=".1%")],
    )
    labels = base.mark_text(dy=-12).encode(text="label:N")
    return specification(alt.layer(points, labels).properties(height=height))


def numbers_frame(probabilities: Sequence[float], expected: int | None) -> pd.DataFrame:
    """Return the distribution of the next number: number, probability, is_top, is_expected."""
    numbers = np.arange(len(probabilities))
    return pd.DataFrame(
        {
            "number": numbers,
            "probability": np.asarray(probabilities, float),
            "is_top": numbers == int(np.argmax(probabilities)),
            "is_expected": numbers == (-1 if expected is None else expected),
        }
    )


def numbers_chart(frame: pd.DataFrame, *, height: int = 210) -> Drawing:
    """Draw a `numbers_frame`: a bar for each number, the expected one marked by a triangle."""
    data = frame.assign(label=frame["number"].astype(str))
    description = "Bars: the probability of each number to come next."
    return Drawing(_numbers_spec(len(frame), height), data, description)


@cache
def _numbers_spec(n: int, height: int) -> dict[str, Any]:
    x = alt.X("number:Q", scale=alt.Scale(domain=[-0.5, n - 0.5], nice=False), title="next number")
    scale = alt.Scale(domain=[0, 1], type="sqrt")
    y = alt.Y(
        "probability:Q",
        scale=scale,
        axis=alt.Axis(format="%", values=_SHARE, title="probability"),
    )
    base = alt.Chart().encode(x=x, y=y)
    bars = base.mark_bar(color=VERMILLION, size=4).encode(
        tooltip=["number:Q", alt.Tooltip("probability:Q", format=".2%")]
    )
    name = (
        base.transform_filter("datum.is_top")
        .mark_text(align="left", dx=6, dy=2)
        .encode(text="label:N")
    )
    expected = (
        alt.Chart()
        .transform_filter("datum.is_expected")
        .mark_point(shape="triangle-up", filled=True, size=90, color=GREY, opacity=1, yOffset=6)
        .encode(x=x, y=alt.datum(0, scale=scale))
    )
    return specification(alt.layer(bars, name, expected).properties(height=height))


def lengths_chart(
    frame: pd.DataFrame, *, trained: int, title: str = "numbers in the prompt", height: int = 230
) -> Drawing:
    """Draw accuracy against the length of what was read.

    Parameters
    ----------
    frame : DataFrame
        Columns length, accuracy, chance.
    trained : int
        Longest length in training, marked by a grey line.
    title : str
        Of the axis of lengths.
    """
    data = frame.assign(is_trained=frame["length"] == trained, is_last=False)
    data.loc[data.index[-1], "is_last"] = True
    description = "Line: the share of right answers for prompts of each length."
    return Drawing(_lengths_spec(int(frame["length"].max()), title, height), data, description)


@cache
def _lengths_spec(longest: int, title: str, height: int) -> dict[str, Any]:
    x = alt.X(
        "length:Q",
        scale=alt.Scale(domain=[1, longest], nice=False),
        axis=alt.Axis(title=title, tickMinStep=1, format="d"),
    )
    scale = alt.Scale(domain=[0, 1])
    share = alt.Axis(format="%", title="right answers")
    base = alt.Chart().encode(x=x)
    line = base.mark_line(color=VERMILLION, strokeWidth=2.5, point={"color": VERMILLION}).encode(
        alt.Y("accuracy:Q", scale=scale, axis=share),
        tooltip=["length:Q", alt.Tooltip("accuracy:Q", format=".1%"), "prompts:Q"],
    )
    chance = base.mark_line(color=GREY, strokeDash=[4, 3]).encode(alt.Y("chance:Q", scale=scale))
    named = (
        base.transform_filter("datum.is_last")
        .mark_text(align="right", dy=-8, text="chance")
        .encode(alt.Y("chance:Q", scale=scale))
    )
    trained = base.transform_filter("datum.is_trained")
    rule = trained.mark_rule(color=GREY)
    name = trained.mark_text(align="left", dx=6, text="as long as in training").encode(
        y=alt.datum(0.14, scale=scale)
    )
    return specification(alt.layer(chance, named, rule, name, line).properties(height=height))
