"""Variances by layer, forward and backward: depth, activation and initialisation, and what mends them."""

from typing import NamedTuple

import streamlit as st
import torch

from lm_core.analysis.signal_propagation import expected_variances
from lm_core.models import deep_network as deep
from lm_core.models.activations import ACTIVATIONS
from lm_core.models.deep_network import HE, INITIALISATIONS, NAIVE, ORTHOGONAL, PLAIN, XAVIER
from lm_core.rng import generator
from pages.shared import page
from pages.shared.charts.lines import Axis, Guesses, LineStyle
from pages.shared.charts.palette import BLUE, GREEN, PURPLE, VERMILLION
from pages.shared.numbers import significant
from pages.shared.turns import model_calls

WIDTH, EXAMPLES = 100, 32
DEPTHS = (5, 10, 20, 30, 50)
DEVIATIONS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0)
FUNCTIONS = {"linear": deep.LINEAR, **ACTIVATIONS}
ACTIVATION_TITLES = {name: function.title for name, function in FUNCTIONS.items()}
_TITLES = {NAIVE: "naive", XAVIER: "Xavier", HE: "He", ORTHOGONAL: "orthogonal"}
_BLOCKS = dict(zip(deep.BLOCKS, ("Plain", "Residual", "Batch norm", "Layer norm"), strict=True))
_STYLES = {
    "naive": LineStyle(VERMILLION),
    "Xavier": LineStyle(BLUE),
    "He": LineStyle(GREEN, 1),
    "orthogonal": LineStyle(PURPLE, 2),
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


_QUESTIONS = (
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
def _variances(network: Network) -> Variances:
    """Return all variances of a network, computed once for all visitors."""
    activation, rng = FUNCTIONS[network.activation], generator(1_000 + network.seed)
    inputs, top = torch.randn((2, EXAMPLES, WIDTH), generator=rng, dtype=torch.float64)
    with model_calls:
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
    names = [_TITLES[name] for name in INITIALISATIONS]
    return Variances(
        dict(zip(names, found[0], strict=True)),
        dict(zip(names, found[1], strict=True)),
        {name: theory.activations for name, theory in zip(names, expected, strict=True)},
        {name: theory.gradients for name, theory in zip(names, expected, strict=True)},
    )


def depth(screen: page.FirstScreen) -> None:
    """Draw the variances of activations and gradients by layer, for four initialisations."""
    network = page.controls(Network, screen)
    found = _variances(network)
    question = next((q for q in _QUESTIONS if q.network == network), None)
    asked: page.Asked[float] = page.Asked()
    if question is not None:
        measured = found.gradients[question.asked][0]
        nearest = min(
            question.answers, key=lambda said: abs(_log(question.answers[said] / measured))
        )
        asked = page.ask(
            screen,
            question.name,
            question.text,
            question.answers,
            right=nearest,
            reason=f"**{significant(measured, 2)}** of it. {question.reason}",
        )
    masked = question.asked if question is not None and asked.masks else None
    last = network.depth
    with screen.picture:
        st.markdown(f"**{_finding(network, found, is_masked=asked.masks)}**")
        page.playback_bar(
            "pass",
            2 * last + 1,
            lambda step: _draw(found, last, step, masked, asked),
            label="Layer by layer: forward, then back",
            start=2 * last,
            seconds_per_step=0.5,
        )
    page.note_beside(screen, _explained(network))
    page.below("Where the rules come from", "rules", _rules, network, found, masked)


def _log(value: float) -> float:
    return float(torch.tensor(value, dtype=torch.float64).clamp_min(1e-300).log10())


def _finding(network: Network, found: Variances, *, is_masked: bool) -> str:
    name = FUNCTIONS[network.activation].title
    if is_masked:
        return f"{network.depth} layers, {name}: which weights let the gradient back?"
    back = {name: row[0] for name, row in found.gradients.items()}
    nearest = min(back, key=lambda key: abs(_log(back[key])))
    worst = max(back, key=lambda key: abs(_log(back[key])))
    said = f"{network.depth} layers, {name}: a gradient of variance 1 arrives with"
    if abs(_log(back[worst]) - _log(back[nearest])) < 1.0:
        return f"{said} {significant(back[nearest], 2)}, whatever the weights"
    return f"{said} {significant(back[nearest], 2)} ({nearest}) or {significant(back[worst], 2)} ({worst})"


def _draw(
    found: Variances, last: int, step: int, masked: str | None, asked: page.Asked[float]
) -> None:
    left, right = st.columns(2, gap="small")
    forward, back = range(min(step, last) + 1), range(max(0, 2 * last - step), last + 1)
    with left:
        _panel("activations", found.activations, found.expected_activations, forward, last)
    with right:
        guess = asked.at(lambda value: (0.0, value))
        expected = found.expected_gradients
        _panel("gradients", found.gradients, expected, back, last, masked=masked, guess=guess)


def _panel(
    kind: str,
    measured: dict[str, list[float]],
    expected: dict[str, tuple[float, ...]],
    layers: range,
    last: int,
    *,
    masked: str | None = None,
    guess: Guesses | None = None,
) -> None:
    """Draw one pass as far as it has come; of what is masked no more than its first layers."""
    theory = {name: row for name, row in expected.items() if name != masked}
    edge = {"gradients": 0, "activations": -1}[kind]
    page.show_lines(
        f"variance_{kind}",
        {
            name: [(float(i), row[i]) for i in layers if name != masked or i > last - _SEEN_FIRST]
            for name, row in measured.items()
        },
        _STYLES,
        Axis("layer (0: the input)", (0, last)),
        Axis(f"variance of the {kind}", (_FLOOR, _CEILING), True, _TICKS),
        beside={f"{name}, theory": [row[i] for i in layers] for name, row in theory.items()},
        dots={
            f"theory, {name}": [(float(i), row[i]) for i in layers if i % _EACH == 0 or last < 10]
            for name, row in theory.items()
        },
        said="" if layers else "No gradient is drawn yet: the pass back begins at the last layer.",
        at=float(layers[edge]) if layers else None,
        guess=guess,
        is_small=True,
        height=_HEIGHT,
    )


def _explained(network: Network) -> str:
    return {
        PLAIN: "Each layer multiplies the variance by n·σ² and by the share that its activation lets"
        " through. Because such factors multiply, a steady one makes a straight line on this logarithmic"
        " axis. Lines are measured, **grey dots are theory**. Try ReLU, then other layers.",
        deep.RESIDUAL: "A *residual connection* adds a layer's input to its output. The gradient has a"
        " way back past every layer, so it never vanishes. Each layer adds its own to it,"
        " so it grows.",
        deep.BATCH_NORM: "*Batch norm* gives each unit mean 0 and variance 1 over the examples of the"
        " batch. So forward the initialisation no longer matters. Backward most"
        " activations make the gradient grow with every layer, because they take more of the variance"
        " of the values than of the gradient, and dividing by the spread makes up for the values."
        " Linear layers take nothing of either, so it hardly changes. Sigmoid takes about as much of both;"
        " why its gradient shrinks all the same was not tested.",
        deep.LAYER_NORM: "*Layer norm* gives each example mean 0 and variance 1 over the units of the"
        " layer. So the size of the weights cancels: naive, Xavier's and He's weights do"
        " exactly the same, orthogonal ones nearly.",
    }[network.block]


def _rules(network: Network, found: Variances, masked: str | None) -> None:
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
        variance = deep.weight_variance(key, WIDTH, WIDTH, network.deviation)
        gradients = (found.gradients[name][0], found.expected_gradients[name][0])
        at_input, in_theory = ("?" if name == masked else significant(v, 2) for v in gradients)
        lines.append(
            f"| {name} | ${formulas[key]}$ | {variance:g} | {WIDTH * variance:g} |"
            f" {significant(found.activations[name][-1], 2)} | {at_input} | {in_theory} |"
        )
    with st.container(key="sideways_rules"):
        st.markdown("\n".join(lines))
    st.caption(
        f"{WIDTH} units in every layer, {EXAMPLES} examples; inputs and the gradient at the last layer are"
        " standard normal. The theory assumes infinitely wide layers, and for batch norm infinitely large"
        " batches, so lines and dots differ a little."
    )
