"""Ten real names and ten that a network made up, in an order by chance."""

import random
from typing import NamedTuple

import streamlit as st

from lm_core.experiments.neural_language_model.names import bits_of_names, new_names, sample_names
from lm_core.experiments.neural_language_model.study import PUBLISHED
from lm_core.rng import generator
from lm_core.text.names import load_names, split_names
from pages.neural_language_model.shipped import network, results
from pages.shared.turns import model_calls

N_EACH = 10


class Round(NamedTuple):
    """Names in the order in which they are shown."""

    names: tuple[str, ...]
    # is_sampled, is_copy and is_reinvented: a copy is a sampled name that the network has learned
    # from, a reinvented one is on the list as well, but held out
    is_sampled: tuple[bool, ...]
    is_copy: tuple[bool, ...]
    is_reinvented: tuple[bool, ...]
    bits: tuple[float, ...]  # a letter, for the network that sampled

    def right(self, picked: list[str]) -> list[bool]:
        """Return of each name whether who picked these as sampled is right about it."""
        return [
            (n in picked) == sampled for n, sampled in zip(self.names, self.is_sampled, strict=True)
        ]


class Asked(NamedTuple):
    """Which names: the round, and how they are sampled."""

    number: int
    context_size: int
    temperature: float


@st.cache_resource(max_entries=1, show_spinner=False)
def _real_names() -> tuple[str, ...]:
    return new_names(split_names(load_names()))


@st.cache_data(max_entries=256, show_spinner=False)
def round_of(asked: Asked) -> Round:
    """Draw a round by its seed: real names and made ones."""
    model = network(asked.context_size, PUBLISHED.embedding_size, PUBLISHED.hidden_size)
    lots = random.Random(asked.number)
    real = lots.sample(_real_names(), N_EACH)
    with model_calls:
        drawn = sample_names(model, 2 * N_EACH, generator(asked.number), asked.temperature)
        sampled = [name for name in drawn if name not in real][:N_EACH]
        order = lots.sample(range(2 * N_EACH), 2 * N_EACH)
        names = [[*real, *sampled][i] for i in order]
        bits = bits_of_names(model, names)
    is_sampled = [i >= N_EACH for i in order]
    known = results().known
    is_copy, is_reinvented = (
        tuple(sampled and found for sampled, found in zip(is_sampled, listed, strict=True))
        for listed in (known.are_trained_on(names), known.are_held_out(names))
    )
    return Round(tuple(names), tuple(is_sampled), is_copy, is_reinvented, tuple(bits))
