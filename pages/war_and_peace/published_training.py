"""The published training of the LSTM, done again as far as it was let."""

from functools import partial

import streamlit as st

from lm_core.experiments.published import SOURCE_EPOCHS
from lm_core.experiments.published_schedule.results import (
    PUBLISHED,
    PUBLISHED_STEPS,
    ScheduleResults,
)
from pages.shared import page
from pages.shared.charts.palette import BLUE, VERMILLION
from pages.shared.numbers import percent

_TRAINING, _UNSEEN = "ours, training", "ours, unseen text"
_STYLES = {_TRAINING: page.LineStyle(BLUE), _UNSEEN: page.LineStyle(VERMILLION, 1)}
_results = partial(page.shipped, ScheduleResults)


def published_training() -> None:
    """Draw our losses by step beside theirs, after a step and after an epoch."""
    found = _results()
    st.header("The published training, done again", anchor=False)
    epoch = PUBLISHED_STEPS / len(SOURCE_EPOCHS)
    epochs = {round(i * epoch): loss for i, loss in enumerate(SOURCE_EPOCHS, start=1)}
    lines = {
        _TRAINING: [(p.step, p.loss) for p in found.points],
        _UNSEEN: [(p.step, p.validation) for p in found.points if p.validation is not None],
    }
    page.show_lines(
        "published_training",
        lines,
        _STYLES,
        page.Axis("step", (10, PUBLISHED_STEPS), True, (10, 100, 1_000, 10_000), ",~s"),
        page.Axis("loss (nats per character)", (1.0, 4.5)),
        dots={
            "published, training": list(PUBLISHED.items())[1:],
            "published, unseen text": list(epochs.items()),
        },
        height=260,
    )
    share = found.steps / PUBLISHED_STEPS
    st.markdown(
        f"The author trained for {len(SOURCE_EPOCHS)} epochs, {PUBLISHED_STEPS:,} steps of 1,024 windows of 64"
        f" characters, each begun without memory, at a learning rate of 0.001 that never falls. On one core"
        f" beside other work we came to step **{found.steps:,}**, {percent(share)} of it, in"
        f" {found.seconds / 3600:.1f} hours, so the rest of the curve is his alone (grey dots). The last"
        f" training loss of ours is {found.points[-1].loss:.2f}; dropout is on there, which is why the loss on"
        " unseen text may lie below it."
    )
