"""The controls of a training, and the training itself: every epoch of it, kept for all visitors."""

import time
from typing import NamedTuple

import streamlit as st

from lm_core.recurrent.counting import (
    CountingConfig,
    CountingEpoch,
    CountingNetworkConfig,
    learn_to_count,
)
from pages.shared.controls import asked_by_link, control
from pages.shared.server import model_calls
from pages.shared.stepper import play

EPOCH = "epoch"
"""Name of the control that says which epoch is shown."""

_ASKED = "counting_asked"
_STARTS = {"normal": "standard normal, as the source", "uniform": "within 1/√H, as torch"}


class CountingRun(NamedTuple):
    """A network at every moment of its training that is known: only the first, before it."""

    config: CountingConfig
    epochs: tuple[CountingEpoch, ...]
    seconds: float

    @property
    def is_trained(self) -> bool:
        """Whether the training has taken place."""
        return len(self.epochs) > 1


def choose_training() -> CountingConfig:
    """Draw the settings of the training, and return what they say."""
    columns = st.columns([1.7, 1, 1, 1, 0.7], vertical_alignment="bottom")
    with columns[0]:
        start = control(
            st.selectbox,
            "start",
            "Starting weights",
            list(_STARTS),
            format_func=_STARTS.__getitem__,
            help="How the recurrent weights are drawn before anything is learned.",
        )
    with columns[1]:
        length = control(st.slider, "length", "Numbers in a run, L", 2, 12, 6)
    with columns[2]:
        hidden = control(st.select_slider, "hidden", "Hidden units, H", (8, 16, 32, 64), 32)
    with columns[3]:
        rate = control(st.select_slider, "rate", "Learning rate", (0.01, 0.03, 0.1, 0.3), 0.1)
    with columns[4]:
        seed = control(st.number_input, "seed", "Seed", 0, 9_999, 0)
    return CountingConfig(
        CountingNetworkConfig(hidden_size=hidden, start=start),
        length=length,
        learning_rate=rate,
        seed=int(seed),
    )


def train_button(config: CountingConfig) -> None:
    """Draw the button that trains and then plays the epochs one by one."""
    st.button(
        "Train",
        icon=":material/model_training:",
        type="primary",
        key="counting_train",
        on_click=_train,
        args=(config,),
        help=f"All {config.network.numbers - config.length} runs, {config.epochs} times over.",
    )


def counting_run(config: CountingConfig) -> CountingRun:
    """Return the training if this visitor asked for it, by the button or a link; else its start."""
    asked = st.session_state.setdefault(_ASKED, [])
    if asked_by_link(EPOCH) and config not in asked:
        asked.append(config)
    return _trained(config) if config in asked else _untrained(config)


def _train(config: CountingConfig) -> None:
    asked = st.session_state.setdefault(_ASKED, [])
    if config not in asked:
        asked.append(config)
    play(EPOCH, config.epochs + 1)


@st.cache_resource(max_entries=32, show_spinner="Training: every epoch takes a moment")
def _trained(config: CountingConfig) -> CountingRun:
    started = time.thread_time()
    training, epochs = learn_to_count(config), []
    for _ in range(config.epochs + 1):
        with model_calls:
            epochs.append(next(training))
    return CountingRun(config, tuple(epochs), time.thread_time() - started)


@st.cache_resource(max_entries=32, show_spinner=False)
def _untrained(config: CountingConfig) -> CountingRun:
    with model_calls:
        return CountingRun(config, (next(learn_to_count(config)),), 0.0)
