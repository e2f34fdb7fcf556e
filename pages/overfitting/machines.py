"""Data-parallel training: one minibatch on several machines, number by number."""

from collections.abc import Sequence

import streamlit as st

from lm_core.experiments.overfitting.machines import (
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
from pages.overfitting.machines_choice import SPEED_VIEW, STEPS_VIEW, Chosen, choose_machines
from pages.overfitting.machines_diagram import (
    BROADCAST,
    GRADIENT,
    SPLIT,
    SUM,
    UPDATE,
    draw_diagram,
    signed,
    subscript,
)
from pages.overfitting.machines_parameters import STEPS, draw_parameters
from pages.overfitting.speed import speed
from pages.shared import page
from pages.shared.numbers import significant

_PHASES = ("Split", "Gradient", "Sum", "Broadcast", "Update")
_ANSWERS = {"A quarter as long": 0.25, "As long": 1.0, "4 times as long": 4.0}
"""By how much each multiplies one machine's step."""
_FORMULAS = {
    SUM_OF_SUMS: r"g = \sum_k g^k,\; g^k \text{ of a sum}",
    SUM_OF_MEANS: r"g = \sum_k g^k,\; g^k \text{ of a mean}",
    MEAN_OF_MEANS: r"g = \frac{1}{K} \sum_k g^k",
    WEIGHTED_MEAN: r"g = \sum_k \frac{n_k}{B} g^k",
}


def machines(screen: page.FirstScreen) -> None:
    """Draw the steps of several machines, or how fast as many processes are."""
    chosen = choose_machines(screen)
    if chosen.view == SPEED_VIEW:
        speed(screen)
        return
    sizes = shard_sizes(len(EXAMPLES), chosen.machines, is_equal=chosen.is_equal)
    found = descend_together(sizes, chosen.how, chosen.rate, STEPS)
    asked = _ask(screen, chosen, found)
    is_masked = asked.masks
    with screen.picture:
        page.playback_bar(
            "phase",
            1 + len(_PHASES) * STEPS,
            lambda i: _draw(chosen, found, i, asked),
            label="Split, gradient, sum, broadcast, update",
            start=GRADIENT if is_masked else SUM,
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
        f" {signed(float(step.combined))} for {signed(float(step.alone))}. A sum of K equal"
        " means is K times their mean. So it needs a K-th of the learning rate, or has to be"
        " divided by K.",
    )


def _draw(chosen: Chosen, found: Descent, i: int, asked: page.Asked) -> None:
    is_masked = asked.masks
    t, phase = divmod(i - 1, len(_PHASES)) if i else (0, -1)
    st.markdown(f"**{_said(chosen, found, t, phase + 1, is_masked=is_masked)}**")
    left, right = st.columns([1.35, 1], gap="small")
    with left:
        draw_diagram(found, t, phase + 1, is_masked=is_masked)
    with right:
        draw_parameters(chosen, found, t + (phase + 1 == UPDATE), asked)


def _said(chosen: Chosen, found: Descent, t: int, phase: int, *, is_masked: bool) -> str:
    step, k = found.steps[t], chosen.machines
    theta, after = found.together[t], found.together[t + 1]
    parts = [float(g) for g in step.gradients]
    if phase < SPLIT:
        return f"Each of {k} machines has θ = {signed(theta)}"
    if phase == SPLIT:
        return f"Step {t + 1}, split: parts of {', '.join(map(str, step.sizes))} examples"
    if phase == GRADIENT:
        return "Gradient: " + ", ".join(
            f"g{subscript(n)} = {signed(g)}" for n, g in enumerate(parts, 1)
        )
    if is_masked:
        return "What they make of it waits for your guess"
    if phase == SUM:
        return f"Sum: g = {_sum(chosen.how, parts, step.sizes)} = {signed(float(step.combined))}"
    if phase == BROADCAST:
        return f"Broadcast: every machine gets g = {signed(float(step.combined))}"
    return (
        f"Update: θ := {signed(theta)} − {chosen.rate:g} · ({signed(float(step.combined))}) ="
        f" {signed(after)}; one machine: {signed(found.alone[t + 1])}"
    )


def _sum(how: str, parts: Sequence[float], sizes: Sequence[int]) -> str:
    """Return how the machines' gradients become one, with their numbers."""
    if how == WEIGHTED_MEAN:
        return " + ".join(
            f"{n}/{sum(sizes)} · ({signed(g)})" for g, n in zip(parts, sizes, strict=True)
        )
    added = " + ".join(f"({signed(g)})" for g in parts)
    return f"({added}) / {len(parts)}" if how == MEAN_OF_MEANS else added


def _formulas(chosen: Chosen, found: Descent) -> None:
    step = found.steps[0]
    difference = abs(found.together[-1] - found.alone[-1])
    kept = "the same" if difference < 1e-9 else f"{significant(difference, 3)} apart"
    st.markdown(
        rf"$g_t^k = \nabla_\theta \mathcal{{L}}(\theta; \mathcal{{D}}_t^k)$, then ${_FORMULAS[chosen.how]}$ and"
        rf" $\theta := \theta - \eta\, g$. In the first step g = {signed(float(step.combined))}, one machine's"
        f" {signed(float(step.alone))}; after {STEPS} steps both are {kept}. A sum of the"
        f" machines' gradients, as in {SLIDES} is one machine's step if each loss is a sum over"
        " examples. Of losses that are means, as in training here, the sum is K times too long for"
        " equal parts, and no multiple of it for unequal ones, so there the mean must be weighted"
        " with the examples, n / B."
    )
