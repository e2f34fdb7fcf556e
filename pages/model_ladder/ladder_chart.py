"""The ladder: the loss of every model against its size, each with its error and its name."""

from collections.abc import Mapping, Sequence
from typing import Any

import pyarrow as pa

from pages.model_ladder.ladder_points import (
    ABOVE,
    FLOOR,
    LEFT,
    RIGHT,
    UP,
    LadderPoint,
    above,
    name_heights,
)
from pages.shared.charts import vega_lite as vl
from pages.shared.charts.comparisons import of_styles
from pages.shared.charts.drawing import TEXT_SIZE, Drawing
from pages.shared.charts.lines import Axis, LineStyle
from pages.shared.charts.palette import GREY, GUESS, VERMILLION

_SIZES = Axis("parameters (of an n-gram: stored counts)", (40.0, 1e12), True)
_TICKS = tuple(10.0**p for p in range(2, 8))
_MODEL, _REFERENCE, _GUESSED = "model", "reference", "guess"
_AXIS = 130  # pixels of the chart's height that its axis and its legend take


def model_ladder(
    points: Sequence[LadderPoint],
    styles: Mapping[str, LineStyle],
    *,
    reference: tuple[str, float],
    guess: tuple[float, float] | None = None,
    height: int = 360,
) -> Drawing:
    """Draw a point for each model, with one standard error either way and its name.

    The upright axis is logarithmic in what a loss is above 1, and labelled with the loss.

    Parameters
    ----------
    styles : mapping of str to LineStyle, by family; their order is that of the legend
    reference : (name, loss), a thin grey line: chance
    guess : (parameters, loss), where a visitor expected a model to be
    height : int, in pixels
    """

    def arranged(text_size: int) -> pa.Table:
        """Return all rows, with the names apart as text of that size needs it."""
        heights = name_heights(points, 1.25 * text_size / (height - _AXIS))
        rows = [
            _EMPTY
            | point._asdict()
            | {
                "kind": _MODEL,
                "above": above(point.loss),
                "low": above(point.loss - point.standard_error),
                "high": above(point.loss + point.standard_error),
                "place": point.place,
                "name_x": point.name_at,
                "name_y": name_height,
            }
            for point, name_height in zip(points, heights, strict=True)
        ]
        rows.append(
            _EMPTY | {"kind": _REFERENCE, "label": reference[0], "above": reference[1] - FLOOR}
        )
        if guess is not None:
            at = {"parameters": guess[0], "above": above(guess[1])}
            rows.append(_EMPTY | {"kind": _GUESSED, "label": GUESS} | at)
        return pa.Table.from_pylist(rows)

    spec = _spec(styles, has_guess=guess is not None, height=height)
    description = "Points: the loss of each model against its number of parameters."
    return Drawing(spec, arranged(TEXT_SIZE), description, arranged)


_EMPTY: dict[str, Any] = dict.fromkeys(
    (*LadderPoint._fields, "kind", "above", "low", "high", "place", "name_x", "name_y")
)
"""A row of the table in which nothing is said."""


def _spec(styles: Mapping[str, LineStyle], *, has_guess: bool, height: int) -> vl.Spec:
    across, up = (vl.scale(*axis.domain, type="log", clamp=True) for axis in (_SIZES, ABOVE))
    sizes = {"title": _SIZES.title, "values": list(_TICKS), "format": "~s", "grid": False}
    losses = {
        "title": ABOVE.title,
        "values": list(ABOVE.values),
        "labelExpr": f"format(datum.value + {FLOOR}, '~g')",
    }
    x = {"x": vl.field("parameters:Q", scale=across, axis=sizes)}
    y = {"y": vl.field("above:Q", scale=up, axis=losses)}
    aside = {"x2": "name_x", "y2": "name_y"}
    name = {
        "x": vl.field("name_x:Q", scale=across),
        "y": vl.field("name_y:Q", scale=up),
        "text": "label:N",
    }
    # In four narrow columns the legend fits on a phone.
    columns: vl.Spec = {"columns": 4, "columnPadding": 1, "labelOffset": 2, "symbolSize": 60}
    family = of_styles("family:N", styles, {"orient": "top", "title": None, **columns})
    colour = {"color": family["color"]}
    tooltip = {
        "tooltip": [
            "model:N",
            "loss:Q .4f",
            vl.field("standard_error:Q", format=".4f", title="standard error"),
            "parameters:Q ,",
            vl.field("training:N", title="training time"),
            vl.field("characters_seen:Q", format=",", title="characters seen"),
        ]
    }

    def of(mark: str, kind: str, *encodings: vl.Spec, also: str = "", **look: Any) -> vl.Spec:
        when = f"datum.kind === '{kind}'" + (f" && {also}" if also else "")
        return vl.mark(mark, *encodings, when=when, **look)

    def at(place: str) -> str:
        return f"datum.place === '{place}'"

    chance = {"x": vl.value("width"), "text": "label:N"}
    error = {"y": vl.field("low:Q", scale=up), "y2": "high"}
    thin: vl.Spec = {"color": GREY, "strokeWidth": 0.8, "opacity": 0.7}
    ring: vl.Spec = {"size": 260, "filled": False, "strokeWidth": 2, "shape": "circle"}
    expected: vl.Spec = {"size": 150, "shape": "triangle-up", "color": VERMILLION, "opacity": 1}
    layers = [
        of("rule", _REFERENCE, y, color=GREY),
        of("text", _REFERENCE, y, chance, align="right", dy=11),
        of("line", _MODEL, x, y, also="datum.is_joined", color=GREY, strokeWidth=1.5),
        of("rule", _MODEL, x, y, aside, also=at(RIGHT), **thin),
        of("rule", _MODEL, x, y, aside, also=at(LEFT), **thin),
        of("rule", _MODEL, x, error, colour, strokeWidth=2),
        of("point", _MODEL, x, y, family, tooltip, size=80, filled=True, opacity=1),
        of("point", _MODEL, x, y, colour, also="datum.is_chosen", opacity=1, **ring),
        of("text", _MODEL, name, also=at(RIGHT), align="left", dx=4),
        of("text", _MODEL, name, also=at(UP), align="left", dx=5, dy=-10),
        of("text", _MODEL, name, also=at(LEFT), align="right", dx=-3),
    ]
    if has_guess:
        layers.append(of("point", _GUESSED, x, y, strokeWidth=2.5, **expected))
        layers.append(of("text", _GUESSED, x, y, {"text": "label:N"}, dy=-16))
    return vl.layered(*layers, height=height)
