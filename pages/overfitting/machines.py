"""Data-parallel training: one minibatch on several machines, number by number."""

from collections.abc import Sequence
from typing import NamedTuple

import pyarrow as pa
import streamlit as st

from lm_core.experiments.overfitting.machines import (
    COMBINATIONS,
    EXAMPLES,
    MEAN_OF_MEANS,
    SUM_OF_MEANS,
    SUM_OF_SUMS,
    WEIGHTED_MEAN,
    Descent,
    descend_together,
    shard_sizes,
)
from lm_core.experiments.published import SLIDES
from pages.overfitting.scene import HEIGHT
from pages.overfitting.speed import speed
from pages.shared import page
from pages.shared.charts.lines import Axis, LineStyle, line_chart
from pages.shared.charts.network_diagram import Edge, Node, diagram_table, network_diagram
from pages.shared.charts.palette import BLUE, VERMILLION
from pages.shared.numbers import significant
from pages.shared.ui.figures import show_chart

MACHINES = (1, 2, 4)
STEPS_VIEW, SPEED_VIEW = "Steps", "Speed"
_STEPS = 4
_PHASES = ("Split", "Gradient", "Sum", "Broadcast", "Update")
_SPLIT, _GRADIENT, _SUM, _BROADCAST, _UPDATE = range(1, 6)
_RATES = (0.02, 0.05, 0.1, 0.2)
_ALONE, _TOGETHER = "alone", "together"
_STYLES = {_ALONE: LineStyle(BLUE), _TOGETHER: LineStyle(VERMILLION, 1)}
_ANSWERS = {"A quarter as long": 0.25, "As long": 1.0, "4 times as long": 4.0}
"""By how much each multiplies one machine's step."""
_FORMULAS = {
    SUM_OF_SUMS: r"g = \sum_k g^k,\; g^k \text{ of a sum}",
    SUM_OF_MEANS: r"g = \sum_k g^k,\; g^k \text{ of a mean}",
    MEAN_OF_MEANS: r"g = \frac{1}{K} \sum_k g^k",
    WEIGHTED_MEAN: r"g = \sum_k \frac{n_k}{B} g^k",
}


class Chosen(NamedTuple):
    """What is drawn: one step's numbers or measured speed, and how the machines share their work."""

    view: str
    machines: int
    how: str
    is_equal: bool
    rate: float


def _choose_machines(screen: page.FirstScreen) -> Chosen:
    """Draw the choice of machines and of what is summed, and return it."""
    with screen.controls:
        view = page.segments("view", "Drawn", (STEPS_VIEW, SPEED_VIEW))
        if view == SPEED_VIEW:
            return Chosen(view, 4, SUM_OF_MEANS, True, 0.1)
        how = page.choice("combined", "Gradient", COMBINATIONS, width=165)
        with st.popover("More", icon=":material/tune:"):
            machines = page.pick("machines", "Machines K", MACHINES, 4)
            is_equal = page.switch("equal", "Equal parts", True)
            rate = page.pick("step_size", "Learning rate η", _RATES, 0.1)
    return Chosen(view, int(machines), str(how), bool(is_equal), float(rate))


def machines(screen: page.FirstScreen) -> None:
    """Draw the steps of several machines, or how fast as many processes are."""
    chosen = _choose_machines(screen)
    if chosen.view == SPEED_VIEW:
        speed(screen)
        return
    sizes = shard_sizes(len(EXAMPLES), chosen.machines, is_equal=chosen.is_equal)
    found = descend_together(sizes, chosen.how, chosen.rate, _STEPS)
    asked = _ask(screen, chosen, found)
    is_masked = asked.masks
    with screen.picture:
        page.playback_bar(
            "phase",
            1 + len(_PHASES) * _STEPS,
            lambda i: _draw(chosen, found, i, asked),
            label="Split, gradient, sum, broadcast, update",
            start=_GRADIENT if is_masked else _SUM,
            seconds_per_step=0.8,
        )
    page.note_beside(
        screen,
        "In *data-parallel training* every machine has a copy of the parameter θ and its own part of the"
        f" minibatch, so all parts are computed at the same time. A line y = θx learns {len(EXAMPLES)}"
        " examples. **Step through it, then choose what is summed, and switch *Equal parts* off under"
        " *More*.**",
    )
    if not (page.is_presenting() or is_masked):
        _formulas(chosen, found)


def _ask(screen: page.FirstScreen, chosen: Chosen, found: Descent) -> page.Asked:
    """Ask what the lecture slides' sum does; None where something else is on screen."""
    if chosen != Chosen(STEPS_VIEW, 4, SUM_OF_MEANS, True, 0.1):
        return page.Asked()
    step = found.steps[0]
    return page.ask(
        screen,
        "machines",
        "Four machines each take the mean gradient of their two examples, and the four are summed. Beside one"
        " machine with all eight, the step is ...",
        _ANSWERS,
        right=float(step.combined / step.alone),
        reason=f"**{float(step.combined / step.alone):.0f} times as long**:"
        f" {_signed(float(step.combined))} for {_signed(float(step.alone))}. A sum of K equal"
        " means is K times their mean. So it needs a K-th of the learning rate, or has to be"
        " divided by K.",
    )


def _draw(chosen: Chosen, found: Descent, i: int, asked: page.Asked) -> None:
    is_masked = asked.masks
    t, phase = divmod(i - 1, len(_PHASES)) if i else (0, -1)
    st.markdown(f"**{_said(chosen, found, t, phase + 1, is_masked=is_masked)}**")
    left, right = st.columns([1.35, 1], gap="small")
    with left:
        _diagram(found, t, phase + 1, is_masked=is_masked)
    with right:
        _parameters(chosen, found, t + (phase + 1 == _UPDATE), asked)


def _said(chosen: Chosen, found: Descent, t: int, phase: int, *, is_masked: bool) -> str:
    step, k = found.steps[t], chosen.machines
    theta, after = found.together[t], found.together[t + 1]
    parts = [float(g) for g in step.gradients]
    if phase < _SPLIT:
        return f"Each of {k} machines has θ = {_signed(theta)}"
    if phase == _SPLIT:
        return f"Step {t + 1}, split: parts of {', '.join(map(str, step.sizes))} examples"
    if phase == _GRADIENT:
        return "Gradient: " + ", ".join(
            f"g{_low(n)} = {_signed(g)}" for n, g in enumerate(parts, 1)
        )
    if is_masked:
        return "What they make of it waits for your guess"
    if phase == _SUM:
        return f"Sum: g = {_sum(chosen.how, parts, step.sizes)} = {_signed(float(step.combined))}"
    if phase == _BROADCAST:
        return f"Broadcast: every machine gets g = {_signed(float(step.combined))}"
    return (
        f"Update: θ := {_signed(theta)} − {chosen.rate:g} · ({_signed(float(step.combined))}) ="
        f" {_signed(after)}; one machine: {_signed(found.alone[t + 1])}"
    )


def _sum(how: str, parts: Sequence[float], sizes: Sequence[int]) -> str:
    """Return how the machines' gradients become one, with their numbers."""
    if how == WEIGHTED_MEAN:
        return " + ".join(
            f"{n}/{sum(sizes)} · ({_signed(g)})" for g, n in zip(parts, sizes, strict=True)
        )
    added = " + ".join(f"({_signed(g)})" for g in parts)
    return f"({added}) / {len(parts)}" if how == MEAN_OF_MEANS else added


def _diagram(found: Descent, t: int, phase: int, *, is_masked: bool) -> None:
    step = found.steps[t]
    k = len(step.sizes)
    is_hidden = is_masked and phase >= _SUM
    theta = found.together[t + (phase == _UPDATE and not is_masked)]
    batch = Node(0.5, 1.05, str(len(EXAMPLES)), "minibatch", is_current=phase == _SPLIT)
    summed = "?" if is_hidden else _signed(float(step.combined)) if phase >= _SUM else ""
    device = Node(0.5, 0.0, summed, "", "device 0: g", phase >= _SUM, is_current=phase == _SUM)
    sent = [f"g{_low(n)} = {_signed(float(g))}" for n, g in enumerate(step.gradients, 1)]
    nodes = [
        Node(
            0.5 if k == 1 else n / (k - 1),
            0.52,
            _signed(theta) if not (is_hidden and phase == _UPDATE) else "?",
            sent[n] if phase >= _SUM else "",
            sent[n] if phase == _GRADIENT else "" if phase >= _SUM else f"machine {n + 1}",
            is_on=phase == _UPDATE,
            is_current=phase in (_GRADIENT, _UPDATE),
        )
        for n in range(k)
    ]
    edges = []
    if phase <= _GRADIENT:  # what is written at a machine is on its other side
        edges = [
            Edge(batch, node, f"{size}" if phase else "", phase == _SPLIT)
            for node, size in zip(nodes, step.sizes, strict=True)
        ]
    if phase >= _SUM:
        edges = [Edge(node, device, "", phase < _UPDATE) for node in nodes]
    show_chart(
        network_diagram(diagram_table([batch, *nodes, device], edges), height=HEIGHT),
        pa.table(
            {
                "machine": list(range(1, k + 1)),
                "examples": list(step.sizes),
                "gradient": [float(g) for g in step.gradients],
            }
        ),
        key="machines_diagram",
        alt=f"{k} machines with θ = {theta:.3f}, {', '.join(map(str, step.sizes))} examples.",
        name="machines",
        is_small=True,
    )


def _parameters(chosen: Chosen, found: Descent, done: int, asked: page.Asked) -> None:
    is_masked = asked.masks
    start, one_step = found.alone[0], found.alone[1] - found.alone[0]
    guess = asked.at(lambda value: (1.0, start + value * one_step))
    name = f"{chosen.machines} {_TOGETHER}"
    rows = {_ALONE: found.alone, name: found.together[:1] if is_masked else found.together}
    show_chart(
        line_chart(
            {key: [(float(s), theta) for s, theta in enumerate(row)] for key, row in rows.items()},
            {_ALONE: _STYLES[_ALONE], name: _STYLES[_TOGETHER]},
            Axis("steps", (0, _STEPS), values=tuple(range(_STEPS + 1))),
            Axis("θ", (0.0, 4.0)),
            references={"lowest loss": [(0, found.best), (_STEPS, found.best)]},
            now=done,
            guess=guess,
            has_points=True,
            height=HEIGHT,
        ),
        pa.table(
            {"step": list(range(_STEPS + 1)), _ALONE: found.alone}
            | ({} if is_masked else {name: found.together})
        ),
        key="machines_parameter",
        alt=f"After {done} steps: one machine {found.alone[done]:.4f}"
        + ("" if is_masked else f", {name} {found.together[done]:.4f}"),
        name="parameter-by-step",
        is_small=True,
    )


def _formulas(chosen: Chosen, found: Descent) -> None:
    step = found.steps[0]
    difference = abs(found.together[-1] - found.alone[-1])
    kept = "the same" if difference < 1e-9 else f"{significant(difference, 3)} apart"
    st.markdown(
        rf"$g_t^k = \nabla_\theta \mathcal{{L}}(\theta; \mathcal{{D}}_t^k)$, then ${_FORMULAS[chosen.how]}$ and"
        rf" $\theta := \theta - \eta\, g$. In the first step g = {_signed(float(step.combined))}, one machine's"
        f" {_signed(float(step.alone))}; after {_STEPS} steps both are {kept}. A sum of the"
        f" machines' gradients, as in {SLIDES} is one machine's step if each loss is a sum over"
        " examples. Of losses that are means, as in training here, the sum is K times too long for"
        " equal parts, and no multiple of it for unequal ones, so there the mean must be weighted"
        " with the examples, n / B."
    )


def _low(number: int) -> str:
    return chr(ord("₀") + number)


def _signed(number: float) -> str:
    """Return a number to two decimals, with a true minus."""
    return f"{number + 0.0:.2f}".replace("-", "−")
