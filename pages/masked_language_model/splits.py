"""80 / 10 / 10: three models that differ in what stood in the place of the words they had to predict."""

import pandas as pd
import streamlit as st

from lm_core.experiments.masked_language_model.settings import (
    ALL_MASKED,
    ALL_RANDOM,
    EIGHTY,
    RECIPES,
    SINGLE_TOKENS,
    SPLITS,
)
from lm_core.experiments.masked_language_model.split_scores import COVERED, LEFT_IN, REPLACED
from pages.masked_language_model.grouped_columns_chart import column_table, grouped_columns
from pages.masked_language_model.splits_of_a_sentence import (
    COLOURS,
    NAMES,
    STANDS_THERE,
    own_sentence,
)
from pages.masked_language_model.subject import meta_of, split_results
from pages.shared import page
from pages.shared.numbers import percent

_MEASURED, _SENTENCE_VIEW = "Measured", "Your sentence"


def splits(screen: page.FirstScreen) -> None:
    """Draw what the three models make of a place that is covered, left in, or replaced."""
    with screen.controls:
        view = page.segments("split_view", "Show", (_MEASURED, _SENTENCE_VIEW))
    if view == _MEASURED:
        _measured(screen)
    else:
        own_sentence(screen)
    if not page.is_presenting():
        _protocol()


# Measured -------------------------------------------------------------------------------------


def _measured(screen: page.FirstScreen) -> None:
    asked = _ask(screen)
    hides = asked.masks
    accuracy = {
        NAMES[name]: [
            None if hides and condition == LEFT_IN else split_results().of(name, condition).accuracy
            for condition in STANDS_THERE
        ]
        for name in SPLITS
    }
    table = column_table(list(STANDS_THERE.values()), accuracy, in_percent=True)
    shares = ", ".join(_right(name, COVERED) for name in SPLITS)
    title = f"Where [MASK] stands, all three are close: {shares}"
    with screen.picture:
        st.markdown(f"**{title}**")
        page.show_chart(
            grouped_columns(
                table, COLOURS, title="right subwords (%)", highest=1.0, form=".0%", height=340
            ),
            key="splits_measured",
            alt=f"{title}; "
            + "; ".join(
                f"{name}: " + ", ".join("waits" if v is None else percent(v) for v in values)
                for name, values in accuracy.items()
            ),
            name="accuracy-by-split",
        )
    page.note_beside(
        screen,
        "Each model had to predict 15 % of the words. In their place stood [MASK], the word"
        " itself, or a random one; the shares, [MASK] / left in / random, give each model its"
        " name. BERT learned with 80 / 10 / 10, because the texts that it is used on later have"
        " no [MASK].",
    )
    if not (page.is_presenting() or hides):
        st.markdown(_reading())


def _right(name: str, condition: str) -> str:
    return percent(split_results().of(name, condition).accuracy)


def _ask(screen: page.FirstScreen) -> page.Asked:
    right = {name: split_results().of(name, LEFT_IN).accuracy for name in SPLITS}
    best = max(right, key=right.__getitem__)
    return page.ask(
        screen,
        "split_left_in",
        "The word is left in its place. Which model names it most often?",
        list(NAMES.values()),
        right=NAMES[best],
        reason="; ".join(f"{NAMES[name]}: **{percent(share)}**" for name, share in right.items())
        + (
            ". In training only the first was asked about words that were left in, so only this one has"
            " learned that a word may stay."
        ),
    )


def _reading() -> str:
    tokens, words = (split_results().of(name, COVERED).accuracy for name in (SINGLE_TOKENS, EIGHTY))
    return (
        f"**{NAMES[ALL_MASKED]}** learned at [MASK] alone. Where the word itself stands, it was never asked"
        f" anything, and what it says there is right {_right(ALL_MASKED, LEFT_IN)} of the time. Yet no text"
        " has [MASK] in it once training is over.\n\n"
        f"**{NAMES[ALL_RANDOM]}** learned that the word at a place in question is wrong. So it looks away"
        f" from it: {_right(ALL_RANDOM, LEFT_IN)} where the right word stands,"
        f" {_right(ALL_RANDOM, REPLACED)} where a random one does.\n\n"
        f"**{NAMES[EIGHTY]}** must weigh what stands there: {_right(EIGHTY, LEFT_IN)} and"
        f" {_right(EIGHTY, REPLACED)}. The price at [MASK] is small: {_right(EIGHTY, COVERED)} against"
        f" {_right(ALL_MASKED, COVERED)}.\n\n"
        "*Whole-word masking* covers all subwords of a word together, as the models above learned."
        f" A fourth model, whose subwords were chosen one by one, fills {percent(tokens, 1)} of the same gaps,"
        f" against {percent(words, 1)}: it had learned from the rest of the word."
    )


# Your sentence --------------------------------------------------------------------------------


def _protocol() -> None:
    meta = meta_of(EIGHTY)
    curves = pd.DataFrame([p for p in split_results().curves if p.model in SPLITS])
    last = curves.groupby("model")["held_out"].last()
    said = ", ".join(f"{NAMES[name]} {loss:.2f}" for name, loss in last.items())
    st.caption(
        f"Three models of {meta.parameter_count:,} parameters, {RECIPES[EIGHTY].training.steps:,} steps each"
        f" from the same seed, so that they differ by the split alone. Measured on"
        f" {split_results().of(EIGHTY, COVERED).targets:,} subwords of the last tenth of the book, the same"
        f" ones for all. Loss in training, each on its own split, nats a subword of the part held out: {said}."
    )
