"""Deep networks of random weights, and the variances of their layers."""

from typing import NamedTuple

import streamlit as st
import torch

from lm_core.analysis.signal_propagation import expected_variances
from lm_core.models import deep_network as deep
from lm_core.models.activations import ACTIVATIONS
from lm_core.models.deep_network import HE, INITIALISATIONS, NAIVE, ORTHOGONAL, XAVIER
from lm_core.rng import generator
from pages.shared import page

WIDTH, EXAMPLES = 100, 32
DEPTHS = (5, 10, 20, 30, 50)
DEVIATIONS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0)
FUNCTIONS = {"linear": deep.LINEAR, **ACTIVATIONS}
ACTIVATION_TITLES = {name: function.title for name, function in FUNCTIONS.items()}
TITLES = {NAIVE: "naive", XAVIER: "Xavier", HE: "He", ORTHOGONAL: "orthogonal"}
_BLOCKS = dict(zip(deep.BLOCKS, ("Plain", "Residual", "Batch norm", "Layer norm"), strict=True))


class Network(NamedTuple):
    """What is drawn: all that the variances depend on."""

    activation: str = page.field(page.choice, "Activation", ACTIVATION_TITLES, "tanh", width=130)
    block: str = page.field(page.choice, "Layers", _BLOCKS, width=130)
    depth: int = page.folded(page.pick, "Layers in all", DEPTHS, 30)
    deviation: float = page.folded(
        page.pick, "Naive weights: standard deviation σ", DEVIATIONS, 0.05
    )
    seed: int = page.folded(page.number, "Seed of the weights", 0, 999, 1)


FIRST = page.starts(Network)


class Variances(NamedTuple):
    """By initialisation: measured and expected, of activations and of gradients, the input first."""

    activations: dict[str, list[float]]
    gradients: dict[str, list[float]]
    expected_activations: dict[str, tuple[float, ...]]
    expected_gradients: dict[str, tuple[float, ...]]


class Question(NamedTuple):
    """What is asked of one network: how much of the gradient's variance one initialisation brings back."""

    name: str
    network: Network
    asked: str
    answers: dict[str, float]
    text: str
    reason: str


QUESTIONS = (
    Question(
        "depth",
        FIRST,
        "naive",
        {"A tenth": 0.1, "A millionth": 1e-6, "Less than 10⁻¹⁵": 1e-18},
        "Thirty layers of tanh, weights drawn with σ = 0.05. How much of the gradient's variance reaches"
        " the input?",
        "Each layer leaves about n·σ² = 100 · 0.0025 = **a quarter** of it, so thirty leave 0.25³⁰, about 10⁻¹⁸.",
    ),
    Question(
        "relu",
        FIRST._replace(activation="relu"),
        "Xavier",
        {"All of it": 1.0, "A thirtieth": 1 / 30, "A billionth": 1e-9},
        "ReLU instead of tanh. Of the gradient's variance, how much do Xavier's weights bring to the input?",
        "ReLU lets half of the units through, so each layer leaves **a half**: 0.5³⁰ is about 10⁻⁹. He's"
        " weights have twice the variance for that reason.",
    ),
)


@st.cache_data(max_entries=128, show_spinner=False)
def variances_of(network: Network) -> Variances:
    """Return all variances of a network, computed once for all visitors."""
    activation, rng = FUNCTIONS[network.activation], generator(1_000 + network.seed)
    inputs, top = torch.randn((2, EXAMPLES, WIDTH), generator=rng, dtype=torch.float64)
    with page.model_calls:
        # Of as many layers as there can be, so that the first ones do not depend on the depth.
        drawn = deep.draw_weights(DEPTHS[-1], WIDTH, generator(network.seed))
        draws = deep.UnitWeights(*(weights[: network.depth] for weights in drawn))
        weights = torch.stack(
            [deep.scaled_weights(draws, name, network.deviation) for name in INITIALISATIONS]
        )
        trace = deep.forward(weights, inputs, activation, network.block)
        gradients = deep.backward(weights, trace, top, activation, network.block)
        found = [values.var((-2, -1)).T.tolist() for values in (trace.activations, gradients)]
        expected = [
            expected_variances(
                WIDTH * deep.weight_variance(name, WIDTH, WIDTH, network.deviation),
                network.depth,
                activation,
                network.block,
            )
            for name in INITIALISATIONS
        ]
    names = [TITLES[name] for name in INITIALISATIONS]
    return Variances(
        dict(zip(names, found[0], strict=True)),
        dict(zip(names, found[1], strict=True)),
        {name: theory.activations for name, theory in zip(names, expected, strict=True)},
        {name: theory.gradients for name, theory in zip(names, expected, strict=True)},
    )
