"""Zipf's law in the book: how often the k-th most frequent word comes."""

import numpy as np
import pandas as pd
import streamlit as st

from lm_core.experiments.tokenization.book_statistics import BookStatistics
from lm_core.text.word_counts import PowerLaw, fit_power_law
from pages.shared import charts
from pages.shared.charts.palette import BLUE, VERMILLION
from pages.shared.tokenizers import book_statistics
from pages.shared.ui.controls import control
from pages.shared.ui.figures import show_chart
from pages.shared.ui.lesson import predict_then_reveal

_BOOK, _LINE = "the book", "fitted line"
_RANKS = (1, 2, 3, 5, 7, 10, 15, 20, 30, 50, 70, 100, 150, 200, 300, 500, 700, 1_000, 1_500)
_RANKS += (2_000, 3_000, 5_000, 7_000, 10_000)
_X = charts.Axis("rank of the word", (1.0, 20_000.0), True, (1, 10, 100, 1_000, 10_000))
_Y = charts.Axis("times in the book", (0.8, 100_000.0), True, (1, 10, 100, 1_000, 10_000))
_POINTS = 90


@st.fragment
def zipfs_law() -> None:
    """Ask, then draw count by rank with a line fitted on ranks that the visitor chooses."""
    book = book_statistics()
    prediction = predict_then_reveal(
        "zipf",
        f"*{book.words[0]}* stands {book.counts[0]:,} times in the book. How often does the 100th word?",
        ("About 30,000 times", "About 3,000 times", "About 400 times", "About 30 times"),
    )
    if not prediction.revealed:
        return
    left, right = st.columns(2, gap="medium", vertical_alignment="bottom")
    with left:
        rank = control(
            st.select_slider, "rank", "The word of rank", _RANKS, 100, format_func=_grouped
        )
    with right:
        first, last = control(
            st.select_slider,
            "fitted",
            "Line fitted on ranks",
            _RANKS,
            (10, 1_000),
            format_func=_grouped,
        )
    if first == last:
        st.info("A line needs two different ranks: move one of the two handles.")
        return
    law = fit_power_law(book.counts, first, last)
    _picture(book, law, rank, (first, last))
    _explain(book, law, rank, (first, last))


def _picture(book: BookStatistics, law: PowerLaw, rank: int, fitted: tuple[int, int]) -> None:
    ranks = np.unique(np.round(np.geomspace(1, len(book.counts), _POINTS)).astype(int)).tolist()
    lines = {
        _BOOK: [(k, book.counts[k - 1]) for k in ranks],
        _LINE: [(k, law.count(k)) for k in ranks],
    }
    word, count = book.words[rank - 1], book.counts[rank - 1]
    finding = f"Word {rank:,} is “{word}”, {count:,} times; the line says {law.count(rank):,.0f}"
    st.markdown(f"**{finding}**")
    frame = pd.DataFrame(
        [
            (k, book.words[k - 1] if k <= len(book.words) else "", n, law.count(k))
            for k, n in lines[_BOOK]
        ],
        columns=["rank", "word", "count", "fitted"],
    )
    show_chart(
        charts.line_chart(
            lines,
            {_BOOK: charts.LineStyle(BLUE), _LINE: charts.LineStyle(VERMILLION, 1)},
            _X,
            _Y,
            now=rank,
            height=320,
        ),
        frame,
        key="zipf",
        alt=f"{finding}. Slope {_signed(law.slope)}, fitted on ranks {fitted[0]:,} to {fitted[1]:,}.",
        name="zipf",
    )


def _explain(book: BookStatistics, law: PowerLaw, rank: int, fitted: tuple[int, int]) -> None:
    st.markdown(
        f"On logarithmic axes the line has the **slope {_signed(law.slope)}**, fitted by least squares on ranks"
        f" {fitted[0]:,} to {fitted[1]:,} (evenly over the logarithm; it explains"
        f" {law.share_explained:.1%} of the variance there). Zipf's own law has −1: twice the rank, half"
        f" the count. The {rank:,} most frequent of {len(book.counts):,} different words make up"
        f" {book.coverage(rank):.0%}"
        f" of the book's {sum(book.counts):,}, while {book.n_once:,} ({book.n_once / len(book.counts):.0%}) stand there once."
        f" So no list of words is ever long enough: even {len(book.words):,} leave"
        f" {1 - book.coverage(len(book.words)):.1%} of the text unknown, and a network sees most of its words hardly ever. That is"
        " what parts of words are for."
    )
    st.caption(
        "War and Peace, without header and licence; a word is a run of letters, an apostrophe within it"
        f" included, in small letters, without accents · counted by `python -m lm_core experiment tokenization` on {book.provenance['date'][:10]}"
    )


def _grouped(n: int) -> str:
    return f"{n:,}"


def _signed(slope: float) -> str:
    return f"{slope:.3f}".replace("-", "−")
