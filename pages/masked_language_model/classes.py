"""How often a covered word is guessed, by its part of speech."""

import pandas as pd
import streamlit as st

from lm_core.experiments.masked_language_model.word_classes import EVERY, ClassScore
from pages.masked_language_model.grouped_columns_chart import column_table, grouped_columns
from pages.masked_language_model.subject import BOTH, COLOURS, LEFT, meta_of, results
from pages.shared import page
from pages.shared.numbers import percent

_ACCURACY, _BITS = "Guessed words", "Bits a word"
_NAMES = {
    EVERY: "all words",
    "NOUN": "nouns",
    "VERB": "verbs",
    "ADJ": "adjectives",
    "ADV": "adverbs",
    "PRON": "pronouns",
    "DET": "determiners",
    "ADP": "prepositions",
    "CONJ": "conjunctions",
    "NUM": "numbers",
    "PRT": "particles",
    ".": "punctuation",
}
_LEAST = 0.01  # share of all words below which a class's numbers say nothing


def by_class(screen: page.FirstScreen) -> None:
    """Draw the share of guessed words of every class, and ask which one is guessed most often."""
    with screen.controls:
        shown = page.segments("class_measure", "Show", (_ACCURACY, _BITS))
    least = _LEAST * results().of_class().words
    scores = [s for s in results().classes if s.words >= least and s.tag in _NAMES]
    question = _ask(screen, scores)
    with screen.picture:
        _columns(scores, shown, question)
    _notes(screen, scores)


def _ask(screen: page.FirstScreen, scores: list[ClassScore]) -> page.Asked:
    classes = sorted(scores[1:], key=lambda score: score.both - score.left, reverse=True)
    asked = sorted({classes[0].tag, classes[-1].tag, "NOUN", "CONJ"}, key=list(_NAMES).index)
    best = classes[0]
    return page.ask(
        screen,
        "class_gain",
        "Which words gain most guesses when the right side is read, too?",
        [_NAMES[tag] for tag in asked],
        right=_NAMES[best.tag],
        reason=f"{_NAMES[best.tag].capitalize()}: of these **{percent(best.left)}** are guessed from"
        f" the left alone and **{percent(best.both)}** from both sides, because what follows"
        f" tells much of them. The least gain is that of {_NAMES[classes[-1].tag]},"
        f" {percent(classes[-1].left)} and {percent(classes[-1].both)}.",
    )


def _columns(scores: list[ClassScore], shown: str, question: page.Asked) -> None:
    is_accuracy, hides = shown == _ACCURACY, question.masks
    left = [s.left if is_accuracy else s.left_bits for s in scores]
    both: list[float | None] = [s.both if is_accuracy else s.both_bits for s in scores]
    if hides:
        both = both[:1] + [None] * (len(both) - 1)
    every = scores[0]
    title = (
        f"{percent(every.left)} of all words guessed from the left alone, {percent(every.both)} from both sides"
        if is_accuracy
        else f"{every.left_bits:.1f} bits a word from the left alone, {every.both_bits:.1f} from both"
        " sides"
    )
    names = [_NAMES[score.tag] for score in scores]
    table = column_table(names, {LEFT: left, BOTH: both}, in_percent=is_accuracy)
    st.markdown(f"**{title}**")
    page.show_chart(
        grouped_columns(
            table,
            COLOURS,
            title="covered words guessed (%)" if is_accuracy else "surprisal (bits a word)",
            highest=1.0 if is_accuracy else 20.0,
            form=".0%" if is_accuracy else "~g",
            height=340,
        ),
        _frame(scores, hides),
        key="word_classes",
        alt=f"{title}; "
        + "; ".join(
            f"{name} {a:.2f}" + ("" if b is None else f" and {b:.2f}")
            for name, a, b in zip(names, left, both, strict=True)
        ),
        name="guessed-by-word-class",
    )


def _frame(scores: list[ClassScore], hides: bool) -> pd.DataFrame:
    frame = pd.DataFrame(scores).assign(tag=[_NAMES[score.tag] for score in scores])
    return frame.drop(columns=["both", "both_bits"]) if hides else frame


def _notes(screen: page.FirstScreen, scores: list[ClassScore]) -> None:
    page.note_beside(
        screen,
        "A word counts as guessed when each of its subwords is the most probable one. Punctuation"
        " and short function words are guessed most often, because grammar leaves few of them to choose from; of"
        " nouns and names there are very many, and which one comes depends on the story, too.",
    )
    if not page.is_presenting():
        st.caption(
            f"{scores[0].words:,} words of the last tenth of the book, one covered at a time, in"
            " windows of at most 118 subwords from the beginning of a paragraph on; both models"
            f" read the same windows, but the one of both sides has learned {meta_of().steps:,} steps"
            " more, so a part of its lead may come from these. The parts of speech are"
            " those of the bidirectional LSTM of the page on tagging, which learned from the Brown"
            " corpus and errs, too."
        )
