"""What becomes of outputs when words are shuffled."""

from collections.abc import Sequence

import streamlit as st
from torch import Tensor

from lm_core.experiments.positional_encoding.equal_words import WordComparison
from pages.positional_encoding.code_chart import code_frame, code_map
from pages.shared.charts.palette import numbered
from pages.shared.ui.figures import show_chart

_LARGEST_COLOUR = 2.0


def repeated(words: tuple[str, ...]) -> list[int]:
    """Return the places of words that occur more than once."""
    return [i for i, word in enumerate(words) if words.count(word) > 1]


def word_map(
    name: str,
    title: str,
    words: tuple[str, ...],
    rows: Tensor,
    *,
    hidden: Sequence[int] = (),
    reach: float = _LARGEST_COLOUR,
) -> None:
    """Draw how alike the vectors of all words are."""
    frame = code_frame(rows.numpy(), numbered(words), repeated(words))
    st.caption(title)
    show_chart(
        code_map(frame, reach=reach, title="", hidden=hidden, height=150 + 25 * len(words)),
        frame[~frame["position"].isin(list(hidden))],
        key=name,
        alt=f"{title} of the {len(words)} words: {' '.join(words)}."
        f" Repeated words are outlined; hidden: {len(hidden)}.",
        name=name.replace("_", "-"),
        is_small=True,
    )


def draw_order(
    comparison: WordComparison,
    words: tuple[str, ...],
    shuffled: tuple[str, ...],
    outputs: list[Tensor],
) -> None:
    """Draw the outputs once more for the same words in another order."""
    st.header("The same words in another order", anchor=False)
    left, right = st.columns([1.6, 1], gap="medium")
    with left:
        word_map("outputs_shuffled", " ".join(shuffled), shuffled, outputs[1])
    right.markdown(
        f"*{' '.join(words)}* becomes *{' '.join(shuffled)}*. There a word's output changes by at most"
        f" **{comparison.change:.3f}**: "
        + (
            "each output moves with its word, so the order has no effect."
            if comparison.change < 1e-5
            else "the order has an effect."
        )
    )
    right.markdown(
        "Head and word vectors are random here, not trained. So are the learned encodings and T5's"
        " biases. Training does not change which words can be distinguished."
    )
