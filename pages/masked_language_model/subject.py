"""The models of the page, the sentence that they read, and what each expects; computed once for all visitors."""

import re
from collections.abc import Mapping
from functools import partial

import streamlit as st

from lm_core.errors import TextError
from lm_core.experiments.masked_language_model.results import MaskedResults, SplitResults
from lm_core.experiments.masked_language_model.settings import CAUSAL, MAIN, VOCABULARY
from lm_core.models.language_model import LanguageModel
from lm_core.models.masked_language_model import MaskedLanguageModel
from lm_core.text.character_vocabulary import CharacterVocabulary
from lm_core.text.vocabularies import vocabulary_named
from lm_core.text.what_was_read import WhatWasRead, sentence_as_read
from lm_core.text.whole_words import SubwordText, read_subwords
from lm_core.training.checkpoints import CheckpointMeta
from pages.shared import page
from pages.shared.charts.palette import PURPLE, SKY
from pages.shared.models.language_models import model_named, provenance_of
from pages.shared.ui.first_screen import FirstScreen

LEFT, BOTH = "left alone", "both sides"
COLOURS = {LEFT: SKY, BOTH: PURPLE}
MOST_CHARACTERS, MOST_SUBWORDS = 300, 48
_GAP = re.compile(r"\[\s*mask\s*\]|<\s*mask\s*>|(?<!\w)_+(?!\w)", re.IGNORECASE)
"""A gap as people write it: as BERT's, as RoBERTa's, as a line."""


def vocabulary() -> CharacterVocabulary:
    """Return the subwords that all models of the page read."""
    return vocabulary_named(VOCABULARY)


def meta_of(name: str = MAIN) -> CheckpointMeta:
    """Return a model's provenance; raises CheckpointError if it is missing or damaged."""
    return provenance_of(name)


def masked_model(name: str = MAIN) -> MaskedLanguageModel:
    """Return a model that reads both sides, shared by all visitors: never change it."""
    model: MaskedLanguageModel = model_named(name).model
    return model


def causal_model() -> LanguageModel:
    """Return the model that reads the left side alone, shared by all visitors."""
    model: LanguageModel = model_named(CAUSAL).model
    return model


results = partial(page.shipped, MaskedResults)
"""Returns what was measured, shared by all visitors; raises ResultError if it cannot be read."""


split_results = partial(page.shipped, SplitResults)
"""Returns what was measured of the models with different splits, shared by all visitors."""


# The sentence ---------------------------------------------------------------------------------


def choose_sentence(screen: FirstScreen, name: str, examples: Mapping[str, object]) -> SubwordText:
    """Draw the field for the sentence, with examples to pick, and return what can be read of it.

    In the presenter view it is behind a button: the picture needs the height.

    Parameters
    ----------
    name : str, of the control
    examples : mapping of str to object, sentences; the first one is the default
    """
    first = next(iter(examples))
    place = screen.picture
    if page.is_presenting():
        place = screen.controls.popover("Sentence", icon=":material/edit:")
    with place, st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        typed = page.control(
            st.text_input,
            name,
            "Sentence",
            first,
            label_visibility="collapsed",
            placeholder=f"a sentence of at most {MOST_SUBWORDS} subwords",
            max_chars=MOST_CHARACTERS,
            width="stretch",
        )
        st.menu_button(
            "Examples", list(examples), key=f"{name}_examples", on_click=_take, args=(name,)
        )
    with place:
        page.say_limits({name: MOST_CHARACTERS})
    text, was_read = page.read_or_keep(name, typed, read_sentence, first)
    with screen.picture:
        page.show_what_was_changed(was_read, name)
    return text


def _take(name: str) -> None:
    st.session_state[name] = st.session_state[f"{name}_examples"]


def read_sentence(typed: str) -> tuple[SubwordText, WhatWasRead]:
    """Return a sentence as the model reads it, and what became of it.

    Raises TextError if it has a gap of its own, or cannot be read.
    """
    line = page.checked_text(typed, most=MOST_CHARACTERS, name="the sentence")
    if mark := _GAP.search(line):
        raise TextError(
            "there must be a word under each gap of the sentence, because its probability is shown, got"
            f" “{mark[0]}”: write a word in its place, and cover that one"
        )
    text = read_subwords(line, vocabulary(), MOST_SUBWORDS)
    if not any(character.isalnum() for character in sentence_of(text)) and any(
        map(str.isalpha, line)
    ):
        raise TextError(
            "the sentence must have English words, because the model has read no other script: write at least one"
        )
    return text, sentence_as_read(typed, sentence_of(text), vocabulary())


def sentence_of(text: SubwordText) -> str:
    """Return a text without the line break before it."""
    return "".join(text.spelled[1:])


def named_words(text: SubwordText) -> list[str]:
    """Return the words with their numbers, so that equal ones stay apart."""
    return [f"{i} {spelled}" for i, spelled in enumerate(text.spellings, 1)]


# What is expected -----------------------------------------------------------------------------


def ids_of(text: SubwordText) -> tuple[int, ...]:
    """Return a text's ids as a key of what is computed once."""
    return tuple(text.ids.tolist())
