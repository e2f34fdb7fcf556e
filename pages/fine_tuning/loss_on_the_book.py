"""What a model has forgotten of the book, by number of labelled examples."""

import math
from collections.abc import Sequence

import pandas as pd
import streamlit as st

from lm_core.experiments.fine_tuning import learning_curves
from lm_core.experiments.fine_tuning.settings import METHODS, SCRATCH, TUNED
from pages.fine_tuning.subject import EXAMPLES, HEIGHT, STYLES, results
from pages.shared import page
from pages.shared.charts.lines import Axis, Guesses, Waiting, line_chart
from pages.shared.numbers import written

_X = (10.0, 10_000.0)
_TICKS = (10, 30, 100, 300, 1_000, 3_000, 10_000)
Curves = dict[str, list[learning_curves.Measured]]


def loss_on_the_book(screen: page.FirstScreen, task: str) -> None:
    """Draw the loss on the book of the tuned model, where it has forgotten what it read."""
    found = {
        method: learning_curves.masked_loss_curve(results(), task, method)
        for method in METHODS
        if method != SCRATCH
    }
    unread = learning_curves.masked_loss_curve(results(), task, SCRATCH)
    before = float(results().provenance["pretrained_masked_loss"])
    values = [before, *(end for c in found.values() for p in c for end in (p.low, p.high))]
    ends = (math.floor(min(values) - 0.1), math.ceil(max(values) + 0.1))
    most = found[TUNED][-1]
    title = (
        f"Fine-tuned on {most.at:,.0f} {EXAMPLES[task]}, it fills gaps of the book at {most.mean:.2f} nats;"
        f" before, at {before:.2f}"
    )
    with screen.picture:
        st.markdown(f"**{title}**")
        draw_curves(
            found,
            Axis("nats per covered subword of the book", ends),
            {f"before: {before:.2f}": before},
            title=title,
            form=".2f",
        )
    page.note_beside(
        screen,
        "Each tuned encoder gets its old output layer back and fills gaps of *War and Peace*. The higher"
        " its loss, the more of its reading is *forgotten*. From scratch it never learned to fill any, so"
        f" it is at {min(p.mean for p in unread):.1f} nats or more.",
    )


def draw_curves(
    found: Curves,
    y: Axis,
    references: dict[str, float],
    *,
    title: str,
    form: str,
    guess: Guesses | None = None,
    waiting: Waiting | None = None,
) -> None:
    """Draw a measure against the number of labelled examples."""
    page.show_chart(
        line_chart(
            {method: [(p.at, p.mean) for p in curve] for method, curve in found.items()},
            STYLES,
            Axis("labelled examples", _X, True, _TICKS),
            y,
            bands={m: [(p.at, p.low, p.high) for p in curve] for m, curve in found.items()},
            references={name: [(at, value) for at in _X] for name, value in references.items()},
            guess=guess,
            waiting=waiting,
            has_points=True,
            height=HEIGHT,
        ),
        _frame(found),
        key="learning_curves",
        alt=f"{title}. "
        + "; ".join(
            f"{method}: " + ", ".join(f"{written(p.mean, form)} at {p.at:,.0f}" for p in curve)
            for method, curve in found.items()
        ),
        name="by-labelled-examples",
    )


def _frame(found: dict[str, Sequence[learning_curves.Measured]] | Curves) -> pd.DataFrame:
    return pd.DataFrame(
        [(method, int(p.at), p.mean, p.low, p.high) for method, c in found.items() for p in c],
        columns=["method", "labelled", "mean", "lowest", "highest"],
    )
