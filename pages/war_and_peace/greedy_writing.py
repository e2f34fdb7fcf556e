"""The text that a model writes at temperature 0, continued while the page is read."""

from dataclasses import dataclass
from time import monotonic
from typing import NamedTuple

import numpy as np
import streamlit as st

from lm_core.errors import ShapeError
from lm_core.generation.repetition import Loop, find_loop, recurrence
from lm_core.generation.sampling import SamplingSettings
from lm_core.generation.text_generation import TextGeneration
from lm_core.models.language_model import LanguageModel
from lm_core.text.character_vocabulary import CharacterVocabulary
from pages.shared import page
from pages.shared.models.book_models import model_of
from pages.war_and_peace.opening import Opening
from pages.war_and_peace.pace import pace_of


class GreedyText(NamedTuple):
    """A text written at temperature 0, and the circle it ends in, if any."""

    tokens: tuple[str, ...]
    n_prompt: int
    loop: Loop | None
    # of the model's state from one round to the next; none of one that grows with the text
    distances: tuple[float, ...]


@dataclass
class GreedyWriting:
    """A text that is being written at temperature 0, once for all visitors."""

    model: LanguageModel
    ids: tuple[int, ...]  # the prompt
    length: int  # how many tokens it will have
    piece: int  # tokens in one call of the model
    generation: TextGeneration | None = None  # what is written; None until somebody waits for it

    @property
    def n_written(self) -> int:
        """How many tokens are written."""
        return 0 if self.generation is None else len(self.generation.written)

    @property
    def is_done(self) -> bool:
        """Whether all of it is written."""
        return self.n_written >= self.length

    def write(self, longest_s: float) -> None:
        """Write for so many seconds, or to the end; the first time, only read the prompt."""
        if self.generation is None:
            with page.model_calls:
                greedy = SamplingSettings(temperature=0.0)
                self.generation = TextGeneration.begin(self.model, self.ids, greedy, 0)
            return
        ends = monotonic() + longest_s
        while not self.is_done and monotonic() < ends:
            with page.model_calls:
                self.generation.write(min(self.piece, max(0, self.length - self.n_written)))


def greedy_writing(opening: Opening) -> GreedyWriting:
    """Return what the model is writing, or has written, at temperature 0."""
    meta, pace = opening.meta, pace_of(opening.meta)
    return _writing(meta.name, meta.weights_sha256, opening.ids, pace.greedy, pace.piece)


@st.cache_resource(max_entries=32, show_spinner=False)
def _writing(
    name: str, weights_sha256: str, ids: tuple[int, ...], length: int, piece: int
) -> GreedyWriting:
    return GreedyWriting(model_of(name, weights_sha256), ids, length, piece)


def greedy_text(opening: Opening) -> GreedyText:
    """Return what the model has written at temperature 0, and the circle in it."""
    writing, meta = greedy_writing(opening), opening.meta
    return _analysed(meta.name, meta.weights_sha256, opening.ids, writing, opening.vocabulary)


@st.cache_data(max_entries=32, show_spinner=False)
def _analysed(
    name: str,
    weights_sha256: str,
    ids: tuple[int, ...],
    _writing: GreedyWriting,
    _vocabulary: CharacterVocabulary,
) -> GreedyText:
    del name, weights_sha256  # the key
    text = np.array(_writing.generation.ids if _writing.generation else ids)
    with page.model_calls:
        loop = find_loop(text)
        try:
            distances = recurrence(_writing.model, text, loop).distances if loop else ()
        except ShapeError:
            distances = ()
    return GreedyText(tuple(_vocabulary.spell(text.tolist())), len(ids), loop, distances)
