"""The model of this page, and what it computes of a sentence: once for each sentence and change."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import streamlit as st
import torch

from lm_core.analysis.attention_trace import Intervention, TransformerTrace, parts_of_mix
from lm_core.analysis.head_ablation import AblationCosts
from lm_core.analysis.head_patterns import HeadPattern, pattern_targets
from lm_core.experiments.attention.head_scores import HeadResults, HeadScores
from lm_core.generation.batch_generation import generate_batch
from lm_core.generation.prompts import default_prompt
from lm_core.generation.sampling import SamplingSettings
from lm_core.models.attention import AttentionTrace
from lm_core.rng import generator
from lm_core.training.checkpoints import CheckpointMeta
from lm_core.training.model_vocabulary import vocabulary_of
from pages.attention import computed_heads
from pages.attention.computed_heads import Heads
from pages.shared.models.read_sentences import Sentence, sentence_of, transformer, transformers
from pages.shared.turns import model_calls

STAGES = {
    "scores": "scores",
    "scaled": "scaled_scores",
    "masked": "masked_scores",
    "weights": "weights",
}
_GENERATED = 256  # tokens


@dataclass(frozen=True)
class Choice:
    """All settings of the pictures, heads and layers from 0; what they lead to is looked up once a run."""

    sentence: Sentence
    layer: int
    head: int
    intervention: Intervention
    sink: str

    @property
    def is_causal(self) -> bool:
        """Whether the mask is on."""
        asked = self.intervention.is_causal
        return self.sentence.config.causal if asked is None else asked

    @cached_property
    def trace(self) -> TransformerTrace:
        """Every stage of every head, as the model is changed."""
        return trace_of(self.sentence, self.intervention)

    @cached_property
    def trace_before(self) -> TransformerTrace:
        """Every stage of every head, as the model was trained."""
        return self.trace if self.intervention == Intervention() else trace_of(self.sentence)

    @cached_property
    def heads(self) -> "Heads":
        """All heads, as the pictures show them."""
        return computed_heads.heads_of(*self.sentence.key, self.intervention, self.sink)

    @cached_property
    def stages(self) -> AttentionTrace:
        """The stages of the chosen head alone."""
        attention = self.trace.layers[self.layer].attention
        return AttentionTrace(*(tensor[self.head] for tensor in attention))

    @cached_property
    def weights(self) -> torch.Tensor:
        """The chosen head's weights as the pictures show them, (T, T): with the sink or without."""
        return computed_heads.without(self.stages.weights, self.sink)

    @cached_property
    def parts(self) -> torch.Tensor:
        """How much each key adds to a query's output, (T, T), as the pictures show it."""
        return computed_heads.without(parts_of_mix(self.stages), self.sink)


# A sentence -----------------------------------------------------------------------------------


def trace_of(sentence: Sentence, intervention: Intervention | None = None) -> TransformerTrace:
    """Return every stage of every head, shared by all visitors: read it, never change it."""
    return computed_heads.traced(*sentence.key, intervention or Intervention())


def mean_loss(trace: TransformerTrace) -> float:
    """Return the mean loss of a sentence, in nats per token."""
    return float(trace.losses.mean())


def heads_before(sentence: Sentence) -> Heads:
    """Return all heads of the model as it was trained."""
    return computed_heads.heads_of(*sentence.key, Intervention(), computed_heads.SINK[0])


def map_of(choice: Choice, stage: str) -> np.ndarray:
    """Return the chosen head's map at a stage, (T, T): minus infinity where masked.

    The weights are those of the pictures, with the sink or without.
    """
    values = getattr(choice.stages, STAGES[stage])
    if stage == "weights":
        is_masked = torch.isneginf(choice.stages.masked_scores)
        values = choice.weights.masked_fill(is_masked, -torch.inf)
    return values.numpy()


def ablation_costs(choice: Choice) -> AblationCosts:
    """Return what each head and layer contributes to the sentence, as the model is now."""
    return computed_heads.costs_of_ablation(*choice.sentence.key, choice.intervention)


def patterns_of(sentence: Sentence) -> list[HeadPattern]:
    """Return the patterns of the heads on the sentence, the clearest first."""
    return computed_heads.patterns_in(*sentence.key)


def relation_of(sentence: Sentence, query: int, key: int) -> str:
    """Return the pattern that makes a key a target of the query, of several the rarest; or nothing."""
    found = _targets(*sentence.key)
    n_targets = {name: int(t.sum()) for name, t in found.items() if t[query, key]}
    return min(n_targets, key=n_targets.__getitem__, default="")


@st.cache_resource(max_entries=1, show_spinner=False)
def _scores_on_the_book() -> dict[str, HeadScores]:
    return HeadResults.load().models


def scores_on_the_book(meta: CheckpointMeta) -> HeadScores | None:
    """Return what the heads of a model were scored on the book; None if these weights were not.

    Raises ResultError if the results are missing or damaged.
    """
    found = _scores_on_the_book().get(meta.name)
    return found if found and found.weights_sha256 == meta.weights_sha256 else None


def generated_by(sentence: Sentence) -> Sentence:
    """Return a text that the model itself generated, always the same one."""
    return Sentence(sentence.meta, _generated(*sentence.key[:2]))


@st.cache_resource(max_entries=64, show_spinner=False)
def _targets(name: str, weights_sha256: str, text: str) -> dict[str, torch.Tensor]:
    return pattern_targets(sentence_of(name, text).symbols)


@st.cache_data(max_entries=8, show_spinner="The model generates a text")
def _generated(name: str, weights_sha256: str) -> str:
    model, vocabulary = transformer(name, weights_sha256), vocabulary_of(transformers()[name])
    prompt = vocabulary.encode(default_prompt(vocabulary))
    longest = min(_GENERATED, model.config.context)
    settings = SamplingSettings(temperature=0.7)
    with model_calls:
        ids = generate_batch(model, prompt, settings, 1, longest - len(prompt), generator(1))
    text = vocabulary.decode([*prompt, *ids[0].tolist()])
    # The model may spell a word in other tokens than the tokenizer, and fewer.
    return vocabulary.decode(vocabulary.encode(text)[:longest])
