"""80 / 10 / 10 on one sentence: what three models expect where a word is covered, replaced or left."""

import numpy as np
import streamlit as st
import torch

from lm_core.analysis.gaps import covered
from lm_core.experiments.masked_language_model.settings import (
    ALL_MASKED,
    ALL_RANDOM,
    EIGHTY,
    SPLITS,
)
from lm_core.experiments.masked_language_model.split_scores import COVERED, LEFT_IN, REPLACED
from lm_core.models.masked_language_model import gap_probabilities
from lm_core.rng import generator
from lm_core.text.whole_words import SubwordText, as_subword_text
from pages.masked_language_model.strip import keep_click, take_click, word_strip
from pages.masked_language_model.subject import (
    choose_sentence,
    ids_of,
    masked_model,
    meta_of,
    named_words,
    vocabulary,
)
from pages.shared import page
from pages.shared.charts.drawing import with_columns
from pages.shared.charts.palette import BLUE, GREEN, PURPLE
from pages.shared.charts.predictions import percentage, prediction_bars, prediction_table
from pages.shared.ui.markdown import as_code

NAMES = {EIGHTY: "80 / 10 / 10", ALL_MASKED: "100 / 0 / 0", ALL_RANDOM: "0 / 0 / 100"}
COLOURS = dict(zip(NAMES.values(), (PURPLE, BLUE, GREEN), strict=True))
STANDS_THERE = {COVERED: "[MASK]", LEFT_IN: "the word itself", REPLACED: "a random word"}
EXAMPLES = {
    "She did not know what to say, and began to cry.": 2,
    "He opened the door and went out of the room.": 7,
    "The old man shook his head and said nothing.": 2,
}
_SENTENCE, _WORD, _STANDS = "split_sentence", "split_word", "split_place"


def own_sentence(screen: page.FirstScreen) -> None:
    """Draw what each model expects at a word of the visitor's sentence."""
    text = choose_sentence(screen, _SENTENCE, EXAMPLES)
    with screen.picture, st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        take_click(_WORD)
        words = named_words(text)
        first = min(EXAMPLES.get("".join(text.spelled[1:]), (len(words) + 1) // 2), len(words))
        word = words.index(page.control(st.selectbox, _WORD, "Word", words, first - 1, width=160))
        stands = page.segments(_STANDS, "In its place stands", STANDS_THERE, COVERED)
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
        page.show_chart(
            prediction_bars(table, unit="subword", mark="was there", colour=COLOURS),
            key="split_bars",
            alt="; ".join(
                f"{name}: {percentage(float(p[text.ids[place]]))}" for name, p in stages.items()
            ),
            name="expected-by-split",
        )
    page.note_beside(
        screen,
        "Three small models, alike in everything but the split, so a large difference between"
        " them is due to it; a small one may be chance, because each was trained once. Cover the word, leave it, or put a random one in its place.",
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
    with page.model_calls:
        found = gap_probabilities(model, tokens[None], torch.tensor([[places.start]]))
    return found[0, 0].numpy()
