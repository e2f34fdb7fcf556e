"""How often the words of the book appear: Zipf's law."""

import numpy as np
import pandas as pd
import streamlit as st

from lm_core.experiments.tokenization.book_statistics import BookStatistics
from lm_core.text.word_counts import PowerLaw, fit_power_law
from pages.shared import page
from pages.shared.charts.palette import BLUE, VERMILLION
from pages.shared.models.tokenizers import book_statistics
from pages.shared.numbers import percent

_BOOK, _FIT = "the book", "fitted line"
_RANK_AXIS = page.Axis("rank of the word", (1.0, 20_000.0), True, (1, 10, 100, 1_000, 10_000))
_COUNT_AXIS = page.Axis("times in the book", (0.8, 100_000.0), True, (1, 10, 100, 1_000, 10_000))
_POINTS = 90
_RANKS: tuple[int, ...] = (1, 2, 3, 5, 7, 10, 15, 20, 30, 50, 70, 100, 150, 200, 300, 500, 700)
_RANKS += (1_000, 1_500, 2_000, 3_000, 5_000, 7_000, 10_000)
_ASKED_RANK, _RANKS_TOLD = 100, 10
_COUNT_GUESSES = {
    "About 30,000 times": 30_000,
    "About 3,000 times": 3_000,
    "About 700 times": 700,
    "About 70 times": 70,
}


@page.fragment
def zipfs_law() -> None:
    """Draw count by rank with a line fitted on ranks that the visitor chooses; ask for one rank before."""
    book = book_statistics()
    screen = page.first_screen()
    with screen.controls:
        rank = page.pick("rank", "The word of rank", _RANKS, 100, format_func="{:,}".format)
        first, last = page.control(
            st.select_slider,
            "fitted",
            "Line fitted on ranks",
            _RANKS,
            (10, 1_000),
            format_func="{:,}".format,
        )
    asked = _ask_for_a_count(screen, book)
    if first == last:
        st.info("A line needs two different ranks: move one of the two handles.")
        return
    law = fit_power_law(book.counts, first, last)
    with screen.picture:
        _ranks_chart(book, law, rank, (first, last), asked)
    if not asked.masks:
        _explain_law(book, law, rank, (first, last))


def _ask_for_a_count(screen: page.FirstScreen, book: BookStatistics) -> page.Asked:
    n = book.counts[_ASKED_RANK - 1]
    nearest = min(_COUNT_GUESSES, key=lambda guess: abs(np.log(_COUNT_GUESSES[guess] / n)))
    return page.ask(
        screen,
        "zipf",
        f"*{book.words[0]}* appears {book.counts[0]:,} times in the book. How often does the"
        f" {_ASKED_RANK}th word appear?",
        _COUNT_GUESSES,
        right=nearest,
        reason=f"*{book.words[_ASKED_RANK - 1]}* appears **{n:,}** times. *Zipf's law* says: at"
        f" {_ASKED_RANK} times the rank, about a {_ASKED_RANK}th of the count, which would be"
        f" {book.counts[0] / _ASKED_RANK:,.0f}. The first few words do not follow it, so only the line"
        " through all words comes near. It was found by counting; why words follow it is still debated.",
    )


def _ranks_chart(
    book: BookStatistics, law: PowerLaw, rank: int, fitted: tuple[int, int], asked: page.Asked
) -> None:
    """Draw the book's words and the fitted line; before the guess, the first words alone."""
    ranks = np.unique(np.round(np.geomspace(1, len(book.counts), _POINTS)).astype(int)).tolist()
    word, count = book.words[rank - 1], book.counts[rank - 1]
    finding = (
        f"Word {rank:,} is “{word}”, {count:,} times; the line says {law.expected_count(rank):,.0f}"
    )
    alt = f"{finding}. Slope {_signed(law.slope)}, fitted on ranks {fitted[0]:,} to {fitted[1]:,}."
    if asked.masks:
        ranks = ranks[: ranks.index(_RANKS_TOLD) + 1]
        last = book.words[_RANKS_TOLD - 1], book.counts[_RANKS_TOLD - 1]
        finding = (
            f"Word 1 is “{book.words[0]}”, word {_RANKS_TOLD} is “{last[0]}”, {last[1]:,} times"
        )
        alt = finding
    lines = {_BOOK: [(k, book.counts[k - 1]) for k in ranks]}
    if not asked.masks:
        lines[_FIT] = [(k, law.expected_count(k)) for k in ranks]
    guess = asked.at(lambda value: (_ASKED_RANK, value))
    st.markdown(f"**{finding}**")
    frame = pd.DataFrame(
        [(k, book.words[k - 1] if k <= len(book.words) else "", book.counts[k - 1]) for k in ranks],
        columns=["rank", "word", "count"],
    )
    if not asked.masks:
        frame["fitted"] = [law.expected_count(k) for k in ranks]
    page.show_chart(
        page.line_chart(
            lines,
            {_BOOK: page.LineStyle(BLUE), _FIT: page.LineStyle(VERMILLION, 1)},
            _RANK_AXIS,
            _COUNT_AXIS,
            guess=guess,
            now=rank if not asked.masks else _ASKED_RANK,
            height=320,
        ),
        frame,
        key="zipf",
        alt=alt,
    )


def _explain_law(book: BookStatistics, law: PowerLaw, rank: int, fitted: tuple[int, int]) -> None:
    st.markdown(
        f"On logarithmic axes the line has the **slope {_signed(law.slope)}**. It is fitted by"
        f" least squares on ranks {fitted[0]:,} to {fitted[1]:,}, evenly over the logarithm, and"
        f" explains {percent(law.share_explained, 1)} of the variance there. *Zipf's law* has the"
        f" slope −1: twice the rank, half the count. The {rank:,} most frequent of"
        f" {len(book.counts):,} different words make up {percent(book.coverage(rank))} of the"
        f" book's {sum(book.counts):,} words. {book.n_once:,}"
        f" ({percent(book.n_once / len(book.counts))}) appear only once. So a list of words is"
        f" seldom long enough: even {len(book.words):,} leave"
        f" {percent(1 - book.coverage(len(book.words)), 1)} of the text unknown, and a network sees"
        " most of its words hardly ever. Subwords solve this."
    )
    st.caption(
        "War and Peace, without header and licence; a word is a run of letters, an apostrophe"
        " within it included, in small letters, without accents · counted by `python -m lm_core"
        f" experiment tokenization` on {book.provenance['date'][:10]}"
    )


def _signed(slope: float) -> str:
    return f"{slope:.3f}".replace("-", "−")
