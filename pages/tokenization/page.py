"""What does a model read? The visitor's text by ChatGPT's tokenizer and others, and its numbers."""

from dataclasses import replace

import streamlit as st

from lm_core.experiments.tokenization.integer_inputs import input_losses, row_products
from lm_core.text.tokenizers.byte_pair import BytePairTokenizer
from lm_core.text.tokenizers.merges import merge_steps
from lm_core.text.tokenizers.tokenizer import tokenize
from lm_core.text.tokenizers.words import basic_english_words, whitespace_words
from pages.shared import page
from pages.shared.charts.palette import GUESS
from pages.shared.components.attention import data_popover
from pages.shared.components.texts import TokenRow, token_rows
from pages.shared.models.tokenizers import (
    CHATGPT,
    GPT2,
    PUBLISHED,
    own_tokenizer_upload,
    published_tokenizer,
)
from pages.shared.ui import lesson
from pages.shared.ui.text_input import TEXT_CHARACTERS, live_text
from pages.tokenization.examples import EXAMPLES, OPENING
from pages.tokenization.family import family_of_three
from pages.tokenization.languages import cost_by_language
from pages.tokenization.rows import CHARACTERS, NAMES, finding, rows_of, token_table, tokens_by_line
from pages.tokenization.vectors import integers_are_no_vectors, one_hot_is_a_look_up
from pages.tokenization.what_rows_mean import explain

_NUMBERED = ("This text", "The book")
_WORD = "strawberry"
_READINGS = ("10 letters", "3 pieces", "1 number")
"""The answers to choose from; the pieces are those of the bare word, without the space before it."""

lesson.page_header(
    "tokenization",
    "A model can only calculate, so it reads numbers and not letters. A *tokenizer* splits a text into"
    " pieces, the *tokens*, and numbers them.",
)


# Controls, picture, explanation ---------------------------------------------------------------
def _take_example() -> None:
    st.session_state["tokens_text"] = EXAMPLES[st.session_state["tokens_example"]]


@page.fragment
def compare_tokenizers() -> None:
    """Draw all that a letter typed changes."""
    screen = page.first_screen()
    with screen.controls:
        text = live_text(
            "tokens_text",
            "Your text",
            OPENING,
            most=TEXT_CHARACTERS,
            height=68,
            label_visibility="collapsed",
        )
        st.menu_button("Examples", list(EXAMPLES), key="tokens_example", on_click=_take_example)
        names, by_the_book, show_bytes = _rarer_controls()
    is_asked = text == OPENING and not PUBLISHED.keys().isdisjoint(names)
    asked = _ask_about_word(screen, when=is_asked)
    rows = rows_of(names, text, by_the_book=by_the_book)
    if asked.masks:
        rows = [row._replace(is_masked=row.name in PUBLISHED) for row in rows]
    drawn = [*rows, _guessed_row(asked.guess)] if asked.guess else rows
    with screen.picture:
        st.markdown(f"**{finding(rows, text)}**")
        token_rows(drawn, text, key="tokens_rows", show_bytes=show_bytes)
    if not asked.masks:
        with screen.beside:
            explain(rows, text)
    with st.container(horizontal=True, key="tokens_files"):
        data_popover(lambda: token_table(rows), key="tokens_data", name="tokens")
        own_tokenizer_upload()
    tokens_by_line(rows, text)


def _rarer_controls() -> tuple[list[str], bool, bool]:
    """Draw which tokenizers there are, what numbers their words, and whether bytes are shown."""
    with st.popover("More", icon=":material/tune:"):
        names = page.several(
            "tokenizers",
            "Tokenizers",
            NAMES,
            [CHATGPT, GPT2, "Basic English"],
            help="Bytes have their values as ids. GPT-2's family of tokenizers, to which ChatGPT's and the"
            " BPE of the book belong, numbers the 256 bytes differently, printable characters first,"
            " because it writes every byte as a sign that can be seen.",
        )
        numbered = page.segments(
            "numbered",
            "Words numbered by",
            _NUMBERED,
            help="In *this text* each new word gets the next number. In *the book* the 9,999 most"
            " frequent words of War and Peace have their rank as number, so all other words are"
            " <unk>, number 0.",
        )
        show_bytes = page.switch("bytes", "Bytes under the tokens")
    return names, numbered == _NUMBERED[1], show_bytes


def _ask_about_word(screen: page.FirstScreen, *, when: bool) -> page.Asked[str]:
    """Ask how ChatGPT reads a word of the opening text."""

    def reason(_guess: str | None) -> str:
        tokens = tokenize(published_tokenizer(CHATGPT), OPENING).tokens
        whole = next(token for token in tokens if OPENING[token.start : token.end].strip() == _WORD)
        return (
            f"It reads one number, **{whole.id}**. No letter reaches the model, so to count the *r*"
            " it must have learned how this number is spelled."
        )

    question = f"How does ChatGPT read the word *{_WORD}* in this text?"
    return page.ask(
        screen, _WORD, question, _READINGS, right=_READINGS[2], reason=reason, when=when
    )


def _guessed_row(guess: str) -> TokenRow:
    """Return the word as a visitor expected it to be read, in its place in the opening text."""
    start = OPENING.index(_WORD)
    letters, pieces, _ = _READINGS
    tokenizer = CHARACTERS if guess == letters else published_tokenizer(CHATGPT)
    word = _WORD if guess in (letters, pieces) else f" {_WORD}"
    encoding = tokenize(tokenizer, word)
    shift = start + len(_WORD) - len(word)
    tokens = tuple(
        token._replace(start=token.start + shift, end=token.end + shift)
        for token in encoding.tokens
    )
    return TokenRow(GUESS, guess, tokenizer, replace(encoding, tokens=tokens), is_excerpt=True)


compare_tokenizers()
cost_by_language()


# One picture, how many tokens? ----------------------------------------------------------------


family_of_three()
one_hot_is_a_look_up()
integers_are_no_vectors()

# Code and suggestions -------------------------------------------------------------------------
lesson.show_source(
    whitespace_words,
    basic_english_words,
    BytePairTokenizer.trace,
    merge_steps,
    tokenize,
    row_products,
    input_losses,
)
lesson.try_this()
