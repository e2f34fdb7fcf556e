"""What one prediction depends on: each earlier token's weight, by gradient or by occlusion."""

from typing import NamedTuple

import numpy as np
import streamlit as st
import torch

from lm_core.analysis import connectivity
from lm_core.analysis.surprisal import context_before, readable_text
from lm_core.models.recurrent_language_model import LSTMLanguageModel
from lm_core.models.transformer import TransformerLanguageModel
from lm_core.training.checkpoints import CheckpointMeta
from lm_core.training.model_vocabulary import vocabulary_of
from pages.shared.models.book_models import model_of, snapshots_of
from pages.shared.turns import model_calls

GRADIENT, TIMES_INPUT, OCCLUSION = "Gradient", "Gradient × input", "Occlusion"
_MOST_CHARACTERS = 160
"""Before the prediction: so far back a class can read, and a server can replace each in turn."""


class Connection(NamedTuple):
    """One model's prediction, and what it depends on."""

    token: str  # that is predicted
    probability: float
    spelled: list[str]  # the tokens before it
    weights: np.ndarray  # shape (T,): of each of them

    @property
    def by_character(self) -> np.ndarray:
        """What each character weighs: a token's weight, spread evenly over its own."""
        lengths = np.array([len(token) for token in self.spelled])
        return np.repeat(self.weights / lengths, lengths)


def connection_of(meta: CheckpointMeta, text: str, measure: str) -> Connection:
    """Return what the prediction after a text depends on."""
    return _computed(meta.name, meta.weights_sha256, text, measure)


@st.cache_data(max_entries=48, show_spinner="Replacing each character in turn")
def _computed(name: str, weights_sha256: str, text: str, measure: str) -> Connection:
    meta = snapshots_of(name)[-1]
    model, vocabulary = model_of(name, weights_sha256), vocabulary_of(meta)
    before = context_before(vocabulary)
    ids = np.concatenate([before, vocabulary.encode(readable_text(text, vocabulary))])
    lengths = vocabulary.lengths[ids]
    # The nearest tokens only, of about as many characters for both models; what is before them is read.
    back = int((lengths[::-1].cumsum() <= _MOST_CHARACTERS).sum())
    start = max(len(before), len(ids) - back)
    tokens = torch.from_numpy(ids)
    with model_calls:
        state = connectivity.state_before(model, tokens, start)
        logs = connectivity.log_probabilities(model, tokens[start:], state)
    target = int(logs.argmax())
    if measure == OCCLUSION:
        replacements = torch.from_numpy(connectivity.replacements_for(ids, vocabulary))[start:]
        weights = connectivity.occlusion(
            model, tokens[start:], replacements, state, target, model_turn=lambda: model_calls
        )
    else:
        assert isinstance(model, LSTMLanguageModel | TransformerLanguageModel)
        with model_calls:
            gradient = connectivity.input_gradient(model, tokens[start:], state, target)
        weights = gradient.norm if measure == GRADIENT else gradient.times_input
    return Connection(
        vocabulary.symbols[target],
        float(logs[target].exp()),
        vocabulary.spell(ids[start:]),
        weights,
    )
