"""What a model would say after each stage, computed once for all visitors."""

from typing import NamedTuple

import numpy as np
import streamlit as st
import torch

from lm_core.analysis.residual_stream import Stage, logit_lens, streams
from pages.shared.charts.palette import visible
from pages.shared.models.read_sentences import Sentence, sentence_of, transformer
from pages.shared.turns import model_calls
from pages.shared.ui.markdown import as_code
from pages.transformer_block.subject import trace_of

MOST = 5
"""Tokens that are said of each stage."""


class Lens(NamedTuple):
    """What a model would say after each of S stages."""

    stages: tuple[Stage, ...]
    best: np.ndarray
    """Ids of the likeliest tokens, (S, 5)."""
    probabilities: np.ndarray
    """Of these, (S, 5)."""
    ids: tuple[int, ...]
    """Every token that is among the likeliest of a stage, the model's own answer first; at the end another one."""
    followed: np.ndarray
    """Of each of `ids`, the probability after each stage, (S, n)."""
    ranks: np.ndarray
    """Of each of `ids`, its rank from 1, (S, n)."""

    @property
    def answer(self) -> int:
        """The token that the whole model finds likeliest."""
        return self.ids[0]

    @property
    def first_block(self) -> int:
        """The number, from 1, of the first block after which the answer is the likeliest token."""
        blocks = self.ranks[2::2, 0]  # the embedding, then two stages a block
        return int((blocks == 1).argmax()) + 1


@st.cache_resource(max_entries=64, show_spinner=False)
def _lens(name: str, weights_sha256: str, text: str, position: int, other: int | None) -> Lens:
    sentence, model = sentence_of(name, text), transformer(name, weights_sha256)
    found = trace_of(sentence)
    with model_calls:
        p = logit_lens(model, found, position).softmax(-1)
    top = p.topk(MOST)
    found_ids = [*top.indices[-1].tolist(), *top.indices.flatten().tolist()]
    ids = list(dict.fromkeys(found_ids if other is None else [*found_ids, other]))
    followed = p[:, ids].contiguous()
    ranks = p.shape[1] - torch.searchsorted(p.sort(-1).values, followed, right=True) + 1
    return Lens(
        streams(sentence.config),
        top.indices.numpy(),
        top.values.numpy(),
        tuple(ids),
        followed.numpy(),
        ranks.numpy(),
    )


def lens_of(sentence: Sentence, position: int, other: int | None = None) -> Lens:
    """Return what the model would say after each stage, shared by all visitors; of another token, too."""
    return _lens(*sentence.key, position, other)


def spelled(sentence: Sentence, token: int) -> str:
    """Return a token as a sentence quotes it."""
    return as_code(visible(sentence.vocabulary.symbols[token]))
