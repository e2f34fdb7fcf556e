"""What follows from a part that is taken out, computed once for all visitors; the stages themselves are not kept."""

from itertools import islice
from typing import NamedTuple

import numpy as np
import streamlit as st

from lm_core.analysis.residual_stream import Removed, continuation, mean_cosine, streams, trace
from pages.shared.models.read_sentences import Sentence, sentence_of, transformer
from pages.shared.turns import model_calls

_WRITTEN = 8
"""Tokens of the texts that are compared."""


class Consequence(NamedTuple):
    """What a model makes of a sentence with parts left out."""

    loss: float
    """Mean over the tokens but the first, in nats."""
    next_token: np.ndarray
    """Its probabilities after the last token, (V,)."""
    cosines: tuple[float, ...]
    """How alike the positions are after each stage of the stream."""


def consequence(sentence: Sentence, out: tuple[Removed, ...]) -> Consequence:
    """Return what follows from parts that are left out, shared by all visitors; without one, the whole model."""
    return _consequence(*sentence.key, out)


def continued(sentence: Sentence, out: tuple[Removed, ...]) -> str:
    """Return the likeliest text after a sentence with parts left out."""
    return _continued(*sentence.key, out)


@st.cache_data(max_entries=256, show_spinner="It reads without the part")
def _consequence(
    name: str, weights_sha256: str, text: str, out: tuple[Removed, ...]
) -> Consequence:
    sentence, model = sentence_of(name, text), transformer(name, weights_sha256)
    with model_calls:
        found = trace(model, sentence.ids, without=out)
        return Consequence(
            float(found.losses.mean()),
            found.logits[-1].softmax(-1).numpy(),
            tuple(mean_cosine(found[stage]) for stage in streams(sentence.config)),
        )


@st.cache_data(max_entries=128, show_spinner="It writes")
def _continued(name: str, weights_sha256: str, text: str, out: tuple[Removed, ...]) -> str:
    sentence, model = sentence_of(name, text), transformer(name, weights_sha256)
    writer, written = continuation(model, sentence.ids, out), list[int]()
    for _ in range(_WRITTEN):
        with model_calls:  # one token a turn: others need the model, too
            written += islice(writer, 1)
    return sentence.vocabulary.decode(written)
