"""How large a vocabulary? The book cut by more and more merges."""

from collections.abc import Callable
from typing import NamedTuple

import pandas as pd
import streamlit as st

from lm_core.experiments.tokenization.book_statistics import BookStatistics
from lm_core.text.tokenizers.byte_pair_training import VocabularySize, up_to
from lm_core.text.tokenizers.tokenizer import tokenize
from pages.shared import charts
from pages.shared.charts.palette import BLUE
from pages.shared.components.token_rows import TokenRow, number_of_tokens, token_rows
from pages.shared.tokenizers import book_statistics, book_tokenizer
from pages.shared.ui.controls import control
from pages.shared.ui.figures import show_chart
from pages.shared.ui.lesson import predict_then_reveal
from pages.shared.ui.text_input import say_limits

_TEXT = "It was in July, eighteen hundred and five, and the countess was expecting visitors."
_LONGEST = 300
_LINE = "byte pairs"
_SHOWN = {"characters, source": "characters", "basic english": "words (basic English)"}
"""Other ways to cut the book that are drawn as references, by what they are called."""


class Quantity(NamedTuple):
    """What is drawn: its axis, and how it follows from symbols and tokens of the book."""

    axis: charts.Axis
    value: Callable[[BookStatistics, int, int], float]


_ENDS = (256.0, 8448.0)
_SIZES = (256, 512, 1024, 2048, 4096, 8192)
QUANTITIES = {
    "Tokens per word": Quantity(
        charts.Axis("tokens per word", (1.0, 6.0)), lambda book, _, tokens: book.per_word(tokens)
    ),
    "Length of the book": Quantity(
        charts.Axis("million tokens in the book", (0.5, 3.5)), lambda _, __, tokens: tokens / 1e6
    ),
    "One-hot numbers per word": Quantity(
        charts.Axis(
            "one-hot numbers per word", (300.0, 30_000.0), True, (300, 1_000, 3_000, 10_000)
        ),
        BookStatistics.one_hot_per_word,
    ),
}


@st.fragment
def sizes_of_the_vocabulary() -> None:
    """Ask, then draw what a larger vocabulary buys and costs."""
    book = book_statistics()
    prediction = predict_then_reveal(
        "sizes",
        f"Bytes need {book.per_word(book.sizes[0].n_tokens):.1f} tokens for a word of the book. How many"
        " are left after about 800 merges?",
        ("About 4", "About 3", "About 2", "About 1.2"),
    )
    if not prediction.revealed:
        return
    left, right = st.columns([1, 1.6], vertical_alignment="bottom", gap="medium")
    with left:
        name = control(
            st.selectbox, "quantity", "Show", list(QUANTITIES), help="Of the whole book."
        )
    sizes = {size.vocabulary_size: size for size in book.sizes}
    with right:
        chosen = control(
            st.select_slider,
            "symbols",
            "Symbols in the vocabulary",
            list(sizes),
            1_024,
            format_func=lambda n: f"{n:,}",
        )
    _curve(book, name, sizes[chosen])
    _explain(book, sizes[chosen])
    _sentence(sizes[chosen])


def _curve(book: BookStatistics, name: str, now: VocabularySize) -> None:
    quantity = QUANTITIES[name]

    def value(symbols: int, tokens: int) -> float:
        return quantity.value(book, symbols, tokens)

    points = [(s.vocabulary_size, value(s.vocabulary_size, s.n_tokens)) for s in book.sizes]
    references = {
        f"{said}: {_short(value(*book.units[unit]))}": [
            (x, value(*book.units[unit])) for x in _ENDS
        ]
        for unit, said in _SHOWN.items()
        if quantity.axis.domain[0] <= value(*book.units[unit]) <= quantity.axis.domain[1]
    }
    at = value(now.vocabulary_size, now.n_tokens)
    finding = f"With {now.vocabulary_size:,} symbols: {_short(at)} {quantity.axis.title}"
    st.markdown(f"**{finding}**")
    frame = pd.DataFrame(
        [(*size, book.per_word(size.n_tokens)) for size in book.sizes],
        columns=["merges", "symbols", "tokens", "tokens per word"],
    )
    show_chart(
        charts.line_chart(
            {_LINE: points},
            {_LINE: charts.LineStyle(BLUE)},
            charts.Axis("symbols in the vocabulary", _ENDS, True, _SIZES),
            quantity.axis,
            references=references,
            now=now.vocabulary_size,
            has_points=True,
            height=280,
        ),
        frame,
        key="vocabulary_sizes",
        alt=f"{finding}. From {_short(points[0][1])} with bytes to {_short(points[-1][1])} with"
        f" {points[-1][0]:,} symbols.",
        name="vocabulary-sizes",
    )


def _explain(book: BookStatistics, now: VocabularySize) -> None:
    per_word = book.per_word(now.n_tokens)
    known, words = book.units["basic english"]
    st.markdown(
        f"{now.n_merges:,} merges and 256 bytes: {now.vocabulary_size:,} symbols. The book's"
        f" {book.n_words:,} words become **{now.n_tokens:,} tokens**, {per_word:.2f} a word and"
        f" {book.n_characters / now.n_tokens:.2f} characters each, {now.n_tokens / book.sizes[0].n_tokens:.0%}"
        f" of its bytes. As a one-hot vector each token has {now.vocabulary_size:,} numbers, so a word"
        f" costs {book.one_hot_per_word(now.vocabulary_size, now.n_tokens):,.0f}; with words as tokens (basic English) it would be"
        f" {book.per_word(words):.2f} × {known:,} = {book.one_hot_per_word(known, words):,.0f}. Shorter texts are"
        " quicker to read and let a model look further back; a larger vocabulary has more rows to learn,"
        " and most of them are seen seldom."
    )
    st.caption(
        f"War and Peace, without header and licence · learned and counted by `python -m lm_core experiment tokenization`"
        f" on {book.provenance['date'][:10]}"
    )


def _sentence(now: VocabularySize) -> None:
    text = control(st.text_input, "sample", "A sentence cut this way", _TEXT, max_chars=_LONGEST)
    say_limits({"sample": _LONGEST})
    tokenizer = up_to(book_tokenizer(), now.n_merges)
    tokens = tokenize(tokenizer, text)
    note = f"{number_of_tokens(len(tokens))} · {tokens.tokens_per_word:.2f} a word"
    row = TokenRow(f"{now.n_merges:,} merges", note, tokenizer, tokens)
    token_rows([row], text, key="size_rows", hint="Point at a token for its id.")


def _short(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:.2f}"
