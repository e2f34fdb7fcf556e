"""One covered word: what the left side alone expects there, and what both sides do."""

import pyarrow as pa
import streamlit as st

from lm_core.text.whole_words import SubwordText
from pages.masked_language_model import subject
from pages.masked_language_model.expected import Expected, expected
from pages.masked_language_model.strip import keep_click, take_click, word_strip
from pages.shared import page
from pages.shared.charts import predictions
from pages.shared.numbers import percent, significant
from pages.shared.ui.markdown import as_code

EXAMPLES = {
    "She did not know what to say, and began to cry.": 2,
    "The old man shook his head and said nothing.": 2,
    "He opened the door and went out of the room.": 7,
    "Natasha looked at him with shining eyes and smiled.": 2,
    "The prince took her by the hand and led her to the door.": 7,
}
"""Sentences, and which of their words is covered first, from 1."""
_SENTENCE, _WORD, _PART = "gap_sentence", "gap_word", "gap_subword"
_ANSWERS = {
    "more than 10 times as probable": page.Answer(10.0, 20.0),
    "2 to 10 times as probable": page.Answer(2.0, 4.0),
    "about as probable": page.Answer(0.5, 1.0),
    "less probable": page.Answer(0.0, 0.2),
}
_MOST = 8


def one_gap(screen: page.FirstScreen) -> None:
    """Draw the sentence with one word covered, and what each model expects in its place."""
    text = subject.choose_sentence(screen, _SENTENCE, EXAMPLES)
    with screen.controls:
        take_click(_WORD)
        word = _choose_word(text)
    with screen.picture:
        clicked = word_strip(text, (word,), key="gap_strip")
        if clicked is not None and clicked != word:
            keep_click(_WORD, subject.named_words(text)[clicked])
        found = expected(text, word)
        place = _choose_part(text, word)
    asked = _ask(screen, text, word, found)
    with screen.picture:
        _bars(text, word, place, found, is_masked=asked.masks)
    _notes(screen, text, word)


def _choose_word(text: SubwordText) -> int:
    words = subject.named_words(text)
    sentence = "".join(text.spelled[1:])
    first = min(EXAMPLES.get(sentence, (2 * len(words) + 2) // 3), len(words))
    if st.session_state.get(f"{_WORD}_of") != sentence:
        # Another sentence opens with a word of its own, unless a link names one.
        if f"{_WORD}_of" in st.session_state:
            st.session_state.pop(_WORD, None)
        st.session_state[f"{_WORD}_of"] = sentence
    chosen = page.control(st.selectbox, _WORD, "Covered word", words, first - 1, width=170)
    return words.index(chosen)


def _choose_part(text: SubwordText, word: int) -> int:
    """Draw which subword of a longer word is looked at, and return its place in the word."""
    places = text.words[word]
    if len(places) == 1:
        return 0
    options = [f"{i} {text.spelled[place].strip()}" for i, place in enumerate(places, 1)]
    chosen = page.segments(_PART, "Subword of the covered word", options, options[0])
    return options.index(chosen)


def _ask(
    screen: page.FirstScreen, text: SubwordText, word: int, found: Expected
) -> page.Asked[page.Answer]:
    left, both = found.of_word(text.ids[list(text.words[word])])
    times = both / max(left, 1e-30)
    said = f"{times:,.0f}" if times >= 10 else significant(times, 2)
    return page.ask(
        screen,
        "both_sides",
        "The words behind the gap are read, too. How probable does the covered word become?",
        _ANSWERS,
        right=times,
        reason=f"{as_code(text.spellings[word])}: **{predictions.percentage(left)}** from the left alone,"
        f" **{predictions.percentage(both)}** from both sides: {said} times as probable"
        + (
            ", because it has to fit what follows as well."
            if both > left
            else ". So either what follows speaks for other words, or this one was seldom covered in training;"
            " which of the two it is was not tested."
        ),
    )


def _bars(text: SubwordText, word: int, place: int, found: Expected, *, is_masked: bool) -> None:
    target = int(text.ids[text.words[word][place]])
    stages = {subject.LEFT: found.left[place]}
    if not is_masked:
        stages[subject.BOTH] = found.both[place]
    symbols = subject.vocabulary().symbols
    table: pa.Table = predictions.prediction_table(symbols, stages, most=_MOST, marked=target)
    asked = ""
    if is_masked:
        table = predictions.with_stage_that_waits(table, subject.BOTH, {target})
        said = predictions.percentage(float(found.left[place][target]))
        asked = f", and gives {as_code(symbols[target].strip())} {said}. What do {subject.BOTH} give it?"
    st.markdown(f"**{_finding(stages, symbols)}{asked}**")
    page.show_chart(
        predictions.prediction_bars(table, unit="subword", mark="covered", colour=subject.COLOURS),
        key="gap_bars",
        alt="; ".join(
            f"{name}: {predictions.percentage(float(p[target]))} for the covered word"
            for name, p in stages.items()
        ),
        name="expected-in-the-gap",
    )


def _finding(stages: dict, symbols: tuple[str, ...]) -> str:
    said = []
    for name, p in stages.items():
        best = int(p.argmax())
        said.append(f"{name} expects {as_code(symbols[best].strip())} ({percent(p[best])})")
    line = "; ".join(said)
    return line[0].upper() + line[1:]


def _notes(screen: page.FirstScreen, text: SubwordText, word: int) -> None:
    every = subject.results().of_class()
    parts = len(text.words[word])
    covered = f" The word has {parts} subwords: all are covered." if parts > 1 else ""
    page.note_beside(
        screen,
        "The *causal model* reads what stands before the gap; the *masked model* reads both"
        f" sides, so it also knows what the word leads to. Over {every.words:,} words of unseen"
        f" pages: **{percent(every.left)}** guessed from the left alone, **{percent(every.both)}**"
        f" from both sides.{covered}",
    )
    if page.is_presenting():
        return
    meta, nouns = subject.meta_of(), subject.results().of_class("NOUN")
    st.markdown(
        "Both models have the same blocks, subwords and nine tenths of the book. The masked model"
        f" began with the causal model's weights and learned {meta.steps:,} steps more, without the"
        f" causal mask. Guessing is not all: a word has **{every.left_bits:.1f} bits** from the"
        f" left alone and **{every.both_bits:.1f}** from both sides. A noun has"
        f" {nouns.left_bits:.1f} and {nouns.both_bits:.1f} bits: it is hard for both, because there are so many"
        " nouns. That it has more from both sides is likely due to the training, which was not tested: in each"
        " step a masked model learns from 15 % of the words only, so it meets each rare word seldom."
    )
