"""Which model translates which sentence, which of its heads is looked at, and the alignment of that."""

import hashlib
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from torch import Tensor

from lm_core.analysis.alignments import OTHER, content_swaps, word_class
from lm_core.errors import CheckpointError
from lm_core.generation import translated_words
from lm_core.generation.translation import Translation
from pages.shared import page
from pages.shared.models.translation import ATTENTION, TRANSFORMER, translated, translator

MODELS = {ATTENTION: "GRU", TRANSFORMER: "Transformer"}
MEAN = "mean"
_FIRST_LAYER = 2


@dataclass(frozen=True)
class Head:
    """What of the cross-attention is looked at, from 0; the mean of a layer's heads for None."""

    layer: int = 0
    head: int | None = 0

    def of(self, attention: Tensor) -> Tensor:
        """Return its weights (T, S) of all those of a translation, (layers, heads, T, S)."""
        layer = attention[self.layer]
        return layer.mean(0) if self.head is None else layer[self.head]


@dataclass(frozen=True)
class Alignment:
    """A translation and where its words look, in one head."""

    translation: Translation
    head: Head
    n_tokens: int | None = None  # so many of its tokens; by default all

    @cached_property
    def target(self) -> tuple[translated_words.Word, ...]:
        """Words of the translation, its end included."""
        return translated_words.words_of(self.translation.target_symbols[: self.n_tokens])

    @cached_property
    def source(self) -> tuple[translated_words.Word, ...]:
        """Words of the sentence, its end included."""
        return translated_words.words_of(self.translation.source_symbols)

    @cached_property
    def target_words(self) -> list[str]:
        """Their spelling."""
        return [word.text for word in self.target]

    @cached_property
    def source_words(self) -> list[str]:
        """Their spelling."""
        return [word.text for word in self.source]

    @cached_property
    def _weights(self) -> Tensor:
        attention = self.translation.attention
        if attention is None:
            raise CheckpointError("this model has no cross-attention, and this page shows it")
        return translated_words.word_attention(self.head.of(attention), self.target, self.source)

    @property
    def weights(self) -> np.ndarray:
        """Of words, (T, S)."""
        return self._weights.numpy()

    @cached_property
    def bits(self) -> list[float]:
        """Entropy of each word's row."""
        return translated_words.attention_entropies(self._weights).tolist()

    @cached_property
    def swaps(self) -> list[translated_words.Swap]:
        """Pairs of words that change their order."""
        return content_swaps(self._weights, self.target_words)

    def looked_at(self, row: int) -> int:
        """Return the word of the sentence at which a word of the translation looks most."""
        return int(self._weights[row].argmax())

    @cached_property
    def asked(self) -> int | None:
        """The word whose row is asked for: the first one that swaps, or else the last with a meaning."""
        if self.swaps:
            return self.swaps[0].target
        rows = [i for i, word in enumerate(self.target_words) if word_class(word) == OTHER]
        return rows[-1] if rows else None


@dataclass(frozen=True)
class Subject:
    """A sentence and the model that translates it."""

    model: str  # name of the checkpoint
    sentence: str

    @property
    def title(self) -> str:
        """The model's, for people."""
        return MODELS[self.model]

    @property
    def name(self) -> str:
        """Unique to the model and the sentence."""
        return hashlib.sha256(f"{self.model} {self.sentence}".encode()).hexdigest()[:8]

    @property
    def shape(self) -> tuple[int, int]:
        """Layers and heads of the cross-attention."""
        return translator(self.model).cross_attention_shape

    @property
    def has_heads(self) -> bool:
        """Whether there are several to choose from."""
        return self.shape > (1, 1)

    @cached_property
    def translation(self) -> Translation:
        """The most probable word after each one; made once for all visitors."""
        return translated(self.model, self.sentence)


def choose_model() -> str:
    """Draw the choice of the model, and return its checkpoint's name."""
    return page.choice("translator", "Model", MODELS, width=210 if page.is_presenting() else 145)


def choose_head(subject: Subject) -> Head:
    """Draw which layer and head are looked at."""
    layers, heads = subject.shape
    layer = page.segments(
        "cross_layer",
        "Layer",
        range(1, layers + 1),
        min(_FIRST_LAYER, layers),
        persist_state="page",
    )
    head = page.choice(
        "cross_head",
        "Head",
        [MEAN, *map(str, range(1, heads + 1))],
        persist_state="page",
        help="Each layer of the decoder looks at the sentence with several heads; *mean* averages them.",
    )
    return Head(int(layer) - 1, None if head == MEAN else int(head) - 1)
