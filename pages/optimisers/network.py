"""The same optimisers on Bengio's model and the characters of the book: loss by step and by second."""

import streamlit as st

from lm_core.experiments.optimisers.study import EVERY, LossCurve, OptimiserResults
from pages.optimisers.scene import STYLES
from pages.shared import page

_STEPS, _SECONDS = "Steps", "Seconds"
_ADAPTIVE = "Adam"


def bengios_model(screen: page.FirstScreen) -> None:
    """Draw the losses of all optimisers; those with rates for each weight once they were guessed."""
    with screen.controls:
        against = page.segments("against", "Loss against", (_STEPS, _SECONDS))
    results = OptimiserResults.load()
    last = {curve.name: curve.losses[-1] for curve in results.curves}
    adam, plain, momentum = (last[name] for name in (_ADAPTIVE, "GD", "momentum"))
    answers = ("Above gradient descent", "Between it and momentum", "Below momentum")
    place = 0 if adam > max(plain, momentum) else 2 if adam < min(plain, momentum) else 1
    asked = page.ask(
        screen,
        "real_network",
        "Where does Adam end, beside gradient descent and momentum?",
        answers,
        right=answers[place],
        reason=f"Adam ends at **{adam:.3f}** nats, gradient descent at {plain:.3f}, momentum at"
        f" {momentum:.3f}. It divides each weight's step by the size of its gradients, so weights"
        " with small gradients move as well: a likely reason, which was not tested.",
    )
    drawn = [curve for curve in results.curves if curve.name not in asked.hides(_ADAPTIVE)]
    with screen.picture:
        st.markdown(f"**{_finding(drawn)}**")
        _losses(drawn, against)
    page.note_beside(
        screen,
        "Bengio's model learns characters of *War and Peace*, on the same batches by each"
        " optimiser, every one at the best of four learning rates. The order is another one than"
        " with two parameters, so what is best on a plane need not be best for a network.",
    )
    if not page.is_presenting():
        made = results.provenance
        st.caption(
            f"Measured {made['date'][:10]} on one core, in processor time: {made['steps']} steps on"
            f" {made['batch']} characters each, seed {made['seed']}. A loss is the mean over {EVERY}"
            " steps, on the batches that were learned from. Muon moves the matrix between the layers, and"
            " Adam everything else. The rates: "
            + ", ".join(f"{c.name} {c.rate:g}" for c in drawn)
            + "."
        )


def _finding(curves: list[LossCurve]) -> str:
    best = min(curves, key=lambda curve: curve.losses[-1])
    worst = max(curves, key=lambda curve: curve.losses[-1])
    return (
        f"{best.name} ends lowest, at {best.losses[-1]:.2f} nats per character; {worst.name} at"
        f" {worst.losses[-1]:.2f}"
    )


def _losses(curves: list[LossCurve], against: str) -> None:
    lines = {}
    for curve in curves:
        steps = [EVERY * (i + 1) for i in range(len(curve.losses))]
        across = curve.seconds if against == _SECONDS else steps
        lines[curve.name] = list(zip(across, curve.losses, strict=True))
    page.show_lines(
        "network_losses",
        lines,
        STYLES,
        page.Axis(
            "processor seconds" if against == _SECONDS else "steps",
            (0, max(pairs[-1][0] for pairs in lines.values())),
        ),
        page.Axis("loss (nats per character)", (1.6, 2.6)),
        height=400,
    )
