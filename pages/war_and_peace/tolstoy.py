"""Tolstoy or machine? Four passages that no model has read, and four that one has written."""

from collections.abc import Sequence
from string import ascii_uppercase

import streamlit as st

from lm_core.classroom.records import Question
from lm_core.experiments.text_quality import guessing
from lm_core.experiments.text_quality.measuring import passages_of
from lm_core.rng import generator
from lm_core.text.catalogue import WAR_AND_PEACE
from lm_core.text.character_vocabulary import FULL
from lm_core.text.corpora import locate
from lm_core.text.training_text import load_book
from lm_core.text.vocabularies import characters_of, vocabulary_named
from lm_core.training.checkpoints import CheckpointMeta
from lm_core.training.model_vocabulary import vocabulary_of
from pages.shared import page
from pages.shared.classroom.asking import ask_button, class_prediction, may_ask
from pages.shared.models.book_models import model_of
from pages.shared.numbers import percent
from pages.shared.ui.addresses import link_to
from pages.shared.ui.controls import begin_anew
from pages.shared.ui.markdown import escaped
from pages.war_and_peace.opening import Opening

VIEW = "Tolstoy or machine?"
_LETTERS = tuple(ascii_uppercase[: guessing.PASSAGES])
_BOOK, _MACHINE = "Tolstoy", "A machine"
_EACH, _PER_ROW = guessing.PASSAGES // 2, 4


def tolstoy_or_machine(opening: Opening, temperature: float) -> None:
    """Draw eight passages, let a visitor tap those of the book, and say how far they are from chance."""
    if locate(WAR_AND_PEACE.name) is None:
        st.info(
            "Four of the passages come from *War and Peace* itself, which is not on this server,"
            " so they are missing: `python -m lm_core data fetch war-and-peace` fetches it. *Is it"
            " good text?* works without it."
        )
        return
    with st.container(horizontal=True, vertical_alignment="bottom", key="tolstoy_controls"):
        n_round = page.number("tolstoy_round", "Round", 1, 999, 1, width=130)
        begin_anew("tolstoys", n_round, [])
        begin_anew("tolstoy_shown", n_round, False)
        chosen = page.several("tolstoys", "Tap the four that Tolstoy wrote", _LETTERS, width=380)
        is_shown = page.switch("tolstoy_shown", "Show who wrote them")
    passages = _passages(opening, temperature, n_round)
    _class_question(passages, opening, n_round)
    st.markdown(f"**{_finding(chosen, passages, is_shown=is_shown)}**")
    with st.container(key="tolstoy_passages"):
        for first in range(0, guessing.PASSAGES, _PER_ROW):
            row = zip(_LETTERS[first:], passages[first:], st.columns(_PER_ROW), strict=False)
            for letter, passage, column in row:
                with column.container(border=True, gap="xsmall"):
                    _card(letter, passage, is_tapped=letter in chosen, is_shown=is_shown)
    if not page.is_presenting():
        st.caption(
            f"{_EACH} passages are from the last tenth of the book, which none of our models has"
            f" learned from; {_EACH} were written by {escaped(opening.meta.title)} at the temperature"
            f" above, {temperature:g}, from the end of a sentence. Each has about {guessing.SHOWN}"
            " characters, in the characters that this model knows, so that no missing quotation"
            " mark gives it away."
        )


def _card(letter: str, passage: guessing.Passage, *, is_tapped: bool, is_shown: bool) -> None:
    head = f"**{letter}**" + (" :material/touch_app:" if is_tapped else "")
    answer = class_prediction(f"tolstoy_{letter}")
    if is_shown or (answer is not None and answer.counts is not None):
        sign = ":material/check:" if is_tapped == passage.is_book else ":material/close:"
        head += f" {sign if is_shown else ''} {_BOOK if passage.is_book else _MACHINE}"
    if answer is not None and answer.counts is not None:
        said = ", ".join(f"{counted} × {option}" for option, counted in answer.counts.items())
        head += f" · class: {said}"
    st.markdown(head)
    st.text(passage.text)


def _finding(chosen: Sequence[str], passages: Sequence[guessing.Passage], *, is_shown: bool) -> str:
    if not is_shown:
        return (
            f"{len(chosen)} of {_EACH} are tapped: which passages are Tolstoy's?"
            if chosen
            else "Four of these passages are Tolstoy's, four are a machine's"
        )
    by_letter = dict(zip(_LETTERS, passages, strict=True))
    n_right = sum(by_letter[letter].is_book for letter in chosen)
    if not chosen:
        return "Nothing was tapped: try another round first"
    expected = len(chosen) * _EACH / guessing.PASSAGES
    chance = percent(guessing.chance_of(n_right, len(chosen), _EACH, guessing.PASSAGES))
    return (
        f"{n_right} of your {len(chosen)} are Tolstoy's. Half of all passages are, so anyone who"
        f" guesses finds {expected:g} on average, and {n_right} or more in {chance} of all rounds"
    )


def _class_question(passages: Sequence[guessing.Passage], opening: Opening, n_round: int) -> None:
    """Let a presenter ask the class about one passage."""
    if not may_ask():
        return
    with st.container(horizontal=True, vertical_alignment="bottom", key="tolstoy_class"):
        letter = page.choice("tolstoy_asked", "Passage for the class", _LETTERS, width=180)
        passage = passages[_LETTERS.index(letter)]
        link = link_to(
            "war-and-peace",
            {"view": VIEW, "model": opening.meta.name, "tolstoy_round": str(n_round)},
        )
        right = _BOOK if passage.is_book else _MACHINE
        question = f"Passage {letter} on the screen: who wrote it?"
        ask_button(
            Question(
                "choice", question, (_BOOK, _MACHINE), right=right, name=f"tolstoy_{letter}", link=link
            )
        )  # fmt: skip


def _passages(opening: Opening, temperature: float, n_round: int) -> tuple[guessing.Passage, ...]:
    meta = opening.meta
    characters = characters_of(opening.vocabulary) or FULL  # a visitor's own has neither
    rng = generator(n_round)
    book = guessing.book_passages(_held_out(characters.name), _EACH, rng)
    machine = _machine_passages(meta.name, meta.weights_sha256, temperature, n_round, meta)
    return guessing.mixed(book, machine, rng)


@st.cache_data(max_entries=2, show_spinner="Reading the book")
def _held_out(characters: str) -> str:
    """Return the last tenth of the book, in the characters of a model."""
    with page.page_turns.lent():
        book = load_book(vocabulary_named(characters))
    return book.vocabulary.decode(book.validation.tolist())


@st.cache_data(max_entries=64, show_spinner="The machine writes")
def _machine_passages(
    name: str, weights_sha256: str, temperature: float, seed: int, _meta: CheckpointMeta
) -> list[str]:
    """Return what a model writes: once for all of a class, a token at a time."""
    return passages_of(
        model_of(name, weights_sha256),
        vocabulary_of(_meta),
        temperature,
        n_passages=_EACH,
        n_characters=guessing.SHOWN + 60,
        seed=seed,
        turn=page.model_calls,
    )
