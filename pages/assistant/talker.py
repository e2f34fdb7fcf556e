"""What replies to a visitor: the model that read 33 books continues the dialogue so far."""

from typing import Any, NamedTuple

import streamlit as st

from lm_core.experiments.conversation.replying import reply, times_as_probable
from lm_core.experiments.conversation.study import WRITER
from lm_core.generation.sampling import SamplingSettings
from lm_core.training.model_vocabulary import vocabulary_of
from pages.shared import page
from pages.shared.models.language_models import model_named, provenance_of


class Talking(NamedTuple):
    """How a reply is drawn."""

    talk_temperature: float = page.field(page.slider, "Temperature", 0.2, 1.5, 0.8, 0.1, width=150)
    talk_seed: int = page.folded(page.number, "Seed", 0, 9_999, 1)


def replied(turns: list[str], place: int, talking: Talking) -> dict[str, Any]:
    """Return the next turn after some, and by how much the last of them makes it more probable.

    `place`: int, of the exchange, from 0: each has random numbers of its own.
    """
    model, vocabulary = model_named(WRITER).model, vocabulary_of(provenance_of(WRITER))
    settings = SamplingSettings(temperature=talking.talk_temperature)
    with st.spinner("It replies"):
        said = reply(
            model,
            vocabulary,
            turns,
            settings,
            talking.talk_seed + place,
            model_turn=lambda: page.model_calls,
        )
    if not said:
        return {"reply": "", "times": None}
    with page.model_calls:
        return {"reply": said, "times": times_as_probable(model, vocabulary, turns, said)}
