"""Wrong tags by the size of the window: concatenated against averaged, with whole-sentence taggers beside."""

import pandas as pd
import streamlit as st

from lm_core.experiments.part_of_speech_tagging.settings import (
    RECIPES,
    RECURRENT,
    TRANSFORMER,
    WINDOWS,
    window_name,
)
from lm_core.experiments.published import TAGGERS
from lm_core.models.tagger import AVERAGED, CONCATENATED
from pages.part_of_speech_tagging.errors_by_window import GROUPS, draw_errors, wrong
from pages.part_of_speech_tagging.taggers import results
from pages.part_of_speech_tagging.window_by_hand import window_by_hand
from pages.shared import page
from pages.shared.numbers import percent

_ANSWERS = {
    "far more": page.Answer(2.0, 4.0),
    "about as many": page.Answer(0.8, 1.0),
    "fewer": page.Answer(0.0, 0.6),
}
"""Wrong tags with the longest window averaged, as a multiple of those without neighbours."""


def _choose_group() -> str:
    """Draw which words are counted, and return the field of `Accuracies`."""
    return page.segments("word_group", "Wrong tags among", GROUPS, "every")


def by_window(screen: page.FirstScreen) -> None:
    """Draw the share of wrong tags by window, that of averaged windows once it was guessed."""
    with screen.controls:
        group = _choose_group()
    asked = _ask(screen, group)
    with screen.picture:
        draw_errors(group, asked)
    _notes(screen, group)


def _ask(screen: page.FirstScreen, group: str) -> page.Asked:
    alone, most = (wrong(window_name(AVERAGED, w), group) for w in (0, WINDOWS[-1]))
    return page.ask(
        screen,
        "averaged_windows",
        f"Averaged with {WINDOWS[-1]} words to either side: how many wrong tags, beside a word alone?",
        _ANSWERS,
        right=most / alone,
        reason=f"**{most / alone:.1f} times** as many: {percent(most, 1)} instead of"
        f" {percent(alone, 1)}, because the mean of several vectors does not say which of them"
        " belongs to the word in question.",
    )


def _notes(screen: page.FirstScreen, group: str) -> None:
    sizes = results().sizes
    best = min(
        (RECURRENT, TRANSFORMER, *(window_name(CONCATENATED, w) for w in WINDOWS)),
        key=lambda n: wrong(n, "every"),
    )
    page.note_beside(
        screen,
        f"These are {sizes[group]:,} of the test's {sizes['every']:,} words. *Concatenated* vectors are one long"
        " vector with a place for each neighbour, so the network knows which word stands where."
        " *Averaged* ones are their mean. *By counting*, each word gets its most frequent tag. A band"
        " spans two trainings.",
    )
    if page.is_presenting():
        return
    st.markdown(
        f"Best: {RECIPES[best].title}, **{percent(1 - wrong(best, 'every'), 2)}** of all words"
        f" right, **{percent(1 - wrong(best, 'unseen'), 2)}** of unseen ones. Test: 50 of the Brown"
        " corpus's 500 texts, every tenth by name; no text is in two parts, so nothing that is"
        " tested was learned from. An *unseen* word is in none of the 400 training texts; an"
        " *ambiguous* one has another tag than its most frequent one at least one time in twenty."
    )
    page.below("One window by hand", "window_by_hand", window_by_hand, icon="calculate")
    with st.expander("What others report", icon=":material/menu_book:"):
        st.dataframe(
            pd.DataFrame(
                [(t.title, t.every, t.seen, t.unseen, t.doubt) for t in TAGGERS],
                columns=["tagger", "all words", "seen", "unseen", "what differs"],
            ),
            hide_index=True,
            column_config={
                name: st.column_config.NumberColumn(format="percent")
                for name in ("all words", "seen", "unseen")
            },
        )
