"""The candidates of a beam search as a tree: a column a token, the most probable on top."""

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import altair as alt
import pandas as pd

from pages.shared.charts.drawing import Drawing, filled, specification
from pages.shared.charts.palette import BLUE, GREY, GUESS, ORANGE, VERMILLION, visible

if TYPE_CHECKING:  # which brings torch, and no chart needs it
    from lm_core.generation.beam_tree import BeamNode

_DROPPED = "dropped"
_END = "■"


def path_in(nodes: Sequence["BeamNode"], tokens: Sequence[int]) -> list[int]:
    """Return the nodes that spell some tokens, as far as the tree has them."""
    places = {(node.parent, node.token): i for i, node in enumerate(nodes)}
    path: list[int] = []
    for token in tokens:
        place = places.get((path[-1] if path else None, token))
        if place is None:
            break
        path.append(place)
    return path


def beam_frame(
    nodes: Sequence["BeamNode"],
    best: Sequence[int],
    greedy: Sequence[int],
    *,
    first: int = 1,
    most: int = 11,
) -> pd.DataFrame:
    """Return one row for each candidate of some columns of a tree.

    Parameters
    ----------
    nodes : sequence of BeamNode
        Parents before their children; those of one depth best first.
    best, greedy : sequence of int
        Tokens of the translation that won, and of the one with the most probable token at each step.
    first : int
        Column to begin with, from 1.
    most : int
        Columns at most.

    Returns
    -------
    DataFrame
        token (its column), place (from the top, 0), symbol, log_probability, fate, is_best, is_greedy,
        and where its parent is: from_token, from_place.
    """
    ranks: Counter[int] = Counter()
    places: list[tuple[int, int]] = []
    on_best, on_greedy = (set(path_in(nodes, tokens)) for tokens in (best, greedy))
    rows = []
    for i, node in enumerate(nodes):
        place = (node.depth, ranks[node.depth])
        ranks[node.depth] += 1
        places.append(place)
        start = (0, 0) if node.parent is None else places[node.parent]
        if not first <= node.depth < first + most:
            continue
        symbol = visible(node.symbol) or _END
        said = (symbol, node.log_probability, node.fate, i in on_best, i in on_greedy)
        rows.append((*place, *said, *start))
    columns = ["token", "place", "symbol", "log_probability", "fate", "is_best", "is_greedy"]
    return pd.DataFrame(rows, columns=[*columns, "from_token", "from_place"])


def beam_tree_chart(
    frame: pd.DataFrame, *, height: int = 380, guess: tuple[float, float] | None = None
) -> Drawing:
    """Draw a `beam_frame`: dropped candidates grey, the best path blue, the greedy one orange and dashed.

    Parameters
    ----------
    frame : DataFrame
    height : int
    guess : (float, float), optional
        After how many tokens the stretch begins and ends in which a visitor expected the two to part.
    """
    left, right = float(frame["token"].min()) - 0.4, float(frame["token"].max()) + 0.9
    start, end = (min(max(0.65 + place, left), right) for place in guess or (0.0, 0.0))
    spec = filled(
        _spec(height),
        columns=[left, right],
        rows=[-0.7, int(frame["place"].max()) + 0.7],
        start=start,
        end=end,
        seen=float(end > start),
    )
    return Drawing(spec, frame, "Tree: the candidates of a beam search, a column for each token.")


@lru_cache(maxsize=8)
def _spec(height: int) -> dict[str, Any]:
    x_scale = alt.Scale(domain=[0, 1], nice=False, zero=False)
    y_scale = alt.Scale(domain=[0, 1], nice=False, zero=False, reverse=True)
    axis = alt.Axis(title="token of the translation", format="d", tickMinStep=1, grid=False)
    room = "width / (domain('x')[1] - domain('x')[0])"  # of a column, in pixels

    base = (
        alt.Chart()
        .transform_calculate(start="datum.from_token + 0.72", end="datum.token - 0.04")
        .encode(y=alt.Y("place:Q", scale=y_scale, axis=None))
    )

    def edges(**mark: Any) -> alt.Chart:
        return base.mark_rule(**mark).encode(
            x=alt.X("start:Q", scale=x_scale, axis=axis),
            x2="end:Q",
            y=alt.Y("from_place:Q", scale=y_scale, axis=None),
            y2="place:Q",
        )

    plain = edges(color=GREY).encode(
        opacity=alt.condition(f"datum.fate == '{_DROPPED}'", alt.value(0.25), alt.value(0.7))
    )
    best = edges(color=BLUE, strokeWidth=4).transform_filter("datum.is_best")
    greedy = edges(color=ORANGE, strokeWidth=2.5, strokeDash=[5, 4]).transform_filter(
        "datum.is_greedy"
    )
    row = "height / (domain('y')[1] - domain('y')[0])"
    size = alt.ExprRef(f"clamp(min(0.72 * {row}, 0.17 * {room}), 9, 20)")
    text: dict[str, Any] = {
        "align": "left",
        "limit": alt.ExprRef(f"0.72 * {room}"),
        "fontSize": size,
    }
    tooltip = ["symbol:N", alt.Tooltip("log_probability:Q", format=".2f"), "fate:N"]
    words = alt.X("token:Q", scale=x_scale)
    kept = (
        base.transform_filter(f"datum.fate != '{_DROPPED}'")
        .mark_text(fontWeight="bold", **text)
        .encode(x=words, text="symbol:N", tooltip=tooltip)
    )
    dropped = (
        base.transform_filter(f"datum.fate == '{_DROPPED}'")
        .mark_text(color=GREY, **text)
        .encode(x=words, text="symbol:N", tooltip=tooltip)
    )
    guessed = (
        alt.Chart()
        .mark_rect(filled=False, stroke=VERMILLION, strokeDash=[4, 3], strokeWidth=2)
        .encode(x=alt.XDatum(0, scale=x_scale), x2=alt.X2Datum(0), tooltip=alt.value(GUESS))
    )
    chart = alt.layer(plain, best, greedy, dropped, kept, guessed).properties(height=height)
    spec = specification(chart)
    for layer in spec["layer"]:
        layer["encoding"]["x"]["scale"]["domain"] = "$columns"
        if "y" in layer["encoding"]:
            layer["encoding"]["y"]["scale"]["domain"] = "$rows"
    frame = spec["layer"][-1]
    frame["mark"]["opacity"] = "$seen"
    frame["encoding"]["x"]["datum"], frame["encoding"]["x2"]["datum"] = "$start", "$end"
    return spec
