"""The whole book: what a larger vocabulary buys."""

from collections.abc import Callable
from typing import NamedTuple

import pandas as pd
import streamlit as st

from lm_core.experiments.tokenization.book_statistics import BookStatistics
from lm_core.text.tokenizers.byte_pair_training import VocabularySize
from pages.byte_pair_encoding.sample_sentence import draw_sentence
from pages.shared import page
from pages.shared.charts.palette import BLUE
from pages.shared.models.tokenizers import book_statistics
from pages.shared.numbers import percent

# How large a vocabulary? ----------------------------------------------------------------------
_BPE = "BPE"
_SHOWN = {"characters, source": "characters", "basic english": "words (basic English)"}
"""Other tokenizers of the book that are drawn as references, by what they are called."""

_NEAR_BYTES = "characters, source"  # its name would lie over the only point before the guess


class Quantity(NamedTuple):
    """What is drawn: its axis, and how it follows from symbols and tokens of the book."""

    axis: page.Axis
    value: Callable[[BookStatistics, int, int], float]


_ENDS = (256.0, 8448.0)
_ASKED = 1_024  # symbols
_GUESSES = {"About 4": 4.0, "About 3": 3.0, "About 2": 2.0, "About 1.2": 1.2}
_SIZES = (256, 512, 1024, 2048, 4096, 8192)
QUANTITIES = {
    "Tokens per word": Quantity(
        page.Axis("tokens per word", (1.0, 6.0)), lambda book, _, tokens: book.per_word(tokens)
    ),
    "Length of the book": Quantity(
        page.Axis("million tokens in the book", (0.5, 3.5)), lambda _, __, tokens: tokens / 1e6
    ),
    "One-hot numbers per word": Quantity(
        page.Axis("one-hot numbers per word", (300.0, 30_000.0), True, (300, 1_000, 3_000, 10_000)),
        BookStatistics.one_hot_per_word,
    ),
}


@page.fragment
def sizes_of_the_vocabulary() -> None:
    """Draw what a larger vocabulary buys and costs; ask for one point of the curve before."""
    book = book_statistics()
    sizes = {size.vocabulary_size: size for size in book.sizes}
    screen = page.first_screen()
    with screen.controls:
        name = page.choice("quantity", "Show", list(QUANTITIES), help="Of the whole book.")
        chosen = page.pick(
            "symbols", "Symbols in the vocabulary", list(sizes), _ASKED, format_func="{:,}".format
        )
    asked = _ask_for_a_size(screen, book, sizes)
    with screen.picture:
        _curve(book, name, sizes[chosen], asked)
    if not asked.masks:
        _explain_size(book, sizes[chosen])
    draw_sentence(sizes[chosen], is_masked=asked.masks)


def _ask_for_a_size(
    screen: page.FirstScreen, book: BookStatistics, sizes: dict[int, VocabularySize]
) -> page.Asked:
    reached = book.per_word(sizes[_ASKED].n_tokens)
    return page.ask(
        screen,
        "sizes",
        f"Bytes need {book.per_word(book.sizes[0].n_tokens):.1f} tokens for a word of the book. How many"
        f" are left with {_ASKED:,} symbols?",
        _GUESSES,
        right=reached,
        reason=f"**{reached:.2f}** after {sizes[_ASKED].n_merges:,} merges. The first merges are found"
        " in most lines; each later one is rarer, so it saves less.",
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
    page.show_chart(
        page.line_chart(
            {_BPE: points},
            {_BPE: page.LineStyle(BLUE)},
            page.Axis("symbols in the vocabulary", _ENDS, True, _SIZES),
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


def _short(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:.2f}"
