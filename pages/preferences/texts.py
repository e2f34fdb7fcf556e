"""Texts of a writer as they are drawn: the beginning, then what was written; only ever as text."""

from collections.abc import Sequence

import streamlit as st

from pages.shared.charts.palette import visible


def written_texts(texts: Sequence[tuple[str, str]]) -> None:
    """Draw continuations, a line for each.

    Parameters
    ----------
    texts : sequence of pairs of str, beginnings and continuations
    """
    with st.container(border=True, gap="xsmall"):
        for beginning, written in texts:
            st.text(f"{beginning}… {one_line(written)}")


def one_line(text: str) -> str:
    """Return a text without its line breaks, which are marked."""
    return visible(text).replace("·", " ").strip()
