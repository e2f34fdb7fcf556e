"""Saturated units over the training, and what was measured."""

from typing import NamedTuple

import pandas as pd
import streamlit as st

from lm_core.experiments.neural_language_model.study import TrainedNetwork
from lm_core.experiments.published import MAKEMORE_STARTS
from lm_core.models.mlp import NORMAL, SCALED, SMALL_OUTPUT, TANH_GAIN
from pages.shared import page
from pages.shared.charts.palette import BLUE, GREEN, VERMILLION
from pages.shared.numbers import percent


class _Start(NamedTuple):
    title: str
    style: page.LineStyle


STARTS = {
    NORMAL: _Start("all normal", page.LineStyle(VERMILLION, 1)),
    SMALL_OUTPUT: _Start("small output", page.LineStyle(BLUE, 2)),
    SCALED: _Start("scaled", page.LineStyle(GREEN)),
}
BEFORE_1 = 0.5  # where on the logarithmic axis the start is drawn


def over_training(networks: dict[str, TrainedNetwork]) -> None:
    """Draw which share of the responses is saturated, and of the units dead, by step."""
    st.header("Saturated and dead, over the training", anchor=False)
    lines, styles = {}, {}
    for start, trained in networks.items():
        title, style = STARTS[start]
        found = [(max(s.step, BEFORE_1), s.saturation) for s in trained.snapshots]
        lines[f"{title}: saturated"] = [(step, s.saturated) for step, s in found]
        lines[f"{title}: dead"] = [(step, s.dead) for step, s in found]
        styles[f"{title}: saturated"] = style._replace(dash=0)
        styles[f"{title}: dead"] = style._replace(dash=2)
    ends = "; ".join(
        f"{name} {percent(pairs[-1][1], 1)} at the end" for name, pairs in lines.items()
    )
    page.show_chart(
        page.line_chart(
            lines,
            styles,
            page.Axis("step", (BEFORE_1, networks[NORMAL].config.steps), True, (1, 100, 10_000)),
            page.Axis("share", (0.0, 0.8), form=".0%"),
            height=240,
        ),
        pd.DataFrame(
            [(name, *pair) for name, pairs in lines.items() for pair in pairs],
            columns=["what", "step", "share"],
        ),
        key="saturation_shares",
        alt=ends,
        name="saturated-and-dead",
    )


def saturated_notes(by_start: dict[str, TrainedNetwork]) -> None:
    """Say how the three starts were trained, and what was measured."""
    config = by_start[NORMAL].config
    st.markdown(
        f"Three starts of one network ({config.network.context_size} letters,"
        f" {config.network.embedding_size} numbers, {config.network.hidden_size} units), the rest"
        f" alike: {config.steps:,} steps of SGD with {config.batch} letters each, as in makemore's"
        " notebooks. *Small output* divides the output's weights by 100 and begins its biases at 0, so that all"
        " letters begin about equally likely; *scaled* also divides the weights of the hidden layer by"
        f" {1 / TANH_GAIN:g} times the root of its inputs, and its biases by 100. Losses are in nats a letter."
    )
    rows = [
        (
            STARTS[start].title,
            trained.snapshots[0].loss,
            trained.snapshots[0].saturation.saturated,
            trained.snapshots[-1].saturation.dead,
            trained.train,
            trained.validation,
            *MAKEMORE_STARTS[start],
        )
        for start, trained in by_start.items()
    ]
    columns = ["start", "first loss", "saturated at first", "dead at the end", "train", "held out"]
    published = ["makemore: train", "makemore: held out"]
    st.dataframe(pd.DataFrame(rows, columns=columns + published), hide_index=True)
