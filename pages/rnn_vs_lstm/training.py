"""Training points of the curve again: the settings, and the accuracies as they grow."""

from functools import partial

import pandas as pd
import streamlit as st

from lm_core.errors import SettingError
from lm_core.experiments.rnn_vs_lstm import settings as recall
from lm_core.experiments.rnn_vs_lstm.backbones import BACKBONES
from lm_core.experiments.rnn_vs_lstm.experiment import NAME, recall_run, recall_settings
from lm_core.experiments.rnn_vs_lstm.results import RecallPoint
from lm_core.experiments.rnn_vs_lstm.settings import PROTOCOLS, RecallSettings
from lm_core.jobs.jobs import Job
from lm_core.jobs.metrics_log import MetricsLogReader
from pages.rnn_vs_lstm.accuracy import TITLES, accuracy_chart
from pages.shared import page
from pages.shared.frame.jobs_panel import jobs_panel
from pages.shared.numbers import percent
from pages.shared.trainings.training_requests import submit_training, train_button, training_setting
from pages.shared.ui.visitor import visitor

_RATE_NOTE = (
    "The learning rate of the first epoch; from there it falls in a straight line to zero, so that"
    f" the last steps are small. From {recall.LEARNING_RATES[0]} to {recall.LEARNING_RATES[1]:g}."
)
_CLIP_NOTE = (
    "A gradient that is longer than this is shortened to it, so that one step cannot undo many;"
    " 0 leaves every gradient as it is."
)


def train_a_point(protocol: str, before: list[RecallPoint]) -> None:
    """Draw the settings of a training, its button, and the trainings of this experiment.

    Parameters
    ----------
    protocol : str, whose settings are the defaults
    before : list of RecallPoint, measured with the original settings, to be compared with
    """
    who = visitor()
    try:
        settings = _settings(protocol)
    except SettingError as error:
        page.show_error(error, icon=":material/tune:")
    else:
        _start(settings, who)
    jobs_panel(who, experiment=NAME, picture=partial(_curve, before))


def _settings(protocol: str) -> RecallSettings:
    """Draw the controls and return what they say; SettingError names what is out of range.

    What depends on the protocol or the backbone has a field for each, so that another choice brings
    its own default.
    """
    default = PROTOCOLS[protocol].settings
    columns = iter(st.columns([1.1, 1.3, 0.8, 0.8, 0.9, 0.8, 0.8], vertical_alignment="bottom"))
    with next(columns):
        backbone = training_setting(
            st.selectbox, "train_backbone", "Backbone", list(TITLES), format_func=TITLES.get
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
        form = "%g" if isinstance(value, float) else None
        with next(columns):
            return training_setting(
                st.number_input,
                f"train_{name}",
                label,
                value=value,
                step=step,
                help=note,
                format=form,
            )

    width_of = f"width_{backbone.replace('-', '_')}"
    rate, clip = float(default["learning_rate"]), float(default.get("clip", 0.0))
    return recall.with_changes(
        recall.protocol_settings(protocol, backbone, recall.read_lengths(written), [0]),
        n_seeds=int(number("seeds", "Seeds", 2, 1)),
        width=int(number(width_of, "Hidden units", BACKBONES[backbone].width, 1)),
        learning_rate=number(f"learning_rate_{protocol}", "Learning rate", rate, 0.01, _RATE_NOTE),
        clip=number(f"clip_{protocol}", "Clip norm", clip, 0.1, _CLIP_NOTE),
        epochs=int(number(f"epochs_{protocol}", "Epochs", default["epochs"], 50)),
    )


def _start(settings: RecallSettings, who: str) -> None:
    n = len(settings.networks)
    counts = sorted(set(settings.parameter_counts))
    each = f"{counts[0]:,}" if len(counts) == 1 else f"{counts[0]:,} to {counts[-1]:,}"
    with st.container(horizontal=True, vertical_alignment="center"):
        if train_button("recall_train"):
            submit_training(lambda: recall_run(settings), who)
        st.markdown(
            f"**{n} networks at once** (of at most {recall.MAX_NETWORKS}), {each} parameters each. The"
            " same settings again show the same run, because its random numbers come from its"
            " seeds."
        )


def _curve(before: list[RecallPoint], job: Job, log: MetricsLogReader) -> None:
    """Draw the accuracy of each network, over what was measured before of the same backbone."""
    news = [row for row in log.rows if row.get("accuracies")]
    if not news:
        return
    settings, last = recall_settings(job.config), news[-1]
    title = TITLES[settings.backbone]
    lengths = [length for length, _ in settings.networks]
    live = list(zip(lengths, last["accuracies"], strict=True))
    span = min(4, *lengths), max(18, *lengths)
    same = [p for p in before if p.backbone == settings.backbone and p.length <= span[1]]
    spoken = ", ".join(f"L {length}: {percent(accuracy, 1)}" for length, accuracy in live)
    st.markdown(
        f"**After {last['step']} epochs.** Open marks: the networks of this training. Line and"
        " band: the same backbone with the original settings, measured before, so that you can"
        " compare them."
    )
    page.show_chart(
        accuracy_chart(same, span, live={title: live}),
        pd.DataFrame(live, columns=["L", "Accuracy"]).assign(Backbone=title),
        key="recall_live",
        alt=f"After {last['step']} epochs the {title} recalls {spoken}.",
        name=f"rnn-vs-lstm-{job.key}",
    )
