"""The controls of the page, and the experiments that they ask for, run once and shared by all visitors."""

from typing import NamedTuple

import streamlit as st

from lm_core.experiments.estimation.experiment import (
    Errors,
    EstimationSettings,
    Experiment,
    Method,
    errors,
    run_experiment,
)
from lm_core.experiments.estimation.population import Population
from lm_core.experiments.estimation.population import population as population_of
from pages.shared import page
from pages.shared.turns import model_calls

SIZES = (10, 20, 50, 100, 200, 500)
_LENGTHS = (1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 15, 20, 30, 50, 70, 100, 150, 200)
_MOST_OTHERS = 20
_SHORT = {Method.COUNTING: "Counting", Method.LOGISTIC: "Logistic", Method.NETWORK: "Network"}


class Settings(NamedTuple):
    """All that the controls are set to."""

    experiment: EstimationSettings
    length: int  # cm
    has_others: bool
    has_truth: bool


def choose_settings(screen: page.FirstScreen) -> Settings:
    """Draw the controls, the size of the sample with the picture."""
    with screen.picture:
        n = page.pick("animals", "Animals in the sample", SIZES, 50)
    with screen.controls:
        by = page.segments(
            "method",
            "Estimate by",
            list(Method),
            Method.COUNTING,
            format_func=_SHORT.__getitem__,
            width="content",
        )
        length = page.pick(
            "length", "An animal of", _LENGTHS, 12, format_func=lambda cm: f"{cm} cm", width=210
        )
        with st.popover("More", icon=":material/tune:"):
            seed = page.number(
                "seed",
                "Sample",
                0,
                9999,
                0,
                help="The seed: another number draws another sample of the same size.",
            )
            intervals, hidden, decay, has_others, has_truth = _finer()
    experiment = EstimationSettings(Method(by), n, seed, _MOST_OTHERS, intervals, hidden, decay)
    return Settings(experiment, length, has_others, has_truth)


def _finer() -> tuple[int, int, float, bool, bool]:
    """Draw what each method can be set to, and what is shown beside the own estimate."""
    has_truth = page.switch("truth", "Show the truth", True)
    has_others = page.switch("others", f"Show {_MOST_OTHERS} other samples", True)
    intervals = page.pick(
        "intervals",
        "Counting: intervals of length",
        (2, 4, 8, 15, 30),
        8,
        help="Animals in one interval count as alike. Fewer intervals contain more animals each, so"
        " their shares vary less.",
    )
    hidden = page.pick("hidden", "Network: hidden units", (1, 2, 4, 8), 4)
    decay = page.pick(
        "prior",
        "Both models: strength of the prior",
        (0.001, 0.01, 0.1, 1.0, 10.0),
        0.1,
        format_func=lambda value: f"{value:g}",
        help="Weight decay: the fit maximises the likelihood times a normal distribution of the"
        " weights with this precision. Without it, the weights of a model that separates the"
        " sample would grow without end, because it could always become more certain.",
    )
    return intervals, hidden, decay, has_others, has_truth


@st.cache_resource(show_spinner=False)
def population() -> Population:
    """Return the population on its grid; read it, never change it."""
    return population_of()


@st.cache_resource(max_entries=256, show_spinner=False)
def run(settings: EstimationSettings) -> Experiment:
    """Return what came of an experiment; read it, never change it."""
    with model_calls:
        return run_experiment(settings)


@st.cache_resource(max_entries=256, show_spinner=False)
def errors_of(settings: EstimationSettings) -> Errors:
    """Return spread and bias of an experiment."""
    return errors(run(settings), population())
