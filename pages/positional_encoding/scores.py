"""What positions add to attention scores by distance, and T5's buckets of distances."""

import pandas as pd
import streamlit as st
import torch
from torch import Tensor

from lm_core.errors import SettingError
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
from pages.shared import charts
from pages.shared.charts.palette import BLUE, ORANGE, PURPLE
from pages.shared.turns import fragment, model_calls
from pages.shared.ui.controls import control
from pages.shared.ui.figures import show_chart
from pages.shared.ui.lesson import predict_then_reveal
from pages.shared.ui.messages import show_error

_POSITIONS, _WIDTH = 64, 32
_QUERIES, _FARTHEST = (40, 52, 63), 40
_STYLES = {
    f"query {query}": charts.LineStyle(colour, dash)
    for dash, (query, colour) in enumerate(zip(_QUERIES, (ORANGE, BLUE, PURPLE), strict=True))
}
_DISTANCE = charts.Axis("distance of the key behind the query", (0.0, float(_FARTHEST)))
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
    " for each wave, of the angle between the two positions.",
    "binary": "The dot product of two binary codes counts the digits that are 1 in both. It hardly"
    " depends on the distance.",
    "rotary": f"One random vector of length 1 and width {_WIDTH} serves as query and as key. Each is"
    " rotated by its position. Another seed gives another curve, which again depends on the distance"
    " alone.",
    "t5": "Each bucket of distances has a bias, which is added to the score. The biases are random"
    " here; a model learns them.",
    "alibi": f"A straight line is added to the score, with another slope for each of {ALIBI_HEADS}"
    " heads.",
}

_BUCKETS = (8, 16, 32)
_MAX_DISTANCES = (12, 16, 20, 32, 64, 128)
_FAR = 30


# Scores by distance ---------------------------------------------------------------------------


@fragment
def by_distance() -> None:
    """Ask which encoding depends on more than the distance, then draw them."""
    st.markdown(
        "An *attention score* measures how well a key matches a query. It depends on the words and on"
        " their positions. The chart shows what the positions alone add, for each key behind a query."
    )
    prediction = predict_then_reveal(
        "distance",
        "Query and key are 5 positions apart, at the start of the text or at its end. For which"
        " encoding do their positions add different amounts?",
        tuple(TITLES[kind] for kind in KINDS),
    )
    if not prediction.revealed:
        return
    left, right = st.columns([1, 2.8], gap="medium")
    with left:
        encoding, seed, head = _distance_controls()
    with right:
        _score_lines(encoding, _scores(encoding, seed, head))
    st.markdown(_ABOUT[encoding])
    _all_encodings(seed, head)


def _distance_controls() -> tuple[str, int, int]:
    encoding = control(
        st.selectbox, "shown_encoding", "Positional encoding", KINDS, format_func=TITLES.__getitem__
    )
    seed, head = 1, 1
    if encoding in ("rotary", "t5"):
        seed = control(st.number_input, "seed", "Seed", 0, 9_999, 1)
    if encoding == "alibi":
        head = control(st.slider, "head", "Head", 1, ALIBI_HEADS, 1)
    return encoding, int(seed), head


@st.cache_data(max_entries=64, show_spinner=False)
def _scores(encoding: str, seed: int, head: int) -> Tensor:
    with model_calls:
        return position_scores(encoding, _POSITIONS, _WIDTH, seed, head=head - 1)


def _score_lines(encoding: str, scores: Tensor) -> None:
    spread = spread_at_equal_distance(scores)
    title = TITLES[encoding]
    finding = (
        f"{title}: only the distance matters"
        if spread < 1e-4
        else f"{title}: scores at equal distance differ by up to {spread:.3g}"
    )
    shown = {query: scores_by_distance(scores, query)[: _FARTHEST + 1] for query in _QUERIES}
    lines = {f"query {query}": list(enumerate(found.tolist())) for query, found in shown.items()}
    st.markdown(f"**{finding[0].upper()}{finding[1:]}**")
    show_chart(
        charts.line_chart(
            lines, _STYLES, _DISTANCE, charts.Axis("score", _SCORE_DOMAINS[encoding])
        ),
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


def _all_encodings(seed: int, head: int) -> None:
    spreads = [spread_at_equal_distance(_scores(kind, seed, head)) for kind in KINDS]
    table = pd.DataFrame(
        {
            "encoding": [TITLES[kind] for kind in KINDS],
            "largest difference at equal distance": [f"{spread:.1g}" for spread in spreads],
        }
    )
    differing = [TITLES[k] for k, spread in zip(KINDS, spreads, strict=True) if spread > 1e-4]
    st.markdown(
        f"Of the five encodings, over {_POSITIONS} positions, only **{', '.join(differing)}** gives"
        " scores that depend on more than the distance. The differences of the others are rounding"
        " errors."
    )
    with st.expander("All five"):
        st.dataframe(table, hide_index=True, height="content")


# T5's buckets ---------------------------------------------------------------------------------


@fragment
def buckets_of_distances() -> None:
    """Ask for the bucket of a far key under the published rule, then draw all buckets."""
    st.markdown(
        "T5 adds a learned number to each score. It depends on the *bucket* of the distance between"
        " query and key. Short distances have a bucket each, longer ones share, and all beyond a"
        " maximum are in the last. Of 8 buckets, 4 are for keys behind the query and 4 for keys ahead."
    )
    prediction = predict_then_reveal(
        "buckets",
        f"There are 8 buckets, 0 to 7, and the maximum distance is 16. A published notebook contains a"
        f" small error. Which bucket does it give a key {_FAR} positions ahead?",
        ("Bucket 3", "Bucket 7", "Bucket 8, which does not exist"),
    )
    if not prediction.revealed:
        return
    left, right = st.columns([1, 2.8], gap="medium")
    with left:
        n_buckets, max_distance, n, is_bidirectional, is_published = _bucket_controls()
    cap = n_buckets - 1 if is_published else None
    try:
        buckets = t5_buckets(
            -distances(n, n), n_buckets, max_distance, bidirectional=is_bidirectional, cap=cap
        )
    except SettingError as error:
        with right:
            show_error(error)
        return
    frame = charts.bucket_frame(buckets.numpy(), n_buckets)
    with right:
        _bucket_map(frame, n_buckets, is_bidirectional=is_bidirectional, is_published=is_published)
    _explain_buckets(n_buckets, max_distance, is_bidirectional=is_bidirectional)


def _bucket_controls() -> tuple[int, int, int, bool, bool]:
    n_buckets = control(st.select_slider, "buckets", "Buckets", _BUCKETS, 8)
    max_distance = control(st.select_slider, "max_distance", "Maximum distance", _MAX_DISTANCES, 16)
    n = control(st.slider, "text_length", "Length of the text", 8, 64, 24)
    is_bidirectional = control(
        st.toggle,
        "bidirectional",
        "Keys ahead, too",
        True,
        help="Under a causal mask no key ahead is visible, and all buckets are for keys behind.",
    )
    is_published = control(
        st.toggle,
        "published_rule",
        "Published rule",
        help="The notebook PositionalEmbeddings limits the number to the last bucket of all, and adds the"
        " direction afterwards.",
    )
    return n_buckets, max_distance, n, is_bidirectional, is_published


def _bucket_map(
    frame: pd.DataFrame, n_buckets: int, *, is_bidirectional: bool, is_published: bool
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
        charts.bucket_map(frame, n_buckets=n_buckets, first_ahead=first_ahead),
        frame,
        key="buckets",
        alt=f"{finding}. Queries down, keys across; the highest number is {frame['bucket'].max()}.",
        name="t5-buckets",
    )


def _explain_buckets(n_buckets: int, max_distance: int, *, is_bidirectional: bool) -> None:
    offsets = torch.tensor([-_FAR, _FAR])
    correct, published = (
        t5_buckets(
            offsets, n_buckets, max_distance, bidirectional=is_bidirectional, cap=cap
        ).tolist()
        for cap in (None, n_buckets - 1)
    )
    each = n_buckets // 2 if is_bidirectional else n_buckets
    st.markdown(
        f"Each direction has {each} buckets: {each // 2} of a single distance, and {each // 2} that grow"
        f" wider, up to {max_distance}. A key {_FAR} positions behind is in bucket **{correct[0]}**, one"
        f" {_FAR} positions ahead in **{correct[1]}**."
    )
    if not is_bidirectional:
        st.markdown(
            "With a single direction its last bucket is the last of all, so the published rule is"
            " correct. All keys ahead share bucket 0, and a causal mask hides them."
        )
        return
    st.markdown(
        f"The published notebook limits the number to {n_buckets - 1}, the last bucket of all, and then adds"
        f" {each} for keys ahead. The two keys get **{published[0]}** and **{published[1]}**. Up to the"
        " maximum distance both rules agree. A cross marks a bucket that does not exist, an outline a"
        " bucket of the other direction."
    )
