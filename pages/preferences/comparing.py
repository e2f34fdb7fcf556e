"""Compare pairs: the visitor, the class or a rule judges, and a reward model learns from it at once."""

from typing import NamedTuple

import pandas as pd
import streamlit as st

from lm_core.experiments.preferences.results import Pair, PreferenceResults
from lm_core.experiments.preferences.rules import RULES, SHORT
from lm_core.experiments.preferences.votes import (
    FOR_VOTES,
    Vote,
    agreement_with,
    foretold,
    reward_model_of,
    rule_votes,
)
from pages.preferences.class_votes import class_votes
from pages.preferences.scene import results_or_message, shipped_results
from pages.preferences.texts import one_line
from pages.shared import charts
from pages.shared.charts.palette import BLUE, ORANGE
from pages.shared.numbers import percent
from pages.shared.turns import page_turns
from pages.shared.ui.controls import control, is_presenting
from pages.shared.ui.figures import show_chart
from pages.shared.ui.first_screen import FirstScreen, note_beside
from pages.shared.ui.visitor import is_presenter, presenter_login, visitor

YOU, CLASS = "You", "Everybody here"
_CURVE, _NOW = "reward models", "this one"
_STYLES = {_CURVE: charts.LineStyle(BLUE), _NOW: charts.LineStyle(ORANGE)}
_EVERY = 5
"""Votes between two fits of the model that predicts the next ones."""


class Judges(NamedTuple):
    """Who judges, and how many of the judgements are learned from."""

    name: str
    n: int

    @property
    def is_rule(self) -> bool:
        """Whether a rule judges, and not people."""
        return self.name in RULES


class Learned(NamedTuple):
    """What a reward model has come to.

    Attributes
    ----------
    n : int
        Comparisons that it has learned from.
    accuracy : float or None
        On held-out pairs, of a rule; of people, the share of their votes that it foretold.
    n_judged : int
        Over how many the share is taken.
    """

    n: int
    accuracy: float | None
    n_judged: int


def choose_judges(screen: FirstScreen) -> Judges:
    """Draw the choice of who judges, and return it."""
    with screen.controls:
        name = str(control(st.selectbox, "judge", "Who judges?", [YOU, CLASS, *RULES], width=190))
        if name not in RULES:
            return Judges(name, 0)
        n = int(
            control(st.slider, "comparisons", "Comparisons learned from", 5, 100, 20, 5, width=230)
        )
    return Judges(name, n)


def comparing(screen: FirstScreen, judges: Judges) -> None:
    """Draw the pair at hand, and how well the reward model does by now."""
    results = results_or_message(screen)
    if results is None:
        return
    if judges.is_rule:
        votes = tuple(rule_votes(results, judges.name)[: judges.n])
        if not is_presenting():  # large type leaves room for one of the two
            with screen.picture:
                _rules_last(results, judges.name, votes)
        learned = _of_rule(judges.name, len(votes))
    else:
        who = visitor()
        with screen.picture:
            _vote(results, who)
        votes = class_votes().of(who) if judges.name == YOU else class_votes().of_all()
        learned = _of_people(votes)
    if judges.is_rule or not is_presenting():
        with screen.picture:
            _draw(results, judges, learned)
    with screen.beside:
        st.markdown(_said(judges, learned))
        if not judges.is_rule:
            _about_votes(judges)
    note_beside(
        screen,
        "A *reward model* gives each text a score s. By *Bradley and Terry's* model the left text is preferred"
        " with probability $\\sigma(s_{left} - s_{right})$.",
    )


# The pair at hand -----------------------------------------------------------------------------


def _vote(results: PreferenceResults, who: str) -> None:
    place = class_votes().next_pair(who)
    if place is None:
        st.info(f"You have judged all {FOR_VOTES} pairs.")
        return
    pair = results.pairs[place]
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(f"**Which do you like better?** Pair {place + 1} of {FOR_VOTES}")
        _other_buttons(who, place)
    left, right = st.columns(2, gap="small")
    for column, side, written, key in (
        (left, 0, pair.left, "Left"),
        (right, 1, pair.right, "Right"),
    ):
        with column:
            _card(pair, written)
            st.button(
                f"{key} one",
                key=f"prefer_{side}",
                width="stretch",
                type="primary",
                shortcut=key,
                on_click=class_votes().cast,
                args=(who, place, side),
            )


def _other_buttons(who: str, place: int) -> None:
    st.button(
        "Neither",
        key="prefer_none",
        type="tertiary",
        icon=":material/skip_next:",
        on_click=class_votes().cast,
        args=(who, place, None),
    )
    if place:
        st.button(
            "Undo",
            key="undo_vote",
            type="tertiary",
            icon=":material/undo:",
            on_click=class_votes().undo,
            args=(who,),
        )


def _rules_last(results: PreferenceResults, rule: str, votes: tuple[Vote, ...]) -> None:
    """Draw the last pair that a rule has judged, with its scores."""
    place, side = votes[-1]
    pair, score = results.pairs[place], RULES[rule].score
    st.markdown(f"**The rule prefers the {('left', 'right')[side]} one** of its last pair")
    for column, written in zip(st.columns(2, gap="small"), (pair.left, pair.right), strict=True):
        with column:
            _card(pair, written)
            st.caption(f"{score(written):.3f} by the rule")


def _card(pair: Pair, written: str) -> None:
    with st.container(border=True):
        st.text(f"{pair.prompt}… {one_line(written)}")


# What was learned -----------------------------------------------------------------------------


@st.cache_data(max_entries=128, show_spinner=False)
def _of_rule(rule: str, n: int) -> Learned:
    results = shipped_results()
    with page_turns.lent():
        model = reward_model_of(results, rule_votes(results, rule)[:n])
        unseen = rule_votes(results, rule, held_out=True)
        return Learned(n, agreement_with(results, model, unseen), len(unseen))


@st.cache_data(max_entries=128, show_spinner=False)
def _of_people(votes: tuple[Vote, ...]) -> Learned:
    with page_turns.lent():
        right = foretold(shipped_results(), votes, every=max(_EVERY, len(votes) // 20))
    return Learned(len(votes), sum(right) / len(right) if right else None, len(right))


def _said(judges: Judges, learned: Learned) -> str:
    if learned.accuracy is None:
        return "Judge two pairs or more. Before each vote, a reward model trained on the votes so far predicts it."
    if judges.is_rule:
        return (
            f"After **{learned.n}** comparisons the reward model agrees with the rule in"
            f" **{percent(learned.accuracy)}** of {learned.n_judged} pairs that it has not seen. Chance is 50 %."
        )
    return (
        f"The reward model has foretold **{round(learned.accuracy * learned.n_judged)}** of {learned.n_judged}"
        f" votes, **{percent(learned.accuracy)}**, each from the votes before it. Chance is 50 %."
    )


def _about_votes(judges: Judges) -> None:
    votes = class_votes()
    if judges.name == CLASS:
        st.caption(f"{votes.n_visitors()} have voted. Votes are kept until this server restarts.")
    if is_presenter():
        st.button("Forget all votes", key="forget_votes", on_click=votes.clear)
    else:
        presenter_login()


def _draw(results: PreferenceResults, judges: Judges, learned: Learned) -> None:
    """Draw the accuracy of reward models by number of comparisons, and where this one is."""
    rule = judges.name if judges.is_rule else SHORT
    found = results.rules[rule].accuracies
    means = [(float(a.comparisons), sum(a.accuracies) / len(a.accuracies)) for a in found]
    rings = {}
    if learned.accuracy is not None:
        rings[_NOW] = [(float(min(max(learned.n, 2), 400)), learned.accuracy)]
    title = f"{rule}: {percent(means[0][1])} after {found[0].comparisons} comparisons, {percent(means[-1][1])} after {found[-1].comparisons}"
    if not is_presenting():
        st.caption(f"Held-out accuracy of reward models for {title}")
    show_chart(
        charts.line_chart(
            {_CURVE: means},
            _STYLES,
            charts.Axis("comparisons", (2.0, 400.0), True, (2, 5, 10, 20, 50, 100, 200, 400)),
            charts.Axis("right judgements", (0.3, 1.0), form=".0%"),
            bands={
                _CURVE: [
                    (float(a.comparisons), min(a.accuracies), max(a.accuracies)) for a in found
                ]
            },
            references={"chance": [(2.0, 0.5), (400.0, 0.5)]},
            rings=rings,
            has_points=True,
            height=200,
        ),
        pd.DataFrame(
            [(a.comparisons, *a.accuracies) for a in found],
            columns=["comparisons", *(f"draw {i + 1}" for i in range(len(found[0].accuracies)))],
        ),
        key="accuracies",
        alt=f"Held-out accuracy for {title}"
        + (f"; this one {percent(learned.accuracy)}." if learned.accuracy is not None else "."),
        name="reward-model-accuracy",
    )
