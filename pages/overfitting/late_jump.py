"""Grokking: a network knows sums by heart, and much later, all at once, the rule behind them."""

from typing import NamedTuple

import streamlit as st

from lm_core.experiments.grokking.results import Curve, Evaluation, GrokkingResults
from lm_core.experiments.grokking.training import DECAYS, SHARES, STEPS
from pages.overfitting.scene import HEIGHT, STYLES, TRAINING, VALIDATION
from pages.shared import page
from pages.shared.charts.palette import BLUE
from pages.shared.numbers import percent

STRONGEST = 6
"""Frequencies whose share of the power is said."""
MOST = 0.9
_POWER = "share of power"
_HALVES = {TRAINING: "training", VALIDATION: "held_out"}
_SHARES = {share: percent(share) for share in SHARES}
_RIGHT, _LOSS = "right", "loss"
_AXES = {
    _RIGHT: page.Axis("sums right", (0.0, 1.0), form=".0%"),
    _LOSS: page.Axis("loss (nats)", (1e-6, 1e3), True, (1e-6, 1e-3, 1, 1e3)),
}
_ANSWERS = {
    "After about 50, too": 50.0,
    "After about 200": 200.0,
    "After about 1,000": 1_000.0,
    "Never": float(STEPS),
}


class Chosen(NamedTuple):
    """A training, and what is drawn of it."""

    pairs: float = page.field(page.pick, "Sums in training", _SHARES, SHARES[1], width=125)
    decayed: bool = page.field(page.switch, "Weight decay", True)
    as_loss: bool = page.field(page.switch, "Loss")


def late_jump(screen: page.FirstScreen) -> None:
    """Draw how much is right by step, and the waves in the vectors at one of them."""
    chosen = page.controls(Chosen, screen)
    results = page.shipped(GrokkingResults)
    curve = results.curve(chosen.pairs, DECAYS[0 if chosen.decayed else 1])
    asked = _ask(screen, chosen, curve)
    with screen.picture:
        page.playback_bar(
            "grokking_step",
            len(curve.evaluations),
            lambda i: _draw(chosen, curve, i, asked),
            label="Evaluations, from step 1 to step 10,000",
            start=len(curve.evaluations) - 1,
        )
    page.note_beside(screen, _note(results, curve))
    page.below("Why waves can add", "waves", _waves)


def _ask(screen: page.FirstScreen, chosen: Chosen, curve: Curve) -> page.Asked:
    memory, rule = (curve.steps_until(half, MOST) or STEPS for half in _HALVES.values())
    return page.ask(
        screen,
        "grokking",
        f"After {memory} steps the network gets nine in ten of the sums in training right. After how many does it get"
        " nine in ten of those right that it has never seen?",
        _ANSWERS,
        right=rule,
        reason=f"After **{rule:,}** steps, {rule // memory} times as many. For hundreds of steps it knew its sums by heart and hardly any"
        " other, so nobody who looks at its training answers could tell that more would come. Such a late jump is called *grokking*.",
        when=(chosen.pairs, chosen.decayed) == (SHARES[1], True),
    )


def _draw(chosen: Chosen, curve: Curve, i: int, asked: page.Asked) -> None:
    now, measure = curve.evaluations[i], _LOSS if chosen.as_loss else _RIGHT
    st.markdown(f"**{_finding(now, asked)}**")
    left, right = st.columns([1.3, 1], gap="small")
    with left:
        page.show_lines(
            "grokking_curve",
            {
                name: [(e.step, getattr(e, f"{half}_{measure}")) for e in curve.evaluations]
                for name, half in _HALVES.items()
            },
            STYLES,
            page.Axis("steps", (1, STEPS), True, (1, 10, 100, 1_000, 10_000)),
            _AXES[measure],
            hidden=asked.hides(VALIDATION),
            guess=asked.at(lambda step: None if chosen.as_loss else (step, MOST)),
            now=now.step,
            is_small=True,
            height=HEIGHT,
        )
    with right:
        page.show_lines(
            "grokking_spectrum",
            {_POWER: list(enumerate(now.spectrum, 1))},
            {_POWER: page.LineStyle(BLUE)},
            page.Axis(f"frequency, step {now.step:,}", (1, len(now.spectrum))),
            page.Axis("share of the vectors' power", (0.0, 0.25), form=".0%"),
            has_points=True,
            has_names=False,
            is_small=True,
            height=HEIGHT,
        )


def _finding(now: Evaluation, asked: page.Asked) -> str:
    said = f"Step {now.step:,}: {percent(now.training_right)} of the sums in training right"
    if asked.masks:
        return f"{said}. And of the others?"
    held = percent(now.strongest(STRONGEST))
    return f"{said}, {percent(now.held_out_right)} of the others; {STRONGEST} frequencies hold {held} of the power"


def _note(results: GrokkingResults, curve: Curve) -> str:
    p = results.modulus
    is_late = curve.steps_until("held_out", MOST) is None
    why = (
        "*Weight decay* shortens all weights at every step, and a rule for all sums probably gets by with shorter weights than"
        f" as many single ones, so it draws the training from memory to the rule{f', but from so few sums it has not in {STEPS:,} steps' if is_late else ''}. **Then switch it off.**"
        if curve.weight_decay
        else "Without *weight decay* nothing shortens the weights, so once all sums in training are right, hardly"
        " anything changes what was learned by heart. **Then switch it on.**"
    )
    return (
        f"A network learns a + b modulo {p} (from {p} on it begins again at 0) from {curve.training:,} of all {p**2:,} sums,"
        f" all of them at every step; a sum turned round is on the same side. {why} On the right, the numbers' vectors are taken"
        " apart into waves along the numbers: a rule can do with few frequencies."
    )


def _waves() -> None:
    st.markdown(
        "A wave of frequency k goes k times up and down from 0 to p, so after p it is where it began, as the sum is. From the"
        " waves of a and of b that of the sum follows by products,"
        r" $\cos w(a + b) = \cos wa \cos wb - \sin wa \sin wb$ with $w = 2\pi k / p$."
        " Nanda et al. (2023) found this rule in a transformer, and that weight decay clears away what was learned by heart once the rule is there."
        " This network is smaller: one vector a number, a hidden layer with ReLU, AdamW. Its waves are measured here; by which products it adds is not."
    )
