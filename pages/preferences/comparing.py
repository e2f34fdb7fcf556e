"""Compare pairs: the visitor, the class or a rule judges, and a reward model learns from it at once."""

import streamlit as st

from lm_core.experiments.preferences import votes as voting
from lm_core.experiments.preferences.results import Pair, PreferenceResults
from lm_core.experiments.preferences.rules import RULES, SHORT
from lm_core.experiments.preferences.votes import FOR_VOTES, Vote
from pages.preferences.class_votes import MOST_VISITORS, class_votes
from pages.preferences.learned_rewards import Learned, draw_learned
from pages.preferences.scene import one_line, shipped_results
from pages.shared import page
from pages.shared.numbers import percent
from pages.shared.registry import page_at
from pages.shared.ui.markdown import escaped
from pages.shared.ui.visitor import is_presenter, presenter_login, visitor

YOU, CLASS = "You", "Everybody here"
_EVERY = 5
"""Votes between two fits of the model that predicts the next ones."""


def comparing(screen: page.FirstScreen) -> None:
    """Draw the pair at hand, and how well the reward model does by now."""
    with screen.controls:
        judge = page.choice("judge", "Who judges?", [YOU, CLASS, *RULES], width=190)
        is_rule, n = judge in RULES, 0
        if is_rule:
            n = page.slider("comparisons", "Comparisons learned from", 5, 100, 20, 5, width=230)
    results = shipped_results()
    if is_rule:
        votes = tuple(voting.rule_votes(results, judge)[:n])
        if not page.is_presenting():  # large type leaves room for one of the two
            with screen.picture:
                _rules_last(results, judge, votes)
        learned = _of_rule(judge, len(votes))
    else:
        who = visitor()
        with screen.picture:
            _vote(results, who)
        votes = class_votes().of(who) if judge == YOU else class_votes().of_all()
        learned = _of_people(votes)
    if is_rule or not page.is_presenting():
        with screen.picture:
            draw_learned(results, judge if is_rule else SHORT, learned)
    with screen.beside:
        st.markdown(_said(learned, is_rule=is_rule))
        if not is_rule:
            _about_votes(judge)
    page.note_beside(
        screen,
        "A *reward model* gives each text a score s. By *Bradley and Terry's* model the left text is"
        " preferred with probability $\\sigma(s_{left} - s_{right})$, so only the difference of two"
        " scores matters.",
    )


# The pair at hand -----------------------------------------------------------------------------


def _vote(results: PreferenceResults, who: str) -> None:
    place, cast = class_votes().next_pair(who), class_votes().cast
    if place is None:
        st.info(f"You have judged all {FOR_VOTES} pairs.")
        return
    pair = results.pairs[place]
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(f"**Which do you like better?** Pair {place + 1} of {FOR_VOTES}")
        skip = "Neither", "skip_next", cast, who, place, None
        page.button("prefer_none", *skip, type="tertiary")
        if place:
            undo = class_votes().undo
            page.button("undo_vote", "Undo", "undo", undo, who, type="tertiary")
    for side, column in enumerate(st.columns(2, gap="small")):
        key = ("Left", "Right")[side]
        with column:
            _card(pair, (pair.left, pair.right)[side])
            st.button(
                f"{key} one",
                key=f"prefer_{side}",
                width="stretch",
                type="primary",
                shortcut=key,
                on_click=cast,
                args=(who, place, side),
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
    """Draw a text, on a projector large enough to be read from afar, and only ever as text."""
    said = f"{pair.prompt}… {one_line(written)}"
    if page.is_presenting():
        card = st.container(border=True, height=360, vertical_alignment="center")
        card.subheader(escaped(said), anchor=False)
    else:
        st.container(border=True).text(said)


# What was learned -----------------------------------------------------------------------------


@st.cache_data(max_entries=128, show_spinner=False)
def _of_rule(rule: str, n: int) -> Learned:
    results = shipped_results()
    with page.page_turns.lent():
        model = voting.reward_model_of(results, voting.rule_votes(results, rule)[:n])
        unseen = voting.rule_votes(results, rule, held_out=True)
        return Learned(n, voting.agreement_with(results, model, unseen), len(unseen))


@st.cache_data(max_entries=128, show_spinner=False)
def _of_people(votes: tuple[Vote, ...]) -> Learned:
    with page.page_turns.lent():
        right = voting.predicted(shipped_results(), votes, every=max(_EVERY, len(votes) // 20))
    return Learned(len(votes), sum(right) / len(right) if right else None, len(right))


def _said(learned: Learned, *, is_rule: bool) -> str:
    if learned.accuracy is None:
        return (
            "Judge at least two pairs. From then on a reward model, fitted to your votes so far,"
            " predicts each next vote before you cast it, so that it cannot know what it predicts."
        )
    if is_rule:
        return (
            f"After **{learned.n}** comparisons the reward model agrees with the rule in"
            f" **{percent(learned.accuracy)}** of {learned.n_judged} pairs that it has not seen."
            " Chance is 50 %, because each pair has two texts."
        )
    return (
        f"The reward model has predicted **{round(learned.accuracy * learned.n_judged)}** of"
        f" {learned.n_judged} votes, **{percent(learned.accuracy)}**, each from the votes before"
        " it, so it never knew the one that it predicts. Chance is 50 %."
    )


def _about_votes(judge: str) -> None:
    votes = class_votes()
    if judge == CLASS:
        st.caption(
            f"{votes.n_visitors()} have voted. Votes are kept until this server restarts; of more than"
            f" {MOST_VISITORS} visitors the first are forgotten."
        )
        st.page_link(
            page_at("thirty-runs").path,
            label="Vote with your class, and see how far votes agree",
            query_params={"part": "Votes"},
        )
    if is_presenter():
        st.button("Forget all votes", key="forget_votes", on_click=votes.clear)
    else:
        presenter_login()
