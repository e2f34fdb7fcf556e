"""T5's buckets: which distances share a learned number."""

from dataclasses import replace

import pandas as pd
import streamlit as st
import torch

from lm_core.models.attention import distances
from lm_core.models.positional_encoding.relative import t5_buckets
from pages.positional_encoding.bucket_chart import AskedPair, bucket_frame, bucket_map
from pages.shared import page

_BUCKETS = (8, 16, 32)
_MAX_DISTANCES = (12, 16, 20, 32, 64, 128)
_ASKED = AskedPair(query=0, key=23)
_ASKED_BUCKETS = {"Bucket 3": 3, "Bucket 7": 7, "Bucket 8": 8}


def buckets_of_distances(screen: page.FirstScreen) -> None:
    """Draw all buckets, and ask for the bucket of a far key under a rule with an error."""
    question = page.ask(
        screen,
        "buckets",
        "A rule with a small error: it limits the bucket to 7, the last of all, and *then* adds 4 for"
        f" keys ahead. Which bucket does it give key {_ASKED.key} for query {_ASKED.query}, in the"
        " corner, with 8 buckets and a maximum distance of 16?",
        _ASKED_BUCKETS,
        right=page.answer_meaning(_asked_bucket(), _ASKED_BUCKETS),
        reason=f"It gets **bucket {_asked_bucket()}**, which does not exist, because 7 is"
        " the last. So the buckets of keys ahead have to be limited *before* the 4 is"
        " added.",
    )
    with screen.controls:
        is_published = not question.masks and page.switch(
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
        asked = replace(_ASKED, guess=question.value, is_answered=not question.masks)
        _bucket_map(
            frame, n_buckets, asked, is_bidirectional=is_bidirectional, is_published=is_published
        )
    page.note_beside(
        screen,
        "T5 adds a learned number to each score. It depends on the *bucket* of the distance: short"
        " distances have a bucket each, longer ones share one, because it rarely matters whether a word"
        " is 60 or 61 places away; all beyond a maximum are in the last.",
    )
    if not question.masks:
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
    page.show_chart(
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
