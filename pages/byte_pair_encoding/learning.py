"""Merges learned from the visitor's text, one step at a time, forward and back."""

import zlib

import streamlit as st

from lm_core.text.tokenizers.byte_pair_training import MergeHistory, PairCounts, train_byte_pair
from lm_core.text.tokenizers.tokenizer import token_text, tokenize
from pages.byte_pair_encoding.unseen import unseen_text
from pages.shared import charts
from pages.shared.components.token_rows import TokenRow, number_of_tokens, token_rows
from pages.shared.ui.controls import control
from pages.shared.ui.figures import show_chart
from pages.shared.ui.lesson import predict_then_reveal
from pages.shared.ui.playback import playback_bar
from pages.shared.ui.text_input import TEXT_CHARACTERS, as_code, live_text

TEXT = (
    "The newest is the lowest and the widest. The newer one is lower, the wider one is slower."
    " How slow is the slowest? Now we know."
)
_BASES = {"Characters": "characters", "Bytes": "bytes"}
ROW = "Your text"
_PAIRS_SHOWN = 10
_OPTIONS = 4
_GUESSED = "first_merge_about"


@st.fragment
def learn_from_a_text() -> None:
    """Draw the text, the steps of learning, and what was learned at work on another text."""
    left, right = st.columns([3, 1], gap="medium", vertical_alignment="top")
    with left:
        text = live_text(
            "learned_text", "Text to learn from", TEXT, most=TEXT_CHARACTERS, height=86
        )
    with right:
        base = control(
            st.segmented_control,
            "base",
            "Start from",
            list(_BASES),
            default="Characters",
            required=True,
            help="Characters: those of the text; all others are <unk>. Bytes: all 256.",
        )
        guessing = control(st.toggle, "guess", "Guess before each merge")
    learning = _learn(text, _BASES[base])
    if not len(learning):
        st.info(
            "No two neighbours stand twice in this text, so there is nothing to merge: type more."
            if text.strip()
            else "The text is empty: type a few words that are alike."
        )
        return
    playback_bar(
        "merge", len(learning) + 1, lambda step: _draw(learning, step, guessing), label="Merges"
    )


@st.cache_resource(max_entries=64, show_spinner=False)
def _learn(text: str, base: str) -> MergeHistory:
    return train_byte_pair(text, base=base)


@st.cache_data(max_entries=256, show_spinner=False)
def _pairs(text: str, base: str, step: int) -> PairCounts:
    return _learn(text, base).pair_counts(step, _PAIRS_SHOWN)


def _draw(learning: MergeHistory, step: int, guessing: bool) -> None:
    """Draw the text as it is cut after so many merges, and which pair is next."""
    tokenizer = learning.after(step)
    tokens = tokenize(tokenizer, learning.text)
    size = f"{learning.sizes[step]:,} symbols"
    done = f"after {step:,} {'merge' if step == 1 else 'merges'}"
    note = f"{done}: {number_of_tokens(len(tokens))} · {size} · {tokens.tokens_per_word:.2f} a word"
    pairs = _pairs(learning.text, tokenizer.base, step)
    left, right = st.columns([1.35, 1], gap="medium")
    with left:
        if step:
            st.markdown(_last(learning, step))
        row = TokenRow(ROW, note, tokenizer, tokens)
        token_rows([row], learning.text, key="learned_rows", hint="Point at a token for its id.")
    with right:
        if _may_tell(learning, pairs, step, guessing):
            _next(learning, pairs, step)
    unseen_text(learning, step)


def _last(learning: MergeHistory, step: int) -> str:
    left, right = learning.tokenizer.merges[step - 1]
    return (
        f"Merge {step:,}: {_read(learning, left)} + {_read(learning, right)}, found"
        f" {learning.counts[step - 1]:,} times."
    )


def _may_tell(learning: MergeHistory, pairs: PairCounts, step: int, guessing: bool) -> bool:
    """Ask which pair is next, once, or before each merge where the class wants it."""
    if len(pairs.most_frequent) < 2 or step == len(learning):
        return True
    options = sorted(
        f"{_read(learning, a)} + {_read(learning, b)}"
        for (a, b), _ in pairs.most_frequent[:_OPTIONS]
    )
    question, about = "Which pair is merged next?", f"{step}_{_fingerprint(learning)}"
    if guessing:
        return predict_then_reveal(f"merge_{about}", question, options).revealed
    if st.session_state.get(_GUESSED, about) != about:
        return True  # what was guessed was about another step or text
    prediction = predict_then_reveal("first_merge", question, options)
    if prediction.revealed:
        st.session_state[_GUESSED] = about
    return prediction.revealed


def _fingerprint(learning: MergeHistory) -> int:
    written = f"{learning.tokenizer.base} {learning.text}"
    return zlib.crc32(written.encode("utf-8", "surrogatepass"))


def _next(learning: MergeHistory, pairs: PairCounts, step: int) -> None:
    """Draw the pairs by their counts, the one that is merged next marked."""
    rows = [
        (_plain(learning, a), _plain(learning, b), a, b, count)
        for (a, b), count in pairs.most_frequent
    ]
    frame = charts.pair_frame(rows)
    finding = _finding(learning, pairs, step)
    st.markdown(finding)
    show_chart(
        charts.pair_chart(frame, most=max(learning.counts[0], 2), rows=_PAIRS_SHOWN),
        frame,
        key="pair_counts",
        alt=finding.replace("*", "").replace("`", ""),
        name=f"pairs-{step}",
    )


def _finding(learning: MergeHistory, pairs: PairCounts, step: int) -> str:
    if not pairs.most_frequent:
        return "**Every word is one token.** No neighbours are left."
    (pair, count), n_tied = pairs.most_frequent[0], pairs.n_tied
    written = f"{_read(learning, pair[0])} + {_read(learning, pair[1])}"
    if step == len(learning):
        return f"**The end.** The most frequent pair, {written}, stands there only once."
    if n_tied == 1:
        return (
            f"**Next: {written}**, {count:,} times, more than any other of"
            f" {pairs.n_different:,} pairs."
        )
    return (
        f"**Next: {written}.** {n_tied:,} pairs tie at {count:,}; rule: the smaller ids win, the left"
        f" one first, and here they are {pair[0]} and {pair[1]}. Older symbols have smaller ids."
    )


def _read(learning: MergeHistory, token_id: int) -> str:
    return as_code(token_text(learning.tokenizer, token_id))


def _plain(learning: MergeHistory, token_id: int) -> str:
    return charts.visible(token_text(learning.tokenizer, token_id))[:16]
