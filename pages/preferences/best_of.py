"""Best-of-n: 64 texts of one beginning by the model's reward and by the rule's, and the best of n."""

import pandas as pd
import streamlit as st

from lm_core.experiments.preferences.prompts import HELD_OUT
from lm_core.experiments.preferences.results import PreferenceResults, RuleResults
from lm_core.experiments.preferences.rules import RULES
from lm_core.experiments.preferences.settings import REWARD_MODEL
from lm_core.experiments.preferences.study import NS
from lm_core.generation.best_of_n import best_of_n_kl
from pages.preferences.scene import HEIGHT, choose_rule, results_or_message
from pages.preferences.texts import one_line
from pages.shared import charts
from pages.shared.charts.palette import BLUE, ORANGE, VERMILLION
from pages.shared.ui.controls import control, is_presenting
from pages.shared.ui.figures import show_chart
from pages.shared.ui.first_screen import FirstScreen, note_beside

_STYLES = {
    "written": charts.LineStyle(BLUE),
    "kept": charts.LineStyle(ORANGE),
    "by the rule": charts.LineStyle(BLUE),
    "by the model": charts.LineStyle(VERMILLION, 1),
}
_LEAST, _MOST = -3.0, 8.0


def choose_n(screen: FirstScreen) -> tuple[str, int, str]:
    """Draw the choice of rule, n and beginning, and return them."""
    rule = choose_rule(screen)
    with screen.controls:
        n = int(control(st.select_slider, "n", "Texts, n", NS, 16, width=200))
        with st.popover("More", icon=":material/tune:"):
            prompt = control(st.selectbox, "beginning_of_n", "Beginning", HELD_OUT, index=1)
    return rule, n, str(prompt)


def best_of(screen: FirstScreen, chosen: tuple[str, int, str]) -> None:
    """Draw the first n texts of a beginning as points, and ring the one that the reward model keeps."""
    rule, n, prompt = chosen
    results = results_or_message(screen)
    if results is None:
        return
    measured = results.rules[rule]
    by_model, by_rule = _rewards(results, rule, prompt)
    kept = max(range(n), key=by_model.__getitem__)
    text = results.candidates[prompt][kept]
    with screen.picture:
        st.markdown(
            f"**Of {n} texts the kept one has {by_rule[kept]:.1f} standard deviations by the rule; the best of them"
            f" {max(by_rule[:n]):.1f}**"
        )
        _points(by_model[:n], by_rule[:n], results.candidates[prompt][:n], kept)
    with screen.beside:
        st.caption("Kept")
        with st.container(border=True):
            st.text(f"{prompt}… {one_line(text)}")
        st.markdown(
            f"KL of best of {n}: log {n} − {n - 1}/{n} = **{best_of_n_kl(n):.2f} nats**, if no two texts have the same score;"
            " where some have, it is less."
        )
    note_beside(
        screen,
        "*Best of n* trains nothing: write n texts, score them, keep the best. Its distance from the writer is"
        " known in advance, so it is the baseline at equal KL.",
    )
    if not is_presenting():
        _means(measured, n)


def _rewards(results: PreferenceResults, rule: str, prompt: str) -> tuple[list[float], list[float]]:
    """Return the rewards of a beginning's texts by the model and by the rule."""
    measured = results.rules[rule]
    row = list(results.candidates).index(prompt)
    scores = [RULES[rule].score(text) for text in results.candidates[prompt]]
    by_rule = [(score - measured.mean) / measured.deviation for score in scores]
    return results.candidate_rewards[rule][row].tolist(), by_rule


def _points(by_model: list[float], by_rule: list[float], texts: tuple[str, ...], kept: int) -> None:
    names = [f"{i + 1}: {one_line(text)}" for i, text in enumerate(texts)]
    show_chart(
        charts.line_chart(
            {},
            _STYLES,
            charts.Axis("reward by the model (standard deviations)", (_LEAST, 4.0)),
            charts.Axis("reward by the rule", (_LEAST, _MOST)),
            dots={name: [(x, y)] for name, x, y in zip(names, by_model, by_rule, strict=True)},
            rings={"kept": [(by_model[kept], by_rule[kept])]},
            has_names=False,
            height=HEIGHT,
        ),
        pd.DataFrame({"text": names, "by the model": by_model, "by the rule": by_rule}),
        key="candidates",
        alt=f"{len(texts)} texts; the kept one has {by_model[kept]:.2f} by the model and {by_rule[kept]:.2f} by the"
        " rule.",
        name="best-of-n",
    )


def _means(measured: RuleResults, n: int) -> None:
    """Draw the means over all beginnings, by n."""
    found = measured.best_of[REWARD_MODEL]
    now = next(one for one in found if one.n == n)
    st.header("Over all beginnings", anchor=False)
    st.markdown(
        f"The best of {n} by the model earns **{now.reward:.2f}** by the rule and **{now.model_reward:.2f}** by the"
        f" model itself, mean over {len(HELD_OUT)} beginnings and all ways to take {n} of 64 texts."
    )
    show_chart(
        charts.line_chart(
            {
                "by the rule": [(float(one.n), one.reward) for one in found],
                "by the model": [(float(one.n), one.model_reward) for one in found],
            },
            _STYLES,
            charts.Axis("n", (1.0, 64.0), True, tuple(float(one.n) for one in found)),
            charts.Axis("reward (standard deviations)", (-0.5, 4.0)),
            now=float(n),
            has_points=True,
            height=240,
        ),
        pd.DataFrame(found),
        key="best_of_means",
        alt=f"Best of {n}: {now.reward:.2f} by the rule, {now.model_reward:.2f} by the model.",
        name="best-of-n-means",
    )
