"""Which tags are taken for which: the confusion matrix of a tagger, and words of each confusion."""

import numpy as np
import streamlit as st

from lm_core.experiments.part_of_speech_tagging.results import COUNTING, Mistakes
from lm_core.text.tagged_sentences import TAGS
from pages.part_of_speech_tagging.taggers import Chosen, choose_tagger, provenance_line, results
from pages.shared import page
from pages.shared.charts.tagging import confusion_matrix, confusion_table
from pages.shared.numbers import percent
from pages.shared.ui.markdown import as_code

_CELL = "cell"
_SIDES = {"Tag in the corpus": TAGS, "Predicted tag": TAGS}
_SAME_WORDS = ({"NOUN", "ADJ"}, {"NOUN", "VERB"}, {"ADP", "PRT"})
_NAMED = 3
"""Confusions that the answer names beside the most frequent one."""


def confusions(screen: page.FirstScreen) -> None:
    """Draw the confusion matrix, what was confused once it was guessed."""
    with screen.controls:
        chosen = choose_tagger("confused_context_words", 2, has_counting=True)
    mistakes = results().mistakes[chosen.name]
    asked = _ask(screen, mistakes)
    with screen.picture:
        cell = _matrix(chosen, mistakes, asked)
    if not asked.masks:
        _examples(screen, mistakes, cell)
    page.note_beside(
        screen,
        "A row is the tag that the corpus gives, a column the tagger's. The stronger the colour, the"
        " larger the share of its row, so a perfect tagger would colour the diagonal alone. On the right"
        " is how often a tag is right, by the tagger and by counting alone.",
    )
    if not page.is_presenting():
        st.markdown(
            "The *universal tag set*: noun, verb, adjective, adverb, pronoun, determiner,"
            " adposition (*in*, *that* before a clause), conjunction, numeral, particle (*up* in"
            " *give up*, *to* before a verb), X for foreign words, and punctuation. Part of what"
            " counts as a mistake is a matter of rules: the corpus itself tags *that* as an adposition, a determiner,"
            " a pronoun or an adverb, so people would probably differ, too."
        )
    provenance_line(chosen)


def _ask(screen: page.FirstScreen, mistakes: Mistakes) -> page.Asked[page.Cell]:
    wrong = _off_diagonal(mistakes.counts)
    places = np.argsort(-wrong, axis=None, kind="stable")[: _NAMED + 1]
    most, *others = (divmod(int(place), len(TAGS)) for place in places)
    is_same = {TAGS[i] for i in most} in _SAME_WORDS
    because = ", because in English the same word often serves as both" if is_same else ""
    return page.ask_cell(
        screen,
        "confused_tags",
        "Which mistake does the tagger make most often? Tap its cell.",
        _SIDES,
        _clicked(),
        right=most,
        reason=f"**{_said(most)}** is the most frequent, {wrong[most]:,} times{because}. Then come {', '.join(f'{_said(cell)} {wrong[cell]:,}' for cell in others)}.",
    )


def _off_diagonal(counts: np.ndarray) -> np.ndarray:
    return np.where(np.eye(len(TAGS), dtype=bool), 0, counts)


def _said(cell: page.Cell) -> str:
    tag, predicted = (TAGS[i] for i in cell)
    return f"{tag} taken for {predicted}"


def _matrix(chosen: Chosen, mistakes: Mistakes, asked: page.Asked[page.Cell]) -> page.Cell:
    """Draw the matrix; return the cell that is looked at, at first the largest confusion."""
    counts = mistakes.counts
    off = _off_diagonal(counts)
    cell = _clicked() or divmod(int(off.argmax()), len(TAGS))
    table = confusion_table(
        counts,
        TAGS,
        results().mistakes[COUNTING].counts,
        {(c.tag, c.predicted): c.words for c in mistakes.confusions},
        is_masked=asked.masks,
        chosen=asked.chosen if asked.masks else cell,
        guess=asked.value,
    )
    n_wrong, n_counting = int(off.sum()), _n_wrong(results().mistakes[COUNTING].counts)
    title = (
        f"{chosen.title}: {n_wrong:,} of {int(counts.sum()):,} words wrong"
        f" ({percent(n_wrong / counts.sum(), 1)}); by counting alone {n_counting:,}"
    )
    st.markdown(f"**{title}**")
    page.show_chart(
        confusion_matrix(table), key="confusion_matrix", alt=title, selectable=True, is_small=True
    )
    return cell


def _n_wrong(counts: np.ndarray) -> int:
    return int(counts.sum() - np.trace(counts))


def _clicked() -> page.Cell | None:
    """Return the cell that was clicked last, as numbers of its two tags; None without one."""
    event = st.session_state.get("confusion_matrix") or {}
    points = event.get("selection", {}).get(_CELL, [])
    if not points:
        return None
    tags = points[0].get("tag"), points[0].get("predicted")
    if not set(tags) <= set(TAGS) or tags[0] == tags[1]:
        return None
    return TAGS.index(tags[0]), TAGS.index(tags[1])


def _examples(screen: page.FirstScreen, mistakes: Mistakes, cell: page.Cell) -> None:
    """Name the words of a cell, each with how often it was confused so."""
    words = next((c.words for c in mistakes.confusions if (c.tag, c.predicted) == cell), ())
    named = ", ".join(f"{as_code(word)} {n}" for word, n in words) or "none"
    with screen.beside:
        st.markdown(
            f"**{_said(cell)}**, {int(mistakes.counts[cell]):,} times: {named}."
            + ("" if page.is_presenting() else " Click a cell for its words.")
        )
