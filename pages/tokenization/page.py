"""What does a model read? The visitor's text cut by several tokenizers, and the numbers behind it."""

import streamlit as st

from lm_core.errors import ResultError
from lm_core.experiments.tokenization.integer_inputs import input_losses, row_products
from lm_core.text.tokenizers.byte_pair import BytePairTokenizer
from lm_core.text.tokenizers.merges import merge_steps
from lm_core.text.tokenizers.words import basic_english_words, whitespace_words
from pages.shared.tokenizers import book_statistics, book_tokenizer
from pages.shared.ui.lesson import page_header, show_source, try_this
from pages.tokenization.choices import choose
from pages.tokenization.explanation import cost_by_line, explain
from pages.tokenization.one_picture import one_picture
from pages.tokenization.picture import cut_all, picture
from pages.tokenization.vectors import integers_are_no_vectors, one_hot_is_a_look_up

page_header(
    "tokenization",
    "Not letters and not words, but numbers. Type, and see how each tokenizer cuts your text.",
)
try:
    book_statistics()
    book_tokenizer()
except ResultError as error:
    st.error(str(error))
    st.stop()


# Controls, picture, explanation ---------------------------------------------------------------
@st.fragment
def cutting() -> None:
    """Draw all that a letter typed changes."""
    choice = choose()
    rows = cut_all(choice)
    picture(rows, choice)
    explain(rows, choice.text)
    cost_by_line(rows, choice.text)


cutting()

# Closer looks ---------------------------------------------------------------------------------
one_picture()
one_hot_is_a_look_up()
integers_are_no_vectors()

# Code and suggestions -------------------------------------------------------------------------
show_source(
    whitespace_words,
    basic_english_words,
    BytePairTokenizer.trace,
    merge_steps,
    row_products,
    input_losses,
)
try_this(
    [
        "Type your own name. Which tokenizers keep it whole, and which cut it into pieces?",
        "Take *Unknown words* and number by the book: how many different words does the model still"
        " see? What do byte pairs make of the same words?",
        "Take *One sentence in ten languages*. Which language costs the most bytes, which the most"
        " byte pairs, and why is it not always the same one?",
        "Type the same word in the middle of a sentence, after a quote and in capitals: how many"
        " different ids does it get?",
        "Take *Accents, built in two ways*: which tokenizers see that both words look the same?",
    ]
)
