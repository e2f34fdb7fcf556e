"""What the parts share: the results, two choices, how methods are drawn, and texts."""

import itertools
from collections.abc import Sequence
from functools import partial

import streamlit as st

from lm_core.experiments.preferences.results import PreferenceResults, TunedWriter
from lm_core.experiments.preferences.rules import RULES, SHORT
from lm_core.experiments.preferences.settings import DPO, PPO, REINFORCE, REWARD_MODEL
from pages.shared import page
from pages.shared.charts.palette import BLUE, GREEN, ORANGE, VERMILLION, visible

BEST_OF_N = "best of n"
STYLES = {
    PPO: page.LineStyle(BLUE),
    REINFORCE: page.LineStyle(VERMILLION, 1),
    DPO: page.LineStyle(GREEN, 2),
    BEST_OF_N: page.LineStyle(ORANGE),
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
    titles, width = {each: f"{each:g}" for each in weights}, 150 if page.is_presenting() else 100
    with screen.controls:
        return page.pick(name, "KL weight β", titles, start, width=width)


def runs_of(
    results: PreferenceResults, rule: str, method: str, reward: str = REWARD_MODEL
) -> dict[float, TunedWriter]:
    """Return the prepared tunings of these settings by their KL weight, rising."""
    pairs, asked = [(run.config, run) for run in results.tuned], (rule, method, reward)
    found = {c.kl_weight: run for c, run in pairs if (c.rule, c.method, c.reward) == asked}
    return dict(sorted(found.items()))


def interpolated(pairs: Sequence[tuple[float, float]], x: float) -> float | None:
    """Return y at x on the line through pairs of rising x; None outside."""
    for (x0, y0), (x1, y1) in itertools.pairwise(pairs):
        if x0 <= x <= x1:
            return y0 + (y1 - y0) * (x - x0) / (x1 - x0) if x1 > x0 else y1
    return None


def written_texts(texts: Sequence[tuple[str, str]]) -> None:
    """Draw continuations, a line for each.

    `texts`: sequence of pairs of str, beginnings and continuations.
    """
    with st.container(border=True, gap="xsmall"):
        for beginning, written in texts:
            st.text(f"{beginning}… {one_line(written)}")


def one_line(text: str) -> str:
    """Return a text without its line breaks, which are marked."""
    return visible(text).replace("·", " ").strip()
