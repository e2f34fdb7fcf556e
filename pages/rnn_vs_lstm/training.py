"""Training points of the curve again: the settings, and the accuracies as they grow."""

from typing import Any

import pandas as pd
import streamlit as st

from lm_core.errors import SettingError
from lm_core.experiments.rnn_vs_lstm.backbones import BACKBONES
from lm_core.experiments.rnn_vs_lstm.experiment import NAME, recall_run, recall_settings
from lm_core.experiments.rnn_vs_lstm.settings import (
    LEARNING_RATES,
    MAX_NETWORKS,
    PROTOCOLS,
    RecallSettings,
    protocol_settings,
    read_lengths,
    with_changes,
)
from lm_core.jobs.jobs import Job
from lm_core.jobs.metrics_log import MetricsLogReader
from pages.rnn_vs_lstm.accuracy import accuracy_chart, measured
from pages.shared.frame.jobs_panel import jobs_panel
from pages.shared.numbers import percent
from pages.shared.trainings.training_requests import submit_training, train_button, training_setting
from pages.shared.ui.figures import show_chart
from pages.shared.ui.messages import show_error
from pages.shared.ui.visitor import visitor

_RATE_NOTE = (
    "The learning rate of the first epoch; from there it falls in a straight line to zero, so that"
    f" the last steps are small. From {LEARNING_RATES[0]} to {LEARNING_RATES[1]:g}."
)
_CLIP_NOTE = (
    "A gradient that is longer than this is shortened to it, so that one step cannot undo many;"
    " 0 leaves every gradient as it is."
)


def train_a_point(protocol: str) -> None:
    """Draw the settings of a training, its button, and the trainings of this experiment.

    Parameters
    ----------
    protocol : str, whose settings are the defaults
    """
    who = visitor()
    try:
        settings = _settings(protocol)
    except SettingError as error:
        show_error(error, icon=":material/tune:")
    else:
        _start(settings, who)
    jobs_panel(who, experiment=NAME, picture=_curve)


def _settings(protocol: str) -> RecallSettings:
    """Draw the controls and return what they say; SettingError names what is out of range.

    What depends on the protocol or the backbone has a field for each, so that another choice brings
    its own default.
    """
    default = PROTOCOLS[protocol].settings
    columns = iter(st.columns([1.1, 1.3, 0.8, 0.8, 0.9, 0.8, 0.8], vertical_alignment="bottom"))
    with next(columns):
        backbone = training_setting(
            st.selectbox, "train_backbone", "Backbone", list(BACKBONES), format_func=_title_of
        )
    with next(columns):
        written = training_setting(
            st.text_input,
            "train_lengths",
            "Lengths L",
            "4 8 12 16",
            max_chars=200,
            help="Write whole numbers from 2 to 128, such as 4 8 12; 4-18 means every second one.",
        )

    def number(name: str, label: str, value: float, step: float, note: str | None = None) -> float:
        with next(columns):
            kind = {"format": "%g"} if isinstance(value, float) else {}
            settings: dict[str, Any] = {"value": value, "step": step, "help": note, **kind}
            return training_setting(st.number_input, f"train_{name}", label, **settings)

    width_of = f"width_{backbone.replace('-', '_')}"
    n_seeds = number("seeds", "Seeds", 2, 1)
    width = number(width_of, "Hidden units", BACKBONES[backbone].width, 1)
    rate = number(
        f"learning_rate_{protocol}",
        "Learning rate",
        float(default["learning_rate"]),
        0.01,
        _RATE_NOTE,
    )
    clip = number(f"clip_{protocol}", "Clip norm", float(default.get("clip", 0.0)), 0.1, _CLIP_NOTE)
    epochs = number(f"epochs_{protocol}", "Epochs", default["epochs"], 50)
    settings = protocol_settings(protocol, backbone, read_lengths(written), [0])
    return with_changes(
        settings,
        n_seeds=int(n_seeds),
        width=int(width),
        learning_rate=rate,
        clip=clip,
        epochs=int(epochs),
    )


def _start(settings: RecallSettings, who: str) -> None:
    n = len(settings.networks)
    counts = sorted(set(settings.parameter_counts))
    each = f"{counts[0]:,}" if len(counts) == 1 else f"{counts[0]:,} to {counts[-1]:,}"
    with st.container(horizontal=True, vertical_alignment="center"):
        if train_button("recall_train"):
            submit_training(lambda: recall_run(settings), who)
        st.markdown(
            f"**{n} networks at once** (of at most {MAX_NETWORKS}), {each} parameters each. The"
            " same settings again show the same run, because its random numbers come from its"
            " seeds."
        )


def _curve(job: Job, log: MetricsLogReader) -> None:
    """Draw the accuracy of each network, over what was measured before of the same backbone."""
    news = [row for row in log.rows if row.get("accuracies")]
    if not news:
        return
    settings, last = recall_settings(job.config), news[-1]
    title = BACKBONES[settings.backbone].title
    live = [
        (length, accuracy)
        for (length, _), accuracy in zip(settings.networks, last["accuracies"], strict=True)
    ]
    span = min(4, *settings.lengths), max(18, *settings.lengths)
    before = [
        point
        for point in measured("original").points
        if point.backbone == settings.backbone and point.length <= span[1]
    ]
    spoken = ", ".join(f"L {length}: {percent(accuracy, 1)}" for length, accuracy in live)
    st.markdown(
        f"**After {last['step']} epochs.** Open marks: the networks of this training. Line and"
        " band: the same backbone with the original settings, measured before, so that you can"
        " compare them."
    )
    show_chart(
        accuracy_chart(before, span, live={title: live}),
        pd.DataFrame(live, columns=["L", "Accuracy"]).assign(Backbone=title),
        key="recall_live",
        alt=f"After {last['step']} epochs the {title} recalls {spoken}.",
        name=f"rnn-vs-lstm-{job.key}",
    )


def _title_of(backbone: str) -> str:
    return BACKBONES[backbone].title
