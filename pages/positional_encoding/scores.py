"""What positions add to attention scores by distance."""

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
from pages.positional_encoding.words_by_encoding import TITLES
from pages.shared import page
from pages.shared.charts.palette import BLUE, GUESS, ORANGE, PURPLE
from pages.shared.numbers import significant

_POSITIONS, _WIDTH = 64, 32
_QUERIES, _FARTHEST = (40, 52, 63), 40
_STYLES = {
    f"query {query}": page.LineStyle(colour, dash)
    for dash, (query, colour) in enumerate(zip(_QUERIES, (ORANGE, BLUE, PURPLE), strict=True))
}
_DISTANCE = page.Axis("distance of the key behind the query", (0.0, float(_FARTHEST)))
_SCORE_DOMAINS = {
    "sinusoidal": (0.0, 16.0),
    "binary": (0.0, 6.0),
    "rotary": (-0.5, 1.0),
    "t5": (-4.0, 4.0),
    "alibi": (-32.0, 0.0),
}
"""The fixed axes, so that another seed or head shows as another curve."""
_ABOUT = {
    "sinusoidal": f"The dot product of two encodings of {_WIDTH} coordinates is a sum of cosines: one"
    " for each wave, of the angle between the two positions. So it depends on their distance"
    " alone.",
    "binary": "The dot product of two binary codes counts the digits that are 1 in both, so it hardly"
    " depends on the distance.",
    "rotary": f"One random vector of length 1 and width {_WIDTH} serves as query and as key. Each is"
    " rotated by its position. Another seed gives another curve, which again depends on the"
    " distance alone, because turning both by the same angle changes nothing.",
    "t5": "Each bucket of distances has a bias, which is added to the score, so all keys of a bucket get the same. The biases are random"
    " here; a model learns them.",
    "alibi": f"A straight line is added to the score, with another slope for each of {ALIBI_HEADS} heads, so some look near and others far.",
}

_ROUNDING = 1e-4  # differences below are none


# Scores by distance ---------------------------------------------------------------------------


def by_distance(screen: page.FirstScreen) -> None:
    """Draw what positions add to a score; the other queries wait for a guess."""
    with screen.controls:
        encoding, seed, head = _distance_controls()
    spreads = {kind: spread_at_equal_distance(_scores(kind, seed, head)) for kind in KINDS}
    asked = _ask(screen, spreads)
    page.note_beside(screen, _ABOUT[encoding])
    shown = _QUERIES[-1:] if asked.masks else _QUERIES
    with screen.picture:
        _score_lines(encoding, _scores(encoding, seed, head), shown, asked)
    st.markdown(
        "An *attention score* measures how well a key matches a query. It depends on the words and"
        " on their positions, so the chart leaves the words out and shows what the positions alone"
        " add, for each key behind a query."
    )
    if not asked.masks:
        _all_encodings(spreads, asked)


def _distance_controls() -> tuple[str, int, int]:
    encoding = page.choice(
        "shown_encoding", "Positional encoding", KINDS, format_func=TITLES.__getitem__, width=180
    )
    seed, head = 1, 1
    if encoding in ("rotary", "t5"):
        seed = page.number("seed", "Seed", 0, 9_999, 1, width=140)
    if encoding == "alibi":
        head = page.slider("head", "Head", 1, ALIBI_HEADS, 1, width=180)
    return encoding, int(seed), head


@st.cache_data(max_entries=64, show_spinner=False)
def _scores(encoding: str, seed: int, head: int) -> Tensor:
    with page.model_calls:
        return position_scores(encoding, _POSITIONS, _WIDTH, seed, head=head - 1)


def _score_lines(
    encoding: str, scores: Tensor, queries: tuple[int, ...], asked: page.Asked
) -> None:
    finding = _finding(encoding, spread_at_equal_distance(scores), queries)
    shown = {query: scores_by_distance(scores, query)[: _FARTHEST + 1] for query in queries}
    lines = {f"query {query}": list(enumerate(found.tolist())) for query, found in shown.items()}
    st.markdown(f"**{finding}**{_is_guess(encoding, asked)}")
    page.show_chart(
        page.line_chart(lines, _STYLES, _DISTANCE, page.Axis("score", _SCORE_DOMAINS[encoding])),
        pd.DataFrame(
            [(name, at, score) for name, pairs in lines.items() for at, score in pairs],
            columns=["query", "distance", "score"],
        ),
        key="scores_by_distance",
        alt=f"{finding}. At distance 0 {float(scores[-1, -1]):.2f}, at 10"
        f" {float(scores[-1, -11]):.2f}, at {_FARTHEST} {float(scores[-1, -1 - _FARTHEST]):.2f}, for the"
        " last query.",
        name=f"scores-by-distance-{encoding}",
    )


def _finding(encoding: str, spread: float, queries: tuple[int, ...]) -> str:
    title = TITLES[encoding][0].upper() + TITLES[encoding][1:]
    if len(queries) == 1:
        return f"{title}: what the positions add to the scores of query {queries[0]}"
    if spread < _ROUNDING:
        return f"{title}: only the distance matters"
    return f"{title}: scores at equal distance differ by up to {significant(spread, 3)}"


def _ask(screen: page.FirstScreen, spreads: dict[str, float]) -> page.Asked:
    differing = [TITLES[kind] for kind, spread in spreads.items() if spread > _ROUNDING]
    return page.ask(
        screen,
        "distance",
        "A key is 5 positions behind its query, at the start of the text or at its end. For which"
        " encoding do the positions add different amounts?",
        tuple(TITLES[kind] for kind in KINDS),
        right=differing,
        reason=f"Over {_POSITIONS} positions, only **{', '.join(differing)}** gives scores that depend on"
        " more than the distance, because a step changes one of its digits here and all of them"
        " there.",
    )


def _is_guess(encoding: str, asked: page.Asked) -> str:
    return f" ◀ {GUESS}" if asked.guess == TITLES[encoding] else ""


def _all_encodings(spreads: dict[str, float], asked: page.Asked) -> None:
    table = pd.DataFrame(
        {
            "encoding": [f"{TITLES[kind]}{_is_guess(kind, asked)}" for kind in spreads],
            "largest difference at equal distance": [significant(s, 1) for s in spreads.values()],
        }
    )
    with st.expander("All five"):
        st.dataframe(table, hide_index=True, height="content")
        st.caption("Differences of a hundred-thousandth and less are rounding errors.")
