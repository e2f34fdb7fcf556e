"""Equal words at different positions, and their outputs after the words are shuffled."""

import pandas as pd
import streamlit as st
import torch
from torch import Tensor

from lm_core.errors import TextError
from lm_core.experiments.positional_encoding.equal_words import (
    WIDTH,
    WordComparison,
    attend_to_words,
    compare_equal_words,
    split_into_words,
    word_ids,
)
from lm_core.rng import generator
from pages.shared import charts
from pages.shared.turns import fragment, model_calls
from pages.shared.ui.controls import control
from pages.shared.ui.figures import show_chart
from pages.shared.ui.lesson import predict_then_reveal
from pages.shared.ui.messages import show_error
from pages.shared.ui.text_input import checked_text

TITLES = {
    "none": "none",
    "learned": "learned",
    "sinusoidal": "sinusoidal",
    "binary": "binary",
    "rotary": "rotary",
    "t5": "T5 buckets",
    "alibi": "ALiBi",
}
"""Positional encodings for people, by the names that a transformer's config has for them."""

_SENTENCE = "Can a canner can a can?"
_LONGEST = 200
_LARGEST_COLOUR = 2.0


@fragment
def equal_words() -> None:
    """Ask whether attention distinguishes equal words, then let the class try every encoding."""
    st.markdown(
        f"*{_SENTENCE}* contains one word three times, so the same vector three times. One attention"
        " head reads all words. Its output for each word is a weighted mean of all value vectors."
    )
    prediction = predict_then_reveal(
        "equal_words",
        "Attention has no positional encoding and no mask. Which outputs do the three *can* get?",
        ("Three different outputs", "The same output three times", "Two alike, one different"),
    )
    if not prediction.revealed:
        return
    left, right = st.columns([1, 2.8], gap="medium")
    with left:
        words = _words()
        encoding = control(
            st.selectbox,
            "encoding",
            "Positional encoding",
            list(TITLES),
            format_func=TITLES.__getitem__,
        )
        is_causal = control(st.toggle, "causal", "Causal mask")
        shuffle_seed = control(st.number_input, "shuffle_seed", "Seed of the shuffle", 1, 999, 1)
        seed = control(st.number_input, "seed", "Seed of words and head", 0, 9_999, 1)
    if not words:
        return
    tokens = word_ids(words)
    order = torch.randperm(len(words), generator=generator(int(shuffle_seed)))
    with right:
        _picture(words, tokens, order, encoding, int(seed), is_causal=is_causal)
    st.markdown(
        "Head and word vectors are random here, not trained. So are the learned encodings and T5's"
        " biases. Training does not change which words can be distinguished."
    )
    if control(st.toggle, "compare", "Compare all encodings, with and without the mask"):
        _all_encodings(words, tokens, order, int(seed))


def finding_of(comparison: WordComparison, words: tuple[str, ...], tokens: Tensor) -> str:
    """Return which repeated words are distinguished, as a sentence.

    Parameters
    ----------
    comparison : WordComparison
        Of these words.
    words : sequence of T str
    tokens : int64 Tensor of shape (T,)
        Their ids.
    """
    names = dict(zip(tokens.tolist(), words, strict=True))

    def listed(ids: tuple[int, ...]) -> str:
        return ", ".join(f"{names[i]} ({words.count(names[i])} times)" for i in ids)

    if not comparison.distinguished and not comparison.identical:
        return "No word occurs twice in this sentence"
    parts = []
    if comparison.identical:
        parts.append(f"Not distinguished: {listed(comparison.identical)}")
    if comparison.distinguished:
        parts.append(f"Distinguished: {listed(comparison.distinguished)}")
    return ". ".join(parts)


def _words() -> tuple[str, ...]:
    """Return the words of what was typed; none, after a message, if it is no sentence."""
    typed = control(st.text_input, "sentence", "Sentence", _SENTENCE)
    try:
        return split_into_words(checked_text(typed, most=_LONGEST, name="the sentence"))
    except TextError as error:
        show_error(error)
        return ()


def _picture(
    words: tuple[str, ...],
    tokens: Tensor,
    order: Tensor,
    encoding: str,
    seed: int,
    *,
    is_causal: bool,
) -> None:
    with model_calls:
        comparison = compare_equal_words(tokens, order, encoding, seed, is_causal=is_causal)
        outputs = [
            attend_to_words(ids, encoding, seed, is_causal=is_causal).output
            for ids in (tokens, tokens[order])
        ]
    shuffled = tuple(words[position] for position in order.tolist())
    st.markdown(f"**{finding_of(comparison, words, tokens)}**")
    sides = st.columns(2, gap="small")
    for column, name, text, rows in zip(
        sides, ("typed", "shuffled"), (words, shuffled), outputs, strict=True
    ):
        with column:
            _output_map(name, text, rows)
    st.markdown(
        f"Each row is the output for one word, {WIDTH} numbers. Repeated words are outlined. The right"
        " side has the same words in another order. There a word's output changes by at most"
        f" **{comparison.change:.3f}**: "
        + (
            "each output moves with its word, and the order has no effect."
            if comparison.change < 1e-5
            else "the order has an effect."
        )
    )


def _output_map(name: str, words: tuple[str, ...], rows: Tensor) -> None:
    repeated = [i for i, word in enumerate(words) if words.count(word) > 1]
    frame = charts.code_frame(rows.numpy(), charts.numbered(words), repeated)
    st.caption(f"{name}: {' '.join(words)}")
    show_chart(
        charts.code_map(frame, reach=_LARGEST_COLOUR, title="", height=150 + 25 * len(words)),
        frame,
        key=f"outputs_{name}",
        alt=f"The outputs for the {len(words)} words, {name}: {' '.join(words)}.",
        name=f"outputs-{name}",
    )


def _all_encodings(words: tuple[str, ...], tokens: Tensor, order: Tensor, seed: int) -> None:
    rows = []
    for encoding, title in TITLES.items():
        for is_causal in (False, True):
            with model_calls:
                found = compare_equal_words(tokens, order, encoding, seed, is_causal=is_causal)
            rows.append(
                {
                    "encoding": title,
                    "mask": "causal" if is_causal else "none",
                    "equal words": finding_of(found, words, tokens),
                    "change by shuffling": round(found.change, 4),
                }
            )
    st.dataframe(pd.DataFrame(rows), hide_index=True, height="content")
    st.markdown(
        "Note *none* with the causal mask. The mask alone gives each position another set of words, and"
        " this reveals the order."
    )
