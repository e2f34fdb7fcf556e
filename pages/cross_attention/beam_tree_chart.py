"""The candidates of a beam search as a tree: a column a token, the most probable on top."""

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

import pandas as pd

from pages.shared.charts import vega_lite as vl
from pages.shared.charts.drawing import Drawing
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
    nodes : sequence of BeamNode, parents before their children; those of one depth best first
    best, greedy : sequence of int
        Tokens of the translation that won, and of the one with the most probable token at each step.
    first : int, column to begin with, from 1
    most : int, columns at most

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
    guess : (float, float), optional
        After how many tokens the stretch begins and ends in which a visitor expected the two to part.
    """
    left, right = float(frame["token"].min()) - 0.4, float(frame["token"].max()) + 0.9
    start, end = (min(max(0.65 + place, left), right) for place in guess or (0.0, 0.0))
    across = vl.scale(left, right, zero=False)
    down = vl.scale(-0.7, int(frame["place"].max()) + 0.7, zero=False, reverse=True)
    layers = [*_edges(across, down), *_symbols(across, down)]
    span = {
        "x": {"datum": start, "scale": across},
        "x2": {"datum": end},
        "tooltip": vl.value(GUESS),
    }
    look: vl.Spec = {"strokeDash": [4, 3], "strokeWidth": 2, "opacity": float(end > start)}
    expected = vl.mark("rect", span, filled=False, stroke=VERMILLION, **look)
    spec = vl.layered(*layers, expected, height=height)
    return Drawing(spec, frame, "Tree: the candidates of a beam search, a column for each token.")


def _edges(across: vl.Spec, down: vl.Spec) -> list[vl.Spec]:
    """Return a line from each candidate's parent, and thicker ones along the two paths."""
    axis = {"title": "token of the translation", "format": "d", "tickMinStep": 1, "grid": False}
    span = {
        "x": vl.field("start:Q", scale=across, axis=axis),
        "x2": "end",
        "y": vl.field("from_place:Q", scale=down, axis=None),
        "y2": "place",
    }
    faded = {"opacity": vl.either(f"datum.fate == '{_DROPPED}'", 0.25, 0.7)}
    greedy: vl.Spec = {"color": ORANGE, "strokeWidth": 2.5, "strokeDash": [5, 4]}
    ends = {"start": "datum.from_token + 0.72", "end": "datum.token - 0.04"}
    return [
        vl.mark("rule", span, faded, computed=ends, color=GREY),
        vl.mark("rule", span, when="datum.is_best", computed=ends, color=BLUE, strokeWidth=4),
        vl.mark("rule", span, when="datum.is_greedy", computed=ends, **greedy),
    ]


def _symbols(across: vl.Spec, down: vl.Spec) -> list[vl.Spec]:
    """Return the tokens, as large as a row and a column allow; those that are kept in bold."""
    room = "width / (domain('x')[1] - domain('x')[0])"  # of a column, in pixels
    row = "height / (domain('y')[1] - domain('y')[0])"
    place = {
        "x": vl.field("token:Q", scale=across),
        "y": vl.field("place:Q", scale=down, axis=None),
        "text": "symbol:N",
        "tooltip": ["symbol:N", "log_probability:Q .2f", "fate:N"],
    }
    look: vl.Spec = {
        "align": "left",
        "limit": vl.expression(f"0.72 * {room}"),
        "fontSize": vl.expression(f"clamp(min(0.72 * {row}, 0.17 * {room}), 9, 20)"),
    }
    return [
        vl.mark("text", place, when=f"datum.fate == '{_DROPPED}'", opacity=0.75, **look),
        vl.mark("text", place, when=f"datum.fate != '{_DROPPED}'", fontWeight="bold", **look),
    ]
