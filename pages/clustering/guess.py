"""Predict where a centre goes next: a click before the update, then the distance."""

import math
from typing import NamedTuple

import streamlit as st
from torch import Tensor

from pages.clustering.choices import Choice
from pages.clustering.walk import Walk
from pages.shared.components.cluster_panels import Pair
from pages.shared.ui.controls import control

_GUESSES = "clusters_guess"


class Question(NamedTuple):
    """A half-step in which centres will move, and which of each method's moves farthest.

    Attributes
    ----------
    key : str
        Of this very half-step of this very run.
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


def question_of(choice: Choice, walk: Walk, step: int) -> Question | None:
    """Return what can be asked at this half-step; None where nobody asks or nothing will move."""
    is_asked = control(
        st.toggle,
        "predict",
        "Predict",
        False,
        help="Before each update: click where the centre marked ? will be after it.",
    )
    if not is_asked or step % 2 or step + 1 >= len(walk.steps):
        return None
    now = _centres(choice, walk, step)
    later = _centres(choice, walk, step + 1)
    asked = tuple(int((b - a).square().sum(1).argmax()) for a, b in zip(now, later, strict=True))
    settings = (choice.centres.tolist(), choice.kind, choice.em_after_k_means, step)
    return Question(
        f"{choice.data.fingerprint}{settings}",
        asked,
        tuple(tuple(places[k].tolist()) for places, k in zip(now, asked, strict=True)),
        tuple(tuple(places[k].tolist()) for places, k in zip(later, asked, strict=True)),
    )


def is_predicting() -> bool:
    """Return whether guesses are asked for: then no half-step may be shown before its own time."""
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
    verdict = f"that is {off / way:.0%} of its way" if way > 1e-9 else "it does not move any more"
    st.info(
        f"Your guess is {off:.3g} from where {name} goes, ({answer[0]:.3g}, {answer[1]:.3g});"
        f" it moves {way:.3g}: {verdict}. Step forward to see it move.",
        icon=":material/my_location:",
    )


def _centres(choice: Choice, walk: Walk, step: int) -> tuple[Tensor, Tensor]:
    hard, soft = walk.steps.at(step)
    plane = choice.data.plane
    return plane.project(hard.centres), plane.project(soft.mixture.means)
