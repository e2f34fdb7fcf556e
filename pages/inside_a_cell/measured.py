"""What the networks do with the digits, computed once for each setting."""

from typing import Any, NamedTuple

import numpy as np
import streamlit as st
import torch

from lm_core.analysis.gradients import decay_per_step, gradient_map
from lm_core.analysis.spectra import Spectrum, rescale_recurrence, spectra
from lm_core.analysis.unit_step import UnitTrace, trace_unit
from lm_core.experiments.inside_a_cell.results import (
    TEST_SEED,
    TrainedNetworks,
    load_networks,
    name_of,
)
from lm_core.experiments.inside_a_cell.training import (
    FirstSymbolConfig,
    FirstSymbolNetwork,
    accuracy,
)
from lm_core.rng import generator
from pages.inside_a_cell.choices import Side
from pages.shared.server import model_calls

_TEST_SEQUENCES = 500


class Look(NamedTuple):
    """A network's reading of the digits; T steps, H units."""

    parts: dict[str, np.ndarray]  # (T, H) by letter
    probabilities: np.ndarray  # (T, 10): of each digit to be the first, after each step
    spectra: tuple[Spectrum, ...]
    accuracy: float  # share of random sequences of 20 whose first digit it names


class Reach(NamedTuple):
    """Norms of gradients, (T, T) each: answers down, steps across."""

    by_state: np.ndarray
    by_input: np.ndarray
    factors: tuple[float, ...]  # change of by_state a step back, of the answers from the second on


@st.cache_resource(show_spinner=False)
def results() -> TrainedNetworks:
    """Return the trained networks that come with the project."""
    return load_networks()


def record_of(side: Side) -> dict[str, Any]:
    """Return what is kept of a network's training."""
    return results().networks[name_of(side.config)]


def look_at(side: Side, digits: tuple[int, ...]) -> Look:
    """Return what a network does with the digits."""
    return _look(side.config, side.updates, side.radius, digits)


def reach_of(side: Side, digits: tuple[int, ...], window: int | None = None) -> Reach:
    """Return the gradients of the score of the first digit, cut after every `window` steps."""
    return _reach(side.config, side.updates, side.radius, digits, window)


def walk(side: Side, digits: tuple[int, ...], step: int, unit: int) -> UnitTrace:
    """Return the numbers of one unit for one step, from 0."""
    return _walk(side.config, side.updates, side.radius, digits, step, unit)


@st.cache_resource(max_entries=64, show_spinner=False)
def _network(config: FirstSymbolConfig, updates: int, radius: float | None) -> FirstSymbolNetwork:
    """Return a network that all visitors share: it is read and never changed."""
    network = results().network(config, updates)
    if radius is not None:
        rescale_recurrence(network.cell, radius)
    return network.double()  # gradients of 1e-9 are small, not noise


@st.cache_data(max_entries=128, show_spinner=False)
def _look(
    config: FirstSymbolConfig, updates: int, radius: float | None, digits: tuple[int, ...]
) -> Look:
    with model_calls, torch.no_grad():
        network = _network(config, updates, radius)
        reading = network.read(torch.tensor([digits]))
        return Look(
            {part: reading.trace(part)[0].numpy() for part in reading.steps[0].parts},
            network.probabilities(reading.hidden[0]).numpy(),
            spectra(network.cell),
            accuracy(network, generator(TEST_SEED), sequences=_TEST_SEQUENCES),
        )


@st.cache_data(max_entries=128, show_spinner=False)
def _reach(
    config: FirstSymbolConfig,
    updates: int,
    radius: float | None,
    digits: tuple[int, ...],
    window: int | None,
) -> Reach:
    with model_calls:
        network = _network(config, updates, radius)
        found = gradient_map(
            network.cell,
            network.as_inputs(torch.tensor(digits)),
            network.readout.weight[digits[0]],
            window=window,
        )
    factors = tuple(decay_per_step(norms[: s + 1]) for s, norms in enumerate(found.by_state) if s)
    return Reach(found.by_state.numpy(), found.by_input.numpy(), factors)


@st.cache_data(max_entries=512, show_spinner=False)
def _walk(
    config: FirstSymbolConfig,
    updates: int,
    radius: float | None,
    digits: tuple[int, ...],
    step: int,
    unit: int,
) -> UnitTrace:
    with model_calls, torch.no_grad():
        network = _network(config, updates, radius)
        inputs = network.as_inputs(torch.tensor(digits))
        state = network.cell.initial_state(1)
        if step:
            state = network.cell.read(inputs[None, :step]).state
        return trace_unit(network.cell, inputs[step], tuple(part[0] for part in state), unit)
