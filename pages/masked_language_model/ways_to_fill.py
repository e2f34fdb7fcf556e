"""Three ways to fill several gaps: at once, each by itself, or one after another."""

from typing import NamedTuple

import numpy as np
import streamlit as st
import torch

from lm_core.analysis.gaps import ORDERS, covered, fill_gaps, pair_probabilities
from lm_core.text.whole_words import as_subword_text
from pages.masked_language_model import subject
from pages.shared.turns import model_calls

MOST_GAPS, _CANDIDATES, SHOWN = 8, 6, 7
STAGES = {"at_once": "at once", "left_first": "left gap first", "right_first": "right gap first"}


class Ways(NamedTuple):
    """What is computed of the gaps."""

    symbols: tuple[str, ...]  # the best pairs of the first two gaps, by spelling
    # dict of str to ndarray of shape (P,): their probabilities, by the way to fill
    pairs: dict[str, np.ndarray]
    # dict of str to (tuple of int, float): by order: the ids of the whole text, and the product of
    # the probabilities
    filled: dict[str, tuple[tuple[int, ...], float]]


@st.cache_data(max_entries=256, show_spinner=False)
def ways_of(sha256: str, ids: tuple[int, ...], words: tuple[int, ...]) -> Ways:
    """Return what each way fills in, computed once for all visitors."""
    del sha256  # part of the key
    text, tokens = as_subword_text(np.array(ids), subject.vocabulary()), torch.tensor(ids)
    gaps = [place for word in words for place in text.words[word]]
    first, second = (text.words[word].start for word in words[:2])
    with model_calls:
        pairs = pair_probabilities(
            subject.masked_model(),
            covered(tokens, gaps, subject.masked_model().config.mask_id),
            (first, second),
            _CANDIDATES,
        )
    filled = {}
    for order in ORDERS:
        with model_calls:
            found = fill_gaps(subject.masked_model(), tokens, gaps, order)
        filled[order] = (tuple(found.tokens.tolist()), float(np.prod(found.probabilities)))
    spelled = subject.vocabulary().spell
    symbols = tuple(
        f"{a.strip()} {b.strip()}"
        for a in spelled(pairs.first.tolist())
        for b in spelled(pairs.second.tolist())
    )
    stages = {name: getattr(pairs, name).flatten().numpy() for name in STAGES}
    return Ways(symbols, stages, filled)
