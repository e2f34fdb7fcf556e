"""What the model of the page computes of a sentence, once for each sentence and change."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import streamlit as st
import torch

from lm_core.analysis import attention_trace
from lm_core.analysis.attention_trace import Intervention, TransformerTrace, trace_attention
from lm_core.analysis.head_ablation import AblationCosts, ablate_heads
from lm_core.analysis.head_patterns import HeadPattern, find_head_patterns
from pages.shared.components.attention import pack_heads
from pages.shared.models.read_sentences import sentence_of, transformer
from pages.shared.turns import model_calls

SINK = ("shown", "hidden", "renormalised")
_HASHED: dict[str | type[Any], Callable[[Any], Any]] = {Intervention: repr}


class Heads(NamedTuple):
    """All heads at once; arrays of shape (layers, H), means over the queries."""

    shades: str  # packed, as the small pictures show them
    entropy: np.ndarray  # bits
    peak: np.ndarray  # the largest weight of a row
    first: np.ndarray  # weight on the first token, over the queries behind it
    slope: np.ndarray  # of the softmax


@st.cache_resource(max_entries=12, show_spinner=False, hash_funcs=_HASHED)
def traced(
    name: str, weights_sha256: str, text: str, intervention: Intervention
) -> TransformerTrace:
    """Return all that the model computes of tokens."""
    with model_calls:
        return trace_attention(
            transformer(name, weights_sha256), sentence_of(name, text).ids, intervention
        )


@st.cache_resource(max_entries=64, show_spinner=False, hash_funcs=_HASHED)
def heads_of(
    name: str, weights_sha256: str, text: str, intervention: Intervention, sink: str
) -> Heads:
    """Return what each head computes, with what is changed."""
    weights = traced(name, weights_sha256, text, intervention).weights
    return Heads(
        pack_heads(without(weights, sink).numpy()),
        attention_trace.entropies(weights).mean(-1).numpy(),
        attention_trace.peaks(weights)[0].mean(-1).numpy(),
        weights[..., 1:, 0].mean(-1).numpy(),
        attention_trace.softmax_slopes(weights).mean(-1).numpy(),
    )


@st.cache_resource(
    max_entries=64, show_spinner="Ablating one head after the other", hash_funcs=_HASHED
)
def costs_of_ablation(
    name: str, weights_sha256: str, text: str, intervention: Intervention
) -> AblationCosts:
    """Return by how much the loss rises without each head."""
    with model_calls:
        return ablate_heads(
            transformer(name, weights_sha256), sentence_of(name, text).ids, intervention
        )


@st.cache_resource(max_entries=64, show_spinner=False)
def patterns_in(name: str, weights_sha256: str, text: str) -> list[HeadPattern]:
    """Return how much each head follows each pattern."""
    weights = traced(name, weights_sha256, text, Intervention()).weights
    return find_head_patterns([(weights, sentence_of(name, text).symbols)])


def without(weights: torch.Tensor, sink: str) -> torch.Tensor:
    """Return the tokens without the sink, where it is taken away."""
    if sink == SINK[0]:
        return weights
    return attention_trace.without_sink(weights, renormalised=sink == SINK[2])
