"""Variances by layer, forward and backward: depth, activation and initialisation, and what mends them."""

import streamlit as st
import torch

from lm_core.models import deep_network as deep
from lm_core.models.deep_network import PLAIN
from pages.gradients import networks_by_depth as networks
from pages.gradients.networks_by_depth import FUNCTIONS, QUESTIONS, Network, Variances
from pages.shared import page
from pages.shared.charts.palette import BLUE, GREEN, PURPLE, VERMILLION
from pages.shared.numbers import significant

_STYLES = {
    "naive": page.LineStyle(VERMILLION),
    "Xavier": page.LineStyle(BLUE),
    "He": page.LineStyle(GREEN, 1),
    "orthogonal": page.LineStyle(PURPLE, 2),
}
_FLOOR, _CEILING = 1e-20, 1e10
_TICKS = (1e-20, 1e-15, 1e-10, 1e-5, 1.0, 1e5, 1e10)
_HEIGHT = 285
_SEEN_FIRST = 5  # layers whose gradient is drawn before the guess, from the last one back
_EACH = 5  # theory has a dot at every so many layers


def depth(screen: page.FirstScreen) -> None:
    """Draw the variances of activations and gradients by layer, for four initialisations."""
    network = page.controls(Network, screen)
    found = networks.variances_of(network)
    question = next((q for q in QUESTIONS if q.network == network), None)
    asked: page.Asked[float] = page.Asked()
    if question is not None:
        measured, answers = found.gradients[question.asked][0], question.answers
        nearest = min(answers, key=lambda said: abs(_log(answers[said] / measured)))
        said = f"**{significant(measured, 2)}** of it. {question.reason}"
        of = (question.name, question.text, answers)
        asked = page.ask(screen, *of, right=nearest, reason=said)
    masked = question.asked if question is not None and asked.masks else None
    last = network.depth
    with screen.picture:
        st.markdown(f"**{_finding(network, found, is_masked=asked.masks)}**")
        page.playback_bar(
            "pass",
            2 * last + 1,
            lambda step: _draw(found, last, step, masked, asked),
            label="Layer by layer: forward, then back",
        )
    page.note_beside(screen, _explained(network))
    rules = networks.draw_rules, network, found, masked
    page.below("Where the rules come from", "rules", *rules)


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
    guess: page.Guesses | None = None,
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
        page.Axis("layer (0: the input)", (0, last)),
        page.Axis(f"variance of the {kind}", (_FLOOR, _CEILING), True, _TICKS),
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
        " way back past every layer, on which it stays as it is, so it does not vanish here. Each layer"
        " adds its own to it, so it mostly grows.",
        deep.BATCH_NORM: "*Batch norm* gives each unit mean 0 and variance 1 over the examples of the"
        " batch. So forward the initialisation no longer matters. Backward most"
        " activations make the gradient grow with every layer, because they take more of the variance"
        " of the values than of the gradient, and dividing by the spread makes up for the values."
        " Linear layers take nothing of either, so it hardly changes. Sigmoid takes about as much of both;"
        " why its gradient shrinks all the same was not tested.",
        deep.LAYER_NORM: "*Layer norm* gives each example mean 0 and variance 1 over the units of the"
        " layer. So the size of the weights cancels: naive, Xavier's and He's weights do"
        " the same but for a tiny constant in the division, orthogonal ones nearly.",
    }[network.block]
