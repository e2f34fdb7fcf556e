"""How surprised is it? Any text in the colours of what a model expected of it."""

import hashlib

import streamlit as st

from lm_core.analysis.surprisal import TextScores, score_text, surprisal_by_word
from pages.shared import page
from pages.shared.charts.palette import visible
from pages.shared.charts.predictions import bars_in_words, prediction_bars, prediction_table
from pages.shared.counts import counted
from pages.shared.ui.lesson import page_header, provenance, show_source, try_this
from pages.shared.ui.messages import errors_end_page
from pages.surprisal import picture
from pages.surprisal.kinds import kinds_of_text
from pages.surprisal.question import ask, words_to_ask
from pages.surprisal.readers import Reader, choose_reader, choose_rival
from pages.surprisal.scores import scores_of, words_of
from pages.surprisal.texts import choose_text
from pages.surprisal.words import word_by_word

_INSPECTED = "surprisal_inspected"
_EXPECTED = 6
"""Candidates that are drawn in a token's place."""

page_header(
    "surprisal",
    "*Surprisal* is −log₂ of the probability that a model gave to what came next, in bits, so an"
    " expected word has few bits, a surprising one many. One bit is the surprise of a coin toss.",
)

# Controls -------------------------------------------------------------------------------------
screen = page.first_screen()
with screen.controls:
    with errors_end_page():
        reader = choose_reader()
    text_place = st.container()
    with st.popover("More", icon=":material/tune:"):
        rival = choose_rival(reader)
        coloured_by = page.segments(
            "colour",
            "Colour by",
            [picture.BY_SURPRISAL, picture.BY_RANK],
            disabled=rival is not None,
            help="By rank a token belongs to one of four classes, ending at 1, 10 and 100 among"
            " subwords and at 1, 3 and 10 among characters, because of these there are far"
            " fewer.",
        )
    with text_place:
        text = choose_text(reader, rival, screen.picture)

# Scores ---------------------------------------------------------------------------------------
with screen.picture:
    scores = scores_of(reader, text)
    words = words_of(scores, text)
    rival_words = words_of(scores_of(rival, text), text) if rival else None
name = hashlib.sha256(f"{reader.meta.name} {text}".encode()).hexdigest()[:8]


# Predict and picture --------------------------------------------------------------------------
def expected_instead(reader: Reader, scores: TextScores, i: int) -> None:
    """Draw what the model expected in place of a token."""
    vocabulary, came = reader.vocabulary, int(scores.ids[i])
    table = prediction_table(
        vocabulary.symbols, {"": scores.prediction(i, len(vocabulary))}, most=_EXPECTED, marked=came
    )
    page.show_chart(
        prediction_bars(table, unit=vocabulary.unit, mark="came"),
        table,
        key="surprisal_expected",
        alt=f"{visible(vocabulary.symbols[came])} came: {scores.surprisal[i]:.1f} bits, rank"
        f" {scores.ranks[i]:,}. Expected: {bars_in_words(table)}",
        name="expected",
    )


def _is_asked(token: int) -> bool:
    """Return whether a token belongs to a word whose surprisal is being asked for."""
    return int(picture.word_of_token(words, scores.lengths)[token]) in marks.asked


with screen.beside:
    asked = None if rival else words_to_ask(words)
    marks = ask(asked, words, name) if asked else picture.Marks()
with screen.picture:
    if rival and rival_words is not None:
        picture.draw_difference(reader, rival, words, rival_words, text)
    else:
        inspected = st.session_state.get(_INSPECTED, (name, None))
        place = inspected[1] if inspected[0] == name else None
        clicked = picture.draw_text(reader, text, scores, words, coloured_by, marks, place)
        if clicked is not None:
            st.session_state[_INSPECTED] = (name, clicked)
            st.rerun()
        if place is not None and place < len(scores.ids) and not _is_asked(place):
            with screen.beside:
                expected_instead(reader, scores, place)
if rival and rival_words is not None:
    theirs = sum(word.bits for word in rival_words)
    ours = sum(word.bits for word in words)
    better = sum(a.bits < b.bits for a, b in zip(words, rival_words, strict=True))
    page.note_beside(
        screen,
        f"{counted(len(text), 'character')} have **{ours / len(text):.2f} bits** each for {reader.meta.title} and"
        f" **{theirs / len(text):.2f}** for {rival.meta.title}. The first gave {better:,} of"
        f" {len(words):,} words a higher probability than the second did"
        + (", so each is ahead somewhere." if 0 < better < len(words) else "."),
    )
elif not marks.asked:
    expected = scores.entropy.sum() / scores.n_characters
    page.note_beside(
        screen,
        f"{counted(scores.n_characters, 'character')} have **{scores.bits_per_character:.2f} bits** each;"
        f" the model expected {expected:.2f}, its *entropy*, so a text with much more than"
        " that is unlike what the model has read. New pages of the same book may have a little more.",
    )

# Explanation ----------------------------------------------------------------------------------
if not marks.asked:
    readers, scored = [reader], [words]
    if rival and rival_words is not None:
        readers, scored = [reader, rival], [words, rival_words]
    word_by_word(readers, scored)
kinds_of_text(reader, scores, rival)
provenance(reader.meta)

# Code and suggestions -------------------------------------------------------------------------
show_source(score_text, TextScores, surprisal_by_word)
try_this()
