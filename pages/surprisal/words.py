"""The surprisal of the text word by word: as a curve, and the most surprising words."""

import math
from collections.abc import Sequence

import pandas as pd
import streamlit as st

from lm_core.analysis.surprisal import WordSurprisal
from pages.shared.charts.lines import Axis, LineStyle, line_chart
from pages.shared.charts.palette import BLUE, ORANGE
from pages.shared.ui.figures import show_chart
from pages.shared.ui.markdown import as_code
from pages.surprisal.readers import Reader

_MOST_WORDS = 120
"""Words of a curve; of a longer text, its beginning."""
_MOST_ROWS = 12
_MANY_BITS = 30.0
"""From here on a number of choices is written as a power of ten."""


def word_by_word(readers: Sequence[Reader], by_reader: Sequence[Sequence[WordSurprisal]]) -> None:
    """Draw the curve of each model, and the words that surprised the first one most."""
    st.header("Word by word", anchor=False)
    words = by_reader[0]
    titles = [reader.meta.title for reader in readers]
    lines = {
        title: [(i + 1.0, word.bits) for i, word in enumerate(scored[:_MOST_WORDS])]
        for title, scored in zip(titles, by_reader, strict=True)
    }
    highest = max(word.bits for scored in by_reader for word in scored[:_MOST_WORDS])
    n = min(len(words), _MOST_WORDS)
    x = Axis(f"word, of {len(words):,}", (1.0, float(max(2, n))))
    y = Axis("surprisal (bits)", (0.0, highest * 1.05))
    styles = dict(zip(titles, (LineStyle(BLUE), LineStyle(ORANGE, 1)), strict=False))
    table = _table(titles, by_reader)
    show_chart(
        line_chart(lines, styles, x, y, has_points=n <= 60, height=220),
        lambda: table,
        key="surprisal_words",
        alt="; ".join(
            f"{title}: {sum(w.bits for w in scored) / len(scored):.1f} bits a word"
            for title, scored in zip(titles, by_reader, strict=True)
        ),
        name="surprisal-by-word",
    )
    most = max(words, key=lambda word: word.bits)
    st.markdown(
        "The surprisals of a word's parts add up, because their probabilities multiply: the model"
        f" gave **{as_code(most.word)}** a probability of 1 in {_choices(most.bits)}. The most"
        " surprising words:"
    )
    st.dataframe(
        table.head(_MOST_ROWS),
        hide_index=True,
        height="content",
        column_config={
            title: st.column_config.NumberColumn(f"{title}, bits", format="%.1f")
            for title in titles
        },
    )


def _choices(bits: float) -> str:
    """Return in Markdown among how many equally probable words a word was one."""
    if bits < _MANY_BITS:
        return f"{2**bits:,.0f}"
    return f"$10^{{{bits * math.log10(2):.0f}}}$"


def _table(titles: Sequence[str], by_reader: Sequence[Sequence[WordSurprisal]]) -> pd.DataFrame:
    words = by_reader[0]
    order = sorted(range(len(words)), key=lambda i: -words[i].bits)
    columns = {
        title: [scored[i].bits for i in order]
        for title, scored in zip(titles, by_reader, strict=True)
    }
    return pd.DataFrame(
        {"Word": [words[i].word for i in order], "Place": [i + 1 for i in order], **columns}
    )
