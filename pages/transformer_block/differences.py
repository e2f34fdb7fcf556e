"""Where a trained model computes something else than the readable GPT, and in which column."""

from typing import NamedTuple

import streamlit as st

from lm_core.analysis import residual_stream as stream
from lm_core.models.transformer_config import TransformerLanguageModelConfig


class Difference(NamedTuple):
    """One setting that is another than the readable code's."""

    setting: str
    """Of the model's config."""
    in_gpt: object
    """What it is in the readable code."""
    said: str
    """What the model does instead, and why, in a sentence."""
    columns: tuple[str, ...]
    """Names of the stages where it is seen."""


_POSITIONS = {
    "rotary": "No vector of the position is added to the token. Instead each head turns its queries and keys"
    " by an angle that grows with their place (*rotary* positions), so their product depends on how far"
    " apart two tokens are.",
    "none": "It has no vector of the position: the order of the words reaches it through the causal mask"
    " alone, because each token reads what stands before it.",
    "alibi": "No vector of the position is added to the token. Instead each head lowers a score by how far"
    " apart two tokens are (ALiBi), so near tokens count more.",
    "t5": "No vector of the position is added to the token. Instead each head adds a learned number for the"
    " distance of two tokens to their score (T5's), so the training decides what a distance is worth.",
    "sinusoidal": "The vectors of the positions are sines and cosines of fixed frequencies, where `gpt.py`"
    " learns them. So they need no training, and there is one for every position.",
    "binary": "The vectors of the positions are the digits of their numbers, where `gpt.py` learns them. So"
    " they need no training.",
}
_ADDED = ("sinusoidal", "binary")


def differences(config: TransformerLanguageModelConfig) -> tuple[Difference, ...]:
    """Return where a model with a norm before each sublayer differs from the readable code, in its order.

    With each of these settings as it is in the readable code, the model computes the same.
    """
    in_positions = (
        (stream.POSITIONS.name,) if config.position in _ADDED else ("embedded", stream.HEADS)
    )
    linear = (stream.HEADS, stream.ATTENTION, stream.WIDENED, stream.NARROWED)
    known = (
        Difference("position", "learned", _POSITIONS.get(config.position, ""), in_positions),
        Difference(
            "query_key_norm",
            False,
            "Queries and keys are brought to one length before they are compared. That bounds the scores,"
            " so no head can put all its weight on one token only because its vectors have grown long.",
            (stream.HEADS,),
        ),
        Difference(
            "bias",
            True,
            "The linear layers of its blocks are a matrix alone, where `gpt.py` also adds a learned bias. So it"
            " has fewer numbers.",
            linear,
        ),
        Difference(
            "feed_forward",
            4,
            f"Its feed-forward networks widen a vector {config.feed_forward} times, where `gpt.py` widens it"
            " 4 times, so it has another number of units.",
            (stream.WIDENED, stream.ACTIVATED),
        ),
        Difference(
            "activation",
            "gelu_tanh",
            "GELU is computed exactly, where `gpt.py` has GPT-2's approximation of it by a hyperbolic"
            " tangent. The two are less than 0.001 apart, so it hardly matters.",
            (stream.ACTIVATED,),
        ),
        Difference(
            "tied_output",
            True,
            "The logits come from a matrix of their own, where `gpt.py` uses the matrix of the embedding once"
            " more, so that a token is read and written by the same vector.",
            (stream.LOGITS.name,),
        ),
    )
    return tuple(one for one in known if getattr(config, one.setting) != one.in_gpt)


def show_differences(config: TransformerLanguageModelConfig) -> None:
    """Say where a model differs from the readable code."""
    found = differences(config)
    same = (
        "Each column names the line of `gpt.py` that makes it, so that both can be read together. The norms stand where they stand there: before"
        " attention and before the feed-forward network."
    )
    if not found:
        st.markdown(
            f"{same} This model computes what `gpt.py` computes, number for number, because both have the"
            " architecture of GPT-2. Its weights load there under the same names."
        )
        return
    points = "one point" if len(found) == 1 else f"{len(found)} points"
    listed = "\n".join(f"- {one.said}" for one in found)
    st.markdown(f"{same} This model differs from `gpt.py` in {points}:\n\n{listed}")


def difference_at(config: TransformerLanguageModelConfig, column: str) -> str:
    """Return what is different in one column; nothing where the line of the readable code holds as it is."""
    said = [one.said for one in differences(config) if column in one.columns]
    return f"In this model: {' '.join(said)}" if said else ""
