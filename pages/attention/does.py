"""What the heads do, by rules that one can name, on the sentence or on a text of the model's own."""

import pandas as pd
import streamlit as st

from lm_core.analysis.head_patterns import HeadPattern
from pages.attention.choices import Sentence
from pages.attention.measured import habits_here, written_by
from pages.shared.ui.controls import control

_HERE, _WRITTEN = "this sentence", "a text that it wrote"
_SHOWN = 12


@st.fragment
def what_heads_do(here: Sentence) -> None:
    """Draw the table of the most marked habits, and quote the first of them."""
    st.subheader("What the heads do", anchor=False)
    where = control(
        st.segmented_control,
        "habits_on",
        "Measured on",
        (_HERE, _WRITTEN),
        default=_HERE,
        required=True,
    )
    sentence = here if where == _HERE else written_by(here)
    found = habits_here(sentence)
    best = _best_of_each(found)[:_SHOWN]
    first = best[0]
    st.markdown(
        f"Head **{first.layer + 1}.{first.head + 1}** gives **{first.share:.0%}** of its attention to"
        f" the {_spoken(first.pattern)}, where an even look at everything would give"
        f" {first.uniform_share:.0%} (mean over {first.n_tokens} tokens, model as it was trained)."
    )
    st.dataframe(_table(best), hide_index=True, height="content")
    if where == _WRITTEN:
        with st.expander(f"The text: {len(sentence.text)} characters"):
            st.text(sentence.text)


def _best_of_each(found: list[HeadPattern]) -> list[HeadPattern]:
    """Return each head's most marked rule, the most marked first."""
    best: dict[tuple[int, int], HeadPattern] = {}
    for habit in found:
        best.setdefault((habit.layer, habit.head), habit)
    return list(best.values())


def _table(found: list[HeadPattern]) -> pd.DataFrame:
    return pd.DataFrame(
        {
            "head": f"{habit.layer + 1}.{habit.head + 1}",
            "looks at": habit.pattern,
            "share": f"{habit.share:.0%}",
            "an even look": f"{habit.uniform_share:.0%}",
            "tokens": habit.n_tokens,
        }
        for habit in found
    )


def _spoken(rule: str) -> str:
    return "token itself" if rule == "itself" else rule
