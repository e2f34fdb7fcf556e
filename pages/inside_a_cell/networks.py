"""States, gradients and training records of the networks, computed once for each setting."""

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import numpy as np
import streamlit as st
import torch

from lm_core.analysis.gradients import decay_per_step, gradient_map
from lm_core.analysis.spectra import Spectrum, rescale_recurrence, spectra
from lm_core.analysis.unit_step import UnitTrace, trace_unit
from lm_core.experiments.gates.taps import open_gates
from lm_core.experiments.inside_a_cell.results import TrainedNetwork, TrainedNetworks
from lm_core.experiments.inside_a_cell.study import TEST_SEED
from lm_core.experiments.inside_a_cell.training import (
    FirstSymbolConfig,
    FirstSymbolNetwork,
    accuracy,
)
from lm_core.models.recurrent import LSTMCell
from lm_core.rng import generator
from pages.inside_a_cell.settings import Side
from pages.inside_a_cell.training_controls import Changes
from pages.shared import page

TEST_SEQUENCES = 500

_HASHED: dict[str | type[Any], Callable[[Any], Any]] = {
    FirstSymbolConfig: repr,
    Changes: repr,
    tuple: repr,
}
"""How Streamlit tells settings apart; part by part takes longer than drawing what they lead to."""


class Trace(NamedTuple):
    """All states and outputs of a network on the digits; T steps, H units.

    Shared by all visitors, as all that is computed here: read it, never change it.
    """

    parts: dict[str, np.ndarray]  # (T, H) by letter
    probabilities: np.ndarray  # (T, 10): of each digit to be the first, after each step
    spectra: tuple[Spectrum, ...]
    accuracy: float  # on random sequences of 20 digits


class Gradients(NamedTuple):
    """Norms of gradients, (T, T) each: outputs down, steps across."""

    by_state: np.ndarray
    by_input: np.ndarray
    factors: tuple[
        float, ...
    ]  # mean change of by_state per step back, of each output from the second on


results = partial(page.shipped, TrainedNetworks)  # returns what comes with the project


def record_of(side: Side) -> TrainedNetwork:
    """Return the record of a network's training."""
    return results().networks[side.config.name]


def trace_of(side: Side, digits: tuple[int, ...]) -> Trace:
    """Return a network's states and outputs on the digits."""
    return _trace(side.config, side.updates, side.changes, digits)


def gradients_of(side: Side, digits: tuple[int, ...], window: int | None = None) -> Gradients:
    """Return the gradients of the first digit's logit, truncated after every `window` steps."""
    return _gradients(side.config, side.updates, side.changes, digits, window)


def unit_of(side: Side, digits: tuple[int, ...], step: int, unit: int) -> UnitTrace:
    """Return the numbers of one unit for one step, from 0."""
    return _unit(side.config, side.updates, side.changes, digits, step, unit)


@st.cache_resource(max_entries=64, show_spinner=False, hash_funcs=_HASHED)
def _network(config: FirstSymbolConfig, updates: int, changes: Changes) -> FirstSymbolNetwork:
    """Return a network, shared by all visitors: read it, never change it."""
    network = results().network(config, updates)
    if changes.radius is not None:
        rescale_recurrence(network.cell, changes.radius)
    if changes.fixed and isinstance(network.cell, LSTMCell):
        open_gates(network.cell, changes.fixed)
    return network.double()  # gradients of 1e-9 are small, not noise


@st.cache_resource(max_entries=128, show_spinner=False, hash_funcs=_HASHED)
def _trace(
    config: FirstSymbolConfig, updates: int, changes: Changes, digits: tuple[int, ...]
) -> Trace:
    with page.model_calls, torch.no_grad():
        network = _network(config, updates, changes)
        reading = network.read(torch.tensor([digits]))
        return Trace(
            {part: reading.trace(part)[0].numpy() for part in reading.steps[0].parts},
            network.probabilities(reading.hidden[0]).numpy(),
            spectra(network.cell),
            accuracy(network, generator(TEST_SEED), sequences=TEST_SEQUENCES),
        )


@st.cache_resource(max_entries=128, show_spinner=False, hash_funcs=_HASHED)
def _gradients(
    config: FirstSymbolConfig,
    updates: int,
    changes: Changes,
    digits: tuple[int, ...],
    window: int | None,
) -> Gradients:
    with page.model_calls:
        network = _network(config, updates, changes)
        found = gradient_map(
            network.cell,
            network.as_inputs(torch.tensor(digits)),
            network.readout.weight[digits[0]],
            window=window,
        )
    factors = tuple(decay_per_step(norms[: s + 1]) for s, norms in enumerate(found.by_state) if s)
    return Gradients(found.by_state.numpy(), found.by_input.numpy(), factors)


@st.cache_resource(max_entries=512, show_spinner=False, hash_funcs=_HASHED)
def _unit(
    config: FirstSymbolConfig,
    updates: int,
    changes: Changes,
    digits: tuple[int, ...],
    step: int,
    unit: int,
) -> UnitTrace:
    with page.model_calls, torch.no_grad():
        network = _network(config, updates, changes)
        inputs = network.as_inputs(torch.tensor(digits))
        state = network.cell.initial_state(1)
        if step:
            state = network.cell.read(inputs[None, :step]).state
        return trace_unit(network.cell, inputs[step], tuple(part[0] for part in state), unit)
