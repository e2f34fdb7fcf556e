"""Matrices as they are typed: Q, K and V themselves, or X and the three matrices that they come from."""

from functools import partial

import streamlit as st
import torch
from torch import Tensor

from lm_core.experiments.attention_by_hand import printed_example
from lm_core.experiments.attention_by_hand.typed_projections import project
from lm_core.models.attention import AttentionTrace, attend, causal_mask
from pages.attention_by_hand.formula import written
from pages.shared import page

DEFAULTS = {"Q": "1 0\n0 1\n1 2", "K": "1 0\n0 2\n1 1", "V": "1 0\n0 1\n2 2"}
PROJECTED = {
    "X": "1 0 1\n0 2 0\n1 1 0",
    "W_Q": "1 0\n0 1\n1 0",
    "W_K": "0 1\n1 0\n0 2",
    "W_V": "1 0\n0 1\n1 1",
}
"""Three tokens of three numbers, and three matrices that make two numbers of each."""
_LONGEST = 400


def type_matrices() -> dict[str, str]:
    """Draw the fields for what attention starts from, and return what they hold."""
    is_projected = page.switch("projected", "Compute Q, K and V from X")
    return {
        name: page.control(
            st.text_area,
            name,
            name,
            default,
            height=96,
            help=f"Write one row on each line, with spaces between the numbers. At most {printed_example.MOST_ROWS} rows"
            f" of {printed_example.MOST_COLUMNS} numbers.",
        )
        for name, default in (PROJECTED if is_projected else DEFAULTS).items()
    }


def attend_typed(
    typed: dict[str, str], *, is_scaled: bool, is_causal: bool
) -> tuple[dict[str, str], AttentionTrace]:
    """Return the matrices as they were typed, with all stages; LMCoreError where they do not fit."""
    matrices = _read(typed)
    queries, keys, values = project(*matrices) if "X" in typed else matrices
    mask = causal_mask(len(queries), len(keys)) if is_causal else None
    return typed, attend(queries, keys, values, mask, scale=None if is_scaled else 1.0)


def show_projections(typed: dict[str, str]) -> None:
    """Write X W for queries, keys and values, where they were computed."""
    if "X" in typed:
        page.below("Q, K and V from X", "projections", partial(_products, typed))


def _products(typed: dict[str, str]) -> None:
    x, *matrices = _read(typed)
    for name, matrix, product in zip("QKV", matrices, project(x, *matrices), strict=True):
        st.latex(rf"{name} = X\,W_{name} = {_tex(x)} {_tex(matrix)} = {_tex(product)}")
    st.markdown(
        "A row of X is a token. Its query, key and value are three mixtures of the same numbers, because each W is"
        " multiplied with the same row. A network learns the three W, and they are the same for all tokens."
    )


def _read(typed: dict[str, str]) -> list[Tensor]:
    return [
        printed_example.read_matrix(page.checked_text(text, most=_LONGEST, name=name), name)
        for name, text in typed.items()
    ]


def _tex(matrix: torch.Tensor) -> str:
    rows = (" & ".join(map(written, row)) for row in matrix.tolist())
    return r"\begin{pmatrix}" + r" \\ ".join(rows) + r"\end{pmatrix}"
