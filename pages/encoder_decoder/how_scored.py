"""How translations were scored, and what others report."""

from functools import partial

import pandas as pd
import streamlit as st

from lm_core.experiments.published import TRANSLATORS
from lm_core.experiments.translation.results import ModelScore, TranslationResults
from pages.shared import page
from pages.shared.models.translation import ATTENTION, ONE_VECTOR

_AS_LONG = "translation-attention-early"
"""The model with attention that was trained as long as the one with one vector."""


results = partial(page.shipped, TranslationResults)
"""Returns the shipped scores; raises ResultError if they cannot be read."""


def note_scores(screen: page.FirstScreen, sweep: list[ModelScore]) -> None:
    """Say what the sizes have in common, and how they were scored."""
    n = sweep[0].beam.n_sentences
    page.note_beside(
        screen,
        f"All sizes translate the same {n:,} captions, which no model has seen, by beam search. They"
        f" learned for {sweep[0].steps:,} steps, fewer than the models of the other parts. A band holds 95"
        " % of the scores when the test set is drawn anew from itself, so where bands overlap, chance may"
        f" explain the difference.\n\n{_trained_longer()}",
    )
    how_scored(sweep[0])


def _trained_longer() -> str:
    """Say what one vector and attention reach in the same number of steps, from each seed."""
    one, attention, longer = (
        results().seeds_of(name) for name in (ONE_VECTOR, _AS_LONG, ATTENTION)
    )
    if not (one and attention and longer):
        return ""
    return (
        f"BLEU after {one[0].steps:,} steps: with {one[0].context_size} numbers {_scores(one)}; with"
        f" attention {_scores(attention)}, and after {longer[0].steps:,} steps {_scores(longer)}."
    )


def _scores(models: list[ModelScore]) -> str:
    said = " and ".join(f"**{model.beam.score:.1f}**" for model in models)
    return f"{said} ({len(models)} seeds)" if len(models) > 1 else said


def how_scored(model: ModelScore) -> None:
    """Fold away what BLEU counts, and what others report."""
    with st.expander("How it was scored", icon=":material/straighten:"):
        st.markdown(
            "BLEU counts which runs of one to four words a translation shares with a person's, and"
            " lowers the score of translations that are too short (the *brevity penalty*), because"
            " otherwise a few certain words would score best. Signature:"
        )
        st.code(model.beam.signature or "not recorded", language=None, wrap_lines=True)
    with st.expander("What others report", icon=":material/menu_book:"):
        st.dataframe(
            pd.DataFrame(
                [(t.title, t.bleu, t.doubt) for t in TRANSLATORS],
                columns=["translator", "BLEU", "what differs"],
            ),
            hide_index=True,
        )
