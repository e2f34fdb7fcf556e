"""What a text begins with: the model, its training step, the prompt and the seed."""

from typing import NamedTuple

import numpy as np
import streamlit as st

from lm_core.generation.prompts import default_prompt
from lm_core.models.language_model import LanguageModel
from lm_core.text.character_vocabulary import CharacterVocabulary
from lm_core.text.what_was_read import WhatWasRead, sentence_as_read
from lm_core.training.checkpoints import CheckpointMeta
from lm_core.training.model_vocabulary import vocabulary_of
from pages.shared import page
from pages.shared.models.book_models import finished_models, model_of, snapshots_of
from pages.shared.ui.controls import choose_titled
from pages.shared.ui.markdown import as_code
from pages.shared.ui.text_input import PROMPT_CHARACTERS

FIRST_PROMPT = "The prince answered nothing, but"

Identity = tuple[str, str, tuple[int, ...], int]


class Opening(NamedTuple):
    """Where a text begins."""

    meta: CheckpointMeta
    ids: tuple[int, ...]
    seed: int

    @property
    def model(self) -> LanguageModel:
        """The model that writes, shared by all visitors."""
        return model_of(self.meta.name, self.meta.weights_sha256)

    @property
    def vocabulary(self) -> CharacterVocabulary:
        """The characters that the model reads and writes."""
        return vocabulary_of(self.meta)

    @property
    def identity(self) -> Identity:
        """Two openings with the same identity lead to the same text."""
        return self.meta.name, self.meta.weights_sha256, self.ids, self.seed


def choose_model() -> str:
    """Draw the choice of a model, and return its name; CheckpointError if there is none."""
    return choose_titled("model", "Model", finished_models(), width=270)


def choose_prompt() -> str:
    """Draw the field for the prompt, and return what it says."""
    return page.text("prompt", "Prompt", FIRST_PROMPT)


def choose_snapshot(name: str) -> CheckpointMeta:
    """Draw the choice among the saved steps of a model's training, and return the chosen one's provenance."""
    by_steps = {meta.steps: meta for meta in snapshots_of(name)}
    if len(by_steps) == 1:
        st.caption("This model was saved once, at the end of its training.")
        return next(iter(by_steps.values()))
    named = {steps: f"{steps:,}" for steps in by_steps}
    return by_steps[page.pick("snapshot", "Snapshot at step", named, [*named][-1])]


def choose_seed() -> int:
    """Draw the field for the seed, and return it."""
    tip = "Start of all chance: same seed, same text."
    return page.number("seed", "Seed", 0, 2**31 - 1, 1, help=tip)


def opening_of(meta: CheckpointMeta, prompt: str, seed: int) -> Opening:
    """Return where a text begins; what cannot be read of the prompt is said here.

    Raises CheckpointError if the model cannot be read.
    """
    ids = _read_prompt(prompt, vocabulary_of(meta))
    model_of(meta.name, meta.weights_sha256)  # all below needs it: if it is damaged, once is enough
    return Opening(meta, ids, seed)


def _read_prompt(prompt: str, vocabulary: CharacterVocabulary) -> tuple[int, ...]:
    """Return the ids of the prompt as the model reads it, and say what became of it."""

    def read(typed: str) -> tuple[np.ndarray, WhatWasRead]:
        page.checked_text(typed, most=PROMPT_CHARACTERS, name="The prompt")
        ids = vocabulary.prepare(typed).ids
        # A vocabulary of a visitor's text has <unk>, too.
        known = ids[vocabulary.known(ids)]
        return known, sentence_as_read(typed, vocabulary.decode(known), vocabulary)

    known, was_read = page.read_or_keep("prompt", prompt, read, FIRST_PROMPT)
    page.show_what_was_changed(was_read, "prompt")
    if len(known):
        return tuple(known.tolist())
    instead = default_prompt(vocabulary)
    st.info(f"The prompt is empty, so the model reads {as_code(instead)} and begins from there.")
    return tuple(vocabulary.encode(instead).tolist())
