"""Votes: a class judges pairs of texts, and its votes are compared with each other and with a reward model."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import NamedTuple

import streamlit as st

from lm_core.classroom.records import ClassExperiment
from lm_core.experiments.preferences.results import PreferenceResults
from lm_core.experiments.preferences.rules import CALM, RULES
from lm_core.experiments.thirty_runs import votes as voting
from lm_core.experiments.thirty_runs.runs import running_means
from pages.shared import page
from pages.shared.charts.palette import BLUE, visible
from pages.shared.classroom.class_runs import run_buttons
from pages.shared.numbers import percent, significant
from pages.shared.registry import page_at
from pages.shared.rooms.membership import membership
from pages.shared.ui.markdown import escaped
from pages.thirty_runs.picture import MEAN, Runs, draw_runs, runs_of

NAME = "Votes"
_BEGINNINGS = (
    "Sonya turned to",
    "Prince Andrew looked at",
    "Denisov thought of",
    "Napoleon rose and",
    "Anatole went up",
)
_COUNTS = (30, 60, 120, 240)
_AGREEMENT, _SCORES = "Agreement", "Scores"
_LETTERS = "ABCDE"
_CLASS = "by the votes"
_STYLES = {_CLASS: page.LineStyle(BLUE)}


class Votes(NamedTuple):
    """What is liked, the beginning of the texts, how many votes there are, and what is drawn of them."""

    liked: str = page.field(page.choice, "What is liked", [*RULES], CALM, width=182)
    beginning: str = page.field(page.choice, "Beginning", _BEGINNINGS, width=215)
    votes: int = page.field(page.pick, "Votes", _COUNTS, 60, width=90)
    shown: str = page.field(page.segments, "Drawn", (_AGREEMENT, _SCORES))


def _texts(settings: Mapping[str, str]) -> voting.Texts:
    results = page.shipped(PreferenceResults)
    return voting.texts_of(results, settings["beginning"], settings["liked"])


def votes(screen: page.FirstScreen) -> None:
    """Draw how often the votes agree with the reward model, or the scores that they give the texts."""
    chosen = page.controls(Votes, screen)
    settings = {"liked": chosen.liked, "beginning": chosen.beginning}
    drawn = _texts(settings)
    made = runs_of(NAME, settings, chosen.votes, lambda _, n: voting.drawn_vote(drawn, n))
    texts = _texts(made.settings)
    cast = [voting.vote_of(run.number - 1, run.value) for run in made.made]
    # What is drawn of a vote is whether the reward model would have cast it.
    agreed = [
        run._replace(value=voting.agrees(texts, vote))
        for run, vote in zip(made.made, cast, strict=True)
    ]
    runs = made._replace(made=agreed)
    asked = page.ask(
        screen,
        "agreed",
        f"A reward model learned what is *{made.settings['liked']}*. In how many of the votes is the preferred text"
        " also the one that it scores higher?",
        {"About half": 0.5, "About three in four": 0.75, "Nearly all": 1.0},
        right=lambda: running_means(runs.values)[-1].mean,
        reason=lambda _: _reason(runs, cast),
        when=len(cast) >= len(voting.PAIRS),
    )
    here = membership()
    experiment = ClassExperiment(NAME, settings, chosen.votes, n_settings=len(voting.PAIRS))
    with screen.beside if here is None or here.member.is_presenter else screen.picture:
        ballot = partial(_ballot, texts, made.settings["liked"])
        run_buttons(experiment, label="Show me a pair", choose=ballot)
    with screen.picture:
        st.markdown(f"**{_finding(runs, cast, is_masked=asked.masks)}**")
        if chosen.shown == _SCORES and not asked.masks:
            _draw_scores(texts, cast)
        else:
            y = page.Axis("agrees (1) or not (0); share so far", (-0.1, 1.1), values=(0, 0.5, 1))
            draw_runs("agreement", runs, y, MEAN, {"chance": 0.5}, is_masked=asked.masks)
    page.note_beside(screen, _said(made))
    with screen.beside:
        st.page_link(page_at("preferences").path, label="How a reward model learns")


def _said(made: Runs) -> str:
    voters = (
        "Each phone is shown pairs of five texts that a language model has written, each pair to several phones."
        if made.is_of_class
        else "Without a class, voters are drawn, because nobody is there to vote: each prefers a text with the probability that the reward model"
        " itself gives it."
    )
    return (
        f"{voters} Each dot is one vote: at 1 the reward model scores the preferred text higher, too. By *Bradley"
        " and Terry's* model a text is preferred with probability $\\sigma(s_1 - s_2)$, so texts with nearly equal"
        " scores win about as often as they lose. *Scores* are fitted to the votes alone."
    )


# One phone's pair ---------------------------------------------------------------------------------


def _ballot(texts: voting.Texts, liked: str, number: int, hand_in: Callable[[float], None]) -> None:
    """Draw the pair of a run, and a button below each text."""
    st.markdown(f"**You like: {liked}.** Which text do you prefer?")
    for side, (place, column) in enumerate(zip(voting.ballot(number), st.columns(2), strict=True)):
        with column:
            st.container(border=True).text(f"{texts.beginning}… {_one_line(texts.texts[place])}")
            said = ("The first", "The second")[side]
            page.button(f"vote_{side}", said, "thumb_up", hand_in, float(side))


def _one_line(text: str) -> str:
    return visible(text).replace("·", " ").strip()


# What all votes say -------------------------------------------------------------------------------


def _finding(runs: Runs, cast: list[voting.Vote], *, is_masked: bool) -> str:
    n = f"{len(cast)} of {runs.n_runs} votes" if runs.is_of_class else f"{len(cast)} votes"
    if is_masked or len(cast) < 2:
        return f"{n}. How often does the reward model prefer the same text?"
    mean = running_means(runs.values)[-1]
    low, high = max(mean.low, 0.0), min(mean.high, 1.0)
    among = voting.agreement_among(cast)
    also = f"; two votes on one pair are equal in {percent(among)}" if among is not None else ""
    return f"{n}: the reward model agrees with {percent(mean.mean)}, between {percent(low)} and {percent(high)}{also}"


def _reason(runs: Runs, cast: list[voting.Vote]) -> str:
    among = voting.agreement_among(cast)
    equal = (
        f" Two votes on the same pair are equal in {percent(among)}." if among is not None else ""
    )
    return (
        f"**{percent(running_means(runs.values)[-1].mean)}**, where chance gives 50%.{equal} A reward model has one"
        " score for each text, so it always prefers the same one of a pair, while voters differ, most of all where"
        " two texts are nearly as good. So where two voters differ on a pair, no such model agrees with both."
    )


def _draw_scores(texts: voting.Texts, cast: list[voting.Vote]) -> None:
    fitted = voting.fitted_scores(cast).tolist()
    scores = texts.scores.tolist()
    pairs = [*zip(scores, fitted, strict=True)]
    page.show_lines(
        "scores",
        {_CLASS: sorted(pairs)},
        _STYLES,
        page.Axis.around("score by the reward model", scores),
        page.Axis.around("score by the votes", fitted),
        dots={
            f"{letter}: {_one_line(text)}": [pair]
            for letter, text, pair in zip(_LETTERS, texts.texts, pairs, strict=True)
        },
        height=300,
    )
    if (
        page.is_presenting()
    ):  # the points have the texts, and large type leaves room for one of the two
        return
    rows = zip(_LETTERS, texts.texts, fitted, scores, strict=True)
    page.show_rows(
        ("", "text", "by the votes", "by the reward model"),
        [
            (a, escaped(_one_line(text)), significant(s, 2), significant(m, 2))
            for a, text, s, m in rows
        ],
        sideways="voted_texts",
    )
