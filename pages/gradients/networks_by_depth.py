"""Deep networks of random weights, the variances of their layers, and rules of initialisation."""

from typing import NamedTuple

import streamlit as st
import torch

from lm_core.analysis.signal_propagation import expected_variances
from lm_core.models import deep_network as deep
from lm_core.models.activations import ACTIVATIONS
from lm_core.models.deep_network import HE, INITIALISATIONS, NAIVE, ORTHOGONAL, XAVIER
from lm_core.rng import generator
from pages.shared import page
from pages.shared.numbers import significant

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
        names, deviation = INITIALISATIONS, network.deviation
        weights = torch.stack([deep.scaled_weights(draws, name, deviation) for name in names])
        trace = deep.forward(weights, inputs, activation, network.block)
        gradients = deep.backward(weights, trace, top, activation, network.block)
        found = [values.var((-2, -1)).T.tolist() for values in (trace.activations, gradients)]
        gains = [WIDTH * deep.weight_variance(name, WIDTH, WIDTH, deviation) for name in names]
        theory = [expected_variances(g, network.depth, activation, network.block) for g in gains]
    rows = (*found, [each.activations for each in theory], [each.gradients for each in theory])
    titles = [TITLES[name] for name in names]
    return Variances(*(dict(zip(titles, row, strict=True)) for row in rows))


def draw_rules(network: Network, found: Variances, masked: str | None) -> None:
    """Show the lecture slides' derivation with the numbers on screen, and a row for each initialisation."""
    st.markdown(
        r"A sum $o_i = \sum_{j=1}^{n_\mathrm{in}} w_{ij} x_j$ of independent terms, with"
        r" $w_{ij} \sim \mathcal{N}(0, \sigma^2)$, $\mathbb{E}[x_j] = 0$ and $\mathbb{V}[x_j] = \gamma^2$, has"
        r" $\mathbb{E}[o_i] = 0$ and $\mathbb{V}[o_i] = n_\mathrm{in}\,\sigma^2 \gamma^2$. So it"
        r" keeps its variance forward if $n_\mathrm{in} \sigma^2 = 1$, backward if $n_\mathrm{out}"
        r" \sigma^2 = 1$. *Xavier's* (Glorot's)"
        r" initialisation meets both halfway: $\sigma^2 = 2 / (n_\mathrm{in} + n_\mathrm{out})$. *He's* doubles"
        r" it for ReLU, which halves $\mathbb{E}[x_j^2]$. *Orthogonal* weights keep not only the variance but"
        r" every length. With an activation $f$, theory has $n \sigma^2\, \mathbb{E}[f(a)^2]$ forward and"
        r" $n \sigma^2\, \mathbb{E}[f'(a)^2]$ backward, for normal $a$."
    )
    formulas = {
        NAIVE: rf"{network.deviation:g}^2",
        XAVIER: r"2 / (n_\mathrm{in} + n_\mathrm{out})",
        HE: r"2 / n_\mathrm{in}",
        ORTHOGONAL: r"1 / n",
    }
    rows = []
    for key, name in TITLES.items():
        variance = deep.weight_variance(key, WIDTH, WIDTH, network.deviation)
        gradients = (found.gradients[name][0], found.expected_gradients[name][0])
        at_input, in_theory = ("?" if name == masked else significant(v, 2) for v in gradients)
        at_end = significant(found.activations[name][-1], 2)
        variances = (f"{variance:g}", f"{WIDTH * variance:g}", at_end)
        rows.append((name, f"${formulas[key]}$", *variances, at_input, in_theory))
    forward = (f"σ² at n = {WIDTH}", "n·σ²", f"activations, layer {network.depth}")
    titles = ("initialisation", "σ²", *forward, "gradient at the input", "in theory")
    page.show_rows(titles, rows, sideways="rules")
    st.caption(
        f"{WIDTH} units in every layer, {EXAMPLES} examples; inputs and the gradient at the last layer are"
        " standard normal. The theory assumes infinitely wide layers, and for batch norm infinitely large"
        " batches, so lines and dots differ a little."
    )
