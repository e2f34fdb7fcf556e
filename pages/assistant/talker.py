"""What replies to a visitor: the model that read 33 books continues the dialogue so far, tuned or as it was."""

from typing import Any, NamedTuple

import streamlit as st

from lm_core.experiments.conversation.replying import reply, times_as_probable
from lm_core.experiments.conversation.results import ConversationResults
from lm_core.experiments.conversation.study import WRITER
from lm_core.generation.sampling import SamplingSettings
from lm_core.models.low_rank import tuned_copy
from lm_core.models.transformer import TransformerLanguageModel
from lm_core.training.checkpoints import Checkpoint
from lm_core.training.model_vocabulary import vocabulary_of
from pages.shared import page
from pages.shared.models.language_models import derived_model, model_named, provenance_of

FIRST = "Good evening! Where have you been all day?"
TUNED, UNTUNED = "tuned", "untuned"


class Talking(NamedTuple):
    """Who replies, and how a reply is drawn."""

    talker: str = page.field(page.segments, "Model", [TUNED, UNTUNED])
    talk_temperature: float = page.field(page.slider, "Temperature", 0.2, 1.5, 0.8, 0.1, width=150)
    talk_seed: int = page.folded(page.number, "Seed", 0, 9_999, 1)


@st.cache_data(max_entries=64, show_spinner="It replies")
def first_exchange(talking: Talking) -> dict[str, Any]:
    """Return the exchange that a conversation begins with, before a visitor says anything."""
    return {"said": FIRST} | replied([FIRST], 0, talking)


def replied(turns: list[str], place: int, talking: Talking) -> dict[str, Any]:
    """Return the next turn after some, who says it, and by how much the last of them makes it more probable.

    `place`: int, of the exchange, from 0: each has random numbers of its own.
    """
    model, vocabulary = _model(talking.talker), vocabulary_of(provenance_of(WRITER))
    settings = SamplingSettings(temperature=talking.talk_temperature)
    said = reply(
        model,
        vocabulary,
        turns,
        settings,
        talking.talk_seed + place,
        model_turn=lambda: page.model_calls,
    )
    exchange: dict[str, Any] = {"reply": said, "times": None, "by": talking.talker}
    if said:
        with page.model_calls:
            exchange["times"] = times_as_probable(model, vocabulary, turns, said)
    return exchange


def _model(talker: str) -> TransformerLanguageModel:
    plain = model_named(WRITER)
    if talker == UNTUNED:
        return plain.model
    found = page.shipped(ConversationResults)
    return derived_model(
        f"{WRITER}-conversation",
        found.provenance["weights_sha256"],
        lambda: Checkpoint(tuned_copy(plain.model, found.updates), plain.meta),
    ).model
