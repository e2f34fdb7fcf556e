"""What the parts share: the results, the goal that is chosen, and how methods are drawn."""

import itertools
from collections.abc import Sequence
from typing import NamedTuple

import streamlit as st

from lm_core.errors import ResultError
from lm_core.experiments.preferences.evaluation import Evaluation
from lm_core.experiments.preferences.results import PreferenceResults, TunedWriter
from lm_core.experiments.preferences.rules import RULES, SHORT
from lm_core.experiments.preferences.settings import DPO, PPO, REINFORCE, REWARD_MODEL
from pages.shared import charts
from pages.shared.charts.palette import BLUE, GREEN, ORANGE, VERMILLION
from pages.shared.ui.controls import control, is_presenting
from pages.shared.ui.first_screen import FirstScreen
from pages.shared.ui.messages import show_error

BEST_OF_N = "best of n"
STYLES = {
    PPO: charts.LineStyle(BLUE),
    REINFORCE: charts.LineStyle(VERMILLION, 1),
    DPO: charts.LineStyle(GREEN, 2),
    BEST_OF_N: charts.LineStyle(ORANGE),
}
BY_RULE, BY_MODEL = "rule", "model"
REWARD = "reward (standard deviations)"
MOST_REWARD = 8.0
HEIGHT = 320


class Goal(NamedTuple):
    """What is tuned for, and how strongly the writer is held back."""

    rule: str
    kl_weight: float


@st.cache_resource(max_entries=1, show_spinner=False)
def shipped_results() -> PreferenceResults:
    """Return what was measured; ResultError if it cannot be read."""
    return PreferenceResults.load()


def results_or_message(screen: FirstScreen) -> PreferenceResults | None:
    """Return what was measured; where it cannot be read, say why and return None."""
    try:
        return shipped_results()
    except ResultError as error:
        with screen.picture:
            show_error(error)
        return None


def choose_rule(screen: FirstScreen, name: str = "rule") -> str:
    """Draw the choice of what is liked under a name of the link, and return it."""
    with screen.controls:
        names = list(RULES)
        return str(
            control(st.selectbox, name, "What is liked", names, index=names.index(SHORT), width=182)
        )


def choose_weight(screen: FirstScreen, name: str, weights: Sequence[float], start: float) -> float:
    """Draw the choice of the KL weight under a name of this part, which has its own start; return it."""
    with screen.controls:
        return float(
            control(
                st.select_slider,
                name,
                "KL weight β",
                weights,
                start if start in weights else weights[0],
                format_func=lambda weight: f"{weight:g}",
                width=150 if is_presenting() else 100,
            )
        )


def weights_of(
    results: PreferenceResults, rule: str, method: str, reward: str = REWARD_MODEL
) -> list[float]:
    """Return the KL weights with which the writer was tuned so, rising."""
    return sorted(
        run.config.kl_weight
        for run in results.tuned
        if (run.config.rule, run.config.method, run.config.reward) == (rule, method, reward)
    )


def run_of(
    results: PreferenceResults,
    rule: str,
    method: str,
    kl_weight: float,
    reward: str = REWARD_MODEL,
) -> TunedWriter | None:
    """Return a prepared tuning; None if there is none of these settings."""
    asked = (rule, method, reward, kl_weight)
    for run in results.tuned:
        config = run.config
        if (config.rule, config.method, config.reward, config.kl_weight) == asked:
            return run
    return None


def by_kl(points: Sequence[Evaluation]) -> list[Evaluation]:
    """Return evaluations by rising KL."""
    return sorted(points, key=lambda point: point.kl)


def interpolated(pairs: Sequence[tuple[float, float]], x: float) -> float | None:
    """Return y at x on the line through pairs of rising x; None outside."""
    for (x0, y0), (x1, y1) in itertools.pairwise(pairs):
        if x0 <= x <= x1:
            return y0 + (y1 - y0) * (x - x0) / (x1 - x0) if x1 > x0 else y1
    return None
