"""Which text is read, and what all units do meanwhile."""

import hashlib
from functools import cached_property

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from lm_core.analysis.surprisal import context_before, readable_text
from lm_core.analysis.unit_activations import Activations, read_activations
from lm_core.errors import TextError
from lm_core.experiments.inside_a_writer.results import UnitResults
from lm_core.models.recurrent_language_model import LSTMLanguageModel
from lm_core.text.character_vocabulary import CharacterVocabulary
from lm_core.text.what_was_read import what_a_model_reads
from lm_core.training.checkpoints import CheckpointMeta
from lm_core.training.model_vocabulary import vocabulary_of
from pages.inside_a_writer.units import Unit, results
from pages.shared import page
from pages.shared.models.book_models import model_of, snapshots_of
from pages.shared.ui.text_input import checked_text, read_or_keep, reading_bar
from pages.shared.units.text import LETTER, OWN, QUESTIONS, TEXTS, quotations_of, word_ends

MOST_CHARACTERS = 2_000
_LONG = 1_000  # characters from which on a bar tells how far the model has read


class Subject:
    """A text and the model that reads it.

    `text`: str, as the model reads it.
    """

    def __init__(self, meta: CheckpointMeta, text: str, results: UnitResults) -> None:
        self.meta, self.text, self.results = meta, text, results

    @property
    def vocabulary(self) -> CharacterVocabulary:
        """The characters of the model."""
        return vocabulary_of(self.meta)

    @cached_property
    def name(self) -> str:
        """Unique to the model and the text."""
        named = f"{self.meta.weights_sha256} {self.text}"
        return hashlib.sha256(named.encode()).hexdigest()[:8]

    @cached_property
    def activations(self) -> Activations:
        """Of all units at each character; read once for all visitors."""
        return activations_of(self.meta.name, self.meta.weights_sha256, self.text)

    def of_unit(self, unit: Unit) -> np.ndarray:
        """Return the activation of a unit at each character."""
        return self.activations.of(unit.part)[:, unit.number]

    @cached_property
    def quotations(self) -> list[tuple[int, int]]:
        """Where the text's quotations begin and end."""
        return quotations_of(self.text)

    @cached_property
    def paragraphs(self) -> list[int]:
        """Where its paragraphs end."""
        return [i for i, character in enumerate(self.text) if character == "\n"]

    @cached_property
    def word_ends(self) -> list[int]:
        """After how many characters each word has been read, with the space before it."""
        return word_ends(self.text)


@st.cache_resource(max_entries=6, show_spinner=False)
def activations_of(name: str, weights_sha256: str, text: str) -> Activations:
    """Return all units' activations over a text, shared by all visitors."""
    meta = snapshots_of(name)[-1]
    model = model_of(name, weights_sha256)
    assert isinstance(model, LSTMLanguageModel)
    vocabulary = vocabulary_of(meta)
    ids, before = vocabulary.encode(text), context_before(vocabulary)
    with reading_bar(len(text), long=_LONG) as on_progress:
        return read_activations(
            model, ids, before, model_turn=lambda: page.model_calls, on_progress=on_progress
        )


def choose_text(meta: CheckpointMeta, typed: DeltaGenerator) -> Subject:
    """Draw the choice of the text, and return what the model reads of it.

    What could be read last stands in for a text that cannot be, beside the reason.

    Parameters
    ----------
    meta : CheckpointMeta, of the model that reads it
    typed : DeltaGenerator, where a visitor's own text is typed
    """
    name = page.choice("text", "Text", [*TEXTS, OWN], width=165, persist_state="page")
    if name != OWN:
        return Subject(meta, _read(meta, TEXTS[name]), results())
    with typed:
        own = page.control(
            st.text_area,
            "own_text",
            "Your own text",
            QUESTIONS,
            max_chars=MOST_CHARACTERS,
            height=100,
            in_link=False,
            persist_state="page",
            help=f"Up to {MOST_CHARACTERS:,} characters; an empty line ends a paragraph. Press"
            " Ctrl+Enter to have it read.",
        )
        text, was_read = read_or_keep(
            "own_text",
            str(own),
            lambda raw: (_read(meta, raw), what_a_model_reads(raw, vocabulary_of(meta))),
            LETTER,
        )
        page.show_what_was_read(was_read, "own_text", is_folded=False)
    return Subject(meta, text, results())


def _read(meta: CheckpointMeta, raw: str) -> str:
    """Return what a model reads of a text.

    Raises TextError if that is less than two characters, or the text is too long.
    """
    checked = checked_text(raw, most=MOST_CHARACTERS)
    text = readable_text(checked, vocabulary_of(meta)).strip()
    if len(text) < 2:
        raise TextError(
            f"the model reads {len(text)} of these {len(raw):,} characters: type some English words"
        )
    return text


def choose_place(name: str, subject: Subject, after: str) -> int:
    """Draw how far the text is read, and return after how many characters that is.

    Parameters
    ----------
    name : str, of the control
    after : str, words of our text after which it is read first; another text is read whole
    """
    text = subject.text
    first = text.index(after) + len(after) if text == TEXTS_READ[0] else len(text)
    return page.slider(name, "Characters of the text that are read", 1, len(text), first)


TEXTS_READ = tuple(text.replace("\n\n", "\n") for text in TEXTS.values())
"""The texts as the model reads them."""
