"""What each model expects at a gap, and the bits of each word; computed once for all visitors."""

import math
from typing import NamedTuple

import numpy as np
import streamlit as st
import torch
from torch import Tensor

from lm_core.analysis.gaps import both_sides_probabilities, left_probabilities
from lm_core.analysis.pseudo_log_likelihood import by_word, pseudo_log_likelihoods
from lm_core.experiments.masked_language_model.settings import CAUSAL, MAIN
from lm_core.text.whole_words import SubwordText, as_subword_text
from pages.masked_language_model import subject
from pages.shared.turns import model_calls


class Expected(NamedTuple):
    """What two models expect of a covered word of n subwords."""

    # left and both: shape (n, V): from the left alone, and from both sides; subwords of the word
    # before are known
    left: np.ndarray
    both: np.ndarray

    def of_word(self, word: np.ndarray) -> tuple[float, float]:
        """Return the probability of the word's ids, (n,), from the left alone and from both sides."""
        left, both = (float(np.prod(p[np.arange(len(word)), word])) for p in self)
        return left, both


def expected(text: SubwordText, word: int, model: str = MAIN) -> Expected:
    """Return what is expected of a word while it alone is covered."""
    sha256 = subject.meta_of(model).weights_sha256 + subject.meta_of(CAUSAL).weights_sha256
    return _expected(sha256, model, subject.ids_of(text), word)


@st.cache_data(max_entries=512, show_spinner=False)
def _expected(sha256: str, model: str, ids: tuple[int, ...], word: int) -> Expected:
    del sha256  # part of the key
    text = as_subword_text(np.array(ids), subject.vocabulary())
    places, tokens = text.words[word], torch.tensor(ids)
    with model_calls:
        both = both_sides_probabilities(subject.masked_model(model), tokens, list(places), places)
        left = left_probabilities(subject.causal_model(), tokens)
    return Expected(left[places.start - 1 : places.stop - 1].numpy(), both.numpy())


class WordBits(NamedTuple):
    """Surprisal of each word in bits, from the left alone and from both sides."""

    left: tuple[float, ...]
    both: tuple[float, ...]


def word_bits(text: SubwordText) -> WordBits:
    """Return how surprising each word is while it alone is covered."""
    sha256 = subject.meta_of().weights_sha256 + subject.meta_of(CAUSAL).weights_sha256
    return _word_bits(sha256, subject.ids_of(text))


@st.cache_data(max_entries=256, show_spinner=False)
def _word_bits(sha256: str, ids: tuple[int, ...]) -> WordBits:
    del sha256  # part of the key
    text, tokens = as_subword_text(np.array(ids), subject.vocabulary()), torch.tensor(ids)
    with model_calls:
        left = left_probabilities(subject.causal_model(), tokens)
    own = left.gather(1, tokens[1:, None])[:, 0].log()
    both = []
    for word in text.words:  # a call a word: who waits has a turn in between
        with model_calls:
            both.append(pseudo_log_likelihoods(subject.masked_model(), tokens, (word,)))
    return WordBits(_bits(own, text), _bits(torch.cat(both), text))


def _bits(nats: Tensor, text: SubwordText) -> tuple[float, ...]:
    return tuple(-value / math.log(2.0) for value in by_word(nats, text.words))
