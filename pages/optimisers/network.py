"""The same optimisers on Bengio's model and the characters of the book: loss by step and by second."""

import pyarrow as pa
import streamlit as st

from lm_core.errors import ResultError
from lm_core.experiments.optimisers.study import EVERY, LossCurve, OptimiserResults
from pages.optimisers.scene import STYLES
from pages.shared.charts.lines import Axis, line_chart
from pages.shared.ui.controls import control, is_presenting
from pages.shared.ui.figures import show_chart
from pages.shared.ui.first_screen import FirstScreen, note_beside
from pages.shared.ui.lesson import Prediction, predict_then_reveal, show_verdict
from pages.shared.ui.messages import show_error

_STEPS, _SECONDS = "Steps", "Seconds"
_ADAPTIVE = "Adam"
_HEIGHT = 400


def choose_axis(screen: FirstScreen) -> str:
    """Draw the choice of what the losses are drawn against, and return it."""
    with screen.controls:
        return str(
            control(
                st.segmented_control,
                "against",
                "Loss against",
                (_STEPS, _SECONDS),
                default=_STEPS,
                required=True,
            )
        )


def bengios_model(screen: FirstScreen, axis: str) -> None:
    """Draw the losses of all optimisers; those with rates for each weight once they were guessed."""
    try:
        results = OptimiserResults.load()
    except ResultError as error:
        show_error(error)
        return
    with screen.beside:
        prediction = _ask(results)
    drawn = [c for c in results.curves if prediction.revealed or c.name != _ADAPTIVE]
    with screen.picture:
        st.markdown(f"**{_finding(drawn)}**")
        _losses(drawn, axis)
    note_beside(
        screen,
        "Bengio's model learns characters of *War and Peace*, on the same batches by each optimiser, every one"
        " at the best of four learning rates. The order is not that of two parameters.",
    )
    if not is_presenting():
        made = results.provenance
        st.caption(
            f"Measured {made['date'][:10]} on one core, processor time: {made['steps']} steps on"
            f" {made['batch']} characters each, seed {made['seed']}. Losses are means of {EVERY} steps on the"
            " batches learned from. Muon moves the matrix between the layers, Adam the rest. Rates: "
            + ", ".join(f"{c.name} {c.rate:g}" for c in drawn)
            + "."
        )


def _ask(results: OptimiserResults) -> Prediction:
    answers = ("Above gradient descent", "Between it and momentum", "Below momentum")
    prediction = predict_then_reveal(
        "real_network", "Where does Adam end, beside gradient descent and momentum?", answers
    )
    if prediction.revealed:
        last = {curve.name: curve.losses[-1] for curve in results.curves}
        adam, plain, momentum = (last[name] for name in (_ADAPTIVE, "GD", "momentum"))
        place = 0 if adam > max(plain, momentum) else 2 if adam < min(plain, momentum) else 1
        show_verdict(
            prediction,
            right=answers[place],
            reason=f"Adam ends at **{adam:.3f}** nats, gradient descent at {plain:.3f}, momentum at"
            f" {momentum:.3f}.",
        )
    return prediction


def _finding(curves: list[LossCurve]) -> str:
    best = min(curves, key=lambda curve: curve.losses[-1])
    worst = max(curves, key=lambda curve: curve.losses[-1])
    return (
        f"{best.name} ends lowest, at {best.losses[-1]:.2f} nats per character; {worst.name} at"
        f" {worst.losses[-1]:.2f}"
    )


def _losses(curves: list[LossCurve], axis: str) -> None:
    n = len(curves[0].losses)
    across = {
        curve.name: list(curve.seconds) if axis == _SECONDS else [EVERY * (i + 1) for i in range(n)]
        for curve in curves
    }
    end = max(places[-1] for places in across.values())
    lines = {
        curve.name: list(zip(across[curve.name], curve.losses, strict=True)) for curve in curves
    }
    unit = "processor seconds" if axis == _SECONDS else "steps"
    show_chart(
        line_chart(
            lines,
            STYLES,
            Axis(unit, (0, end)),
            Axis("loss (nats per character)", (1.6, 2.6)),
            height=_HEIGHT,
        ),
        pa.table(
            {
                "optimiser": [name for name, pairs in lines.items() for _ in pairs],
                unit: [x for pairs in lines.values() for x, _ in pairs],
                "loss": [y for pairs in lines.values() for _, y in pairs],
            }
        ),
        key="network_losses",
        alt="; ".join(f"{curve.name} {curve.losses[-1]:.3f}" for curve in curves),
        name="loss-of-the-book",
    )
