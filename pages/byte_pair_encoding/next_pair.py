"""Which pair of neighbours is merged next: asked for, told, and drawn by its counts."""

import zlib

import streamlit as st

from lm_core.text.tokenizers.byte_pair_training import MergeHistory, PairCounts
from lm_core.text.tokenizers.merges import Pair
from lm_core.text.tokenizers.tokenizer import token_text
from pages.shared import page
from pages.shared.charts.palette import visible
from pages.shared.charts.tokens import masked_pair_frame, pair_chart, pair_frame
from pages.shared.ui.markdown import as_code

PAIRS_SHOWN = 10
_OPTIONS = 4
_GUESSED = "first_merge_about"


def ask_and_tell(
    history: MergeHistory, pairs: PairCounts, step: int, guessing: bool
) -> tuple[bool, str | None]:
    """Ask for the next pair, or say which it is; return whether it may be seen, and the guess."""
    asked = _ask(history, pairs, step, guessing)
    if asked.prediction is None:
        st.markdown(_finding(history, pairs, step))
    return not asked.masks, asked.guess


def _ask(history: MergeHistory, pairs: PairCounts, step: int, guessing: bool) -> page.Asked[str]:
    """Ask which pair is next, once, or before each merge where the class wants it."""
    options = sorted(pair_as_code(history, pair) for pair, _ in pairs.most_frequent[:_OPTIONS])
    about = f"{step}_{_fingerprint(history)}"
    # What was guessed once was about one step and text.
    may_be_asked = guessing or st.session_state.get(_GUESSED, about) == about
    asked = page.ask(
        None,
        f"merge_{about}" if guessing else "first_merge",
        "Which pair is merged next?",
        options,
        right=lambda: pair_as_code(history, pairs.most_frequent[0][0]),
        reason=_finding(history, pairs, step),
        when=may_be_asked and len(pairs.most_frequent) > 1 and step < len(history),
    )
    if not guessing and asked.prediction and not asked.masks:
        st.session_state[_GUESSED] = about
    return asked


def _fingerprint(history: MergeHistory) -> int:
    written = f"{history.tokenizer.base} {history.text}"
    return zlib.crc32(written.encode("utf-8", "surrogatepass"))


def draw_counts(
    history: MergeHistory, pairs: PairCounts, step: int, is_told: bool, guess: str | None
) -> None:
    """Draw the pairs by their counts, the one that is merged next marked; or the pairs alone."""
    rows = [
        (_plain(history, a), _plain(history, b), a, b, count)
        for (a, b), count in pairs.most_frequent
    ]
    is_over = step == len(history)
    frame = pair_frame(rows, is_over=is_over) if is_told else masked_pair_frame(rows)
    asked = "Pairs of neighbours: how often does each one appear?"
    alt = _finding(history, pairs, step).replace("*", "").replace("`", "") if is_told else asked
    guessed = [pair_as_code(history, pair) for pair, _ in pairs.most_frequent]
    rank = guessed.index(guess) + 1 if is_told and guess in guessed else None
    page.show_chart(
        pair_chart(frame, most=max(history.counts[0], 2), rows=PAIRS_SHOWN, guess=rank),
        frame,
        key="pair_counts",
        alt=alt,
        name=f"pairs-{step}",
    )


def _finding(history: MergeHistory, pairs: PairCounts, step: int) -> str:
    if not pairs.most_frequent:
        return "**Every word is one token.** No neighbours are left."
    (pair, count), n_tied = pairs.most_frequent[0], pairs.n_tied
    written = pair_as_code(history, pair)
    if step == len(history):
        return f"**The end.** The most frequent pair, {written}, appears only once."
    if n_tied == 1:
        return (
            f"**Next: {written}**, {count:,} times, more than any other of"
            f" {pairs.n_different:,} pairs."
        )
    return (
        f"**Next: {written}.** {n_tied:,} pairs tie at {count:,}; rule: the smaller ids win, the"
        f" left one first. Here they are {pair[0]} and {pair[1]}. Older symbols have smaller ids,"
        " so their pairs come first."
    )


def pair_as_code(history: MergeHistory, pair: Pair) -> str:
    """Return both symbols of a pair as inline code."""
    return f"{_read(history, pair[0])} + {_read(history, pair[1])}"


def _read(history: MergeHistory, token_id: int) -> str:
    return as_code(token_text(history.tokenizer, token_id))


def _plain(history: MergeHistory, token_id: int) -> str:
    return visible(token_text(history.tokenizer, token_id))[:16]
