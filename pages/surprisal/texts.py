"""Which text is scored, and by which models."""

from collections.abc import Sequence
from functools import partial

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from lm_core.analysis.surprisal import readable_text, shuffled_words
from lm_core.errors import CorpusError, ResultError, TextError
from lm_core.experiments.surprisal.results import SurprisalResults
from lm_core.generation.sampling import SamplingSettings
from lm_core.generation.text_generation import write_text
from lm_core.text.catalogue import WAR_AND_PEACE
from lm_core.text.character_vocabulary import CharacterVocabulary
from lm_core.text.corpora import locate
from lm_core.text.library import held_out_of
from lm_core.text.training_text import load_body
from lm_core.text.what_was_read import what_a_model_reads
from pages.shared import page
from pages.shared.models.book_models import model_of
from pages.shared.turns import model_calls, page_turns
from pages.shared.ui.text_input import checked_text, read_or_keep
from pages.shared.ui.what_was_read import show_what_was_read
from pages.surprisal.readers import Reader

MOST_CHARACTERS = 20_000

OURS, SHUFFLED, GENERATED, BOOK, NOVEL, OWN = (
    "A princess and a telephone",
    "The same words, shuffled",
    "Written by the model",
    "War and Peace, unseen part",
    "Moby Dick",
    "Your own",
)
_BOOK_TO_OTHERS = "War and Peace, its end"
"""What the unseen part is to a model that has learned from another text."""
TEXT = (
    "The prince looked at the countess and said nothing. She took off her gloves, sat down by the"
    ' window, and began to weep. "What is the matter with you, my dear?" he asked. At that moment'
    ' her telephone rang, and the princess downloaded the new version of the game. "I have won!"'
    " she cried, and ran out of the room to find her brother."
)
_NOVEL = "gutenberg/moby_dick"
_EXCERPT = 1_200
_WRITTEN = 700
_SEED = 1


def choose_text(reader: Reader, rival: Reader | None, notes: DeltaGenerator) -> str:
    """Draw the choice of the text, and return what all the models can read of it.

    What could be scored last stands in for a text that cannot be.

    `notes`: DeltaGenerator, where it is said why: in the row of controls it would leave the text no room.
    """
    has_read_book = all(r.meta.corpus == WAR_AND_PEACE.name for r in (reader, rival) if r)
    name = page.control(
        st.selectbox,
        "text",
        "Text",
        _kinds(),
        format_func=lambda kind: kind if kind != BOOK or has_read_book else _BOOK_TO_OTHERS,
        width=230,
    )
    own = ""
    if name == OWN:
        own = page.control(
            st.text_area,
            "own_text",
            "Your own text",
            TEXT,
            max_chars=MOST_CHARACTERS,
            height=120,
            in_link=False,
            help=f"Up to {MOST_CHARACTERS:,} characters. Press Ctrl+Enter to score it.",
        )
    vocabularies = [r.vocabulary for r in (reader, rival) if r]
    read = partial(_readable, vocabularies)
    with notes:
        if name == OWN:
            text, was_read = read_or_keep(
                "own_text",
                own,
                lambda raw: (read(raw), what_a_model_reads(raw, *vocabularies)),
                TEXT,
            )
            show_what_was_read(was_read, "own_text")
            return text
        try:
            return read(_given(name, reader))
        except (CorpusError, ResultError) as error:
            page.show_error(error, icon=":material/text_fields:")
            return read(TEXT)


def _readable(vocabularies: Sequence[CharacterVocabulary], raw: str) -> str:
    """Return what all models read of a text; TextError if that is nothing, or the text too long."""
    text = readable_text(checked_text(raw, most=MOST_CHARACTERS), *vocabularies).strip()
    if not text:
        raise TextError(
            f"the model reads none of these {len(raw):,} characters: type some English words"
        )
    return text


def _kinds() -> list[str]:
    kinds = [OURS, SHUFFLED, GENERATED]
    kinds += [BOOK] if locate(WAR_AND_PEACE.name) else []
    kinds += [NOVEL] if locate(_NOVEL) else []
    return [*kinds, OWN]


def _given(name: str, reader: Reader) -> str:
    if name == OURS:
        return TEXT
    if name == SHUFFLED:
        return shuffled_words(TEXT, _SEED)
    if name == GENERATED:
        return results().written.get(reader.meta.name) or _written_by(reader)
    return _excerpt(name)


def _written_by(reader: Reader) -> str:
    """Return what a model writes that is not shipped."""
    with page_turns.lent():
        return _write(reader.meta.name, reader.meta.weights_sha256, reader)


@st.cache_data(max_entries=8, show_spinner="The model writes")
def _write(name: str, weights_sha256: str, _reader: Reader) -> str:
    return write_text(
        model_of(name, weights_sha256),
        _reader.vocabulary,
        SamplingSettings(),
        _SEED,
        n_characters=_WRITTEN,
        model_turn=lambda: model_calls,
    )


@st.cache_data(max_entries=2, show_spinner=False)
def _excerpt(name: str) -> str:
    """Return some paragraphs of a novel on this server, from the part that no model has read."""
    novel = load_body() if name == BOOK else held_out_of(_NOVEL)
    begin = int(0.93 * len(novel)) if name == BOOK else 0
    begin = novel.index("\n\n", begin) + 2 if "\n\n" in novel[begin:] else begin
    return novel[begin : begin + _EXCERPT]


results = partial(page.shipped, SurprisalResults)
"""Returns the shipped scores of texts of all kinds, shared by all visitors."""
