"""The layers of a line chart: what is drawn of each kind of its rows."""

from collections.abc import Sequence
from typing import Any, Literal, NamedTuple

from pages.shared.charts import vega_lite as vl
from pages.shared.charts.palette import GREY, ORANGE

LINE, REFERENCE, NOW, BAND = "line", "reference", "now", "band"
DOT, RING, GUESSED, WAITING = "dot", "ring", "guess", "waiting"
COLUMN, BAR, BEYOND = "column", "bar", "beyond"

_DASHES = ([1, 0], [6, 3], [2, 2])
_SHAPES = ("circle", "square", "triangle-up")
_LEADER = 14  # pixels from the end of a line to where its name begins
_LABEL = {"text": "label:N"}
_COLOUR = {"color": vl.literal("colour:N")}
_OF_LINE = {"detail": "name:N"}


def _by_dash(range_: Sequence[Any]) -> vl.Spec:
    return vl.field("dash:N", legend=None, scale={"domain": [0, 1, 2], "range": list(range_)})


_DASH, _SHAPE = {"strokeDash": _by_dash(_DASHES)}, {"shape": _by_dash(_SHAPES)}


def _of(mark: str, kind: str, *encodings: vl.Spec, also: str = "", **look: Any) -> vl.Spec:
    when = f"datum.kind === '{kind}'" + (f" && {also}" if also else "")
    return vl.mark(mark, *encodings, when=when, **look)


class LineLayers(NamedTuple):
    """What is drawn along the two axes of a line chart."""

    x: vl.Spec  # the channel with its axis
    y: vl.Spec
    tooltip: vl.Spec

    def along_y(self, column: str) -> vl.Spec:
        """Return another column on the upright axis."""
        return {"y": vl.field(f"{column}:Q", scale=self.y["y"]["scale"])}

    def lines(self) -> list[vl.Spec]:
        """Return the lines with their names, the references with theirs, and the present step."""
        x, y, label_at = self.x, self.y, self.along_y("label_at")
        to_label = {"x2": "x", "y2": "label_at"}
        leader: vl.Spec = {"strokeWidth": 1.5, "xOffset": 2, "x2Offset": _LEADER}
        return [
            _of("line", REFERENCE, x, y, _OF_LINE, color=GREY, strokeWidth=1),
            _of("text", REFERENCE, x, label_at, _LABEL, align="left", dx=4, dy=-9),
            _of("rule", NOW, x, color=GREY, strokeDash=[3, 3], strokeWidth=1.5),
            _of("line", LINE, x, y, _COLOUR, _DASH, _OF_LINE, self.tooltip, strokeWidth=2),
            _of("text", LINE, x, label_at, _LABEL, align="left", dx=_LEADER + 3),
            # In the line's colour from its end to its name, which may have been moved apart from others.
            _of("rule", LINE, x, y, to_label, _COLOUR, also="datum.label != ''", **leader),
        ]

    def beyond(self) -> list[vl.Spec]:
        """Return arrowheads at the ends of the upright axis, where lines leave the picture."""
        look: vl.Spec = {"size": 70, "filled": True, "opacity": 1}
        places = (self.x, self.y, _COLOUR, self.tooltip)
        return [
            _of("point", BEYOND, *places, also=f"datum.dash === {side}", shape=shape, **look)
            for side, shape in enumerate(("triangle-down", "triangle-up"))
        ]

    def bands(self) -> vl.Spec:
        """Return the spreads of lines, shaded."""
        ends = self.along_y("low") | {"y2": "high"}
        return _of("area", BAND, self.x, ends, _COLOUR, _OF_LINE, opacity=0.18)

    def points(self) -> vl.Spec:
        """Return a mark for each pair of a line."""
        look: vl.Spec = {"size": 45, "filled": True, "opacity": 1}
        return _of("point", LINE, self.x, self.y, _COLOUR, _SHAPE, self.tooltip, **look)

    def dots(self) -> vl.Spec:
        """Return grey dots: what others have published."""
        look: vl.Spec = {"size": 45, "filled": True, "opacity": 1, "color": GREY}
        return _of("point", DOT, self.x, self.y, self.tooltip, **look)

    def rings(self) -> vl.Spec:
        """Return hollow marks: what is measured just now."""
        look: vl.Spec = {"size": 130, "filled": False, "strokeWidth": 2}
        return _of("point", RING, self.x, self.y, _COLOUR, _SHAPE, self.tooltip, **look)

    def guess(self) -> list[vl.Spec]:
        """Return what a visitor expected: a hollow mark with its name above."""
        look: vl.Spec = {"size": 130, "filled": False, "strokeWidth": 2.5, "opacity": 1}
        return [
            _of("point", GUESSED, self.x, self.y, _COLOUR, _SHAPE, self.tooltip, **look),
            _of("text", GUESSED, self.x, self.along_y("label_at"), _LABEL, dy=-15),
        ]

    def waiting(self, side: Literal["left", "right"]) -> list[vl.Spec]:
        """Return a rule where something is asked for, with its name on one side of its beginning."""
        span = self.along_y("low") | {"y2": "high", "x2": "end"}
        align, dx = ("right", -7) if side == "left" else ("left", 7)
        name: vl.Spec = {
            "align": align,
            "dx": dx,
            "baseline": "bottom",
            "dy": -5,
            "fontWeight": "bold",
        }
        rule: vl.Spec = {"color": GREY, "strokeDash": [6, 4], "strokeWidth": 2}
        return [
            _of("rule", WAITING, self.x, span, **rule),
            _of("text", WAITING, self.x, self.along_y("label_at"), _LABEL, **name),
        ]

    def histogram(self, along: Literal["x", "y"]) -> list[vl.Spec]:
        """Return the guesses of a class: thick bars from the axis that was asked about, with their counts."""
        look: vl.Spec = {"strokeWidth": 16, "opacity": 0.45, "color": ORANGE}
        if along == "x":
            span, at_end = self.along_y("low") | {"y2": "high"}, self.along_y("high")
            return [
                _of("rule", COLUMN, self.x, span, **look),
                _of("text", COLUMN, self.x, at_end, _LABEL, dy=-9),
            ]
        return [
            _of("rule", BAR, self.x, self.y, {"x2": "end"}, **look),
            _of("text", BAR, {"x": "end:Q"}, self.y, _LABEL, align="left", dx=6),
        ]
