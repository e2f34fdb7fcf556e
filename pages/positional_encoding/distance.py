"""What positions add to a score, against the distance of query and key."""

import pandas as pd
import streamlit as st
from torch import Tensor

from lm_core.experiments.positional_encoding.scores_by_distance import (
    ALIBI_HEADS,
    KINDS,
    position_scores,
    scores_by_distance,
    spread_at_equal_distance,
)
from pages.positional_encoding.kinds import TITLES
from pages.shared import charts
from pages.shared.charts.palette import BLUE, ORANGE, PURPLE
from pages.shared.server import model_calls
from pages.shared.ui.controls import control
from pages.shared.ui.figures import show_chart
from pages.shared.ui.lesson import predict_then_reveal

_POSITIONS, _WIDTH = 64, 32
_QUERIES = (20, 40, 63)
_STYLES = {
    f"query {query}": charts.LineStyle(colour, dash)
    for dash, (query, colour) in enumerate(zip(_QUERIES, (ORANGE, BLUE, PURPLE), strict=True))
}
_DISTANCE = charts.Axis("distance of the key behind the query", (0.0, float(_POSITIONS)))
_SCORES = {
    "sinusoidal": (0.0, 16.0),
    "binary": (0.0, 6.0),
    "rotary": (-0.5, 1.0),
    "t5": (-4.0, 4.0),
    "alibi": (-32.0, 0.0),
}
"""The fixed axes, so that another seed or head shows as another curve."""
_WHAT = {
    "sinusoidal": f"The dot product of the codes of query and key, {_WIDTH} coordinates each: the"
    " sum of the cosines of all waves' angles between them.",
    "binary": "The dot product of two binary codes counts the digits that are 1 in both, and says"
    " little about how far apart they are.",
    "rotary": f"One random vector of length 1 and width {_WIDTH} as query and as key, each turned by"
    " its position. Another seed gives another curve, and again one that hangs on the distance"
    " alone.",
    "t5": "A bias for each bucket of distances, added to the score: steps that get wider. The"
    " biases are random here; a model would have learned them.",
    "alibi": f"A straight line, added to the score: one slope for each of {ALIBI_HEADS} heads.",
}


@st.fragment
def by_distance() -> None:
    """Ask which code depends on more than the distance, then draw them."""
    st.markdown(
        "A score says how well a key fits a query. Their words decide it, and their positions: here"
        " is what the positions alone add, for each key behind a query."
    )
    prediction = predict_then_reveal(
        "distance",
        "Query and key are 5 apart, here or there in the text. For which kind does what their"
        " positions add to the score differ?",
        tuple(TITLES[kind] for kind in KINDS),
    )
    if not prediction.revealed:
        return
    left, right = st.columns([1, 2.8], gap="medium")
    with left:
        kind, seed, head = _controls()
    scores = _scores(kind, seed, head)
    with right:
        _picture(kind, scores)
    st.markdown(_WHAT[kind])
    _all_kinds(seed, head)


def _controls() -> tuple[str, int, int]:
    kind = control(st.selectbox, "kind", "Positions", KINDS, format_func=TITLES.__getitem__)
    seed, head = 1, 1
    if kind in ("rotary", "t5"):
        seed = control(st.number_input, "seed", "Seed", 0, 9_999, 1)
    if kind == "alibi":
        head = control(st.slider, "head", "Head", 1, ALIBI_HEADS, 1)
    return kind, int(seed), head


@st.cache_data(max_entries=64, show_spinner=False)
def _scores(kind: str, seed: int, head: int) -> Tensor:
    with model_calls:
        return position_scores(kind, _POSITIONS, _WIDTH, seed, head=head - 1)


def _picture(kind: str, scores: Tensor) -> None:
    spread = spread_at_equal_distance(scores)
    name = TITLES[kind]
    finding = (
        f"{name}: only the distance counts"
        if spread < 1e-4
        else f"{name}: scores at one distance differ by up to {spread:.3g}"
    )
    lines = {
        f"query {query}": list(enumerate(scores_by_distance(scores, query).tolist()))
        for query in _QUERIES
    }
    st.markdown(f"**{finding[0].upper()}{finding[1:]}**")
    show_chart(
        charts.line_chart(lines, _STYLES, _DISTANCE, charts.Axis("score", _SCORES[kind])),
        pd.DataFrame(
            [(name, at, score) for name, pairs in lines.items() for at, score in pairs],
            columns=["query", "distance", "score"],
        ),
        key="scores_by_distance",
        alt=f"{finding}. At distance 0 {float(scores[-1, -1]):.2f}, at 10"
        f" {float(scores[-1, -11]):.2f}, at {_POSITIONS - 1} {float(scores[-1, 0]):.2f}, for the"
        " last query.",
        name=f"scores-by-distance-{kind}",
    )


def _all_kinds(seed: int, head: int) -> None:
    spreads = [spread_at_equal_distance(_scores(kind, seed, head)) for kind in KINDS]
    table = pd.DataFrame(
        {
            "positions": [TITLES[kind] for kind in KINDS],
            "largest difference at equal distance": [f"{spread:.1g}" for spread in spreads],
        }
    )
    differing = [TITLES[k] for k, spread in zip(KINDS, spreads, strict=True) if spread > 1e-4]
    st.markdown(
        f"Of the five, over {_POSITIONS} positions, only **{', '.join(differing)}** gives scores that"
        " hang on more than the distance. What is left for the others is rounding."
    )
    with st.expander("All five"):
        st.dataframe(table, hide_index=True, height="content")
