"""The finding: how much reward each method earns at which distance from the writer."""

import pandas as pd
import streamlit as st

from lm_core.experiments.preferences.results import PreferenceResults
from lm_core.experiments.preferences.rules import RULES, SHORT
from lm_core.experiments.preferences.settings import (
    DPO,
    N_COMPARISONS,
    PPO,
    REINFORCE,
    REWARD_MODEL,
)
from pages.preferences.scene import (
    BEST_OF_N,
    HEIGHT,
    MOST_REWARD,
    REWARD,
    STYLES,
    Goal,
    by_kl,
    choose_rule,
    choose_weight,
    interpolated,
    results_or_message,
    run_of,
    weights_of,
)
from pages.shared import charts
from pages.shared.numbers import significant
from pages.shared.ui.controls import is_presenting
from pages.shared.ui.figures import show_chart
from pages.shared.ui.first_screen import FirstScreen, note_beside
from pages.shared.ui.lesson import (
    Prediction,
    answer_is_masked,
    guesses_in_picture,
    predict_then_reveal,
    show_verdict,
)

_FIRST_WEIGHT, _DPO_BETA = 0.3, 0.1
_AT = 2.0
"""Nats at which the methods are compared."""
_MUCH = 1.15
"""How many times the reward counts as more."""
_MORE, _EQUAL, _LESS = "PPO earns more", "About the same", "Best of n earns more"
_ANSWERS = {_MORE: 1.5, _EQUAL: 1.0, _LESS: 0.6}
"""The answers, with the multiple of best-of-n's reward at which each is drawn."""
_KL = charts.Axis(
    "KL from the writer (nats per text)", (0.1, 300.0), True, (0.1, 0.3, 1, 3, 10, 30, 100, 300)
)
_Curves = dict[str, list[tuple[float, float, float]]]
"""KL, reward and its standard error, by rising KL, of each method."""


def choose_goal(screen: FirstScreen) -> Goal:
    """Draw the choice of the rule and of the KL weight, and return both."""
    rule = choose_rule(screen)
    results = results_or_message(screen)
    weights = weights_of(results, rule, PPO) if results else [_FIRST_WEIGHT]
    return Goal(rule, choose_weight(screen, "kl_weight", weights, _FIRST_WEIGHT))


def reward_and_kl(screen: FirstScreen, goal: Goal) -> None:
    """Draw reward against KL of every method, best-of-n as the line to be beaten."""
    results = results_or_message(screen)
    if results is None:
        return
    curves = _curves(results, goal)
    with screen.beside:
        prediction = _ask(curves, goal)
    is_masked = answer_is_masked(prediction)
    with screen.picture:
        st.markdown(f"**{_finding(curves, goal, is_masked=is_masked)}**")
        _draw(curves, prediction)
    note_beside(
        screen,
        "*KL* says how far the tuned writer's texts are from the untuned one's: 0 if nothing changed."
        " The *reward* is the rule's, on beginnings that nothing was learned from.",
    )
    if not is_presenting():
        _explain(results, goal)


def _curves(results: PreferenceResults, goal: Goal) -> _Curves:
    """Return what is drawn, best-of-n first."""
    best = results.rules[goal.rule].best_of[REWARD_MODEL]
    curves: _Curves = {BEST_OF_N: [(one.kl, one.reward, 0.0) for one in best]}
    for method, weight in (
        (PPO, goal.kl_weight),
        (REINFORCE, goal.kl_weight),
        (DPO, _DPO_BETA),
    ):
        if run := run_of(results, goal.rule, method, weight):
            curves[method] = [(p.kl, p.reward, p.reward_error) for p in by_kl(run.points)]
    return curves


def _at(curves: _Curves, method: str, kl: float) -> float | None:
    return interpolated([(x, y) for x, y, _ in curves.get(method, [])], kl)


def _ask(curves: _Curves, goal: Goal) -> Prediction | None:
    """Ask which of the two earns more; None where they were not compared."""
    best, ppo = (_at(curves, method, _AT) for method in (BEST_OF_N, PPO))
    if goal != (SHORT, _FIRST_WEIGHT) or best is None or ppo is None:
        return None
    prediction = predict_then_reveal(
        "equal_kl",
        "*Best of n* writes n texts and keeps the best: no training. PPO trains. Which earns more reward at"
        f" {_AT:g} nats?",
        list(_ANSWERS),
    )
    if prediction.revealed:
        truth = _MORE if ppo > _MUCH * best else _LESS if best > _MUCH * ppo else _EQUAL
        show_verdict(
            prediction,
            right=truth,
            reason=f"At {_AT:g} nats best of n earns **{best:.2f}** standard deviations, PPO **{ppo:.2f}**."
            " But best of n writes n texts for each one that it keeps, every time.",
        )
    return prediction


def _finding(curves: _Curves, goal: Goal, *, is_masked: bool) -> str:
    if is_masked:
        n_kl, reward, _ = curves[BEST_OF_N][-1]
        return f"Best of 64 earns {reward:.1f} standard deviations at {n_kl:.1f} nats; and {PPO}?"
    ends = {name: pairs[-1] for name, pairs in curves.items() if name != BEST_OF_N}
    if not ends:
        return f"Best of n, for {goal.rule}"
    name, (kl, reward, _) = max(ends.items(), key=lambda end: end[1][1])
    best = _at(curves, BEST_OF_N, kl)
    said = f"{name} earns {reward:.1f} standard deviations at {significant(kl, 3)} nats"
    return f"{said}, best of n {best:.1f}" if best is not None else said


def _draw(curves: _Curves, prediction: Prediction | None) -> None:
    is_masked = answer_is_masked(prediction)
    shown = {n: c for n, c in curves.items() if not (is_masked and n == PPO)}
    best = _at(curves, BEST_OF_N, _AT) or 0.0
    guess = guesses_in_picture(prediction, lambda said: (_AT, _ANSWERS[said] * best))
    lines = {name: [(x, y) for x, y, _ in pairs] for name, pairs in shown.items()}
    rows = [(name, *numbers) for name, pairs in shown.items() for numbers in pairs]
    show_chart(
        charts.line_chart(
            lines,
            STYLES,
            _KL,
            charts.Axis(REWARD, (-1.0, MOST_REWARD)),
            bands={
                name: [(x, y - error, y + error) for x, y, error in pairs]
                for name, pairs in shown.items()
                if name != BEST_OF_N
            },
            guess=guess,
            waiting=charts.Waiting(PPO, _AT) if is_masked else None,
            has_points=True,
            height=HEIGHT,
        ),
        pd.DataFrame(rows, columns=["method", "KL", "reward", "standard error"]),
        key="frontier",
        alt="Reward against KL. "
        + "; ".join(
            f"{name} ends at {significant(x, 3)} nats with {y:.2f}"
            for name, ((x, y)) in _ends(lines)
        ),
        name="reward-against-kl",
    )


def _ends(
    lines: dict[str, list[tuple[float, float]]],
) -> list[tuple[str, tuple[float, float]]]:
    return [(name, pairs[-1]) for name, pairs in lines.items()]


def _explain(results: PreferenceResults, goal: Goal) -> None:
    rule, measured = RULES[goal.rule], results.rules[goal.rule]
    st.markdown(
        f"A rule judges {N_COMPARISONS} pairs of texts: **{rule.formula}**. A *reward model* learns from them"
        " to score any text. PPO and REINFORCE raise that score less β times the KL; DPO learns from the same"
        f" pairs directly (its β is {_DPO_BETA:g}); best of n keeps the text that the model scores highest."
    )
    st.latex(rule.latex)
    st.latex(
        r"\text{maximise}\quad \mathrm{E}_{y \sim \pi}[r(y)] - \beta\,\mathrm{KL}(\pi \,\|\, \pi_{\text{ref}}),"
        r"\qquad \mathrm{KL}_{\text{best of } n} = \log n - \frac{n - 1}{n}"
    )
    made = results.provenance
    runs = [run for run in results.tuned if run.config.rule == goal.rule]
    st.caption(
        f"The untuned writer scores {measured.mean:.3f} ± {measured.deviation:.3f} by the rule: a reward of 1 is one"
        f" such deviation above its mean. Writer: {made['writer']}, low-rank updates of rank {runs[0].config.rank if runs else 4};"
        f" {len(results.tuned)} tunings, seed 1, {made['seconds'] / 60:.0f} min of one processor, {made['date'][:10]}."
        " Each point is one evaluation on the way, on 88 texts; bands are one standard error."
    )
