"""The ladder: the loss of every model against its size, each with its error and its name."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import altair as alt
import pyarrow as pa

from pages.shared.charts.drawing import TEXT_SIZE, Drawing, specification
from pages.shared.charts.lines import Axis, LineStyle, spread
from pages.shared.charts.palette import GREY, GUESS, VERMILLION

_SIZES = Axis("parameters (of an n-gram: stored counts)", (40.0, 1e12), True)
_ABOVE = Axis(
    "loss (nats per character)", (0.03, 3.6), True, (0.03, 0.05, 0.1, 0.2, 0.3, 0.5, 1, 2, 3)
)
"""Losses less `_FLOOR`: so stretched, the rungs far down are as far apart as those high up."""
_FLOOR = 1.0
_TICKS = tuple(10.0**p for p in range(2, 8))
_MODEL, _REFERENCE, _GUESSED = "model", "reference", "guess"
_NAMES_AT = 1.4e7
"""Where the names of the large models begin, which lie close together; a phone needs the room after."""
_ASIDE = 1.6
"""How much further left than their points the names of the small models end."""
_LARGE = 1e6
_AXIS = 130
"""Pixels of the chart's height that its axis and its legend take."""
_SHAPES = ("circle", "square", "triangle-up")
_RIGHT, _UP, _LEFT = "right", "up", "left"
"""Where a name is drawn: in the column of the large models, above a line's point, left of another."""


class LadderPoint(NamedTuple):
    """A model as it is drawn.

    Attributes
    ----------
    model, label : str
        Its title, and what stands beside its point.
    family : str
    parameters : int
    loss, standard_error : float
        Nats per character.
    training : str
        How long it took; read out, as are the characters that it has seen.
    characters_seen : int
    is_joined : bool
        Whether a line leads through the point: n-grams of rising length.
    is_chosen : bool
        Whether it is ringed.
    """

    model: str
    label: str
    family: str
    parameters: int
    loss: float
    standard_error: float
    training: str
    characters_seen: int
    is_joined: bool
    is_chosen: bool

    @property
    def place(self) -> str:
        """Where its name is drawn."""
        if self.parameters > _LARGE and not self.is_joined:
            return _RIGHT
        return _UP if self.is_joined else _LEFT

    @property
    def name_at(self) -> float:
        """The size at which its name ends or begins: a thin line leads there, unless it is above its point."""
        if self.place == _RIGHT:
            return _NAMES_AT
        return float(self.parameters) / (_ASIDE if self.place == _LEFT else 1.0)


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
    points : sequence of LadderPoint
    styles : mapping of str to LineStyle
        By family; their order is that of the legend.
    reference : (name, loss)
        A thin grey line: chance.
    guess : (parameters, loss), optional
        Where a visitor expected a model to be.
    height : int
        In pixels.
    """

    def arranged(text_size: int) -> pa.Table:
        """Return all rows, with the names apart as text of that size needs it."""
        heights = _name_heights(points, 1.25 * text_size / (height - _AXIS))
        rows = [
            _EMPTY
            | point._asdict()
            | {
                "kind": _MODEL,
                "above": _above(point.loss),
                "low": _above(point.loss - point.standard_error),
                "high": _above(point.loss + point.standard_error),
                "place": point.place,
                "name_x": point.name_at,
                "name_y": name_height,
            }
            for point, name_height in zip(points, heights, strict=True)
        ]
        rows.append(
            _EMPTY | {"kind": _REFERENCE, "label": reference[0], "above": reference[1] - _FLOOR}
        )
        if guess is not None:
            at = {"parameters": guess[0], "above": _above(guess[1])}
            rows.append(_EMPTY | {"kind": _GUESSED, "label": GUESS} | at)
        return pa.Table.from_pylist(rows)

    spec = _spec(tuple(styles.items()), guess is not None, height)
    description = "Points: the loss of each model against its number of parameters."
    return Drawing(spec, arranged(TEXT_SIZE), description, arranged)


def _above(loss: float) -> float:
    """Return what a loss is above the floor, the lowest at the end of the axis."""
    return max(loss - _FLOOR, _ABOVE.domain[0])


def _name_heights(points: Sequence[LadderPoint], least_apart: float) -> list[float]:
    """Return at which height each name is drawn: apart from the others right, or left, of the points."""
    heights = [_above(point.loss) for point in points]
    for side in (_RIGHT, _LEFT):
        named = sorted(
            (i for i, point in enumerate(points) if point.place == side), key=heights.__getitem__
        )
        own = [_ABOVE.place(heights[i]) for i in named]
        places = spread(own, least_apart)
        if (
            side == _LEFT and places
        ):  # above the highest of these points runs the line of the n-grams
            lower = max(0.0, min(places[-1] - own[-1], places[0]))
            places = [place - lower for place in places]
        for i, place in zip(named, places, strict=True):
            heights[i] = _ABOVE.value(place)
    return heights


_EMPTY: dict[str, Any] = dict.fromkeys(
    (*LadderPoint._fields, "kind", "above", "low", "high", "place", "name_x", "name_y")
)
"""A row of the table in which nothing is said."""


@lru_cache(maxsize=8)
def _spec(
    styles: tuple[tuple[str, LineStyle], ...], has_guess: bool, height: int
) -> dict[str, Any]:
    families = [family for family, _ in styles]
    x_scale = alt.Scale(type="log", domain=list(_SIZES.domain), nice=False, clamp=True)
    y_scale = alt.Scale(type="log", domain=list(_ABOVE.domain), nice=False, clamp=True)
    x = alt.X(
        "parameters:Q",
        scale=x_scale,
        axis=alt.Axis(title=_SIZES.title, values=list(_TICKS), format="~s", grid=False),
    )
    y = alt.Y(
        "above:Q",
        scale=y_scale,
        axis=alt.Axis(
            title=_ABOVE.title,
            values=list(_ABOVE.values),
            labelExpr=f"format(datum.value + {_FLOOR}, '~g')",
        ),
    )
    name_x, name_y = alt.X("name_x:Q", scale=x_scale), alt.Y("name_y:Q", scale=y_scale)
    colours = alt.Scale(domain=families, range=[style.colour for _, style in styles])
    shapes = alt.Scale(domain=families, range=[_SHAPES[style.dash] for _, style in styles])
    # In four narrow columns it fits on a phone.
    legend = alt.Legend(
        orient="top", title=None, columns=4, columnPadding=1, labelOffset=2, symbolSize=60
    )
    colour = alt.Color("family:N", scale=colours, legend=legend)
    shape = alt.Shape("family:N", scale=shapes, legend=legend)
    tooltip = [
        alt.Tooltip("model:N"),
        alt.Tooltip("loss:Q", format=".4f"),
        alt.Tooltip("standard_error:Q", format=".4f", title="standard error"),
        alt.Tooltip("parameters:Q", format=","),
        alt.Tooltip("training:N", title="training time"),
        alt.Tooltip("characters_seen:Q", format=",", title="characters seen"),
    ]
    models = alt.Chart().transform_filter(alt.datum.kind == _MODEL)
    chance = alt.Chart().transform_filter(alt.datum.kind == _REFERENCE)
    right, up, left = (
        models.transform_filter(alt.datum.place == place) for place in (_RIGHT, _UP, _LEFT)
    )
    layers = [
        chance.mark_rule(color=GREY).encode(y),
        chance.mark_text(align="right", dy=11).encode(x=alt.value("width"), y=y, text="label:N"),
        models.transform_filter(alt.datum.is_joined)
        .mark_line(color=GREY, strokeWidth=1.5)
        .encode(x, y),
        *(
            aside.mark_rule(color=GREY, strokeWidth=0.8, opacity=0.7).encode(
                x, y, x2="name_x:Q", y2="name_y:Q"
            )
            for aside in (right, left)
        ),
        models.mark_rule(strokeWidth=2).encode(
            x, alt.Y("low:Q", scale=y_scale), y2="high:Q", color=colour
        ),
        models.mark_point(size=80, filled=True, opacity=1).encode(
            x, y, color=colour, shape=shape, tooltip=tooltip
        ),
        models.transform_filter(alt.datum.is_chosen)
        .mark_point(size=260, filled=False, strokeWidth=2, opacity=1, shape="circle")
        .encode(x, y, color=colour),
        right.mark_text(align="left", dx=4).encode(name_x, name_y, text="label:N"),
        up.mark_text(align="left", dx=5, dy=-10).encode(name_x, name_y, text="label:N"),
        left.mark_text(align="right", dx=-3).encode(name_x, name_y, text="label:N"),
    ]
    if has_guess:
        guessed = alt.Chart().transform_filter(alt.datum.kind == _GUESSED).encode(x, y)
        layers += [
            guessed.mark_point(
                size=150, shape="triangle-up", color=VERMILLION, strokeWidth=2.5, opacity=1
            ),
            guessed.mark_text(dy=-16).encode(text="label:N"),
        ]
    return specification(alt.layer(*layers).properties(height=height))
