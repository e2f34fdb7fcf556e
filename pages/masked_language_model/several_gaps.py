"""Several covered words: filled at once, each by itself, or one after another."""

from collections.abc import Sequence

import numpy as np
import pandas as pd
import streamlit as st

from lm_core.analysis.gaps import AT_ONCE, CERTAIN_FIRST, LEFT_FIRST, RIGHT_FIRST
from lm_core.text.whole_words import SubwordText
from pages.masked_language_model import subject
from pages.masked_language_model.grouped_columns_chart import column_table, grouped_columns
from pages.masked_language_model.strip import keep_click, take_click, word_strip
from pages.masked_language_model.ways_to_fill import MOST_GAPS, SHOWN, STAGES, Ways, ways_of
from pages.shared import page
from pages.shared.charts.palette import GREEN, GREY, PURPLE
from pages.shared.charts.predictions import percentage
from pages.shared.numbers import percent
from pages.shared.ui.markdown import as_code

EXAMPLES: dict[str, tuple[int, ...]] = {
    "He opened the door and went out of the room.": (7, 8),
    "The prince took her by the hand and led her to the door.": (9, 10),
    "She did not know what to say, and began to cry.": (3, 4),
    "Prince Andrew got up and began to pace up and down the room.": (5, 6, 7),
}
"""Sentences, and which of their words are covered first, from 1."""
_SENTENCE, _GAPS = "gaps_sentence", "gap_words"
_YES, _NO = "yes", "no"
_COLOURS = dict(zip(STAGES.values(), (GREY, PURPLE, GREEN), strict=True))


def several_gaps(screen: page.FirstScreen) -> None:
    """Draw the sentence with its gaps, how probable pairs are, and what each order fills in."""
    text = subject.choose_sentence(screen, _SENTENCE, EXAMPLES)
    with screen.controls:
        take_click(_GAPS)
        words = _choose_words(text)
    with screen.picture:
        clicked = word_strip(
            text, words, key="gaps_strip", hint="Click a word to cover or uncover it."
        )
        if clicked is not None:
            chosen = sorted({*words} ^ {clicked})[:MOST_GAPS]
            keep_click(_GAPS, [subject.named_words(text)[i] for i in chosen])
        if len(words) < 2:
            st.info("Cover at least two words: click them.")
            return
        ways = ways_of(subject.meta_of().weights_sha256, subject.ids_of(text), tuple(words))
    asked = _ask(screen, text, words, ways)
    with screen.picture:
        _columns(ways, asked)
    _notes(screen)
    if not asked.masks:
        _filled(text, words, ways)


def _choose_words(text: SubwordText) -> list[int]:
    words = subject.named_words(text)
    sentence = "".join(text.spelled[1:])
    first = EXAMPLES.get(sentence, (len(words) // 2, len(words) // 2 + 1))
    default = [words[i - 1] for i in first if 1 <= i <= len(words)]
    if st.session_state.get(f"{_GAPS}_of") != sentence:
        if f"{_GAPS}_of" in st.session_state:
            st.session_state.pop(_GAPS, None)
        st.session_state[f"{_GAPS}_of"] = sentence
    with st.popover("More", icon=":material/tune:"):
        chosen = page.control(
            st.multiselect, _GAPS, "Covered words", words, default, max_selections=MOST_GAPS
        )
    return sorted(words.index(word) for word in chosen)


def _best(ways: Ways, name: str) -> int:
    return int(ways.pairs[name].argmax())


def _ask(
    screen: page.FirstScreen, text: SubwordText, words: Sequence[int], ways: Ways
) -> page.Asked:
    alone, together = _best(ways, "at_once"), _best(ways, "left_first")
    given = ways.pairs["left_first"][alone]
    truth = _YES if alone != together else _NO
    return page.ask(
        screen,
        "gaps_together",
        "One gap is filled first, and read when the other is filled. Does another pair win?",
        [_YES, _NO],
        right=truth,
        reason=f"At once: {as_code(ways.symbols[alone])}"
        f" ({percentage(float(ways.pairs['at_once'][alone]))}). With the left gap read first, so that"
        f" the other one knows of it, that pair has {percentage(float(given))}, and"
        f" {as_code(ways.symbols[together])} wins with"
        f" {percentage(float(ways.pairs['left_first'][together]))}."
        if truth == _YES
        else f"{as_code(ways.symbols[alone])} wins both ways:"
        f" {percentage(float(ways.pairs['at_once'][alone]))} at once,"
        f" {percentage(float(given))} one after the other, so here the first gap does not change the choice for the second.",
    )


def _columns(ways: Ways, asked: page.Asked) -> None:
    hides = asked.masks
    best = np.max(list(ways.pairs.values()), 0)
    shown = sorted(range(len(best)), key=lambda i: -best[i])[:SHOWN]
    if hides:  # the pairs of the first way alone: the others' would tell the answer
        shown = sorted(range(len(best)), key=lambda i: -ways.pairs["at_once"][i])[:SHOWN]
    series: dict[str, list[float | None]] = {
        said: [None if hides and name != "at_once" else float(ways.pairs[name][i]) for i in shown]
        for name, said in STAGES.items()
    }
    winners = {
        said: "?" if hides and name != "at_once" else ways.symbols[_best(ways, name)]
        for name, said in STAGES.items()
    }
    table = column_table([ways.symbols[i] for i in shown], series, in_percent=True)
    st.markdown("**" + "; ".join(f"{n}: {as_code(pair)}" for n, pair in winners.items()) + "**")
    page.show_chart(
        grouped_columns(
            table,
            _COLOURS,
            title="probability of the pair (%)",
            highest=1.15 * max(0.02, float(best.max())),
            form=".0%",
            height=280,
        ),
        key="gap_pairs",
        alt="; ".join(f"{name}: {pair}" for name, pair in winners.items()),
        name="pairs-in-two-gaps",
    )


def _notes(screen: page.FirstScreen) -> None:
    measured = subject.results()
    at_once, in_turn = measured.of_pairs(AT_ONCE), measured.of_pairs(LEFT_FIRST)
    page.note_beside(
        screen,
        "Filled at once, each gap knows nothing of the other, so p(a, b) = p(a) p(b). One after"
        f" the other: p(a) p(b | a). Over {at_once.pairs:,} unseen pairs, both words right:"
        f" **{percent(at_once.both_right, 1)}** at once, **{percent(in_turn.both_right, 1)}** left"
        f" to right; {at_once.bits:.1f} and {in_turn.bits:.1f} bits a pair.",
    )


def _filled(text: SubwordText, words: Sequence[int], ways: Ways) -> None:
    """Show the whole sentence as every order fills it."""
    if page.is_presenting():
        return
    rows = [
        (order, "".join(subject.vocabulary().spell(ids[1:])), share)
        for order, (ids, share) in ways.filled.items()
    ]
    st.markdown("The most probable subword in every gap, in four orders:")
    st.dataframe(
        pd.DataFrame(rows, columns=["order", "sentence", "product of the probabilities"]),
        hide_index=True,
        column_config={
            "product of the probabilities": st.column_config.NumberColumn(format="%.2g"),
            "sentence": st.column_config.TextColumn(width="large"),
        },
    )
    right = ways.pairs["right_first"]
    pair = _best(ways, "left_first")
    one, other = (percentage(float(p[pair])) for p in (ways.pairs["left_first"], right))
    differ = ", so" if one != other else ", nearly alike, but other words differ, so"
    st.markdown(
        "For one joint distribution both orders would agree, because p(a) p(b | a) = p(b) p(a | b). Here"
        f" {as_code(ways.symbols[pair])} has {one} from the left and {other} from the right{differ} the predictions of"
        f" a masked model belong to *no* joint distribution. *{CERTAIN_FIRST.capitalize()}* and *{RIGHT_FIRST}* are"
        " two more orders; a causal model needs only one."
    )
