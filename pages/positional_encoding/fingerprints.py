"""Codes that are added to a word's vector: the fingerprint of each position as a heat map."""

import numpy as np
import streamlit as st
import torch

from lm_core.experiments.positional_encoding.scores_by_distance import learned_codes
from lm_core.models.positional_encoding.absolute import (
    binary_positions,
    position_similarity,
    sinusoidal_positions,
)
from pages.positional_encoding.kinds import TITLES
from pages.shared import charts
from pages.shared.server import model_calls
from pages.shared.ui.controls import control
from pages.shared.ui.figures import show_chart

_WIDTHS = tuple(range(4, 65, 4))
_BASES = (2, 10, 100, 1_000, 10_000)
_LONGEST = 96


@st.fragment
def fingerprints() -> None:
    """Draw the codes of all positions, and compare two of them."""
    left, right = st.columns([1, 2.8], gap="medium")
    with left:
        learned = _learned()
        kinds = {TITLES["sinusoidal"]: "sinusoidal", TITLES["binary"]: "binary"}
        kind = control(st.selectbox, "code", "Code", [*kinds, *learned])
        n = control(st.slider, "positions", "Positions", 8, _LONGEST, 60)
        codes, title = _codes(kinds.get(kind, kind), n, learned)
        last = len(codes) - 1
        first, second = (_place(name, label, at, last) for name, label, at in _PLACES)
    with right:
        _picture(codes, (first, second), title)
    _explain(kinds.get(kind, kind), codes)
    if not learned:
        st.caption(
            "Learned codes are a table of weights like any other, a row for each position. No model"
            " that comes with this lab has learned its positions, so there are none to draw."
        )


_PLACES = (("first", "Compare position", 20), ("second", "with position", 30))


def _place(name: str, label: str, start: int, last: int) -> int:
    if st.session_state.get(name, 0) > last:
        st.session_state[name] = last
    return control(st.slider, name, label, 0, last, min(start, last))


@st.cache_data(max_entries=1, show_spinner=False)
def _learned() -> dict[str, np.ndarray]:
    with model_calls:
        return {f"learned by {name}": codes.numpy() for name, codes in learned_codes().items()}


def _codes(kind: str, n: int, learned: dict[str, np.ndarray]) -> tuple[np.ndarray, str]:
    """Draw the controls of one kind of code; return its rows and what they are."""
    if kind == "sinusoidal":
        width = control(st.select_slider, "width", "Width d", _WIDTHS, 32)
        base = control(
            st.select_slider, "base", "C", _BASES, 10_000, format_func=lambda c: f"{c:,}"
        )
        return sinusoidal_positions(n, width, float(base)).numpy(), f"{width // 2} waves"
    if kind == "binary":
        digits = (n - 1).bit_length()
        return binary_positions(n, digits).numpy(), f"{digits} binary digits"
    return learned[kind][:n], kind


def _picture(codes: np.ndarray, pair: tuple[int, int], title: str) -> None:
    similarity = _similarity(codes, pair)
    finding = (
        f"Positions {pair[0]} and {pair[1]} in {title}: the cosine of their codes is"
        f" {similarity:.3f}"
    )
    st.markdown(f"**{finding}**")
    frame = charts.code_frame(codes, chosen=pair)
    show_chart(
        charts.code_map(
            frame,
            reach=float(np.abs(codes).max()),
            height=430,
        ),
        frame,
        key="fingerprints",
        alt=f"{finding}. {len(codes)} positions down, {codes.shape[1]} coordinates across.",
        name="fingerprints",
    )


@st.cache_data(max_entries=256, show_spinner=False)
def _similarity(codes: np.ndarray, pair: tuple[int, int]) -> float:
    return float(position_similarity(torch.from_numpy(codes))[pair])


def _explain(kind: str, codes: np.ndarray) -> None:
    changes = (np.diff(codes, axis=0) != 0).sum(0)
    if kind == "binary":
        digits = codes.shape[1]
        half = 2 ** (digits - 1)
        st.markdown(
            f"GeneratedToken in binary, {len(codes)} positions take {digits} digits. The last digit"
            f" changes {changes[-1]} times, the first once. From {half - 1} to {half} all {digits}"
            " change: the code leaps where the position only steps."
        )
    elif kind == "sinusoidal":
        st.markdown(
            "The same idea with waves instead of digits: the columns on the left turn fast, those on"
            " the right slowly, and no two rows are the same. Each pair of columns is the sine and"
            " the cosine of position / C^(2j/d); a step changes every number a little, and a wave"
            " never has to stop at a largest position."
        )
    else:
        st.markdown("Each row was learned for its own position; a longer text has no row.")
