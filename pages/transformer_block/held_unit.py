"""A feed-forward unit held at a value: the next token, and the text that follows, with the unit free and held."""

from typing import NamedTuple

import numpy as np
import streamlit as st

from lm_core.analysis.feed_forward_units import HeldUnit, HoldingTransformer
from lm_core.generation.sampling import SamplingSettings
from lm_core.generation.text_generation import TextGeneration
from pages.shared import page
from pages.shared.charts.predictions import bars_in_words, prediction_bars, prediction_table
from pages.shared.components.texts import generation_strip
from pages.shared.models.read_sentences import sentence_of, transformer
from pages.shared.numbers import written
from pages.shared.turns import model_calls
from pages.transformer_block.unit_text import UnitText

_WRITTEN = 24
"""Tokens by which each text is continued."""
_AT_ONCE = 12
_TEMPERATURE = 0.7


class _Continued(NamedTuple):
    """What follows a text."""

    next_token: np.ndarray
    """Its probabilities, (V,)."""
    generation: TextGeneration
    """Read it, never change it."""


def held_unit(text: UnitText, unit: int) -> None:
    """Draw the prediction and the text that follows, with a unit left alone and held at a value."""
    largest = float(text.units.activations[:, unit].max())
    with st.container(horizontal=True, vertical_alignment="bottom"):
        times = page.segments(
            "held_at",
            "Hold the unit at",
            {0: "0, off", 1: "its largest here", 4: "four times that"},
            4,
        )
        seed = page.number("seed", "Seed of both texts", 1, 999, 1, width=150)
    value = round(times * largest, 4)
    name, weights_sha256, _ = text.sentence.key
    free = _continued(name, weights_sha256, text.prompt, None, seed)
    held = _continued(name, weights_sha256, text.prompt, HeldUnit(unit, value), seed)
    title = f"Held at {written(value, '.2f')}"
    columns = st.columns(2, gap="medium")
    for column, heading, continued, key in zip(
        columns, ("Left alone", title), (free, held), ("free", "held"), strict=True
    ):
        with column:
            st.markdown(f"**{heading}**")
            generation_strip(
                continued.generation,
                text.sentence.vocabulary.spell(continued.generation.ids),
                key=f"unit_written_{key}",
                label=f"What the model writes, the unit {key}",
                is_growing=False,
                unit="token",
                follow=False,
            )
    table = prediction_table(
        text.sentence.vocabulary.symbols, {"": held.next_token}, before=free.next_token, most=6
    )
    st.markdown(f"**Next token with unit {text.units.name_of(unit)} held. Outline: left alone.**")
    page.show_chart(
        prediction_bars(table, unit="token"),
        table,
        key="held_next",
        alt=f"Next token with the unit held: {bars_in_words(table)}",
        name="held-next-token",
    )
    st.caption(
        f"Both texts use the same random numbers (seed {seed}, temperature {_TEMPERATURE:g}), so that only"
        " the unit makes a difference. At every token its activation is replaced; all others are computed"
        " as always, from what it changed. One text proves nothing: change the seed."
    )


@st.cache_resource(max_entries=24, show_spinner="It writes")
def _continued(
    name: str, weights_sha256: str, text: str, held: HeldUnit | None, seed: int
) -> _Continued:
    """Return what follows a text, a unit held all along: for a whole class once."""
    model = transformer(name, weights_sha256)
    reader = model if held is None else HoldingTransformer(model, held)
    ids = sentence_of(name, text).ids.numpy()
    with model_calls:
        generation = TextGeneration.begin(reader, ids, SamplingSettings(_TEMPERATURE), seed)
    prediction = generation.chain_trace().stages[0].probabilities.numpy()
    for _ in range(0, _WRITTEN, _AT_ONCE):
        with model_calls:
            generation.write(_AT_ONCE)
    return _Continued(prediction, generation)
