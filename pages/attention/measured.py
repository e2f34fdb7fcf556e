"""What the model does with a sentence, computed once for each sentence and each change."""

from typing import NamedTuple

import numpy as np
import streamlit as st
import torch

from lm_core.analysis.attention_trace import (
    Intervention,
    TransformerTrace,
    entropies,
    peaks,
    softmax_slopes,
    trace_attention,
    without_sink,
)
from lm_core.analysis.head_ablation import AblationCosts, ablate_heads
from lm_core.analysis.head_patterns import HeadPattern, find_head_patterns
from lm_core.generation.batch_generation import write_streams
from lm_core.generation.prompts import default_prompt
from lm_core.generation.sampling import SamplingSettings
from lm_core.models.attention import AttentionTrace
from lm_core.rng import generator
from lm_core.training.checkpoints import CheckpointMeta
from lm_core.training.model_vocabulary import vocabulary_of
from pages.attention.choices import SENTENCES, SINK, Choice, Sentence
from pages.attention.library import model_of, provenance_of
from pages.shared.components.packing import pack_heads
from pages.shared.server import model_calls

STAGES = {
    "scores": "scores",
    "scaled": "scaled_scores",
    "masked": "masked_scores",
    "weights": "weights",
}
_HASHED = {Intervention: repr}
_WRITTEN = 256  # characters


class Heads(NamedTuple):
    """All heads at once; arrays of shape (layers, H), means over the queries."""

    shades: str  # packed, as the small pictures show them
    entropy: np.ndarray  # bits
    peak: np.ndarray  # the largest weight of a row
    first: np.ndarray  # weight on the first token, over the queries behind it
    slope: np.ndarray  # of the softmax


def reading(sentence: Sentence, intervention: Intervention | None = None) -> TransformerTrace:
    """Return every stage of every head, shared by all visitors: read it, never change it."""
    return _reading(*_identity(sentence), intervention or Intervention())


def heads_of(choice: Choice) -> Heads:
    """Return all heads of what is shown now."""
    return _heads(*_identity(choice.sentence), choice.intervention, choice.sink)


def heads_before(sentence: Sentence) -> Heads:
    """Return all heads of the model as it was trained."""
    return _heads(*_identity(sentence), Intervention(), SINK[0])


def stages_of(choice: Choice) -> AttentionTrace:
    """Return the stages of the chosen head alone."""
    attention = reading(choice.sentence, choice.intervention).layers[choice.layer].attention
    return AttentionTrace(*(tensor[choice.head] for tensor in attention))


def shown_weights(choice: Choice) -> torch.Tensor:
    """Return the chosen head's weights as the pictures show them, (T, T): with the sink or without."""
    return _without(stages_of(choice).weights, choice.sink)


def map_of(choice: Choice, stage: str) -> np.ndarray:
    """Return the chosen head's map at a stage, (T, T): minus infinity where the mask lies.

    The weights are those of the pictures, with the sink or without.
    """
    stages = stages_of(choice)
    values = getattr(stages, STAGES[stage])
    if stage == "weights":
        values = shown_weights(choice).masked_fill(torch.isneginf(stages.masked_scores), -torch.inf)
    return values.numpy()


def costs_of(choice: Choice) -> AblationCosts:
    """Return what each head and layer is worth to the sentence, as the model is now."""
    return _costs(*_identity(choice.sentence), choice.intervention)


def habits_here(sentence: Sentence) -> list[HeadPattern]:
    """Return what the heads do on the sentence, the most marked first."""
    return _habits(*_identity(sentence))


def first_head(meta: CheckpointMeta) -> tuple[int, int]:
    """Return the head that looks most at the character before, on the first of the sentences."""
    found = habits_here(Sentence(meta, SENTENCES[0]))
    return next((h.layer, h.head) for h in found if h.pattern == "previous character")


def written_by(sentence: Sentence) -> Sentence:
    """Return a text that the model itself wrote, always the same one."""
    text = _written(sentence.meta.name, sentence.meta.weights_sha256)
    return Sentence(sentence.meta, text)


def _identity(sentence: Sentence) -> tuple[str, str, str]:
    """Return what says which sentence is read by whom, short because it is looked up often."""
    return sentence.meta.name, sentence.meta.weights_sha256, sentence.text


def _ids(name: str, text: str) -> torch.Tensor:
    return torch.from_numpy(vocabulary_of(provenance_of(name)).encode(text))


@st.cache_resource(max_entries=12, show_spinner=False, hash_funcs=_HASHED)
def _reading(
    name: str, weights_sha256: str, text: str, intervention: Intervention
) -> TransformerTrace:
    with model_calls:
        return trace_attention(model_of(name, weights_sha256), _ids(name, text), intervention)


@st.cache_resource(max_entries=64, show_spinner=False, hash_funcs=_HASHED)
def _heads(
    name: str, weights_sha256: str, text: str, intervention: Intervention, sink: str
) -> Heads:
    weights = _reading(name, weights_sha256, text, intervention).weights
    return Heads(
        pack_heads(_without(weights, sink).numpy()),
        entropies(weights).mean(-1).numpy(),
        peaks(weights)[0].mean(-1).numpy(),
        weights[..., 1:, 0].mean(-1).numpy(),
        softmax_slopes(weights).mean(-1).numpy(),
    )


@st.cache_resource(
    max_entries=64, show_spinner="Knocking out one head after the other", hash_funcs=_HASHED
)
def _costs(name: str, weights_sha256: str, text: str, intervention: Intervention) -> AblationCosts:
    with model_calls:
        return ablate_heads(model_of(name, weights_sha256), _ids(name, text), intervention)


@st.cache_resource(max_entries=64, show_spinner=False)
def _habits(name: str, weights_sha256: str, text: str) -> list[HeadPattern]:
    weights = _reading(name, weights_sha256, text, Intervention()).weights
    symbols = vocabulary_of(provenance_of(name)).symbols
    in_words = torch.tensor([symbol.isalnum() for symbol in symbols])
    return find_head_patterns(weights, _ids(name, text), in_words)


@st.cache_data(max_entries=8, show_spinner="The model writes")
def _written(name: str, weights_sha256: str) -> str:
    model, vocabulary = model_of(name, weights_sha256), vocabulary_of(provenance_of(name))
    prompt = default_prompt(vocabulary)
    length = min(_WRITTEN, model.config.context) - len(prompt)
    settings = SamplingSettings(temperature=0.7)
    with model_calls:
        ids = write_streams(model, vocabulary.encode(prompt), settings, 1, length, generator(1))
    return prompt + vocabulary.decode(ids[0].tolist())


def _without(weights: torch.Tensor, sink: str) -> torch.Tensor:
    if sink == SINK[0]:
        return weights
    return without_sink(weights, renormalised=sink == SINK[2])
