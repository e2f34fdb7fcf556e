"""Inputs, targets and what a network expects, place by place, above the probability of each target."""

from typing import Any

import pandas as pd

from pages.shared.charts import vega_lite as vl
from pages.shared.charts.drawing import Drawing
from pages.shared.charts.palette import BLUE, GREEN, GREY
from pages.shared.numbers import percent

_INPUT, _TARGET, _EXPECTED, _TOP = 2.1, 1.75, 1.4, 2.25  # rows of words, above bars that end at 1
_ROWS = {"input": _INPUT, "target": _TARGET, "expected": _EXPECTED}


def shifted_words(frame: pd.DataFrame, *, chance: float) -> Drawing:
    """Draw a column for each place; lines join each target with the same word as the next input.

    Parameters
    ----------
    frame : DataFrame
        Columns input (a question mark where it waits for a guess), target, expected and probability (of the target).
    chance : float, 0 to 1
    """
    data = frame.assign(
        place=range(len(frame)),
        left=[place - 0.3 for place in range(len(frame))],
        right=[place + 0.3 for place in range(len(frame))],
        next=range(1, len(frame) + 1),
        said=frame["probability"].map(percent),
        is_joined=frame["input"].shift(-1) == frame["target"],
    )
    longest = frame[list(_ROWS)].map(len).to_numpy().max()
    across, up = vl.scale(-0.5, len(frame) - 0.5), vl.scale(0, _TOP)
    named = " : ".join(f"datum.value == {at} ? '{name}'" for name, at in _ROWS.items())
    axis = {
        "title": "probability (dashed: chance)",
        "values": [0, 0.5, 1, *_ROWS.values()],
        "labelExpr": f"{named} : format(datum.value, '.0%')",
        "grid": False,
        **vl.BARE,
    }
    x = {"x": vl.field("place:Q", scale=across, axis=None)}
    bar = {
        "x": vl.field("left:Q", scale=across, axis=None),
        "x2": "right",
        "y": vl.field("probability:Q", scale=up, axis=axis),
        "tooltip": ["input:N", "target:N", "expected:N", "probability:Q .1%"],
    }
    column, most = f"width / {len(frame)}", "height > 345 ? 24 : 14"  # on a projector, or not
    size = vl.expression(f"clamp({column} / 3, 9, {most})")
    look: dict[str, Any] = {
        "fontSize": vl.expression(f"clamp({column} / {0.6 * max(4, longest):.1f}, 11, {most})"),
        "angle": vl.expression(f"{column} < {6 * longest} ? -60 : 0"),  # on a phone
    }
    ends = {"x2": "next", "y": _at(_TARGET + 0.1, up), "y2": {"datum": _INPUT - 0.1}}
    spec = vl.layered(
        vl.mark("bar", bar, {"y2": {"datum": 0}}, color=BLUE),
        vl.mark("text", x, {"y": bar["y"], "text": "said:N"}, dy=-12, fontSize=size),
        vl.mark("rule", {"y": _at(chance, up)}, color=GREY, strokeDash=[4, 3]),
        vl.mark("rule", x, ends, when="datum.is_joined", color=GREY),
        vl.mark(
            "rect",
            {"x": bar["x"], "x2": "right", "y": _at(_EXPECTED - 0.14, up)},
            {"y2": {"datum": _EXPECTED + 0.14}},
            when="datum.expected == datum.target",
            color=GREEN,
            opacity=0.35,
        ),
        *(
            vl.mark("text", x, {"y": _at(y, up), "text": f"{name}:N"}, **look)
            for name, y in _ROWS.items()
        ),
        height=330,
    )
    return Drawing(spec, data, "Words by place, above bars: the probability of each target.")


def _at(value: float, up: vl.Spec) -> vl.Spec:
    return {"datum": value, "type": "quantitative", "scale": up}
