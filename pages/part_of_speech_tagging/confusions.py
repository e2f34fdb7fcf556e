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

_PAIRS = {
    "noun and verb": ("NOUN", "VERB"),
    "noun and adjective": ("NOUN", "ADJ"),
    "adposition and particle": ("ADP", "PRT"),
    "adposition and adverb": ("ADP", "ADV"),
}
_CELL = "cell"


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


def between(counts: np.ndarray, pair: tuple[str, str]) -> int:
    """Return how often two tags were taken for each other, either way."""
    i, j = (TAGS.index(tag) for tag in pair)
    return int(counts[i, j] + counts[j, i])


def _ask(screen: page.FirstScreen, mistakes: Mistakes) -> page.Asked:
    found = {said: between(mistakes.counts, pair) for said, pair in _PAIRS.items()}
    most, *others = sorted(found, key=found.__getitem__, reverse=True)
    return page.ask(
        screen,
        "confused_tags",
        "Which two tags are most often taken for each other?",
        _PAIRS,
        right=most,
        reason=f"**{most.capitalize()}** {found[most]:,} times; "
        + ", ".join(f"{said} {found[said]:,}" for said in others)
        + ".",
    )


def _matrix(chosen: Chosen, mistakes: Mistakes, asked: page.Asked) -> tuple[int, int]:
    """Draw the matrix; return the cell that is looked at, at first the largest confusion."""
    counts = mistakes.counts
    off = np.where(np.eye(len(TAGS), dtype=bool), 0, counts)
    cell = _clicked() or divmod(int(off.argmax()), len(TAGS))
    guess = None
    if not asked.masks and asked.guess is not None:
        first, second = (TAGS.index(tag) for tag in _PAIRS[asked.guess])
        guess = (first, second)
    table = confusion_table(
        counts,
        TAGS,
        results().mistakes[COUNTING].counts,
        {(c.tag, c.predicted): c.words for c in mistakes.confusions},
        is_masked=asked.masks,
        chosen=cell if not asked.masks else None,
        guess=guess,
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


def _clicked() -> tuple[int, int] | None:
    """Return the cell that was clicked last, as numbers of its two tags; None without one."""
    event = st.session_state.get("confusion_matrix") or {}
    points = event.get("selection", {}).get(_CELL, [])
    if not points:
        return None
    tags = points[0].get("tag"), points[0].get("predicted")
    if not set(tags) <= set(TAGS) or tags[0] == tags[1]:
        return None
    return TAGS.index(tags[0]), TAGS.index(tags[1])


def _examples(screen: page.FirstScreen, mistakes: Mistakes, cell: tuple[int, int]) -> None:
    """Name the words of a cell, each with how often it was confused so."""
    tag, predicted = (TAGS[i] for i in cell)
    words = next((c.words for c in mistakes.confusions if (c.tag, c.predicted) == cell), ())
    named = ", ".join(f"{as_code(word)} {n}" for word, n in words) or "none"
    with screen.beside:
        st.markdown(
            f"**{tag} taken for {predicted}**, {int(mistakes.counts[cell]):,} times: {named}."
            + ("" if page.is_presenting() else " Click a cell for its words.")
        )
