"""Merges learned from the visitor's text, one at a time, and applied to a text that it has not seen."""

import streamlit as st

from lm_core.text.tokenizers.byte_pair_training import (
    MOST_MERGES,
    MergeHistory,
    PairCounts,
    places_of_pair,
    train_byte_pair,
)
from lm_core.text.tokenizers.tokenizer import tokenize
from pages.byte_pair_encoding.next_pair import PAIRS_SHOWN, ask_and_tell, draw_counts, pair_as_code
from pages.byte_pair_encoding.unseen_text import encode_unseen_text
from pages.shared import page
from pages.shared.components.texts import TokenRow, number_of_tokens, token_rows
from pages.shared.ui.text_input import TEXT_CHARACTERS, live_text

TEXT = (
    "The newest is the lowest and the widest. The newer one is lower, the wider one is slower."
    " How slow is the slowest? Now we know."
)
_BASES = {"Characters": "characters", "Bytes": "bytes"}
ROW = "Your text"
_START = 10  # merges: the first whole words are there, and no other pair ties with the next one


@page.fragment
def learn_from_a_text() -> None:
    """Draw the text, the merges learned from it, and those merges applied to another text."""
    with st.container(horizontal=True, key="learned_controls"):
        with st.popover("Your text", icon=":material/edit:"):
            text = live_text(
                "learned_text", "Text to learn from", TEXT, most=TEXT_CHARACTERS, height=160
            )
        with st.popover("More", icon=":material/tune:"):
            base = page.segments(
                "base",
                "Start from",
                list(_BASES),
                "Characters",
                help="From characters, it begins with those of the text, so all others are <unk>."
                " From bytes, it begins with all 256, each numbered by its value.",
            )
            guessing = page.switch("guess", "Guess before each merge")
    history = _history(text, _BASES[base])
    if not len(history):
        st.info(
            "No pair of neighbours appears twice in this text, so there is nothing to merge: type more."
            if text.strip()
            else "The text is empty: type a few similar words."
        )
        return
    page.playback_bar(
        "merge",
        len(history) + 1,
        lambda step: _draw(history, step, guessing),
        label="Merges",
        start=min(_START, len(history)),
        seconds_per_step=0.8,
    )


@st.cache_resource(max_entries=64, show_spinner=False)
def _history(text: str, base: str) -> MergeHistory:
    return train_byte_pair(text, base=base)


@st.cache_data(max_entries=256, show_spinner=False)
def _pairs(text: str, base: str, step: int) -> PairCounts:
    return _history(text, base).pair_counts(step, PAIRS_SHOWN)


def _draw(history: MergeHistory, step: int, guessing: bool) -> None:
    """Draw the tokens of the text after so many merges, and which pair is next."""
    tokenizer = history.after(step)
    tokens = tokenize(tokenizer, history.text)
    done = f"after {step:,} {'merge' if step == 1 else 'merges'}"
    note = (
        f"{done}: {number_of_tokens(len(tokens))} · {history.sizes[step]:,} symbols"
        f" · {tokens.tokens_per_word:.2f} per word"
    )
    pairs = _pairs(history.text, tokenizer.base, step)
    screen = page.first_screen(picture=3.4, beside=1.0)
    with screen.beside:
        is_told, guess = ask_and_tell(history, pairs, step, guessing)
    _explain_step(screen, history, step)
    next_pair = pairs.most_frequent[0][0] if is_told and step < len(history) else None
    with screen.picture:
        st.markdown(f"**{_so_far(history, step, len(tokens))}**")
        left, right = st.columns([1.35, 1], gap="medium")
        with left:
            paired = places_of_pair(tokenizer, history.text, next_pair) if next_pair else []
            row = TokenRow(ROW, note, tokenizer, tokens, paired=tuple(paired))
            token_rows([row], history.text, key="learned_rows", hint=_hint(history, step, is_told))
        with right:
            draw_counts(history, pairs, step, is_told, guess)
    encode_unseen_text(history, step)


def _so_far(history: MergeHistory, step: int, n_tokens: int) -> str:
    start = number_of_tokens(len(history.after(0).encode(history.text)))
    if not step:
        return f"Before the first merge: {start}"
    return (
        f"{step:,} {'merge' if step == 1 else 'merges'} made {start} into {n_tokens:,}, the last one"
        f" {pair_as_code(history, history.tokenizer.merges[step - 1])}"
    )


def _hint(history: MergeHistory, step: int, is_told: bool) -> str:
    """Return what is said below the text while nothing is pointed at: what is framed, if anything is."""
    if step == len(history):
        if step == MOST_MERGES:
            return f"After {MOST_MERGES:,} merges the page stops, so nothing is merged next."
        return "No pair appears twice any more, so nothing is merged next."
    return "Framed: the pair merged next." if is_told else "Which pair is merged next?"


def _explain_step(screen: page.FirstScreen, history: MergeHistory, step: int) -> None:
    if step:
        times = history.counts[step - 1]
        page.note_beside(
            screen,
            f"Merge {step:,} was found {times:,} times. Its two symbols have become one, so all"
            " pairs are counted again. Frequent words become one token, because their pairs win"
            " early; rare ones stay in pieces.",
        )
