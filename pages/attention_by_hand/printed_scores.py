"""The nine scores of the printed example, and the switches that change how they are computed."""

import streamlit as st

from lm_core.experiments.attention_by_hand.printed_example import PRINTED_SCORES, WORDS
from pages.shared import page
from pages.shared.charts.palette import numbered

_LOWEST, _HIGHEST = -10.0, 10.0
_DIVISORS = {"1, as printed": 1.0, "√4": 2.0, "√16": 4.0, "√64": 8.0}
_SCORE_WIDTH = 70  # of nine fields beside each other


def choose_scores() -> tuple[float, ...]:
    """Draw the scores, to be changed, and return them."""
    with st.container(horizontal=True, vertical_alignment="bottom", gap="xsmall"):
        words = numbered(WORDS)
        columns = [st.container(width=_SCORE_WIDTH) for _ in words]
    scores = []
    for place, (word, column) in enumerate(zip(words, columns, strict=True)):
        with column:
            scores.append(_score(place, word))
    return tuple(scores)


def _score(place: int, word: str) -> float:
    return page.number(
        f"score_{place}", word, _LOWEST, _HIGHEST, PRINTED_SCORES[place], 0.5, format="%g"
    )


def choose_switches() -> tuple[bool, float]:
    """Draw the switches, and return what they say."""
    st.button("As printed", icon=":material/undo:", key="restore_scores", on_click=_restore)
    with st.popover("More", icon=":material/tune:"):
        divided = page.choice(
            "divisor",
            "Scores divided by",
            list(_DIVISORS),
            help=(
                "Scaled dot-product attention divides the scores of vectors of width d by √d, because"
                " such scores grow with the width."
            ),
        )
        is_causal = page.switch(
            "causal",
            "Causal mask",
            help="Words are read in their order, so with the mask *fox* attends to itself and to the"
            " words before it only.",
        )
    return is_causal, _DIVISORS[divided]


def _restore() -> None:
    for place, score in enumerate(PRINTED_SCORES):
        st.session_state[f"score_{place}"] = score
