"""Why greedy text goes round in circles."""

from typing import NamedTuple

import streamlit as st

from lm_core.generation.chain import SamplingSettings
from lm_core.generation.loops import Loop, find_loop
from lm_core.generation.story import Story
from lm_core.text.alphabets import SOURCE
from pages.shared.server import model_calls
from pages.writing.desk.library import model_of, stamps
from pages.writing.desk.opening import Opening

_LENGTH = 1_000


class GreedyText(NamedTuple):
    """A text written at temperature 0, and the circle it ends in, if any."""

    text: str
    n_prompt: int
    loop: Loop | None


def greedy_repetition(opening: Opening) -> None:
    """Write at temperature 0 and show where the text begins to repeat itself."""
    greedy = _write_greedily(opening.meta.name, opening.meta.weights_sha256, opening.ids)
    if greedy.loop is None:
        st.markdown(
            f"Not within {_LENGTH:,} characters, for this prompt and this model. Try another one."
        )
    else:
        period = greedy.loop.period
        phrase = greedy.text[greedy.loop.start : greedy.loop.start + period]
        st.markdown(
            f"**Yes.** From character {greedy.loop.start - greedy.n_prompt:,} on, the same"
            f" {period} characters come back {greedy.loop.repeats} times:"
        )
        with st.container(border=True):
            st.text(phrase)
        st.markdown(
            "Nothing is drawn at temperature 0, so the text hangs on the model's state alone. The"
            " phrase leads the network back to nearly the state it was in before, there it takes"
            " the same most probable character again, and each round brings the state closer to"
            " the circle: an attractor. One random draw is enough to leave it."
        )
    with st.expander("The whole text"):
        st.text(greedy.text)


@st.cache_data(max_entries=32, show_spinner="Writing at temperature 0")
def _write_greedily(name: str, weights_sha256: str, ids: tuple[int, ...]) -> GreedyText:
    del weights_sha256  # part of the key only
    with model_calls:
        story = Story.begin(model_of(stamps()[name]), ids, SamplingSettings(temperature=0.0), 0)
        story.write(_LENGTH)
    return GreedyText(SOURCE.decode(story.ids), len(ids), find_loop(story.ids))
