"""The finding: how much reward each method earns at which distance from the writer."""

import streamlit as st

from lm_core.experiments.preferences import settings
from lm_core.experiments.preferences.results import PreferenceResults
from lm_core.experiments.preferences.rules import RULES, SHORT
from lm_core.experiments.preferences.settings import DPO, PPO, REINFORCE, REWARD_MODEL
from pages.preferences import scene
from pages.preferences.scene import BEST_OF_N, HEIGHT, MOST_REWARD, REWARD, STYLES
from pages.shared import page
from pages.shared.numbers import significant

_FIRST_WEIGHT, _DPO_BETA = 0.3, 0.1
_AT = 2.0
"""Nats at which the methods are compared."""
_MUCH = 1.15
"""How many times the reward counts as more."""
_MORE, _EQUAL, _LESS = "PPO earns more", "About the same", "Best of n earns more"
_ANSWERS = {_MORE: 1.5, _EQUAL: 1.0, _LESS: 0.6}
"""The answers, with the multiple of best-of-n's reward at which each is drawn."""
_TICKS = (0.1, 0.3, 1, 3, 10, 30, 100, 300)
_KL = page.Axis("KL from the original model (nats per text)", (0.1, 300.0), True, _TICKS)
_Curves = dict[str, list[tuple[float, float, float]]]
"""KL, reward and its standard error, by rising KL, of each method."""


def reward_and_kl(screen: page.FirstScreen) -> None:
    """Draw reward against KL of every method, best-of-n as the line to be beaten."""
    rule, results = scene.choose_rule(screen), scene.shipped_results()
    weights = list(scene.runs_of(results, rule, PPO))
    weight = scene.choose_weight(screen, "kl_weight", weights, _FIRST_WEIGHT)
    curves = _curves(results, rule, weight)
    best, ppo = (_at(curves, method, _AT) or 0.0 for method in (BEST_OF_N, PPO))
    asked = page.ask(
        screen,
        "equal_kl",
        "*Best of n* writes n texts and keeps the best, without any training; PPO trains the model. Which"
        f" earns more reward at {_AT:g} nats?",
        _ANSWERS,
        right=_MORE if ppo > _MUCH * best else _LESS if best > _MUCH * ppo else _EQUAL,
        reason=f"At {_AT:g} nats best of n earns **{best:.2f}** standard deviations, PPO **{ppo:.2f}**."
        " Best of n only chooses among the original model's own texts, so it stays near it. But"
        " it writes n texts for each one that it keeps, every time, while a trained model writes"
        " one.",
        when=(rule, weight) == (SHORT, _FIRST_WEIGHT) and bool(best and ppo),
    )
    with screen.picture:
        st.markdown(f"**{_finding(curves, rule, asked)}**")
        _draw(curves, asked, best)
    page.note_beside(
        screen,
        "*KL* says, in nats a text, how far the texts of the tuned model are from those of the original one; it"
        " is 0 if nothing has changed. The *reward* is what the rule itself awards. It is measured on opening"
        " words that were not used in training, so a model gains nothing by learning the others by heart.",
    )
    if not page.is_presenting():
        _explain(results, rule)


def _curves(results: PreferenceResults, rule: str, weight: float) -> _Curves:
    """Return what is drawn, best-of-n first."""
    best = results.rules[rule].best_of[REWARD_MODEL]
    curves: _Curves = {BEST_OF_N: [(one.kl, one.reward, 0.0) for one in best]}
    for method, held_back in ((PPO, weight), (REINFORCE, weight), (DPO, _DPO_BETA)):
        if run := scene.runs_of(results, rule, method).get(held_back):
            points = sorted(run.points, key=lambda point: point.kl)
            curves[method] = [(p.kl, p.reward, p.reward_error) for p in points]
    return curves


def _at(curves: _Curves, method: str, kl: float) -> float | None:
    return scene.interpolated([(x, y) for x, y, _ in curves.get(method, [])], kl)


def _finding(curves: _Curves, rule: str, asked: page.Asked) -> str:
    if asked.masks:
        n_kl, reward, _ = curves[BEST_OF_N][-1]
        return f"Best of 64 earns {reward:.1f} standard deviations at {n_kl:.1f} nats; and {PPO}?"
    ends = {name: pairs[-1] for name, pairs in curves.items() if name != BEST_OF_N}
    if not ends:
        return f"Best of n, for {rule}"
    name, (kl, reward, _) = max(ends.items(), key=lambda end: end[1][1])
    best = _at(curves, BEST_OF_N, kl)
    said = f"{name} earns {reward:.1f} standard deviations at {significant(kl, 3)} nats"
    return f"{said}, best of n {best:.1f}" if best is not None else said


def _draw(curves: _Curves, asked: page.Asked, best: float) -> None:
    tuned = {name: triples for name, triples in curves.items() if name != BEST_OF_N}
    page.show_lines(
        "frontier",
        {name: [(x, y) for x, y, _ in triples] for name, triples in curves.items()},
        STYLES,
        _KL,
        page.Axis(REWARD, (-1.0, MOST_REWARD)),
        hidden=asked.hides(PPO),
        bands={name: [(x, y - e, y + e) for x, y, e in triples] for name, triples in tuned.items()},
        beside={
            "standard error": {name: [e for *_, e in triples] for name, triples in curves.items()}
        },
        guess=asked.at(lambda times: (_AT, times * best)),
        waiting=asked.waiting(PPO, _AT),
        has_points=True,
        height=HEIGHT,
    )


def _explain(results: PreferenceResults, name: str) -> None:
    rule, measured = RULES[name], results.rules[name]
    st.markdown(
        f"A rule judges {settings.N_COMPARISONS} pairs of texts: **{rule.formula}**. A *reward model* learns"
        " from them to score any text. PPO and REINFORCE maximise that score minus β times the KL,"
        " so that the texts stay near the original model's; DPO learns from the same pairs"
        f" directly (its β is {_DPO_BETA:g}); best of n keeps the text that the model scores"
        " highest."
    )
    st.latex(rule.latex)
    st.latex(
        r"\text{maximise}\quad \mathrm{E}_{y \sim \pi}[r(y)] - \beta\,\mathrm{KL}(\pi \,\|\, \pi_{\text{ref}}),"
        r"\qquad \mathrm{KL}_{\text{best of } n} = \log n - \frac{n - 1}{n}"
    )
    made = results.provenance
    ranks = [run.config.rank for run in results.tuned if run.config.rule == name]
    st.caption(
        f"The original model scores {measured.mean:.3f} ± {measured.deviation:.3f} by the rule: a reward"
        f" of 1 is one such deviation above its mean. It is {made['writer']}, tuned by low-rank updates of"
        f" rank {ranks[0] if ranks else 4}; {len(results.tuned)} tunings, seed 1,"
        f" {made['seconds'] / 60:.0f} min of one processor, {made['date'][:10]}. Each point is one"
        " evaluation on the way, on 88 texts; bands are one standard error."
    )
