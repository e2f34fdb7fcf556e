"""Absolute positional encodings: the vector of each position."""

import numpy as np
import pandas as pd
import streamlit as st
import torch

from lm_core.experiments.positional_encoding.scores_by_distance import learned_codes
from lm_core.models.positional_encoding.absolute import (
    binary_positions,
    position_similarity,
    sinusoidal_positions,
)
from lm_core.training.checkpoints import list_language_models
from pages.positional_encoding import code_chart
from pages.positional_encoding.beyond import beyond_results
from pages.shared import page
from pages.shared.charts.palette import BLUE
from pages.shared.models.language_models import model_named
from pages.shared.numbers import significant

_WIDTHS = tuple(range(4, 65, 4))
_BASES = (2, 10, 100, 1_000, 10_000)
_LONGEST = 96
_WIDTH, _BASE = 32, 10_000
_COMPARED = (("first_position", "Compare position", 20), ("second_position", "with position", 30))

_FAR = 55
_COSINES = {"About 0.5": 0.5, "About 0.3": 0.3, "About 0": 0.0}
"""The answers to choose from, and the cosine that each says."""


def encoding_vectors(screen: page.FirstScreen) -> None:
    """Draw the encodings of all positions as rows, and compare two of them."""
    learned = _learned()
    with screen.controls:
        encoding = page.choice(
            "shown_encoding", "Positional encoding", ["sinusoidal", "binary", *learned], width=180
        )
        with st.popover("More", icon=":material/tune:"):
            n = page.slider("positions", "Positions", 8, _LONGEST, 60)
            codes, title = _codes(encoding, n, learned)
            last = len(codes) - 1
            first, second = (
                _position(name, label, start, last) for name, label, start in _COMPARED
            )
    asked = _ask_about_cosines(screen)
    with screen.picture:
        _picture(codes, (first, second), title)
        _cosines_by_position(codes, (first, second), asked)
    page.note_beside(screen, _explanation(encoding, codes))


def _ask_about_cosines(screen: page.FirstScreen) -> page.Asked:
    """Ask how alike two far positions are; answer with the encoding that the page opens on."""
    here, near = (start for _, _, start in _COMPARED)
    cosines = position_similarity(sinusoidal_positions(_FAR + 1, _WIDTH, _BASE))[here].tolist()
    return page.ask(
        screen,
        "cosines",
        f"Sinusoidal, width {_WIDTH}: positions {here} and {near} have the cosine {cosines[near]:.2f}."
        f" What do {here} and {_FAR} have?",
        _COSINES,
        right=cosines[_FAR],
        reason=f"**{cosines[_FAR]:.2f}**. The slow waves hardly move within a sentence, so all"
        " positions stay alike; only the fast ones tell neighbours apart.",
    )


def _cosines_by_position(codes: np.ndarray, pair: tuple[int, int], asked: page.Asked) -> None:
    """Draw the cosine of every position with the first of a pair; before the answer, up to the second."""
    here, near = pair
    cosines = position_similarity(torch.from_numpy(codes))[here].tolist()
    shown = cosines if not asked.masks else cosines[: max(pair) + 1]
    guess = asked.at(lambda value: None if len(cosines) <= _FAR else (_FAR, value))
    name = f"with position {here}"
    page.show_chart(
        page.line_chart(
            {name: list(enumerate(shown))},
            {name: page.LineStyle(BLUE)},
            page.Axis("position", (0, len(cosines) - 1)),
            page.Axis("cosine", (min(-0.2, *cosines), 1.0)),
            guess=guess,
            now=near,
            height=140,
        ),
        pd.DataFrame({"position": range(len(shown)), "cosine": shown}),
        key="cosines",
        alt=f"The cosine with position {here}: {cosines[near]:.2f} at position {near}.",
        name="cosine-by-position",
        is_small=True,
    )


def _position(name: str, label: str, start: int, last: int) -> int:
    if st.session_state.get(name, 0) > last:
        st.session_state[name] = last
    return page.slider(name, label, 0, last, min(start, last))


@st.cache_data(max_entries=1, show_spinner=False)
def _learned() -> dict[str, np.ndarray]:
    """Return the encodings of every model that has learned them, by its title."""
    table = beyond_results().learned_table.numpy()
    with page.model_calls:
        of_models = {
            f"learned by {meta.title}": learned_codes(model_named(meta.name).model).numpy()
            for meta in list_language_models()
            if meta.config.get("position") == "learned"
        }
    return {f"learned, {len(table)} positions": table, **of_models}


def _codes(encoding: str, n: int, learned: dict[str, np.ndarray]) -> tuple[np.ndarray, str]:
    """Draw the controls of one encoding; return its rows and a title."""
    if encoding == "sinusoidal":
        width = page.pick("width", "Width d", _WIDTHS, _WIDTH)
        return sinusoidal_positions(n, width, choose_base()).numpy(), f"{width // 2} waves"
    if encoding == "binary":
        digits = (n - 1).bit_length()
        return binary_positions(n, digits).numpy(), f"{digits} binary digits"
    return learned[encoding][:n], encoding


def choose_base(name: str = "base", start: int = _BASE) -> float:
    """Draw the choice of the base of the wavelengths, and return it."""
    return page.pick(name, "Base C", _BASES, start, format_func="{:,}".format)


def _picture(codes: np.ndarray, pair: tuple[int, int], title: str) -> None:
    similarity = _similarity(codes, pair)
    finding = (
        f"Positions {pair[0]} and {pair[1]} in {title}: the cosine of their encodings is"
        f" {similarity:.3f}"
    )
    st.markdown(f"**{finding}**")
    frame = code_chart.code_frame(codes, chosen=pair)
    page.show_chart(
        code_chart.code_map(frame, reach=float(np.abs(codes).max()), height=300),
        frame,
        key="encodings",
        alt=f"{finding}. {len(codes)} positions down, {codes.shape[1]} coordinates across.",
        name="positional-encodings",
    )


@st.cache_data(max_entries=256, show_spinner=False)
def _similarity(codes: np.ndarray, pair: tuple[int, int]) -> float:
    return float(position_similarity(torch.from_numpy(codes))[pair])


def _explanation(encoding: str, codes: np.ndarray) -> str:
    changes = (np.diff(codes, axis=0) != 0).sum(0)
    if encoding == "binary":
        digits = codes.shape[1]
        half = 2 ** (digits - 1)
        return (
            f"In binary, {len(codes)} positions need {digits} digits. The last digit changes"
            f" {changes[-1]} times, the first once. From {half - 1} to {half} all {digits} digits"
            " change, although the position moves by one, because the carry runs through all of"
            " them."
        )
    if encoding == "sinusoidal":
        steps = np.abs(np.diff(codes, axis=0)).max(0)
        fast, slow = float(steps[:2].max()), float(steps[-2:].max())
        binary = "; no step changes all of them much, as one does in binary" if slow < 0.1 else ""
        return (
            "Waves replace the digits. The columns on the left oscillate fastest, those on the right"
            " slowest, and no two rows are equal. Each pair of columns is the sine and the cosine"
            f" of position / C^(2j/d). A step changes the two fastest columns by up to {fast:.2f} and the two"
            f" slowest by at most {significant(slow, 2)}{binary}. There is no largest position, because a"
            " wave has no end."
        )
    return (
        "Each row is a vector of weights that training has found for one position, so nobody chose"
        " its pattern. Rows of neighbouring positions have mostly become a little alike, probably because what"
        " helps a prediction at one of them helps at the next. A longer text has no row: see *Beyond the"
        " trained length*."
    )
