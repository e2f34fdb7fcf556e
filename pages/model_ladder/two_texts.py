"""Which two models are compared, and on which passage."""

import streamlit as st

from lm_core.analysis.surprisal import readable_text
from lm_core.errors import CorpusError, TextError
from lm_core.text.catalogue import WAR_AND_PEACE
from lm_core.text.character_vocabulary import SOURCE
from lm_core.text.corpora import locate
from lm_core.text.training_text import load_book
from lm_core.text.what_was_read import what_a_model_reads
from lm_core.training.checkpoints import CheckpointMeta
from pages.model_ladder.differences import BOOK, EXAMPLE, MOST_CHARACTERS, OWN
from pages.model_ladder.ladder_models import choose_two, trained_models
from pages.shared import page

_FIRST, _SECOND = "book-transformer", "book-ngram"
_EXCERPT, _PASSAGES = 600, 100


def choose_texts() -> tuple[CheckpointMeta, CheckpointMeta, str]:
    """Draw the choice of two models and a text, and return them; the example where there is no other."""
    models = trained_models()
    titles = {name: meta.title for name, meta in models.items()}
    first, second = choose_two(titles, ("differing_model", "differing_rival"), _FIRST, _SECOND)
    with st.popover("Text", icon=":material/article:"):
        return models[first], models[second], _choose_text()


def _choose_text() -> str:
    has_book = bool(locate(WAR_AND_PEACE.name))
    options = [BOOK, OWN] if has_book else [OWN]
    kind = page.segments("text", "Text", options, options[0])
    if kind == BOOK:
        place = page.slider("passage", "Passage", 1, _PASSAGES, 40)
        try:
            return _passage(int(place))
        except CorpusError as error:
            page.show_error(error, st.warning)
            return EXAMPLE
    if not has_book:
        st.info("The book is not on this server: type a text, or read the example.")
    typed = page.control(
        st.text_area,
        "own_text",
        "Your own text",
        EXAMPLE,
        max_chars=MOST_CHARACTERS,
        height=160,
        in_link=False,
        help=f"Up to {MOST_CHARACTERS:,} characters.",
    )
    page.say_limits({"own_text": MOST_CHARACTERS})
    text, was_read = page.read_or_keep(
        "own_text",
        str(typed),
        lambda raw: (_readable(raw), what_a_model_reads(raw, SOURCE)),
        EXAMPLE,
    )
    page.show_what_was_read(was_read, "own_text")
    return text


def _readable(typed: str) -> str:
    """Return what the models read of a text; TextError if that is nothing, or the text too long."""
    text = readable_text(page.checked_text(typed, most=MOST_CHARACTERS), SOURCE).strip()
    if not text:
        raise TextError(f"the models read none of these {len(typed):,} characters")
    return text


def _passage(place: int) -> str:
    """Return a passage of the part of the book that no model has learned from, from a sentence on."""
    text = _held_out()
    st.caption(
        f"The models read {len(SOURCE)} characters. Quotation marks, apostrophes, dashes and"
        " letters with accents are not among them, so they are left out: *Sónya* is written"
        " *Snya*."
    )
    begin = int((place - 1) / _PASSAGES * (len(text) - 2 * _EXCERPT))
    begin = text.index(". ", begin) + 2
    return text[begin : begin + _EXCERPT].rpartition(" ")[0]


@st.cache_resource(max_entries=1, show_spinner="Opening the book")
def _held_out() -> str:
    book = load_book(SOURCE)
    return SOURCE.decode(book.ids[book.split : book.licence_start])
