"""The same prompt and the same random numbers at several temperatures, side by side."""

from dataclasses import replace

import numpy as np
import streamlit as st

from lm_core.generation.repetition import find_loop
from lm_core.generation.sampling import SamplingSettings
from lm_core.generation.text_generation import TextGeneration
from lm_core.text.character_vocabulary import CharacterVocabulary
from pages.shared.components.token_strip import token_strip
from pages.shared.server import model_calls
from pages.shared.ui.controls import control
from pages.war_and_peace.opening import Opening

_TEMPERATURES = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0, 1.2, 1.5, 2.0)
_MOST_COLUMNS = 4
_LENGTH = 320
_PER_TICK = 40
_KEY = "writing_same_seed"


def same_seed(opening: Opening, settings: SamplingSettings) -> None:
    """Draw up to four texts that grow together."""
    temperatures = control(
        st.multiselect,
        "temperatures",
        "Temperatures",
        _TEMPERATURES,
        (0.0, 0.6, 1.0, 1.5),
        max_selections=_MOST_COLUMNS,
        help="Everything else, the random numbers included, is the same in every column.",
    )
    if not temperatures:
        st.info("Choose at least one temperature.")
        return
    generations = _stories(opening, settings, tuple(sorted(temperatures)[:_MOST_COLUMNS]))
    is_growing = any(len(generation.written) < _LENGTH for generation in generations)
    st.fragment(_columns, run_every=1.0 if is_growing else None)(
        generations, opening.vocabulary, is_growing
    )


def _columns(
    generations: tuple[TextGeneration, ...], vocabulary: CharacterVocabulary, is_growing: bool
) -> None:
    for generation in generations:
        with model_calls:
            generation.write(min(_PER_TICK, _LENGTH - len(generation.written)))
    if is_growing and all(len(generation.written) >= _LENGTH for generation in generations):
        st.rerun()
    with st.container(key="live_columns"):
        columns = st.columns(len(generations))
    for column, generation in zip(columns, generations, strict=True):
        with column:
            _column(generation, vocabulary, is_growing)


def _column(generation: TextGeneration, vocabulary: CharacterVocabulary, is_growing: bool) -> None:
    temperature, unit = generation.settings.temperature, vocabulary.unit
    st.markdown(f"**Temperature {temperature:g}**")
    n_prompt = len(generation.prompt_ids)
    token_strip(
        vocabulary.spell(generation.ids),
        [None] * n_prompt + [written.model_probability for written in generation.written],
        key=f"writing_column_{temperature:g}",
        prompt_length=n_prompt,
        label=f"Text at temperature {temperature:g}",
        unit=unit,
        click_hint=f"Point at a {unit} for its probability.",
        typewriter_ms=1000 if is_growing else 0,
        follow=False,  # where the columns part stays in sight
    )
    mean = sum(written.entropy_bits for written in generation.written) / len(generation.written)
    loop = find_loop(np.array(generation.ids))
    circles = f" Repeats itself every {loop.period} {unit}s." if loop else ""
    st.caption(
        f"The model was uncertain by {mean:.2f} bits a {unit} on average,"
        f" {2**mean:.1f} choices.{circles}"
    )


def _stories(
    opening: Opening, settings: SamplingSettings, temperatures: tuple[float, ...]
) -> tuple[TextGeneration, ...]:
    """Return this visit's texts; new ones if anything that they depend on is another."""
    identity = (opening.identity, settings, temperatures)
    kept = st.session_state.get(_KEY)
    if kept is None or kept[0] != identity:
        with model_calls:
            begun = TextGeneration.begin(opening.model, opening.ids, settings, opening.seed)
        generations = tuple(
            begun.with_settings(replace(settings, temperature=t)) for t in temperatures
        )
        kept = st.session_state[_KEY] = (identity, generations)
    return kept[1]
