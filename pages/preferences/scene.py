"""What the parts share: the results, the choice of a rule and of a KL weight, and how methods are drawn."""

import itertools
from collections.abc import Sequence
from functools import partial

from lm_core.experiments.preferences.results import PreferenceResults, TunedWriter
from lm_core.experiments.preferences.rules import RULES, SHORT
from lm_core.experiments.preferences.settings import DPO, PPO, REINFORCE, REWARD_MODEL
from pages.shared import page
from pages.shared.charts.lines import LineStyle
from pages.shared.charts.palette import BLUE, GREEN, ORANGE, VERMILLION

BEST_OF_N = "best of n"
STYLES = {
    PPO: LineStyle(BLUE),
    REINFORCE: LineStyle(VERMILLION, 1),
    DPO: LineStyle(GREEN, 2),
    BEST_OF_N: LineStyle(ORANGE),
}
BY_RULE, BY_MODEL = "rule", "model"
REWARD, MOST_REWARD = "reward (standard deviations)", 8.0
HEIGHT = 320


shipped_results = partial(page.shipped, PreferenceResults)
"""Returns what was measured; ResultError if it cannot be read."""


def choose_rule(screen: page.FirstScreen, name: str = "rule") -> str:
    """Draw the choice of what is liked under a name of the link, and return it."""
    with screen.controls:
        return page.choice(name, "What is liked", list(RULES), SHORT, width=182)


def choose_weight(
    screen: page.FirstScreen, name: str, weights: Sequence[float], start: float
) -> float:
    """Draw the choice of the KL weight under a name of this part, which has its own start; return it."""
    titles = {weight: f"{weight:g}" for weight in weights}
    with screen.controls:
        return page.pick(
            name, "KL weight β", titles, start, width=150 if page.is_presenting() else 100
        )


def weights_of(
    results: PreferenceResults, rule: str, method: str, reward: str = REWARD_MODEL
) -> list[float]:
    """Return the KL weights with which the writer was tuned so, rising."""
    configs = [run.config for run in results.tuned]
    asked = rule, method, reward
    return sorted(c.kl_weight for c in configs if (c.rule, c.method, c.reward) == asked)


def run_of(
    results: PreferenceResults, rule: str, method: str, weight: float, reward: str = REWARD_MODEL
) -> TunedWriter | None:
    """Return a prepared tuning; None if there is none of these settings."""
    asked = rule, method, reward, weight
    for run in results.tuned:
        c = run.config
        if (c.rule, c.method, c.reward, c.kl_weight) == asked:
            return run
    return None


def interpolated(pairs: Sequence[tuple[float, float]], x: float) -> float | None:
    """Return y at x on the line through pairs of rising x; None outside."""
    for (x0, y0), (x1, y1) in itertools.pairwise(pairs):
        if x0 <= x <= x1:
            return y0 + (y1 - y0) * (x - x0) / (x1 - x0) if x1 > x0 else y1
    return None
