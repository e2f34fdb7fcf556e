"""A text of random words that Gibbs sampling makes more likely, sweep by sweep."""

from itertools import islice
from typing import NamedTuple

import streamlit as st
from torch import Tensor

from lm_core.experiments.masked_language_model.text_scores import bits_of
from lm_core.generation.gibbs import GibbsStep, gibbs_sampling
from lm_core.rng import generator
from pages.masked_language_model import subject
from pages.shared.turns import model_calls

TOKENS, SWEEPS = 16, 12


class Chain(NamedTuple):
    """A chain of Gibbs sampling."""

    steps: tuple[GibbsStep, ...]
    bits: tuple[float, ...]  # bits a character for the causal model after each sweep


class _Sweep(NamedTuple):
    """One sweep of a chain, and the state of its random numbers after it."""

    steps: tuple[GibbsStep, ...]
    bits: float
    rng_state: Tensor


def chain_of(temperature: float, seed: int, n_sweeps: int) -> Chain:
    """Return the first sweeps of a chain; each is drawn once for all visitors."""
    sha256 = subject.meta_of().weights_sha256
    sweeps = [_sweep(sha256, temperature, seed, number) for number in range(1, n_sweeps + 1)]
    return Chain(
        tuple(step for sweep in sweeps for step in sweep.steps),
        tuple(sweep.bits for sweep in sweeps),
    )


@st.cache_data(max_entries=512, show_spinner=False)
def _sweep(sha256: str, temperature: float, seed: int, number: int) -> _Sweep:
    """Draw every place anew, after the sweep before, and score the text that is left."""
    model, rng = subject.masked_model(), generator(seed)
    tokens = (*subject.vocabulary().encode("\n").tolist(), *[model.config.mask_id] * TOKENS)
    if number > 1:
        before = _sweep(sha256, temperature, seed, number - 1)
        tokens = before.steps[-1].tokens
        rng.set_state(before.rng_state)
    drawing = gibbs_sampling(model, tokens, range(1, TOKENS + 1), temperature=temperature, rng=rng)
    with model_calls:
        steps = tuple(step._replace(sweep=number) for step in islice(drawing, TOKENS))
        bits = bits_of(subject.causal_model(), subject.vocabulary(), steps[-1].tokens[1:])
    return _Sweep(steps, bits, rng.get_state())
