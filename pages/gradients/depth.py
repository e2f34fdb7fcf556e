"""Variances by layer, forward and backward: depth, activation and initialisation, and what mends them."""

from functools import partial
from typing import NamedTuple

import pyarrow as pa
import streamlit as st
import torch

from lm_core.analysis.signal_propagation import expected_variances
from lm_core.models.activations import ACTIVATIONS
from lm_core.models.deep_network import (
    BATCH_NORM,
    BLOCKS,
    HE,
    INITIALISATIONS,
    LAYER_NORM,
    LINEAR,
    NAIVE,
    ORTHOGONAL,
    PLAIN,
    RESIDUAL,
    XAVIER,
    UnitWeights,
    backward,
    draw_weights,
    forward,
    scaled_weights,
    weight_variance,
)
from lm_core.rng import generator
from pages.shared import charts
from pages.shared.charts.palette import BLUE, GREEN, PURPLE, VERMILLION
from pages.shared.numbers import significant
from pages.shared.turns import model_calls
from pages.shared.ui.controls import control, is_presenting
from pages.shared.ui.figures import show_chart
from pages.shared.ui.first_screen import FirstScreen, note_beside
from pages.shared.ui.folds import draw_when_open
from pages.shared.ui.lesson import (
    Prediction,
    answer_is_masked,
    guesses_in_picture,
    predict_then_reveal,
    show_verdict,
)
from pages.shared.ui.playback import playback_bar

WIDTH, EXAMPLES = 100, 32
DEPTHS = (5, 10, 20, 30, 50)
DEVIATIONS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0)
FUNCTIONS = {"linear": LINEAR, **ACTIVATIONS}
_TITLES = {NAIVE: "naive", XAVIER: "Xavier", HE: "He", ORTHOGONAL: "orthogonal"}
_BLOCK_TITLES = {
    PLAIN: "Plain",
    RESIDUAL: "Residual",
    BATCH_NORM: "Batch norm",
    LAYER_NORM: "Layer norm",
}
_STYLES = {
    "naive": charts.LineStyle(VERMILLION),
    "Xavier": charts.LineStyle(BLUE),
    "He": charts.LineStyle(GREEN, 1),
    "orthogonal": charts.LineStyle(PURPLE, 2),
}
_FLOOR, _CEILING = 1e-20, 1e10
_TICKS = (1e-20, 1e-15, 1e-10, 1e-5, 1.0, 1e5, 1e10)
_HEIGHT = 285
_SEEN_FIRST = 5
"""Layers whose gradient is drawn before the guess, from the last one back."""
_EACH = 5
"""Theory has a dot at every so many layers."""


class Network(NamedTuple):
    """What is drawn: all that the variances depend on."""

    activation: str
    block: str
    depth: int
    deviation: float
    seed: int


FIRST = Network("tanh", PLAIN, 30, 0.05, 1)


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


_QUESTIONS = (
    Question(
        "depth",
        FIRST,
        "naive",
        {"A tenth": 0.1, "A millionth": 1e-6, "Less than 10⁻¹⁵": 1e-18},
        "Thirty layers of tanh, weights drawn with σ = 0.05. How much of the gradient's variance reaches"
        " the input?",
        "Each layer leaves about n·σ² = 100 · 0.0025 = **a quarter** of it, and 0.25³⁰ is about 10⁻¹⁸.",
    ),
    Question(
        "relu",
        FIRST._replace(activation="relu"),
        "Xavier",
        {"All of it": 1.0, "A thirtieth": 1 / 30, "A billionth": 1e-9},
        "ReLU instead of tanh. Of the gradient's variance, how much do Xavier's weights bring to the input?",
        "ReLU lets half of the units through, so each layer leaves **a half**: 0.5³⁰ is about 10⁻⁹."
        " He's weights have twice the variance, for that reason.",
    ),
)


def choose_layers(screen: FirstScreen) -> Network:
    """Draw the choice of the network, and return it."""
    with screen.controls:
        activation = control(
            st.selectbox,
            "activation",
            "Activation",
            list(FUNCTIONS),
            index=list(FUNCTIONS).index(FIRST.activation),
            format_func=lambda name: FUNCTIONS[name].title,
            width=130,
        )
        block = control(
            st.selectbox,
            "block",
            "Layers",
            BLOCKS,
            format_func=_BLOCK_TITLES.__getitem__,
            width=130,
        )
        with st.popover("More", icon=":material/tune:"):
            depth = control(st.select_slider, "depth", "Layers in all", DEPTHS, FIRST.depth)
            deviation = control(
                st.select_slider,
                "deviation",
                "Naive weights: standard deviation σ",
                DEVIATIONS,
                FIRST.deviation,
            )
            seed = control(st.number_input, "seed", "Seed of the weights", 0, 999, FIRST.seed)
    return Network(str(activation), str(block), int(depth), float(deviation), int(seed))


@st.cache_data(max_entries=128, show_spinner=False)
def _variances(network: Network) -> Variances:
    """Return all variances of a network, computed once for all visitors."""
    activation, rng = FUNCTIONS[network.activation], generator(1_000 + network.seed)
    inputs, top = torch.randn((2, EXAMPLES, WIDTH), generator=rng, dtype=torch.float64)
    with model_calls:
        # Of as many layers as there can be, so that the first ones do not depend on the depth.
        drawn = draw_weights(DEPTHS[-1], WIDTH, generator(network.seed))
        draws = UnitWeights(*(weights[: network.depth] for weights in drawn))
        weights = torch.stack(
            [scaled_weights(draws, name, network.deviation) for name in INITIALISATIONS]
        )
        trace = forward(weights, inputs, activation, network.block)
        gradients = backward(weights, trace, top, activation, network.block)
        found = [values.var((-2, -1)).T.tolist() for values in (trace.activations, gradients)]
        expected = [
            expected_variances(
                WIDTH * weight_variance(name, WIDTH, WIDTH, network.deviation),
                network.depth,
                activation,
                network.block,
            )
            for name in INITIALISATIONS
        ]
    names = [_TITLES[name] for name in INITIALISATIONS]
    return Variances(
        dict(zip(names, found[0], strict=True)),
        dict(zip(names, found[1], strict=True)),
        {name: theory.activations for name, theory in zip(names, expected, strict=True)},
        {name: theory.gradients for name, theory in zip(names, expected, strict=True)},
    )


def depth(screen: FirstScreen, network: Network) -> None:
    """Draw the variances of activations and gradients by layer, for four initialisations."""
    found = _variances(network)
    question = next((q for q in _QUESTIONS if q.network == network), None)
    with screen.beside:
        prediction = _ask(question, found) if question else None
    with screen.picture:
        st.markdown(f"**{_finding(network, found, question, prediction)}**")
        playback_bar(
            "pass",
            2 * network.depth + 1,
            lambda step: _draw(network, found, step, question, prediction),
            label="Layer by layer: forward, then back",
            start=2 * network.depth,
            seconds_per_step=0.5,
        )
    note_beside(screen, _explained(network))
    if not is_presenting():
        rules = st.expander(
            "Where the rules come from", icon=":material/functions:", key="rules", on_change="rerun"
        )
        draw_when_open(rules, partial(_rules, network, found))


def _ask(question: Question, found: Variances) -> Prediction:
    prediction = predict_then_reveal(question.name, question.text, list(question.answers))
    if prediction.revealed:
        measured = found.gradients[question.asked][0]
        nearest = min(
            question.answers,
            key=lambda said: abs(_log(question.answers[said]) - _log(measured)),
        )
        show_verdict(
            prediction,
            right=nearest,
            reason=f"**{significant(measured, 2)}** of it. {question.reason}",
        )
    return prediction


def _log(value: float) -> float:
    return float(torch.tensor(value, dtype=torch.float64).clamp_min(1e-300).log10())


def _finding(
    network: Network, found: Variances, question: Question | None, prediction: Prediction | None
) -> str:
    name = FUNCTIONS[network.activation].title
    if question is not None and answer_is_masked(prediction):
        return f"{network.depth} layers, {name}: which weights let the gradient back?"
    back = {name: row[0] for name, row in found.gradients.items()}
    nearest = min(back, key=lambda key: abs(_log(back[key])))
    worst = max(back, key=lambda key: abs(_log(back[key])))
    said = f"{network.depth} layers, {name}: a gradient of variance 1 arrives with"
    if abs(_log(back[worst]) - _log(back[nearest])) < 1.0:
        return f"{said} {significant(back[nearest], 2)}, whatever the weights"
    return f"{said} {significant(back[nearest], 2)} ({nearest}) or {significant(back[worst], 2)} ({worst})"


def _draw(
    network: Network,
    found: Variances,
    step: int,
    question: Question | None,
    prediction: Prediction | None,
) -> None:
    last = network.depth
    left, right = st.columns(2, gap="small")
    with left:
        _panel(
            "activations",
            found.activations,
            found.expected_activations,
            range(min(step, last) + 1),
            last,
        )
    masked = question.asked if question is not None and answer_is_masked(prediction) else None
    answers = {} if question is None else question.answers
    guess = guesses_in_picture(prediction, lambda said: (0.0, answers[said]))
    with right:
        _panel(
            "gradients",
            found.gradients,
            found.expected_gradients,
            range(max(0, 2 * last - step), last + 1),
            last,
            masked=masked,
            guess=guess,
        )


def _panel(
    kind: str,
    measured: dict[str, list[float]],
    expected: dict[str, tuple[float, ...]],
    layers: range,
    last: int,
    *,
    masked: str | None = None,
    guess: charts.Guesses | None = None,
) -> None:
    shown = {
        name: [
            (float(i), max(row[i], _FLOOR))
            for i in layers
            if name != masked or i > last - _SEEN_FIRST
        ]
        for name, row in measured.items()
    }
    lines = {name: pairs for name, pairs in shown.items() if pairs}
    dots = {
        f"theory, {name}": [
            (float(i), max(row[i], _FLOOR)) for i in layers if i % _EACH == 0 or last < 10
        ]
        for name, row in expected.items()
        if name != masked
    }
    alt = "No gradient is drawn yet: the pass back begins at the last layer."
    if layers:
        edge = layers[0] if kind == "gradients" else layers[-1]
        values = "; ".join(
            f"{name} {significant(measured[name][edge], 2)}" for name in lines if name != masked
        )
        alt = f"Variance of the {kind} at layer {edge}: {values}"
    show_chart(
        charts.line_chart(
            lines,
            _STYLES,
            charts.Axis("layer (0: the input)", (0, last)),
            charts.Axis(f"variance of the {kind}", (_FLOOR, _CEILING), True, _TICKS),
            dots={name: pairs for name, pairs in dots.items() if pairs},
            guess=guess,
            height=_HEIGHT,
        ),
        partial(_table, measured, expected, masked),
        key=f"variance_{kind}",
        alt=alt,
        name=f"variance-of-{kind}",
        is_small=True,
    )


def _table(
    measured: dict[str, list[float]], expected: dict[str, tuple[float, ...]], masked: str | None
) -> pa.Table:
    names = [name for name in measured if name != masked]
    columns: dict[str, list[float]] = {
        "layer": [float(i) for i in range(len(next(iter(measured.values()))))]
    }
    for name in names:
        columns |= {name: measured[name], f"{name}, theory": list(expected[name])}
    return pa.table(columns)


def _explained(network: Network) -> str:
    return {
        PLAIN: "A layer multiplies variances by n·σ² and by what its activation lets through; thirty layers,"
        " thirty times. Lines are measured, **grey dots are theory**. Try ReLU, then other layers.",
        RESIDUAL: "A *residual connection* adds a layer's input to its output. The gradient has a way back"
        " past every layer, so it never vanishes; each layer adds its own, so it grows.",
        BATCH_NORM: "*Batch norm* gives each unit mean 0 and variance 1 over the examples of the batch."
        " Forward, the initialisation no longer matters. Backward, the gradient grows with every layer.",
        LAYER_NORM: "*Layer norm* gives each example mean 0 and variance 1 over the units of the layer. The"
        " weights' size cancels: all four initialisations do the same.",
    }[network.block]


def _rules(network: Network, found: Variances) -> None:
    """Show the lecture slides' derivation with the numbers on screen, and a row for each initialisation."""
    st.markdown(
        r"A sum $o_i = \sum_{j=1}^{n_\mathrm{in}} w_{ij} x_j$ of independent terms, with"
        r" $w_{ij} \sim \mathcal{N}(0, \sigma^2)$, $\mathbb{E}[x_j] = 0$ and $\mathbb{V}[x_j] = \gamma^2$, has"
        r" $\mathbb{E}[o_i] = 0$ and $\mathbb{V}[o_i] = n_\mathrm{in}\,\sigma^2 \gamma^2$. It keeps its variance"
        r" forward if $n_\mathrm{in} \sigma^2 = 1$, backward if $n_\mathrm{out} \sigma^2 = 1$. *Xavier's* (Glorot's)"
        r" initialisation meets both halfway: $\sigma^2 = 2 / (n_\mathrm{in} + n_\mathrm{out})$. *He's* doubles"
        r" it for ReLU, which halves $\mathbb{E}[x_j^2]$. *Orthogonal* weights keep not only the variance but"
        r" every length. With an activation $f$, theory has $n \sigma^2\, \mathbb{E}[f(a)^2]$ forward and"
        r" $n \sigma^2\, \mathbb{E}[f'(a)^2]$ backward, for normal $a$."
    )
    lines = [
        f"| initialisation | σ² | σ² at n = {WIDTH} | n·σ² | activations, layer {network.depth} |"
        " gradient at the input | in theory |",
        "|---|---|---|---|---|---|---|",
    ]
    formulas = {
        NAIVE: rf"{network.deviation:g}^2",
        XAVIER: r"2 / (n_\mathrm{in} + n_\mathrm{out})",
        HE: r"2 / n_\mathrm{in}",
        ORTHOGONAL: r"1 / n",
    }
    for key, name in _TITLES.items():
        variance = weight_variance(key, WIDTH, WIDTH, network.deviation)
        lines.append(
            f"| {name} | ${formulas[key]}$ | {variance:g} | {WIDTH * variance:g} |"
            f" {significant(found.activations[name][-1], 2)} | {significant(found.gradients[name][0], 2)} |"
            f" {significant(found.expected_gradients[name][0], 2)} |"
        )
    with st.container(key="sideways_rules"):
        st.markdown("\n".join(lines))
    st.caption(
        f"{WIDTH} units in every layer, {EXAMPLES} examples; inputs and the gradient at the last layer are"
        " standard normal. Theory is that of endless width, for batch norm also of endless batches."
    )
