"""Tokens: pairs of neighbours by their counts, and what a token's number or vector tells of the next."""

from collections.abc import Mapping, Sequence
from itertools import cycle

import numpy as np
import pandas as pd

from pages.shared.charts import vega_lite as vl
from pages.shared.charts.drawing import Drawing
from pages.shared.charts.palette import BLUE, GREY, GUESS, ORANGE, VERMILLION

# Pairs of neighbours --------------------------------------------------------------------------
CHOSEN, TIED, OTHER, HIDDEN = "merged next", "as frequent", "rarer", "how often?"
_PAIR_COLUMNS = ["rank", "left", "right", "left id", "right id", "count", "which"]
_PAIR_COLOURS = {CHOSEN: VERMILLION, TIED: ORANGE, OTHER: BLUE, HIDDEN: GREY}


def pair_frame(
    pairs: Sequence[tuple[str, str, int, int, int]], *, is_over: bool = False
) -> pd.DataFrame:
    """Return one row per pair: rank, left, right, left id, right id, count, and which it is.

    Parameters
    ----------
    pairs : sequence of (left, right, left id, right id, count), the one that is merged next first
    is_over : bool, whether none is merged any more, because each appears only once
    """
    most = max((pair[-1] for pair in pairs), default=0)
    kinds = [OTHER if is_over or pair[-1] < most else TIED for pair in pairs]
    if not is_over:
        kinds[:1] = [CHOSEN] * len(kinds[:1])
    rows = [
        (rank, *pair, kind) for rank, (pair, kind) in enumerate(zip(pairs, kinds, strict=True), 1)
    ]
    return pd.DataFrame(rows, columns=_PAIR_COLUMNS)


def masked_pair_frame(pairs: Sequence[tuple[str, str, int, int, int]]) -> pd.DataFrame:
    """Return a `pair_frame` in the order of the alphabet and without counts: they are asked for."""
    frame = pair_frame(sorted(pairs))
    return frame.assign(count=np.nan, which=HIDDEN)


def pair_chart(
    frame: pd.DataFrame, *, most: int, rows: int, guess: int | None = None, height: int = 300
) -> Drawing:
    """Draw a `pair_frame` as bars, on an axis that stays from step to step.

    Parameters
    ----------
    most : int, The largest count of all steps; the axis ends at the next of 2, 5, 10, 20, 50, ...
    rows : int, room for so many pairs
    guess : int, the rank of the pair that a visitor expected to be merged next
    """
    notes = {CHOSEN: "  ← next", TIED: "  tied", OTHER: ""}
    data = frame.assign(
        count=frame["count"].fillna(0),
        top=frame["rank"] - 0.85,
        bottom=frame["rank"] - 0.15,
        middle=frame["rank"] - 0.5,
        colour=[_PAIR_COLOURS[kind] for kind in frame["which"]],
        pair=[f"{a} + {b}" for a, b in zip(frame["left"], frame["right"], strict=True)],
        note=[
            "?" if k == HIDDEN else f"{n}{notes[k]}" + (f" ◀ {GUESS}" if rank == guess else "")
            for rank, n, k in zip(frame["rank"], frame["count"], frame["which"], strict=True)
        ],
    )
    return Drawing(
        _pair_spec(_axis_end(most), rows, height),
        data,
        "Bars: pairs of neighbours by their counts.",
    )


def _axis_end(most: int) -> int:
    """Return the least of 2, 5, 10, 20, 50, ... that is not below: few axes serve all texts."""
    end, steps = 2, cycle((5 / 2, 2.0, 2.0))
    while end < most:
        end = round(end * next(steps))
    return end


def _pair_spec(most: int, rows: int, height: int) -> vl.Spec:
    across = vl.scale(-0.42 * most, 1.45 * most)  # with room for the names, and for the notes
    down = vl.scale(0, rows, reverse=True)
    axis = {"values": sorted({0, most // 2, most}), "title": "times in the text", "format": "d"}
    zero, count = (
        {"x": vl.field(f"{name}:Q", scale=across, axis=axis)} for name in ("zero", "count")
    )
    top, middle = (
        {"y": vl.field(f"{name}:Q", scale=down, axis=None)} for name in ("top", "middle")
    )
    bar = {
        "x2": "count",
        "y2": "bottom",
        "color": vl.literal("colour:N"),
        "tooltip": ["left:N", "right:N", "left id:Q", "right id:Q", "count:Q", "which:N"],
    }
    computed = {"zero": "0"}
    note: vl.Spec = {"align": "left", "baseline": "middle", "dx": 5}
    name: vl.Spec = {"align": "right", "baseline": "middle", "dx": -6, "font": "monospace"}
    return vl.layered(
        vl.mark("rect", zero, top, bar, computed=computed, stroke=GREY, strokeWidth=0.5),
        vl.mark("text", count, middle, {"text": "note:N"}, computed=computed, **note),
        vl.mark("text", zero, middle, {"text": "pair:N"}, computed=computed, **name),
        height=height,
    )


# The cost of a language ------------------------------------------------------------------------
def cost_frame(old: Mapping[str, int], new: Mapping[str, int]) -> pd.DataFrame:
    """Return one row per language: language, old, new (missing where it is not told yet)."""
    rows = [(language, n, new.get(language)) for language, n in old.items()]
    return pd.DataFrame(rows, columns=["language", "old", "new"])


def cost_chart(
    frame: pd.DataFrame,
    *,
    names: tuple[str, str],
    guess: tuple[str, float] | None = None,
    height: int = 330,
) -> Drawing:
    """Draw a `cost_frame`: for each language a hollow mark of the old tokenizer, a filled one of the new.

    Parameters
    ----------
    names : pair of str, of the old and of the new tokenizer
    guess : pair of str and float, optional
        A language, and the tokens that a visitor expected of the new tokenizer: a hollow triangle.
    height : int, in pixels
    """
    language, expected = guess or ("", None)
    data = frame.assign(
        is_largest=frame["old"] == frame["old"].max(),
        guess=[expected if name == language else None for name in frame["language"]],
    )
    across = vl.scale(0, _axis_end(int(frame["old"].max())))
    row = {
        "y": vl.field(
            "language:N", sort={"field": "old"}, axis={"title": None, "labelFlush": False}
        ),
        "tooltip": ["language:N", "old:Q", "new:Q"],
    }
    old = {"x": vl.field("old:Q", scale=across, title="tokens of the same sentence")}
    new = {"x": vl.field("new:Q", scale=across)}
    expected_there = {"x": vl.field("guess:Q", scale=across), "tooltip": ["language:N", "guess:Q"]}
    labels = {  # on a phone the second name would lie on the language's; the finding says it, too
        "old_label": f"datum.old + (datum.is_largest ? '  {names[0]}' : '')",
        "new_label": f"(datum.is_largest && width > 330 ? '{names[1]}  ' : '') + datum.new",
    }
    is_told, is_guessed = "isValid(datum.new)", "isValid(datum.guess)"
    hollow: vl.Spec = {"color": VERMILLION, "strokeWidth": 2.5, "opacity": 1}
    spec = vl.layered(
        vl.mark(
            "rule", row, old, {"x2": "new"}, when=is_told, color=GREY, strokeWidth=2, opacity=0.5
        ),
        vl.mark("point", row, old, size=90, **hollow),
        vl.mark("point", row, new, when=is_told, size=110, color=BLUE, filled=True, opacity=1),
        vl.mark("text", row, old, {"text": "old_label:N"}, computed=labels, align="left", dx=9),
        vl.mark(
            *("text", row, new, {"text": "new_label:N"}),
            when=is_told,
            computed=labels,
            align="right",
            dx=-9,
        ),
        vl.mark(
            "point", row, expected_there, when=is_guessed, shape="triangle-up", size=130, **hollow
        ),
        vl.mark("text", row, expected_there, when=is_guessed, dy=-13, text=GUESS),
        height=height,
    )
    return Drawing(spec, data, "Marks: tokens of one sentence in each language.")


# The next character, by how the last one is given -----------------------------------------------
NOTHING, INTEGER, ONE_HOT = "nothing", "its number", "its one-hot vector"
_INPUT_COLOURS = {NOTHING: GREY, INTEGER: VERMILLION, ONE_HOT: BLUE}


def input_loss_frame(nothing: float, integer: Sequence[float], one_hot: float) -> pd.DataFrame:
    """Return one row per fit: input, numbering (from 0; only numbers have several), loss in nats."""
    rows = [
        (NOTHING, 0, nothing),
        *((INTEGER, i, loss) for i, loss in enumerate(integer)),
        (ONE_HOT, 0, one_hot),
    ]
    return pd.DataFrame(rows, columns=["input", "numbering", "loss"])


def input_loss_chart(frame: pd.DataFrame, *, height: int = 170) -> Drawing:
    """Draw an `input_loss_frame`: a mark for each fit, on an axis of nats per character.

    The marks of the vocabulary's own numbering are filled, those of shuffled ones hollow.
    """
    low, high = float(frame["loss"].min()), float(frame["loss"].max())
    of_input = frame.groupby("input", sort=False)["loss"]
    label = frame["loss"].map("{:.2f}".format)
    data = frame.assign(
        colour=frame["input"].map(_INPUT_COLOURS),
        own=frame["numbering"] == 0,
        label=label.where((frame["numbering"] == 0) & (of_input.transform("size") == 1), ""),
    )
    across = vl.scale(round(low - 0.1, 1), round(high + 0.1, 1))
    place = {
        "x": vl.field("loss:Q", scale=across, title="least loss (nats per character)"),
        "y": vl.field("input:N", sort=list(_INPUT_COLOURS), title=None, axis={"labelLimit": 200}),
        "tooltip": ["input:N", "numbering:Q", "loss:Q"],
    }
    colour = {"color": vl.literal("colour:N")}
    spec = vl.layered(
        vl.mark("point", place, colour, when="!datum.own", size=70),
        vl.mark("point", place, colour, when="datum.own", size=120, filled=True, opacity=1),
        vl.mark("text", place, {"text": "label:N"}, dy=-14),
        height=height,
    )
    return Drawing(spec, data, "Marks: losses.")
