"""Reward hacking: what the reward model likes more and more, and the rule does not."""

import pandas as pd
import streamlit as st

from lm_core.experiments.preferences.evaluation import Evaluation
from lm_core.experiments.preferences.results import PreferenceResults, TunedWriter
from lm_core.experiments.preferences.rules import RULES, SHORT
from lm_core.experiments.preferences.settings import PPO, REWARD_MODEL, RULE
from pages.preferences.scene import (
    BY_MODEL,
    BY_RULE,
    choose_rule,
    choose_weight,
    results_or_message,
    run_of,
    weights_of,
)
from pages.preferences.texts import written_texts
from pages.shared import charts
from pages.shared.charts.palette import BLUE, VERMILLION
from pages.shared.ui.controls import control, is_presenting
from pages.shared.ui.figures import show_chart
from pages.shared.ui.first_screen import FirstScreen, note_beside
from pages.shared.ui.lesson import (
    Prediction,
    answer_is_masked,
    nearest_answer,
    predict_then_reveal,
    show_verdict,
)
from pages.shared.ui.playback import playback_bar

_STYLES = {BY_RULE: charts.LineStyle(BLUE), BY_MODEL: charts.LineStyle(VERMILLION, 1)}
_ANSWERS = {"As much": 1.0, "About half": 0.5, "Next to nothing": 0.0}
"""The answers, with the share of the model's reward that each stands for."""
_HEIGHT = 185
_PAYERS = {REWARD_MODEL: "model", RULE: "rule"}
_STEP = "hacking_step"
_N_TEXTS = 2


def choose_exploited(screen: FirstScreen) -> tuple[str, str]:
    """Draw the choice of what is liked and of who rewards, and return rule and reward."""
    rule = choose_rule(screen)
    with screen.controls:
        reward = control(
            st.selectbox,
            "rewarded_by",
            "Rewarded by",
            (REWARD_MODEL, RULE),
            format_func=_PAYERS.__getitem__,
            width=110,
        )
    return rule, str(reward)


def hacking(screen: FirstScreen, chosen: tuple[str, str]) -> None:
    """Draw both rewards in the course of a tuning with PPO, and what it writes then."""
    rule, reward = chosen
    results = results_or_message(screen)
    if results is None:
        return
    weights = weights_of(results, rule, PPO, reward)
    if not weights:
        with screen.picture:
            st.info("There is no such tuning: choose the reward model.")
        return
    weight = choose_weight(screen, weights, 0.0)
    run = run_of(results, rule, PPO, weight, reward)
    if run is None:
        return
    with screen.beside:
        prediction = _ask(run)
    with screen.picture:
        last = run.points[-1]
        st.markdown(f"**{_finding(last, weight, is_masked=answer_is_masked(prediction))}**")
        playback_bar(
            _STEP,
            len(run.points),
            lambda i: _draw(run, i, prediction),
            label="Evaluation",
            start=len(run.points) - 1,
        )
    note_beside(
        screen,
        "*Reward hacking*: a policy earns what it is paid for, not what was meant. β = 0 drops the KL penalty,"
        " so nothing keeps it near texts of which the reward model has seen comparisons.",
    )
    if not is_presenting():
        _explain(results, run)


def _ask(run: TunedWriter) -> Prediction | None:
    config, last = run.config, run.points[-1]
    if (config.rule, config.reward, config.kl_weight) != (SHORT, REWARD_MODEL, 0.0):
        return None
    prediction = predict_then_reveal(
        "hacked",
        f"The penalty is gone, and the model's reward has risen to {last.model_reward:.1f}. How much of it does"
        " the rule confirm?",
        list(_ANSWERS),
    )
    if prediction.revealed:
        share = last.reward / last.model_reward
        show_verdict(
            prediction,
            right=nearest_answer(share, _ANSWERS),
            reason=f"**{last.reward:.1f}** of {last.model_reward:.1f}. Read what it writes: {last.kl:.0f} nats from"
            " the writer, the reward model judges texts that it has never seen the like of.",
        )
    return prediction


def _finding(last: Evaluation, weight: float, *, is_masked: bool) -> str:
    said = f"β = {weight:g}: the model's reward ends at {last.model_reward:.1f}"
    return f"{said}; and the rule's?" if is_masked else f"{said}, the rule's at {last.reward:.1f}"


def _draw(run: TunedWriter, i: int, prediction: Prediction | None) -> None:
    now = run.points[i]
    if is_presenting():  # large type: side by side, so that the picture keeps its height
        left, right = st.columns([1.7, 1], gap="small")
        with left:
            _rewards(run, i, prediction)
        with right:
            written_texts(now.texts[:_N_TEXTS])
    else:
        written_texts(now.texts[:_N_TEXTS])
        _rewards(run, i, prediction)
        st.caption(f"More texts after {now.step} batches, {now.kl:.1f} nats from the writer")
        written_texts(now.texts[_N_TEXTS:])


def _rewards(run: TunedWriter, i: int, prediction: Prediction | None) -> None:
    points = run.points
    lines = {
        BY_MODEL: [(float(p.step), p.model_reward) for p in points],
        BY_RULE: [(float(p.step), p.reward) for p in points],
    }
    is_masked = answer_is_masked(prediction)
    if is_masked:
        del lines[BY_RULE]
    guess = None
    if prediction is not None and prediction.revealed and prediction.guess is not None:
        guess = float(points[-1].step), _ANSWERS[prediction.guess] * points[-1].model_reward
    highest = max(p.model_reward for p in points), max(p.reward for p in points)
    show_chart(
        charts.line_chart(
            lines,
            _STYLES,
            charts.Axis("batches learned from", (0.0, float(points[-1].step))),
            charts.Axis("reward (s.d.)", (-1.0, max(3.0, 1.05 * max(highest)))),
            guess=guess,
            now=float(points[i].step),
            has_points=True,
            height=_HEIGHT,
        ),
        pd.DataFrame(
            [(p.step, p.kl, p.model_reward, p.reward) for p in points],
            columns=["batches", "KL", BY_MODEL, BY_RULE],
        )[["batches", "KL", BY_MODEL] + ([] if is_masked else [BY_RULE])],
        key="hacking_rewards",
        alt=f"After {points[i].step} batches the reward is {points[i].model_reward:.2f} by the model"
        + ("." if is_masked else f", {points[i].reward:.2f} by the rule."),
        name="both-rewards",
    )


def _explain(results: PreferenceResults, run: TunedWriter) -> None:
    measured, last = results.rules[run.config.rule], run.points[-1]
    shares = [a.accuracies for a in measured.accuracies][-1]
    by_rule = run.config.reward == RULE
    paid = (
        "Here the rule itself pays, so nothing is misjudged. What it says is all that is done: "
        if by_rule
        else f"On texts of the writer the reward model agrees with the rule in {sum(shares) / len(shares):.0%} of"
        " held-out pairs. Off that ground it only guesses. The rule: "
    )
    st.markdown(
        f"{paid}{RULES[run.config.rule].formula}. At the end the tuned writer is **{last.kl:.0f}** nats away:"
        f" of two texts that the reward ranks, it writes only such as the untuned one would hardly ever write."
    )
