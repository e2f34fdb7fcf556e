"""T5's buckets of distances, as they are and with the slip of the source."""

import pandas as pd
import streamlit as st
import torch

from lm_core.errors import SettingError
from lm_core.models.attention import distances
from lm_core.models.positional_encoding.relative import t5_buckets
from pages.shared import charts
from pages.shared.ui.controls import control
from pages.shared.ui.figures import show_chart
from pages.shared.ui.lesson import predict_then_reveal

_BUCKETS = (8, 16, 32)
_DISTANCES = (12, 16, 20, 32, 64, 128)
_FAR = 30


@st.fragment
def buckets_of_distances() -> None:
    """Ask for a bucket beyond the maximum, then draw all of them, right and as in the source."""
    st.markdown(
        "T5 adds a learned number to each score, chosen by how far the key is from the query. Near"
        " distances have a *bucket* each, farther ones share, and all beyond a maximum lie in the"
        " last. With 8 buckets, 4 are for keys behind and 4 for keys ahead."
    )
    prediction = predict_then_reveal(
        "buckets",
        f"8 buckets, 0 to 7, maximum 16. In which does a notebook of the source documents put a key"
        f" {_FAR} places ahead?",
        ("In 3", "In 7", "In 8, which does not exist"),
    )
    if not prediction.revealed:
        return
    left, right = st.columns([1, 2.8], gap="medium")
    with left:
        n_buckets, most, n, is_both, is_slip = _controls()
    cap = n_buckets - 1 if is_slip else None
    offsets = -distances(n, n)
    try:
        numbers = t5_buckets(offsets, n_buckets, most, bidirectional=is_both, cap=cap)
    except SettingError as error:
        with right:
            st.error(str(error))
        return
    frame = charts.bucket_frame(numbers.numpy(), n_buckets)
    with right:
        _picture(frame, n_buckets, is_both=is_both, is_slip=is_slip)
    _explain(n_buckets, most, is_both=is_both)


def _controls() -> tuple[int, int, int, bool, bool]:
    n_buckets = control(st.select_slider, "buckets", "Buckets", _BUCKETS, 8)
    most = control(st.select_slider, "most", "Maximum distance", _DISTANCES, 16)
    n = control(st.slider, "n", "Positions", 8, 64, 24)
    is_both = control(
        st.toggle,
        "both",
        "Keys ahead, too",
        True,
        help="With a causal mask nobody looks ahead, and all buckets are for keys behind.",
    )
    is_slip = control(
        st.toggle,
        "slip",
        "As in the source",
        help="Caps at the last bucket of all before the direction is added, instead of at the last"
        " of its direction.",
    )
    return n_buckets, most, n, is_both, is_slip


def _picture(frame: pd.DataFrame, n_buckets: int, *, is_both: bool, is_slip: bool) -> None:
    first_ahead = n_buckets // 2 if is_both else None
    missing = int((~frame["known"]).sum())
    strayed = 0
    if is_both:
        ahead, behind = frame["offset"] > 0, frame["bucket"] < n_buckets // 2
        strayed = int((frame["known"] & (ahead == behind)).sum())
    finding = (
        f"{missing:,} of {len(frame):,} pairs have a bucket that does not exist, {strayed:,} one of"
        " the other direction"
        if is_slip
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


def _explain(n_buckets: int, most: int, *, is_both: bool) -> None:
    offsets = torch.tensor([-_FAR, _FAR])
    right, source = (
        t5_buckets(offsets, n_buckets, most, bidirectional=is_both, cap=cap).tolist()
        for cap in (None, n_buckets - 1)
    )
    each = n_buckets // 2 if is_both else n_buckets
    st.markdown(
        f"{each} buckets for a direction: {each // 2} of one distance each, and {each // 2} that get"
        f" wider, up to {most}. A key {_FAR} behind belongs into bucket **{right[0]}**, one {_FAR}"
        f" ahead into **{right[1]}**."
    )
    if not is_both:
        st.markdown(
            "With a single direction the last of its buckets is the last of all: the source's cap is"
            " the right one. All keys ahead share bucket 0, and a causal mask hides them."
        )
        return
    st.markdown(
        f"A notebook of the source documents caps at {n_buckets - 1}, the last bucket of all, and"
        f" adds the {each} of the direction afterwards: there the two come into **{source[0]}** and"
        f" **{source[1]}**. Up to the maximum distance the two rules agree. Crossed out: no bucket"
        " has this number; rim: a bucket that belongs to the other direction."
    )
