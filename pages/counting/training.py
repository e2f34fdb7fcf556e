"""The controls of a training, and the training itself, all of its epochs shared by all visitors."""

import time
from functools import partial
from typing import NamedTuple

import streamlit as st

from lm_core.errors import ResultError
from lm_core.experiments.counting.results import CONFIG, CountingResults
from lm_core.experiments.counting.training import (
    CountingConfig,
    CountingEpoch,
    checkpoint_name,
    save_counting,
    train_counting,
)
from lm_core.models.counting_network import CountingNetworkConfig
from pages.shared import page
from pages.shared.numbers import significant
from pages.shared.trainings.training_requests import train_button
from pages.shared.ui.controls import asked_by_link, control
from pages.shared.ui.figures import download_network
from pages.shared.ui.playback import play

EPOCH = "epoch"  # name of the control that says which epoch is shown

_ASKED = "counting_asked"
_INITIALISATIONS = {"normal": "standard normal", "uniform": "uniform"}


class CountingRun(NamedTuple):
    """A network after each epoch of its training; before it, the untrained network alone."""

    config: CountingConfig
    epochs: tuple[CountingEpoch, ...]
    seconds: float

    @property
    def is_trained(self) -> bool:
        """Whether the training is done."""
        return len(self.epochs) > 1


def train_with() -> CountingConfig:
    """Draw the button that trains and plays the epochs, and beside it, folded, its settings."""
    button = st.container(width="content")
    with st.popover("More", icon=":material/tune:"):
        config = _settings()
    with button:
        note = f"{config.epochs} epochs over {config.runs} runs."
        if train_button("counting_train", help=note):
            _train(config)
    return config


def _settings() -> CountingConfig:
    initialisation = control(
        st.selectbox,
        "initialisation",
        "Initialisation",
        list(_INITIALISATIONS),
        format_func=_INITIALISATIONS.__getitem__,
        help="How the recurrent weights are drawn before training: from a standard normal distribution as"
        " in the blog series (part IV), or uniformly between −1/√H and 1/√H as in PyTorch, which"
        " makes them much smaller, so that the state echoes less of earlier numbers.",
    )
    length = control(st.slider, "run_length", "Numbers in a run, L", 2, 12, 6)
    hidden = control(st.select_slider, "hidden_units", "Hidden units, H", (8, 16, 32, 64), 32)
    rate = control(st.select_slider, "learning_rate", "Learning rate", (0.01, 0.03, 0.1, 0.3), 0.1)
    seed = control(st.number_input, "seed", "Seed", 0, 9_999, 0)
    return CountingConfig(
        CountingNetworkConfig(hidden_size=hidden, initialisation=initialisation),
        length=length,
        learning_rate=rate,
        seed=int(seed),
    )


def counting_run(config: CountingConfig) -> CountingRun:
    """Return the shipped training, or one that this visitor asked for by the button or a link.

    Of any other it is the untrained network alone; so it is where the shipped one cannot be read,
    which is said here.
    """
    if config == CONFIG:
        try:
            return _shipped()
        except ResultError as error:
            page.show_error(error)
    asked = st.session_state.setdefault(_ASKED, [])
    if asked_by_link(EPOCH) and config not in asked:
        asked.append(config)
    return _trained(config) if config in asked else _untrained(config)


def offer_checkpoint(run: CountingRun) -> None:
    """Draw a trained network's provenance, and offer its checkpoint."""
    config, last = run.config, run.epochs[-1]
    st.caption(
        f"RNN, 1 x {config.network.hidden_size} · {last.model.parameter_count:,}"
        f" parameters · {config.runs} runs of {config.length} numbers,"
        f" {config.epochs} epochs in two batches each · Adam, learning rate"
        f" {config.learning_rate:g} falling to 0 · {significant(last.loss, 3)} nats per number ·"
        f" trained in {significant(run.seconds, 2)} s of processor time · seed {config.seed}"
    )
    download_network(
        partial(save_counting, config=config, epoch=last, seconds=run.seconds),
        name=checkpoint_name(config, last.epoch),
    )


def _train(config: CountingConfig) -> None:
    asked = st.session_state.setdefault(_ASKED, [])
    if config not in asked:
        asked.append(config)
    play(EPOCH, config.epochs + 1)


@st.cache_resource(max_entries=1, show_spinner=False)
def _shipped() -> CountingRun:
    training = CountingResults.load()
    return CountingRun(CONFIG, training.epochs, training.provenance["seconds"])


@st.cache_resource(max_entries=32, show_spinner="Training: every epoch takes a moment")
def _trained(config: CountingConfig) -> CountingRun:
    started = time.thread_time()
    training, epochs = train_counting(config), []
    for _ in range(config.epochs + 1):
        with page.model_calls:
            epochs.append(next(training))
    return CountingRun(config, tuple(epochs), time.thread_time() - started)


@st.cache_resource(max_entries=32, show_spinner=False)
def _untrained(config: CountingConfig) -> CountingRun:
    with page.model_calls:
        return CountingRun(config, (next(train_counting(config)),), 0.0)
