"""The experiments behind the page, run once for each setting and shared by all visitors."""

import streamlit as st

from lm_core.experiments.estimation.experiment import (
    Errors,
    EstimationSettings,
    Experiment,
    errors,
    run_experiment,
)
from lm_core.experiments.estimation.population import Population
from lm_core.experiments.estimation.population import population as population_of
from pages.shared.server import model_calls


@st.cache_resource(show_spinner=False)
def population() -> Population:
    """Return the population on its grid; read it, never change it."""
    return population_of()


@st.cache_resource(max_entries=256, show_spinner=False)
def experiment(settings: EstimationSettings) -> Experiment:
    """Return what came of an experiment; read it, never change it."""
    with model_calls:
        return run_experiment(settings)


@st.cache_resource(max_entries=256, show_spinner=False)
def errors_of(settings: EstimationSettings) -> Errors:
    """Return spread and bias of an experiment."""
    return errors(experiment(settings), population())
