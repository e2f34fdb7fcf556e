"""Equal words at different places, and what becomes of them when the words are shuffled."""

import pandas as pd
import streamlit as st
import torch
from torch import Tensor

from lm_core.errors import TextError
from lm_core.experiments.positional_encoding.equal_words import (
    WIDTH,
    Telling,
    as_tokens,
    look_at_words,
    read_words,
    tell,
)
from lm_core.rng import generator
from pages.positional_encoding.kinds import TITLES
from pages.shared import charts
from pages.shared.server import model_calls
from pages.shared.ui.controls import control
from pages.shared.ui.figures import show_chart
from pages.shared.ui.lesson import predict_then_reveal
from pages.shared.ui.limits import checked_text

_SENTENCE = "Can a canner can a can?"
_LONGEST = 200
_REACH = 2.0


@st.fragment
def equal_words() -> None:
    """Ask whether attention tells equal words apart, then let the class try every kind of position."""
    st.markdown(
        f"*{_SENTENCE}* Three times the same word, so three times the same vector. One head looks at"
        " all words, and each gets an output: the mix of the others that it asked for."
    )
    prediction = predict_then_reveal(
        "equal_words",
        "Attention without positions, no mask: what do the three *can* get?",
        ("Three different outputs", "The same output three times", "Two alike, one different"),
    )
    if not prediction.revealed:
        return
    left, right = st.columns([1, 2.8], gap="medium")
    with left:
        words = _words()
        position = control(
            st.selectbox, "position", "Positions", list(TITLES), format_func=TITLES.__getitem__
        )
        is_causal = control(st.toggle, "causal", "Causal mask")
        order_seed = control(st.number_input, "order", "Shuffle number", 1, 999, 1)
        seed = control(st.number_input, "seed", "Seed of words and head", 0, 9_999, 1)
    if not words:
        return
    tokens, order = as_tokens(words), _order(len(words), int(order_seed))
    with right:
        _picture(words, tokens, order, position, int(seed), is_causal=is_causal)
    st.markdown(
        "The head and its words are random, not trained, and so are the learned codes and T5's"
        " biases here: what can be told apart at all does not hang on training."
    )
    if control(st.toggle, "all", "Compare all kinds of positions, with and without the mask"):
        _all_kinds(words, tokens, order, int(seed))


def _words() -> tuple[str, ...]:
    """Return the words of what was typed; none, after a message, if it is no sentence."""
    typed = control(st.text_input, "sentence", "Sentence", _SENTENCE)
    try:
        return read_words(checked_text(typed, most=_LONGEST, name="the sentence"))
    except TextError as error:
        st.error(str(error))
        return ()


def _order(n_words: int, seed: int) -> Tensor:
    return torch.randperm(n_words, generator=generator(seed))


def _picture(
    words: tuple[str, ...],
    tokens: Tensor,
    order: Tensor,
    position: str,
    seed: int,
    *,
    is_causal: bool,
) -> None:
    with model_calls:
        telling = tell(tokens, order, position, seed, is_causal=is_causal)
        outputs = [
            look_at_words(ids, position, seed, is_causal=is_causal).output
            for ids in (tokens, tokens[order])
        ]
    shuffled = tuple(words[place] for place in order.tolist())
    st.markdown(f"**{verdict(telling, words, tokens)}**")
    sides = st.columns(2, gap="small")
    for column, name, text, rows in zip(
        sides, ("as typed", "shuffled"), (words, shuffled), outputs, strict=True
    ):
        with column:
            _one_map(name, text, rows)
    moved = telling.change < 1e-5
    st.markdown(
        f"Each row is a word's output, {WIDTH} numbers; words that stand more than once have a rim."
        f" On the right the same words in another order. A word's output changes there by at most"
        f" **{telling.change:.3f}**: "
        + (
            "the outputs have moved along with their words, and order means nothing."
            if moved
            else "the order of the words now means something."
        )
    )


def _one_map(name: str, words: tuple[str, ...], rows: Tensor) -> None:
    repeated = [i for i, word in enumerate(words) if words.count(word) > 1]
    frame = charts.code_frame(rows.numpy(), charts.numbered(words), repeated)
    st.caption(f"{name}: {' '.join(words)}")
    show_chart(
        charts.code_map(frame, reach=_REACH, title="", height=150 + 25 * len(words)),
        frame,
        key=f"words_{name.split()[-1]}",
        alt=f"The outputs of the {len(words)} words {name}: {' '.join(words)}.",
        name=f"outputs-{name.split()[-1]}",
    )


def verdict(telling: Telling, words: tuple[str, ...], tokens: Tensor) -> str:
    """Say of the words that stand more than once whether they are told apart.

    Parameters
    ----------
    telling : Telling
        Of these words.
    words : sequence of T str
    tokens : int64 Tensor of shape (T,)
        Their ids.
    """
    names = dict(zip(tokens.tolist(), words, strict=True))

    def listed(ids: tuple[int, ...]) -> str:
        return ", ".join(f"{names[i]} ({words.count(names[i])} times)" for i in ids)

    if not telling.apart and not telling.alike:
        return "No word stands twice in this sentence"
    parts = []
    if telling.alike:
        parts.append(f"Not told apart: {listed(telling.alike)}")
    if telling.apart:
        parts.append(f"Told apart: {listed(telling.apart)}")
    return ". ".join(parts)


def _all_kinds(words: tuple[str, ...], tokens: Tensor, order: Tensor, seed: int) -> None:
    rows = []
    for kind, title in TITLES.items():
        for is_causal in (False, True):
            with model_calls:
                telling = tell(tokens, order, kind, seed, is_causal=is_causal)
            rows.append(
                {
                    "positions": title,
                    "mask": "causal" if is_causal else "none",
                    "equal words": verdict(telling, words, tokens),
                    "change by shuffling": round(telling.change, 4),
                }
            )
    st.dataframe(pd.DataFrame(rows), hide_index=True, height="content")
    st.markdown(
        "Mind *none* with the causal mask: who may look at fewer words is already at another place."
    )
