"""What was counted in the book and the tokenizer learned from it, loaded once for all visitors."""

import streamlit as st

from lm_core.experiments.tokenization.book_statistics import (
    BookStatistics,
    load_book_tokenizer,
    load_results,
)
from lm_core.text.tokenizers.byte_pair import BytePairTokenizer
from lm_core.text.tokenizers.words import WordTokenizer

PAIRS = "Byte pairs of the book"
"""Name of the tokenizer in rows and tables."""


@st.cache_resource(max_entries=1, show_spinner=False)
def book_words() -> BookStatistics:
    """Return what was counted in the book.

    Raises
    ------
    ResultError
        If it is missing or of another version.
    """
    return load_results()


@st.cache_resource(max_entries=1, show_spinner=False)
def book_tokenizer() -> BytePairTokenizer:
    """Return the byte pairs of the book.

    Raises
    ------
    ResultError
        If they are missing.
    """
    return load_book_tokenizer()


@st.cache_resource(max_entries=2, show_spinner=False)
def words_of_the_book(pre_tokenizer: str) -> WordTokenizer:
    """Return the tokenizer whose vocabulary are the most frequent words of the book."""
    return book_words().tokenizer(pre_tokenizer)
