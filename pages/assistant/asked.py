"""The models that are asked, and what they reply: each prompt once for all visitors."""

from typing import NamedTuple

import streamlit as st

from lm_core.experiments.assistant.study import Reply, ask, prompt_ids, trials_of
from lm_core.experiments.assistant.tuning import TUNED, WRITER
from lm_core.generation.sampling import SamplingSettings
from lm_core.generation.text_generation import TextGeneration
from lm_core.text.character_vocabulary import CharacterVocabulary
from lm_core.training.checkpoints import CheckpointMeta, list_checkpoints
from lm_core.training.model_vocabulary import vocabulary_of
from pages.shared.charts.lines import LineStyle
from pages.shared.charts.palette import BLUE, GREEN, GREY, ORANGE, PURPLE
from pages.shared.models.book_models import BEST_WRITER
from pages.shared.models.language_models import model_named
from pages.shared.models.pretrained import PRETRAINED, pretrained_provenance
from pages.shared.turns import model_calls

LSTM = "full-lstm"
SHORT_NAMES = {
    WRITER: "untuned",
    TUNED: "tuned",
    BEST_WRITER: "33 books",
    LSTM: "LSTM",
    PRETRAINED: "your model",
}
"""What each model is called in sentences and in pictures."""
STYLES = {
    WRITER: LineStyle(ORANGE),
    TUNED: LineStyle(PURPLE, 1),
    BEST_WRITER: LineStyle(GREY, 1),
    LSTM: LineStyle(BLUE, 2),
    PRETRAINED: LineStyle(GREEN),
}
_TITLES = {
    WRITER: "Untuned: has read the book",
    TUNED: "The same model, tuned to answer",
    BEST_WRITER: "Untuned: has read 33 books",
    LSTM: "LSTM over characters, untuned",
}


@st.cache_resource(max_entries=1, show_spinner=False)
def _shipped_metas() -> dict[str, CheckpointMeta]:
    return {meta.name: meta for meta in list_checkpoints() if meta.name in _TITLES}


def metas() -> dict[str, CheckpointMeta]:
    """Return the provenance of each model that may be asked, by name, in the order of their choice."""
    found = _shipped_metas()
    in_order = {name: found[name] for name in _TITLES if name in found}
    pretrained = pretrained_provenance()
    return in_order | ({PRETRAINED: pretrained} if pretrained else {})


def title_of(meta: CheckpointMeta) -> str:
    """Return how the choice of a model names it."""
    return _TITLES.get(meta.name, meta.title)


class Model(NamedTuple):
    """A model's name and weights: what its replies are kept by."""

    name: str
    weights_sha256: str

    @classmethod
    def of(cls, meta: CheckpointMeta) -> "Model":
        """Return the model of a provenance."""
        return cls(meta.name, meta.weights_sha256)

    @property
    def meta(self) -> CheckpointMeta:
        """Its provenance."""
        return metas()[self.name]

    @property
    def vocabulary(self) -> CharacterVocabulary:
        """Its tokens."""
        return vocabulary_of(self.meta)


@st.cache_data(max_entries=128, show_spinner=False)
def reply_to(model: Model, task: str, style: str, shots: int, question: int) -> Reply:
    """Return what a model makes of one of the questions that were measured, counted from 0."""
    trial = trials_of(task, "right", question + 1)[question]
    loaded, vocabulary = model_named(*model).model, model.vocabulary
    with model_calls:
        return ask(loaded, vocabulary, task, trial.shown(shots), trial, style)


@st.cache_resource(max_entries=64, show_spinner="The model answers")
def continuation(model: Model, prompt: str, n: int) -> TextGeneration:
    """Return a prompt with its most probable continuation, n tokens long: read it, never change it."""
    loaded, ids = model_named(*model).model, prompt_ids(model.vocabulary, prompt)
    with model_calls:
        text = TextGeneration.begin(loaded, ids, SamplingSettings(temperature=0.0), 1)
    for _ in range(n):
        with model_calls:
            text.write(1)
    return text
