"""How far apart equal words are, by each way of giving positions."""

import pandas as pd
import streamlit as st
from torch import Tensor

from lm_core.experiments.positional_encoding.equal_words import WordComparison, compare_equal_words
from pages.shared.turns import model_calls

TITLES = {
    "none": "none",
    "learned": "learned",
    "sinusoidal": "sinusoidal",
    "binary": "binary",
    "rotary": "rotary",
    "t5": "T5 buckets",
    "alibi": "ALiBi",
}
"""Positional encodings for people, by the names that a transformer's config has for them."""


def finding_of(comparison: WordComparison, words: tuple[str, ...], tokens: Tensor) -> str:
    """Return which repeated words are distinguished, as a sentence.

    Parameters
    ----------
    comparison : WordComparison, of these words
    words : sequence of T str
    tokens : int64 Tensor of shape (T,), their ids
    """
    names = dict(zip(tokens.tolist(), words, strict=True))

    def listed(ids: tuple[int, ...]) -> str:
        return ", ".join(f"{names[i]} ({words.count(names[i])} times)" for i in ids)

    if not comparison.distinguished and not comparison.identical:
        return "No word occurs twice in this sentence"
    parts = []
    if comparison.identical:
        parts.append(f"Not distinguished: {listed(comparison.identical)}")
    if comparison.distinguished:
        parts.append(f"Distinguished: {listed(comparison.distinguished)}")
    return ". ".join(parts)


def draw_all_encodings(words: tuple[str, ...], tokens: Tensor, order: Tensor, seed: int) -> None:
    """Draw a table of all ways to give positions."""
    rows = []
    for encoding, title in TITLES.items():
        for is_causal in (False, True):
            with model_calls:
                found = compare_equal_words(tokens, order, encoding, seed, is_causal=is_causal)
            rows.append(
                {
                    "encoding": title,
                    "mask": "causal" if is_causal else "none",
                    "equal words": finding_of(found, words, tokens),
                    "change by shuffling": round(found.change, 4),
                }
            )
    st.dataframe(pd.DataFrame(rows), hide_index=True, height="content")
    st.markdown(
        "Note *none* with the causal mask. The mask alone gives each position another set of"
        " words, so it reveals the order wherever the words differ."
    )
