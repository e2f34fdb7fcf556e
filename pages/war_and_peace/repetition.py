"""Why greedy text goes round in circles."""

from typing import NamedTuple

import numpy as np
import streamlit as st

from lm_core.generation.repetition import Loop, find_loop, recurrence
from lm_core.generation.sampling import SamplingSettings
from lm_core.generation.text_generation import TextGeneration
from lm_core.text.character_vocabulary import CharacterVocabulary
from pages.shared.server import model_calls
from pages.war_and_peace.library import model_of
from pages.war_and_peace.opening import Opening

_LENGTH = 1_000


class GreedyText(NamedTuple):
    """A text written at temperature 0, and the circle it ends in, if any."""

    tokens: tuple[str, ...]
    n_prompt: int
    loop: Loop | None
    distances: tuple[float, ...]  # of the model's state from one round to the next


def greedy_repetition(opening: Opening) -> None:
    """Write at temperature 0 and show where the text begins to repeat itself."""
    greedy = _write_greedily(
        opening.meta.name, opening.meta.weights_sha256, opening.ids, opening.vocabulary
    )
    if greedy.loop is None:
        st.markdown(
            f"Not within {_LENGTH:,} {opening.vocabulary.unit}s, for this prompt and this model. Try another one."
        )
    else:
        period, unit = greedy.loop.period, opening.vocabulary.unit
        phrase = "".join(greedy.tokens[greedy.loop.start : greedy.loop.start + period])
        st.markdown(
            f"**Yes.** From {unit} {greedy.loop.start - greedy.n_prompt:,} on, the same"
            f" {period} {unit}s come back {greedy.loop.repeats} times:"
        )
        with st.container(border=True):
            st.text(phrase)
        st.markdown(_why(greedy.distances))
    with st.expander("The whole text"):
        st.text("".join(greedy.tokens))


@st.cache_data(max_entries=32, show_spinner="Writing at temperature 0")
def _write_greedily(
    name: str, weights_sha256: str, ids: tuple[int, ...], _vocabulary: CharacterVocabulary
) -> GreedyText:
    model = model_of(name, weights_sha256)
    with model_calls:
        generation = TextGeneration.begin(model, ids, SamplingSettings(temperature=0.0), 0)
        generation.write(_LENGTH)
        text = np.array(generation.ids)
        loop = find_loop(text)
        distances = recurrence(model, text, loop).distances if loop else ()
    return GreedyText(tuple(_vocabulary.spell(generation.ids)), len(ids), loop, distances)


def _why(distances: tuple[float, ...]) -> str:
    text = "Nothing is drawn at temperature 0, so the text hangs on the model's state alone."
    if distances[-1] == 0.0:
        return (
            f"{text} Here the state is the same to the last digit after each round, so it can"
            " never leave the circle."
        )
    return (
        f"{text} The first round led the state to within {distances[0]:.1%} of where it had been,"
        f" the last one to within {distances[-1]:.2g} of it (as a share of its length). Each round"
        " ends closer to where it began: an attractor. One random draw is enough to leave it."
    )
