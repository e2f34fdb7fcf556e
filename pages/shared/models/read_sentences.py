"""The transformers that write the book, and a sentence as one of them reads it."""

from dataclasses import dataclass
from functools import cached_property

import streamlit as st
import torch

from lm_core.errors import CheckpointError, TextError
from lm_core.models.registry import config_from_dict
from lm_core.models.transformer import TransformerLanguageModel, TransformerLanguageModelConfig
from lm_core.text.character_vocabulary import CharacterVocabulary
from lm_core.text.what_was_read import WhatWasRead, sentence_as_read
from lm_core.training.checkpoints import SHIPPED, CheckpointMeta, list_checkpoints
from lm_core.training.model_vocabulary import vocabulary_of
from pages.shared.models.language_models import model_named
from pages.shared.models.pretrained import pretrained_provenance
from pages.shared.ui.text_input import checked_text

MODEL = "book-subword-transformer"
MOST_CHARACTERS = 256  # of a sentence that is looked at token by token


@dataclass(frozen=True)
class Sentence:
    """What a model reads, and which model reads it; all else is found out once."""

    meta: CheckpointMeta
    text: str

    @cached_property
    def config(self) -> TransformerLanguageModelConfig:
        """The model's."""
        return config_from_dict(self.meta.config)

    @cached_property
    def vocabulary(self) -> CharacterVocabulary:
        """The model's."""
        return vocabulary_of(self.meta)

    @cached_property
    def ids(self) -> torch.Tensor:
        """The tokens, int64 (T,)."""
        return torch.from_numpy(self.vocabulary.encode(self.text))

    @cached_property
    def symbols(self) -> list[str]:
        """The text of each token."""
        return self.vocabulary.spell(self.vocabulary.encode(self.text))

    @property
    def key(self) -> tuple[str, str, str]:
        """What identifies sentence and model, short because it is looked up often."""
        return self.meta.name, self.meta.weights_sha256, self.text


@st.cache_resource(max_entries=1, show_spinner=False)
def _transformers() -> dict[str, CheckpointMeta]:
    """Return the provenance of every shipped transformer of the book and its snapshots, by name.

    Raises CheckpointError if the model does not come with this copy of the lab.
    """
    family = TransformerLanguageModelConfig.__name__
    found = {
        meta.name: meta
        for meta in list_checkpoints(SHIPPED)
        if meta.config["family"] == family and meta.experiment is None
    }
    if MODEL not in found:
        raise CheckpointError(
            f"this page shows the model {MODEL}, which is not in {SHIPPED.name}:"
            f" train it with: python -m lm_core train {MODEL}"
        )
    return found


def transformers() -> dict[str, CheckpointMeta]:
    """Return all transformers by name, a visitor's pretrained one among them."""
    pretrained = pretrained_provenance()
    return _transformers() | ({pretrained.name: pretrained} if pretrained else {})


def titles() -> dict[str, str]:
    """Return the titles of the models to choose from by name, `MODEL` first."""
    finished = [meta for meta in transformers().values() if meta.snapshot_of is None]
    return {m.name: m.title for m in sorted(finished, key=lambda meta: meta.name != MODEL)}


def snapshots(name: str = MODEL) -> dict[int, CheckpointMeta]:
    """Return the provenance of each snapshot of a model by its training steps, the last at the end."""
    found = [meta for meta in transformers().values() if name in (meta.name, meta.snapshot_of)]
    return {meta.steps: meta for meta in sorted(found, key=lambda meta: meta.steps)}


def transformer(name: str, weights_sha256: str) -> TransformerLanguageModel:
    """Return a model, shared by all visitors: read it, never change it."""
    return model_named(name, weights_sha256).model


def sentence_of(name: str, text: str) -> Sentence:
    """Return a sentence as the model of a name reads it."""
    return Sentence(transformers()[name], text)


def readable(meta: CheckpointMeta, typed: str, most: int | None = None) -> tuple[str, WhatWasRead]:
    """Return a sentence as a model reads it, and what of it was left out or changed.

    Raises TextError if it is too short or too long.

    `most`: int, tokens, at most; by default as many as the model reads at once.
    """
    vocabulary = vocabulary_of(meta)
    prepared = vocabulary.prepare(checked_text(typed, most=MOST_CHARACTERS, name="The sentence"))
    known = prepared.ids[vocabulary.known(prepared.ids)]
    if len(known) < 2:
        raise TextError(
            f"the model reads {len(known)} of these {vocabulary.unit}s: type at least 2 words"
        )
    longest, reader = config_from_dict(meta.config).context, "the model reads"
    if most is not None and most < longest:
        longest, reader = most, "this page shows"
    if len(known) > longest:
        raise TextError(
            f"the sentence has {len(known)} tokens, and {reader} at most {longest}: shorten it"
        )
    text = vocabulary.decode(known)
    return text, sentence_as_read(typed, text, vocabulary)
