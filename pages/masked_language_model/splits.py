"""80 / 10 / 10: three models that differ in what stood in the place of the words they had to predict."""

import numpy as np
import pandas as pd
import streamlit as st
import torch

from lm_core.analysis.gaps import covered
from lm_core.experiments.masked_language_model.settings import (
    ALL_MASKED,
    ALL_RANDOM,
    EIGHTY,
    RECIPES,
    SINGLE_TOKENS,
    SPLITS,
)
from lm_core.experiments.masked_language_model.split_scores import COVERED, LEFT_IN, REPLACED
from lm_core.models.masked_language_model import gap_probabilities
from lm_core.rng import generator
from lm_core.text.whole_words import SubwordText, as_subword_text
from pages.masked_language_model.grouped_columns_chart import column_table, grouped_columns
from pages.masked_language_model.strip import keep_click, take_click, word_strip
from pages.masked_language_model.subject import (
    choose_sentence,
    ids_of,
    masked_model,
    meta_of,
    named_words,
    split_results,
    vocabulary,
)
from pages.shared import page
from pages.shared.charts.drawing import with_columns
from pages.shared.charts.palette import BLUE, GREEN, PURPLE
from pages.shared.charts.predictions import percentage, prediction_bars, prediction_table
from pages.shared.numbers import percent
from pages.shared.turns import model_calls
from pages.shared.ui.figures import show_chart
from pages.shared.ui.markdown import as_code

_MEASURED, _SENTENCE_VIEW = "Measured", "Your sentence"
NAMES = {EIGHTY: "80 / 10 / 10", ALL_MASKED: "100 / 0 / 0", ALL_RANDOM: "0 / 0 / 100"}
_COLOURS = dict(zip(NAMES.values(), (PURPLE, BLUE, GREEN), strict=True))
_ASKED = {COVERED: "[MASK]", LEFT_IN: "the word itself", REPLACED: "a random word"}
EXAMPLES = {
    "She did not know what to say, and began to cry.": 2,
    "He opened the door and went out of the room.": 7,
    "The old man shook his head and said nothing.": 2,
}
_SENTENCE, _WORD, _STANDS = "split_sentence", "split_word", "split_place"


def splits(screen: page.FirstScreen) -> None:
    """Draw what the three models make of a place that is covered, left in, or replaced."""
    with screen.controls:
        view = page.segments("split_view", "Show", (_MEASURED, _SENTENCE_VIEW))
    if view == _MEASURED:
        _measured(screen)
    else:
        _own_sentence(screen)
    if not page.is_presenting():
        _protocol()


# Measured -------------------------------------------------------------------------------------


def _measured(screen: page.FirstScreen) -> None:
    asked = _ask(screen)
    hides = asked.masks
    accuracy = {
        NAMES[name]: [
            None if hides and condition == LEFT_IN else split_results().of(name, condition).accuracy
            for condition in _ASKED
        ]
        for name in SPLITS
    }
    table = column_table(list(_ASKED.values()), accuracy, in_percent=True)
    shares = ", ".join(_right(name, COVERED) for name in SPLITS)
    title = f"Where [MASK] stands, all three are close: {shares}"
    with screen.picture:
        st.markdown(f"**{title}**")
        show_chart(
            grouped_columns(
                table, _COLOURS, title="right subwords (%)", highest=1.0, form=".0%", height=340
            ),
            table,
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
        "*Whole-word masking* covers all subwords of a word together, as all models of this page learned."
        f" A fourth model, whose subwords were chosen one by one, fills {percent(tokens, 1)} of the same gaps,"
        f" against {percent(words, 1)}: it had learned from the rest of the word."
    )


# Your sentence --------------------------------------------------------------------------------


def _own_sentence(screen: page.FirstScreen) -> None:
    text = choose_sentence(screen, _SENTENCE, EXAMPLES)
    with screen.picture, st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        take_click(_WORD)
        words = named_words(text)
        first = min(EXAMPLES.get("".join(text.spelled[1:]), (len(words) + 1) // 2), len(words))
        word = words.index(page.control(st.selectbox, _WORD, "Word", words, first - 1, width=160))
        stands = str(
            page.segments(
                _STANDS,
                "In its place stands",
                tuple(_ASKED),
                COVERED,
                format_func=_ASKED.__getitem__,
            )
        )
    shown = _replaced(text, word) if stands == REPLACED else None
    with screen.picture:
        clicked = word_strip(
            text,
            (word,) if stands == COVERED else (),
            key="split_strip",
            hint="Click a word: it is the one that is asked about.",
        )
        if clicked is not None and clicked != word:
            keep_click(_WORD, words[clicked])
        place = text.words[word].start
        stages = {
            NAMES[name]: _at_place(meta_of(name).weights_sha256, name, ids_of(text), word, stands)
            for name in SPLITS
        }
        spelled = text.spellings[word]
        there = {COVERED: "`[MASK]`", LEFT_IN: as_code(spelled), REPLACED: as_code(shown or "")}
        st.markdown(f"**Where {as_code(spelled)} was, there stands {there[stands]}**")
        table = prediction_table(vocabulary().symbols, stages, most=6, marked=int(text.ids[place]))
        # No stage comes before another here: there is nothing to compare with.
        table = with_columns(table, before=table["probability"])
        show_chart(
            prediction_bars(table, unit="subword", mark="was there", colour=_COLOURS),
            table,
            key="split_bars",
            alt="; ".join(
                f"{name}: {percentage(float(p[text.ids[place]]))}" for name, p in stages.items()
            ),
            name="expected-by-split",
        )
    page.note_beside(
        screen,
        "Three small models, alike in everything but the split, so what they do differently is"
        " due to it. Cover the word, leave it, or put a random one in its place.",
    )


def _replaced(text: SubwordText, word: int) -> str:
    return vocabulary().spell([_random_ids(len(text.words[word]), word)[0]])[0].strip()


def _random_ids(n: int, seed: int) -> list[int]:
    """Return n subwords drawn evenly, the same for everybody."""
    drawn = torch.randint(1, len(vocabulary()), (n,), generator=generator(seed))
    return [int(i) for i in drawn]


@st.cache_data(max_entries=512, show_spinner=False)
def _at_place(sha256: str, name: str, ids: tuple[int, ...], word: int, stands: str) -> np.ndarray:
    """Return what a model expects at the first subword of a word, (V,)."""
    del sha256  # part of the key
    places = as_subword_text(np.array(ids), vocabulary()).words[word]
    tokens = torch.tensor(ids)
    model = masked_model(name)
    if stands == COVERED:
        tokens = covered(tokens, places, model.config.mask_id)
    elif stands == REPLACED:
        tokens[list(places)] = torch.tensor(_random_ids(len(places), word))
    with model_calls:
        found = gap_probabilities(model, tokens[None], torch.tensor([[places.start]]))
    return found[0, 0].numpy()


def _protocol() -> None:
    meta = meta_of(EIGHTY)
    curves = pd.DataFrame([p for p in split_results().curves if p.model in SPLITS])
    last = curves.groupby("model")["held_out"].last()
    said = ", ".join(f"{NAMES[name]} {loss:.2f}" for name, loss in last.items())
    st.caption(
        f"Three models of {meta.parameter_count:,} parameters, {RECIPES[EIGHTY].training.steps:,} steps each"
        f" from the same seed. Measured on {split_results().of(EIGHTY, COVERED).targets:,} subwords of the"
        " last tenth of the book, the same ones for all. Loss in training, each on its own split, nats"
        f" a subword of the part held out: {said}."
    )
