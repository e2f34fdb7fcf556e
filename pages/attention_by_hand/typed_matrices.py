"""Matrices as they are typed: read, attended, and one cell of them chosen."""

import streamlit as st

from lm_core.experiments.attention_by_hand import printed_example
from lm_core.models.attention import AttentionTrace, attend, causal_mask
from pages.shared import page

DEFAULTS = {"Q": "1 0\n0 1\n1 2", "K": "1 0\n0 2\n1 1", "V": "1 0\n0 1\n2 2"}
_LONGEST = 400


def type_matrices() -> dict[str, str]:
    """Draw the fields for queries, keys and values, and return what they hold."""
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
        for name, default in DEFAULTS.items()
    }


def attend_typed(
    typed: dict[str, str], *, is_scaled: bool, is_causal: bool
) -> tuple[dict[str, str], AttentionTrace]:
    """Return the matrices as they were typed, with all stages; LMCoreError where they do not fit."""
    queries, keys, values = (
        printed_example.read_matrix(page.checked_text(text, most=_LONGEST, name=name), name)
        for name, text in typed.items()
    )
    mask = causal_mask(len(queries), len(keys)) if is_causal else None
    return typed, attend(queries, keys, values, mask, scale=None if is_scaled else 1.0)
