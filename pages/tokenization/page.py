"""What does a model read? The visitor's text by several tokenizers, and the numbers behind it."""

import streamlit as st

from lm_core.errors import LMCoreError
from lm_core.experiments.tokenization.integer_inputs import input_losses, row_products
from lm_core.text.tokenizers.byte_pair import BytePairTokenizer
from lm_core.text.tokenizers.merges import merge_steps
from lm_core.text.tokenizers.tokenizer import tokenize
from lm_core.text.tokenizers.words import basic_english_words, whitespace_words
from pages.shared.components.attention import data_popover
from pages.shared.components.texts import TokenRow, token_rows
from pages.shared.tokenizers import BOOK_BPE, own_tokenizer_upload
from pages.shared.turns import fragment
from pages.shared.ui.controls import control
from pages.shared.ui.lesson import page_header, predict_then_reveal, show_source, try_this
from pages.shared.ui.messages import show_error
from pages.shared.ui.text_input import TEXT_CHARACTERS, live_text
from pages.tokenization.examples import EXAMPLES, FAMILY, QUESTION
from pages.tokenization.rows import (
    NAMES,
    explain,
    rows_of,
    token_table,
    tokens_by_line,
)
from pages.tokenization.vectors import integers_are_no_vectors, one_hot_is_a_look_up

_NUMBERED = ("This text", "The book")

page_header(
    "tokenization",
    "A model reads numbers, not letters or words. Type, and see how each *tokenizer* splits your text"
    " into *tokens* and numbers them.",
)


# Controls, picture, explanation ---------------------------------------------------------------
def _take_example() -> None:
    st.session_state["tokens_text"] = EXAMPLES[st.session_state["tokens_example"]]


@fragment
def compare_tokenizers() -> None:
    """Draw all that a letter typed changes."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.menu_button("Examples", list(EXAMPLES), key="tokens_example", on_click=_take_example)
        own_tokenizer_upload()
        show_bytes = control(st.toggle, "bytes", "Bytes under the tokens")
    text = live_text(
        "tokens_text",
        "Your text",
        QUESTION,
        most=TEXT_CHARACTERS,
        height=72,
        label_visibility="collapsed",
    )
    left, right = st.columns([3, 1], gap="medium", vertical_alignment="bottom")
    with left:
        names = control(
            st.pills,
            "tokenizers",
            "Tokenizers",
            NAMES,
            selection_mode="multi",
            default=[*NAMES[:2], NAMES[4], BOOK_BPE],
        )
    with right:
        numbered = control(
            st.segmented_control,
            "numbered",
            "Words numbered by",
            _NUMBERED,
            default=_NUMBERED[0],
            required=True,
            help="This text: each new word gets the next number. The book: the 9,999 most frequent"
            " words of War and Peace have their rank as number. All other words are <unk>, number 0.",
        )
    try:
        rows = rows_of(names, text, by_the_book=numbered == _NUMBERED[1])
    except LMCoreError as error:  # of the visitor's own file
        show_error(error)
        return
    token_rows(rows, text, key="tokens_rows", show_bytes=show_bytes)
    data_popover(lambda: token_table(rows), key="tokens_data", name="tokens")
    explain(rows, text)
    tokens_by_line(rows, text)


compare_tokenizers()


# One picture, how many tokens? ----------------------------------------------------------------
def family_of_three() -> None:
    """Ask how many bytes an emoji of three people has, then tokenize it."""
    st.subheader("One picture, how many tokens?", anchor=False)
    prediction = predict_then_reveal(
        "family",
        f"{FAMILY} is one picture on your screen. How many bytes is it in UTF-8?",
        ("1", "4", "8", "18"),
    )
    if not prediction.revealed:
        return
    names = [NAMES[0], NAMES[3], "Bytes", BOOK_BPE]
    rows: list[TokenRow] = rows_of(names, FAMILY, by_the_book=False)
    token_rows(rows, FAMILY, key="tokens_family", show_bytes=True)
    n_bytes = {c: len(c.encode()) for c in FAMILY}
    people = [n for c, n in n_bytes.items() if c.isprintable()]
    joiner = n_bytes["\N{ZERO WIDTH JOINER}"]
    st.markdown(
        f"**{len(FAMILY.encode())} bytes.** The picture is {len(FAMILY)} characters: three people of"
        f" {people[0]} bytes each, and between them two invisible joiners of {joiner} bytes. A tokenizer"
        " of bytes can write all of it. A tokenizer of an old book's characters has no symbol for any"
        " of it."
    )


family_of_three()
one_hot_is_a_look_up()
integers_are_no_vectors()

# Code and suggestions -------------------------------------------------------------------------
show_source(
    whitespace_words,
    basic_english_words,
    BytePairTokenizer.trace,
    merge_steps,
    tokenize,
    row_products,
    input_losses,
)
try_this(
    [
        "Type your own name. Which tokenizers keep it whole, and which split it?",
        "Take *Unknown words* and number by the book: how many different words does the model still"
        " see? What does byte-pair encoding make of the same words?",
        "Take *One sentence in ten languages*. Which language costs the most bytes, which the most BPE"
        " tokens, and why is it not always the same one?",
        "Type the same word in the middle of a sentence, after a quote and in capitals: how many"
        " different ids does it get?",
        "Take *Accents, built in two ways*: which tokenizers see that both words look the same?",
    ]
)
