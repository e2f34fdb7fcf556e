"""The whole book: what a larger vocabulary buys, and how often its words appear (Zipf's law)."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import pandas as pd
import streamlit as st

from lm_core.experiments.tokenization.book_statistics import BookStatistics
from lm_core.text.tokenizers.byte_pair_training import VocabularySize, up_to
from lm_core.text.tokenizers.tokenizer import tokenize
from lm_core.text.word_counts import PowerLaw, fit_power_law
from pages.shared import page
from pages.shared.charts.lines import Axis, LineStyle, line_chart
from pages.shared.charts.palette import BLUE, VERMILLION
from pages.shared.components.texts import TokenRow, number_of_tokens, token_rows
from pages.shared.models.tokenizers import book_statistics, book_tokenizer
from pages.shared.numbers import percent
from pages.shared.turns import fragment
from pages.shared.ui.figures import show_chart
from pages.shared.ui.first_screen import first_screen
from pages.shared.ui.lesson import (
    nearest_answer,
)
from pages.shared.ui.text_input import say_limits

# How large a vocabulary? ----------------------------------------------------------------------
_TEXT = "It was in July, eighteen hundred and five, and the countess was expecting visitors."
_LONGEST = 300
_BPE = "BPE"
_SHOWN = {"characters, source": "characters", "basic english": "words (basic English)"}
"""Other tokenizers of the book that are drawn as references, by what they are called."""

_NEAR_BYTES = "characters, source"  # its name would lie over the only point before the guess


class Quantity(NamedTuple):
    """What is drawn: its axis, and how it follows from symbols and tokens of the book."""

    axis: Axis
    value: Callable[[BookStatistics, int, int], float]


_ENDS = (256.0, 8448.0)
_ASKED = 1_024  # symbols
_GUESSES = {"About 4": 4.0, "About 3": 3.0, "About 2": 2.0, "About 1.2": 1.2}
_SIZES = (256, 512, 1024, 2048, 4096, 8192)
QUANTITIES = {
    "Tokens per word": Quantity(
        Axis("tokens per word", (1.0, 6.0)), lambda book, _, tokens: book.per_word(tokens)
    ),
    "Length of the book": Quantity(
        Axis("million tokens in the book", (0.5, 3.5)), lambda _, __, tokens: tokens / 1e6
    ),
    "One-hot numbers per word": Quantity(
        Axis("one-hot numbers per word", (300.0, 30_000.0), True, (300, 1_000, 3_000, 10_000)),
        BookStatistics.one_hot_per_word,
    ),
}


@fragment
def sizes_of_the_vocabulary() -> None:
    """Draw what a larger vocabulary buys and costs; ask for one point of the curve before."""
    book = book_statistics()
    sizes = {size.vocabulary_size: size for size in book.sizes}
    screen = first_screen()
    with screen.controls:
        name = page.choice("quantity", "Show", list(QUANTITIES), help="Of the whole book.")
        chosen = page.pick(
            "symbols", "Symbols in the vocabulary", list(sizes), _ASKED, format_func=_grouped
        )
    asked = _ask_for_a_size(screen, book, sizes)
    with screen.picture:
        _curve(book, name, sizes[chosen], asked)
    if not asked.masks:
        _explain_size(book, sizes[chosen])
    _sentence(sizes[chosen], is_masked=asked.masks)


def _ask_for_a_size(
    screen: page.FirstScreen, book: BookStatistics, sizes: dict[int, VocabularySize]
) -> page.Asked:
    reached = book.per_word(sizes[_ASKED].n_tokens)
    nearest = nearest_answer(reached, _GUESSES)
    return page.ask(
        screen,
        "sizes",
        f"Bytes need {book.per_word(book.sizes[0].n_tokens):.1f} tokens for a word of the book. How many"
        f" are left with {_ASKED:,} symbols?",
        _GUESSES,
        right=nearest,
        reason=f"**{reached:.2f}** after {sizes[_ASKED].n_merges:,} merges. The first merges are found"
        " in nearly every line; each later one is rarer, so it saves less.",
    )


def _curve(book: BookStatistics, name: str, now: VocabularySize, asked: page.Asked) -> None:
    """Draw the curve; before the guess, its two ends."""
    quantity = QUANTITIES[name]

    def value(symbols: int, tokens: int) -> float:
        return quantity.value(book, symbols, tokens)

    shown = book.sizes if not asked.masks else book.sizes[:1]
    points = [(s.vocabulary_size, value(s.vocabulary_size, s.n_tokens)) for s in shown]
    references = {
        f"{said}: {_short(value(*book.units[unit]))}": [
            (x, value(*book.units[unit])) for x in _ENDS
        ]
        for unit, said in _SHOWN.items()
        if (not asked.masks or unit != _NEAR_BYTES)
        and quantity.axis.domain[0] <= value(*book.units[unit]) <= quantity.axis.domain[1]
    }
    at = value(now.vocabulary_size, now.n_tokens)
    finding = f"With {now.vocabulary_size:,} symbols: {_short(at)} {quantity.axis.title}"
    if asked.masks:
        finding = f"With the 256 bytes alone: {_short(points[0][1])} {quantity.axis.title}"
    is_on_axis = name == next(iter(QUANTITIES))
    guess = asked.at(lambda value: (_ASKED, value) if is_on_axis else None)
    st.markdown(f"**{finding}**")
    frame = pd.DataFrame(
        [(*size, book.per_word(size.n_tokens)) for size in shown],
        columns=["merges", "symbols", "tokens", "tokens per word"],
    )
    show_chart(
        line_chart(
            {_BPE: points},
            {_BPE: LineStyle(BLUE)},
            Axis("symbols in the vocabulary", _ENDS, True, _SIZES),
            quantity.axis,
            references=references,
            guess=guess,
            now=now.vocabulary_size if not asked.masks else _ASKED,
            has_points=True,
            height=320,
        ),
        frame,
        key="vocabulary_sizes",
        alt=finding
        if len(points) == 1
        else f"{finding}. From {_short(points[0][1])} with bytes to {_short(points[-1][1])} with"
        f" {points[-1][0]:,} symbols.",
        name="vocabulary-sizes",
    )


def _explain_size(book: BookStatistics, now: VocabularySize) -> None:
    per_word = book.per_word(now.n_tokens)
    known, words = book.units["basic english"]
    st.markdown(
        f"{now.n_merges:,} merges and 256 bytes: {now.vocabulary_size:,} symbols. The book's"
        f" {book.n_words:,} words become **{now.n_tokens:,} tokens**, {per_word:.2f} per word and"
        f" {book.n_characters / now.n_tokens:.2f} characters each. That is"
        f" {percent(now.n_tokens / book.sizes[0].n_tokens)} of its bytes. As a one-hot vector each token has"
        f" {now.vocabulary_size:,} numbers, so a word costs"
        f" {book.one_hot_per_word(now.vocabulary_size, now.n_tokens):,.0f} of them. With words as tokens"
        f" (basic English) it would cost {book.per_word(words):.2f} × {known:,} ="
        f" {book.one_hot_per_word(known, words):,.0f}. Shorter sequences are quicker to read, and a model"
        " can look further back. A larger vocabulary has more rows to learn, most of them seldom seen."
    )
    st.caption(
        "War and Peace, without header and licence · learned and counted by `python -m lm_core"
        f" experiment tokenization` on {book.provenance['date'][:10]}"
    )


def _sentence(now: VocabularySize, *, is_masked: bool) -> None:
    """Draw a sentence in the tokens of a vocabulary; how many a word needs waits with the answer."""
    text = page.text("sample", "A sentence in these tokens", _TEXT, max_chars=_LONGEST)
    say_limits({"sample": _LONGEST})
    tokenizer = up_to(book_tokenizer(), now.n_merges)
    tokens = tokenize(tokenizer, text)
    note = (
        ""
        if is_masked
        else f"{number_of_tokens(len(tokens))} · {tokens.tokens_per_word:.2f} per word"
    )
    row = TokenRow(f"{now.n_merges:,} merges", note, tokenizer, tokens)
    token_rows([row], text, key="size_rows", hint="Point at a token for its id.")


def _short(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:.2f}"


# Zipf's law -----------------------------------------------------------------------------------
_BOOK, _FIT = "the book", "fitted line"
_RANKS: tuple[int, ...] = (1, 2, 3, 5, 7, 10, 15, 20, 30, 50, 70, 100, 150, 200, 300, 500, 700)
_RANKS += (1_000, 1_500, 2_000, 3_000, 5_000, 7_000, 10_000)
_RANK_AXIS = Axis("rank of the word", (1.0, 20_000.0), True, (1, 10, 100, 1_000, 10_000))
_COUNT_AXIS = Axis("times in the book", (0.8, 100_000.0), True, (1, 10, 100, 1_000, 10_000))
_POINTS = 90
_ASKED_RANK, _RANKS_TOLD = 100, 10
_COUNT_GUESSES = {
    "About 30,000 times": 30_000,
    "About 3,000 times": 3_000,
    "About 700 times": 700,
    "About 70 times": 70,
}


@fragment
def zipfs_law() -> None:
    """Draw count by rank with a line fitted on ranks that the visitor chooses; ask for one rank before."""
    book = book_statistics()
    screen = first_screen()
    with screen.controls:
        rank = page.pick("rank", "The word of rank", _RANKS, 100, format_func=_grouped)
        first, last = page.control(
            st.select_slider,
            "fitted",
            "Line fitted on ranks",
            _RANKS,
            (10, 1_000),
            format_func=_grouped,
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
    show_chart(
        line_chart(
            lines,
            {_BOOK: LineStyle(BLUE), _FIT: LineStyle(VERMILLION, 1)},
            _RANK_AXIS,
            _COUNT_AXIS,
            guess=guess,
            now=rank if not asked.masks else _ASKED_RANK,
            height=320,
        ),
        frame,
        key="zipf",
        alt=alt,
        name="zipf",
    )


def _explain_law(book: BookStatistics, law: PowerLaw, rank: int, fitted: tuple[int, int]) -> None:
    st.markdown(
        f"On logarithmic axes the line has the **slope {_signed(law.slope)}**. It is fitted by"
        f" least squares on ranks {fitted[0]:,} to {fitted[1]:,}, evenly over the logarithm, and"
        f" explains {percent(law.share_explained, 1)} of the variance there. *Zipf's law* has the"
        f" slope −1: twice the rank, half the count. The {rank:,} most frequent of"
        f" {len(book.counts):,} different words make up {percent(book.coverage(rank))} of the"
        f" book's {sum(book.counts):,} words. {book.n_once:,}"
        f" ({percent(book.n_once / len(book.counts))}) appear only once. So no list of words is"
        f" ever long enough: even {len(book.words):,} leave"
        f" {percent(1 - book.coverage(len(book.words)), 1)} of the text unknown, and a network sees"
        " most of its words hardly ever. Subwords solve this."
    )
    st.caption(
        "War and Peace, without header and licence; a word is a run of letters, an apostrophe"
        " within it included, in small letters, without accents · counted by `python -m lm_core"
        f" experiment tokenization` on {book.provenance['date'][:10]}"
    )


def _grouped(n: int) -> str:
    return f"{n:,}"


def _signed(slope: float) -> str:
    return f"{slope:.3f}".replace("-", "−")
