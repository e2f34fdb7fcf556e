"""Predict where a centre moves: a click before an update or M-step, then the distance."""

import math
from typing import NamedTuple

import streamlit as st
from torch import Tensor

from pages.clustering.results import Runs
from pages.clustering.settings import Settings
from pages.shared.components.cluster_panels import Pair
from pages.shared.ui.controls import control

_GUESSES = "clusters_guess"


class Question(NamedTuple):
    """A step in which centres will move, and which of each method's moves farthest.

    Attributes
    ----------
    key : str
        Of this step of this run.
    centres : pair of int
        The centre asked about, of k-means and of EM.
    places, answers : pairs of pairs
        Where it is, and where it goes.
    """

    key: str
    centres: tuple[int, int]
    places: tuple[Pair, Pair]
    answers: tuple[Pair, Pair]


class Guess(NamedTuple):
    """A click: in which panel, and where."""

    panel: int
    place: Pair


def question_of(settings: Settings, runs: Runs, step: int) -> Question | None:
    """Return what can be asked at this step; None where nobody asks or nothing will move."""
    is_asked = control(
        st.toggle,
        "predict",
        "Predict",
        False,
        help="Before each update step and M-step, click where the centre marked ? will move.",
    )
    if not is_asked or step % 2 or step + 1 >= len(runs.steps):
        return None
    now = _centres(settings, runs, step)
    later = _centres(settings, runs, step + 1)
    asked = tuple(int((b - a).square().sum(1).argmax()) for a, b in zip(now, later, strict=True))
    of = (settings.centres.tolist(), settings.kind, settings.em_after_k_means, step)
    return Question(
        f"{settings.data.fingerprint}{of}",
        asked,
        tuple(tuple(places[k].tolist()) for places, k in zip(now, asked, strict=True)),
        tuple(tuple(places[k].tolist()) for places, k in zip(later, asked, strict=True)),
    )


def is_predicting() -> bool:
    """Return whether guesses are asked for: then no step may be shown before its own time."""
    return st.session_state.get("predict", False)


def guess_of(question: Question) -> Guess | None:
    """Return what was guessed here, if anything."""
    key, guess = st.session_state.get(_GUESSES, ("", None))
    return guess if key == question.key else None


def keep_guess(question: Question, panel: int, place: Pair) -> None:
    """Remember a guess; call it in a callback."""
    st.session_state[_GUESSES] = (question.key, Guess(panel, place))


def reveal(question: Question | None) -> None:
    """Say how far a guess was off, in words and against how far the centre moves."""
    guess = question and guess_of(question)
    if guess is None:
        return
    place, answer = question.places[guess.panel], question.answers[guess.panel]
    off, way = math.dist(guess.place, answer), math.dist(place, answer)
    name = f"centre {question.centres[guess.panel] + 1} of {('k-means', 'EM')[guess.panel]}"
    verdict = f"Your error is {off / way:.0%} of that." if way > 1e-9 else "It has converged."
    st.info(
        f"Your guess is {off:.3g} away: {name} moves to ({answer[0]:.3g}, {answer[1]:.3g})."
        f" It moves by {way:.3g}. {verdict} Step forward to see it.",
        icon=":material/my_location:",
    )


def _centres(settings: Settings, runs: Runs, step: int) -> tuple[Tensor, Tensor]:
    hard, soft = runs.steps.at(step)
    plane = settings.data.plane
    return plane.project(hard.centres), plane.project(soft.mixture.means)
