"""The transformer of Wikipedia continues what a visitor types."""

from typing import NamedTuple

import streamlit as st

from lm_core.errors import TextError
from lm_core.experiments.wikipedia.articles import UNKNOWN_WORD, as_in_articles
from lm_core.experiments.wikipedia.training import MODEL, PROMPT, SAMPLING, WRITTEN, begin_text
from lm_core.generation.text_generation import TextGeneration
from lm_core.text.character_vocabulary import UNKNOWN
from lm_core.text.vocabularies import WIKIPEDIA_SUBWORDS, vocabulary_named
from lm_core.text.what_was_read import WhatWasRead, sentence_as_read
from pages.shared import page
from pages.shared.components.texts import generation_strip
from pages.shared.models.language_models import model_named
from pages.shared.ui.messages import errors_in_place
from pages.shared.ui.text_input import checked_text, say_limits

_LONGEST = 200


class Sampled(NamedTuple):
    """How its text is drawn."""

    wikipedia_temperature: float = page.field(
        page.slider, "Temperature", 0.0, 1.5, SAMPLING.temperature, 0.1, width=200
    )
    wikipedia_seed: int = page.field(page.number, "Seed of the text", 0, 999, 1, width=160)


def write() -> None:
    """Draw the prompt and how is sampled, and the text that follows."""
    with errors_in_place():
        vocabulary = vocabulary_named(WIKIPEDIA_SUBWORDS)
        with st.container(horizontal=True, vertical_alignment="bottom"):
            typed = page.text("wikipedia_prompt", "Prompt", PROMPT, max_chars=_LONGEST, width=420)
            sampled = page.fields(Sampled)
        say_limits({"wikipedia_prompt": _LONGEST})

        def read(raw: str) -> tuple[str, WhatWasRead]:
            text = as_in_articles(checked_text(raw, most=_LONGEST, name="the prompt"))
            if not text:
                raise TextError("type at least one word, because the model continues a text")
            return text, sentence_as_read(raw, text, vocabulary)

        prompt = page.read_and_say("wikipedia_prompt", typed, read, PROMPT)
        text = _written(prompt, sampled)
        spelled = [symbol.replace(UNKNOWN_WORD, UNKNOWN) for symbol in vocabulary.spell(text.ids)]
        generation_strip(
            text,
            spelled,
            key="wikipedia_strip",
            label="The prompt, then what the model writes, each subword tinted by its probability",
            unit=vocabulary.unit,
            is_growing=False,
            follow=False,
        )
        st.caption(
            f"It draws {WRITTEN} subwords, one after another. At temperature 0 it takes the most probable one each time;"
            " the higher the temperature, the more often it takes an improbable one. Another seed is another draw."
            " Commas and full stops are given spaces around them, because they have them in WikiText-2."
        )


@st.cache_resource(max_entries=64, show_spinner="The model writes")
def _written(prompt: str, sampled: Sampled) -> TextGeneration:
    """Return a prompt with its continuation: read it, never change it."""
    model, vocabulary = model_named(MODEL).model, vocabulary_named(WIKIPEDIA_SUBWORDS)
    with page.model_calls:
        text = begin_text(model, vocabulary, prompt, *sampled)
    for _ in range(WRITTEN):
        with page.model_calls:
            text.write(1)
    return text
