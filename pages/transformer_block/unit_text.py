"""What the feed-forward units are read over: a text, its model, and a pattern painted on it."""

import hashlib
from functools import cached_property, partial

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from lm_core.analysis.feed_forward_units import units_per_layer
from lm_core.analysis.surprisal import readable_text
from lm_core.errors import TextError
from lm_core.experiments.inside_a_writer.results import UnitResults
from lm_core.text.what_was_read import WhatWasRead, what_a_model_reads
from lm_core.training.checkpoints import CheckpointMeta
from lm_core.training.model_vocabulary import vocabulary_of
from pages.shared import page
from pages.shared.models.pretrained import PRETRAINED
from pages.shared.models.read_sentences import MODEL, Sentence, snapshots, titles
from pages.shared.ui.text_input import checked_text
from pages.shared.ui.what_was_read import read_and_say
from pages.shared.units.search import UnitsRead
from pages.shared.units.text import OWN, QUESTIONS, TEXTS, quotations_of, word_ends
from pages.transformer_block.unit_runs import units_over

MOST_CHARACTERS = 1_000
LONG = "A long text"
_LONG_CHARACTERS, _LONG_CHARACTERS_PRETRAINED = 3_000, 1_000
"""Of what the LSTM of the book wrote itself: long enough for units to be more than chance. A pretrained model has
nine times as many units, which are all kept."""
_MOST_TOKENS = 300
"""A longer text is not painted on."""
_DRAWN_TOKENS = 72
"""Of a long text so many are drawn; all of them are scored."""
_PROMPT_TOKENS = 64


class UnitText:
    """A text as a model reads it, on which words can be painted."""

    def __init__(self, sentence: Sentence) -> None:
        self.sentence = sentence

    @property
    def text(self) -> str:
        """As the model reads it."""
        return self.sentence.text

    @cached_property
    def name(self) -> str:
        """Unique to the model and the text."""
        return hashlib.sha256(" ".join(self.sentence.key).encode()).hexdigest()[:8]

    @cached_property
    def word_ends(self) -> list[int]:
        """After how many characters each word has been read, with the space before it."""
        return word_ends(self.text)

    @cached_property
    def quotations(self) -> list[tuple[int, int]]:
        """Where the text's quotations begin and end."""
        return quotations_of(self.text)

    @cached_property
    def token_ends(self) -> np.ndarray:
        """After how many characters each token has been read, (T,)."""
        return np.cumsum([len(symbol) for symbol in self.sentence.symbols])

    @property
    def units(self) -> UnitsRead:
        """All units at each token; read once for all visitors."""
        return units_over(self.sentence)

    @property
    def is_long(self) -> bool:
        """Whether it is too long to be drawn whole, and to be painted on."""
        return len(self.sentence.symbols) > _MOST_TOKENS

    @property
    def n_drawn(self) -> int:
        """Tokens of it that are drawn."""
        return _DRAWN_TOKENS if self.is_long else len(self.sentence.symbols)

    @property
    def prompt(self) -> str:
        """Its end, which the model continues."""
        return "".join(self.sentence.symbols[-_PROMPT_TOKENS:])

    @property
    def per_layer(self) -> int:
        """Units of each feed-forward network."""
        return units_per_layer(self.sentence.config)

    def of_tokens(self, of_characters: np.ndarray) -> np.ndarray:
        """Return a pattern of the tokens, (T,), from one of the characters: as it is at each token's end."""
        return of_characters[self.token_ends - 1]


@st.cache_data(max_entries=2, show_spinner=False)
def _written(most: int) -> str:
    """Return the beginning of what the LSTM of the book wrote, up to the end of a sentence."""
    return UnitResults.load().written[:most].rpartition(". ")[0] + "."


def choose_text(row: DeltaGenerator, more: DeltaGenerator, typed: DeltaGenerator) -> UnitText:
    """Draw the choice of the text and, behind *More*, of the model; return what the model reads.

    A visitor's own text is typed where `typed` is.
    """
    with row:
        chosen = page.choice("unit_text", "Text", [LONG, *TEXTS, OWN], width=140)
    with more:
        name = page.choice("model", "Model", titles(), MODEL)
    meta = [*snapshots(name).values()][-1]
    if chosen == LONG:
        most = _LONG_CHARACTERS_PRETRAINED if name == PRETRAINED else _LONG_CHARACTERS
        return _read(meta, _written(most), most)
    if chosen != OWN:
        return _read(meta, TEXTS[chosen])
    with typed:
        own = page.control(
            st.text_area,
            "own_unit_text",
            "Your own text",
            QUESTIONS,
            max_chars=MOST_CHARACTERS,
            height=100,
            in_link=False,
            help=f"Up to {MOST_CHARACTERS:,} characters. Press Ctrl+Enter to have it read.",
        )
        return read_and_say("own_unit_text", str(own), partial(_read_own, meta), QUESTIONS)


def _read_own(meta: CheckpointMeta, raw: str) -> tuple[UnitText, WhatWasRead]:
    return _read(meta, raw), what_a_model_reads(raw, vocabulary_of(meta))


def _read(meta: CheckpointMeta, raw: str, most: int = MOST_CHARACTERS) -> UnitText:
    """Return a text as a model reads it.

    Raises TextError if that are less than four tokens, or the text is too long.
    """
    text = readable_text(checked_text(raw, most=most), vocabulary_of(meta)).strip()
    read = UnitText(Sentence(meta, text))
    if len(read.sentence.symbols) < 4:
        raise TextError(
            f"the model reads {len(read.sentence.symbols)} tokens of these {len(raw):,} characters: type"
            " some English words"
        )
    return read
