"""What positions add to attention scores by distance, and T5's buckets of distances."""

from dataclasses import replace

import pandas as pd
import streamlit as st
import torch
from torch import Tensor

from lm_core.experiments.positional_encoding.scores_by_distance import (
    ALIBI_HEADS,
    KINDS,
    position_scores,
    scores_by_distance,
    spread_at_equal_distance,
)
from lm_core.models.attention import distances
from lm_core.models.positional_encoding.relative import t5_buckets
from pages.positional_encoding.equal_words import TITLES
from pages.positional_encoding.positions_charts import AskedPair, bucket_frame, bucket_map
from pages.shared import page
from pages.shared.charts.lines import Axis, LineStyle, line_chart
from pages.shared.charts.palette import BLUE, GUESS, ORANGE, PURPLE
from pages.shared.numbers import significant
from pages.shared.turns import model_calls
from pages.shared.ui.figures import show_chart
from pages.shared.ui.lesson import Prediction, answer_meaning, predict_then_reveal, show_verdict

_POSITIONS, _WIDTH = 64, 32
_QUERIES, _FARTHEST = (40, 52, 63), 40
_STYLES = {
    f"query {query}": LineStyle(colour, dash)
    for dash, (query, colour) in enumerate(zip(_QUERIES, (ORANGE, BLUE, PURPLE), strict=True))
}
_DISTANCE = Axis("distance of the key behind the query", (0.0, float(_FARTHEST)))
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

_BUCKETS = (8, 16, 32)
_MAX_DISTANCES = (12, 16, 20, 32, 64, 128)
_ASKED = AskedPair(query=0, key=23)
_ASKED_BUCKETS = {"Bucket 3": 3, "Bucket 7": 7, "Bucket 8": 8}


# Scores by distance ---------------------------------------------------------------------------


def by_distance(screen: page.FirstScreen) -> None:
    """Draw what positions add to a score; the other queries wait for a guess."""
    with screen.controls:
        encoding, seed, head = _distance_controls()
    with screen.beside:
        prediction = predict_then_reveal(
            "distance",
            "A key is 5 positions behind its query, at the start of the text or at its end. For which"
            " encoding do the positions add different amounts?",
            tuple(TITLES[kind] for kind in KINDS),
        )
        spreads = {kind: spread_at_equal_distance(_scores(kind, seed, head)) for kind in KINDS}
        if prediction.revealed:
            _answer(prediction, spreads)
    page.note_beside(screen, _ABOUT[encoding])
    shown = _QUERIES if prediction.revealed else _QUERIES[-1:]
    with screen.picture:
        _score_lines(encoding, _scores(encoding, seed, head), shown, prediction)
    st.markdown(
        "An *attention score* measures how well a key matches a query. It depends on the words and"
        " on their positions, so the chart leaves the words out and shows what the positions alone"
        " add, for each key behind a query."
    )
    if prediction.revealed:
        _all_encodings(spreads, prediction)


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
    with model_calls:
        return position_scores(encoding, _POSITIONS, _WIDTH, seed, head=head - 1)


def _score_lines(
    encoding: str, scores: Tensor, queries: tuple[int, ...], prediction: Prediction
) -> None:
    finding = _finding(encoding, spread_at_equal_distance(scores), queries)
    shown = {query: scores_by_distance(scores, query)[: _FARTHEST + 1] for query in queries}
    lines = {f"query {query}": list(enumerate(found.tolist())) for query, found in shown.items()}
    st.markdown(f"**{finding}**{_is_guess(encoding, prediction)}")
    show_chart(
        line_chart(lines, _STYLES, _DISTANCE, Axis("score", _SCORE_DOMAINS[encoding])),
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


def _answer(prediction: Prediction, spreads: dict[str, float]) -> None:
    differing = [TITLES[kind] for kind, spread in spreads.items() if spread > _ROUNDING]
    show_verdict(
        prediction,
        right=differing,
        reason=f"Over {_POSITIONS} positions, only **{', '.join(differing)}** gives scores that depend on"
        " more than the distance, because a step changes one of its digits here and all of them"
        " there.",
    )


def _is_guess(encoding: str, prediction: Prediction) -> str:
    return f" ◀ {GUESS}" if prediction.revealed and prediction.guess == TITLES[encoding] else ""


def _all_encodings(spreads: dict[str, float], prediction: Prediction) -> None:
    table = pd.DataFrame(
        {
            "encoding": [f"{TITLES[kind]}{_is_guess(kind, prediction)}" for kind in spreads],
            "largest difference at equal distance": [significant(s, 1) for s in spreads.values()],
        }
    )
    with st.expander("All five"):
        st.dataframe(table, hide_index=True, height="content")
        st.caption("Differences of a millionth and less are rounding errors.")


# T5's buckets ---------------------------------------------------------------------------------


def buckets_of_distances(screen: page.FirstScreen) -> None:
    """Draw all buckets, and ask for the bucket of a far key under a rule with an error."""
    with screen.beside:
        prediction = predict_then_reveal(
            "buckets",
            "A rule with a small error: it limits the bucket to 7, the last of all, and *then* adds 4 for"
            f" keys ahead. Which bucket does it give key {_ASKED.key} for query {_ASKED.query}, in the"
            " corner, with 8 buckets and a maximum distance of 16?",
            tuple(_ASKED_BUCKETS),
        )
    with screen.controls:
        is_published = prediction.revealed and page.switch(
            "published_rule",
            "Rule with the error",
            True,
            help="Of the notebook PositionalEmbeddings, github.com/christianb93/MLLM: it limits the"
            " number to the last bucket of all, and adds the direction afterwards.",
        )
        n_buckets, max_distance, n, is_bidirectional = _bucket_controls()
    cap = n_buckets - 1 if is_published else None
    buckets = t5_buckets(
        -distances(n, n), n_buckets, max_distance, bidirectional=is_bidirectional, cap=cap
    )
    frame = bucket_frame(buckets.numpy(), n_buckets)
    with screen.picture:
        asked = replace(
            _ASKED,
            guess=_ASKED_BUCKETS.get(prediction.guess or ""),
            is_answered=prediction.revealed,
        )
        _bucket_map(
            frame, n_buckets, asked, is_bidirectional=is_bidirectional, is_published=is_published
        )
    if prediction.revealed:
        with screen.beside:
            show_verdict(
                prediction,
                right=answer_meaning(_asked_bucket(), _ASKED_BUCKETS),
                reason=f"It gets **bucket {_asked_bucket()}**, which does not exist, because 7 is"
                " the last. So the buckets of keys ahead have to be limited *before* the 4 is"
                " added.",
            )
    page.note_beside(
        screen,
        "T5 adds a learned number to each score. It depends on the *bucket* of the distance: short"
        " distances have a bucket each, longer ones share one, because it rarely matters whether a word"
        " is 60 or 61 places away; all beyond a maximum are in the last.",
    )
    if prediction.revealed:
        _explain_buckets(n_buckets, max_distance, is_bidirectional=is_bidirectional)


def _asked_bucket() -> int:
    offset = torch.tensor(_ASKED.key - _ASKED.query)
    return int(t5_buckets(offset, 8, 16, cap=7))


def _bucket_controls() -> tuple[int, int, int, bool]:
    with st.popover("More", icon=":material/tune:"):
        n_buckets = page.pick("buckets", "Buckets", _BUCKETS, 8)
        is_bidirectional = page.switch(
            "bidirectional",
            "Keys ahead, too",
            True,
            help="Under a causal mask no key ahead is visible, so all buckets are for keys behind.",
        )
        single = _of_each_direction(n_buckets, is_bidirectional=is_bidirectional) // 2
        offered = [distance for distance in _MAX_DISTANCES if distance > single]
        max_distance = page.pick("max_distance", "Maximum distance", offered, max(16, offered[0]))
        n = page.slider("text_length", "Length of the text", 8, 64, 24)
    return n_buckets, max_distance, n, is_bidirectional


def _of_each_direction(n_buckets: int, *, is_bidirectional: bool) -> int:
    return n_buckets // 2 if is_bidirectional else n_buckets


def _bucket_map(
    frame: pd.DataFrame,
    n_buckets: int,
    asked: AskedPair,
    *,
    is_bidirectional: bool,
    is_published: bool,
) -> None:
    first_ahead = n_buckets // 2 if is_bidirectional else None
    n_missing = int((~frame["known"]).sum())
    n_misplaced = 0
    if is_bidirectional:
        ahead, behind = frame["offset"] > 0, frame["bucket"] < n_buckets // 2
        n_misplaced = int((frame["known"] & (ahead == behind)).sum())
    finding = (
        f"{n_missing:,} of {len(frame):,} pairs have a bucket that does not exist, {n_misplaced:,} have"
        " one of the other direction"
        if is_published
        else f"All {len(frame):,} pairs have one of {n_buckets} buckets"
    )
    st.markdown(f"**{finding}**")
    show_chart(
        bucket_map(frame, n_buckets=n_buckets, first_ahead=first_ahead, asked=asked, height=400),
        frame,
        key="buckets",
        alt=f"{finding}. Queries down, keys across; the highest number is {frame['bucket'].max()}.",
        name="t5-buckets",
    )


def _explain_buckets(n_buckets: int, max_distance: int, *, is_bidirectional: bool) -> None:
    far = _ASKED.key - _ASKED.query
    offsets = torch.tensor([-far, far])
    correct, published = (
        t5_buckets(
            offsets, n_buckets, max_distance, bidirectional=is_bidirectional, cap=cap
        ).tolist()
        for cap in (None, n_buckets - 1)
    )
    each = _of_each_direction(n_buckets, is_bidirectional=is_bidirectional)
    behind = t5_buckets(
        -torch.arange(max_distance + 1), n_buckets, max_distance, bidirectional=is_bidirectional
    )
    empty = each - len(behind.unique())
    st.markdown(
        f"Each direction has {each} buckets: {each // 2} of a single distance, and {each // 2} for"
        f" longer ones up to {max_distance}, which grow wider, because far away the exact distance"
        " matters less."
        + (f" So small a maximum leaves {empty} of them without any distance." if empty else "")
        + f" A key {far} positions behind is in bucket **{correct[0]}**, one"
        f" {far} positions ahead in **{correct[1]}**."
    )
    if not is_bidirectional:
        st.markdown(
            "With a single direction its last bucket is the last of all, so the other rule is"
            " correct, too. All keys ahead share bucket 0, and a causal mask hides them."
        )
        return
    st.markdown(
        f"The rule with the error limits the number to {n_buckets - 1}, the last bucket of all, and"
        f" then adds {each} for keys ahead. The two keys get **{published[0]}** and"
        f" **{published[1]}**. Below the maximum distance both rules agree, because nothing is"
        " limited there. A cross marks a bucket that does not exist, an outline a bucket of the"
        " other direction."
    )
