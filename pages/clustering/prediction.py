"""Predict where a centre moves: a click before an update or M-step, then the distance."""

import math
from typing import NamedTuple
from zlib import crc32

import streamlit as st
from torch import Tensor

from lm_core.classroom import records
from lm_core.clustering.metrics import misassigned
from pages.clustering.in_words import FEW, why_k_means_errs
from pages.clustering.results import Runs
from pages.clustering.settings import Settings
from pages.shared.classroom.asking import (
    ClassPrediction,
    answer_class,
    ask_button,
    class_prediction,
    may_ask,
)
from pages.shared.clustering.data import sizes_of_groups
from pages.shared.clustering.panels import METHODS, responsibilities_of
from pages.shared.components.cluster_panels import Pair
from pages.shared.numbers import percent, significant
from pages.shared.ui.controls import is_presenting
from pages.shared.ui.lesson import Prediction, predict_then_reveal, show_verdict

_GUESSES = "clusters_guess"
_BOTH, _NEITHER = "Both", "Neither"


class _Move(NamedTuple):
    centre: int
    place: Pair
    answer: Pair


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

    @property
    def name(self) -> str:
        """Its name as a question to a class."""
        return f"move_{crc32(self.key.encode()):08x}"

    @property
    def farther(self) -> int:
        """The panel of whose centre a class is asked: that moves farther."""
        ways = [math.dist(*ends) for ends in zip(self.places, self.answers, strict=True)]
        return ways.index(max(ways))

    def described(self, panel: int) -> str:
        """Return the centre asked about in words."""
        return f"centre {self.centres[panel] + 1} of {METHODS[panel]}"


class Guess(NamedTuple):
    """A click: in which panel, and where."""

    panel: int
    place: Pair


def ask_who_finds_the_groups(settings: Settings, runs: Runs) -> Prediction:
    """Ask which method finds the true groups; once it is revealed, these may be drawn."""
    data = settings.data
    if data.labels is None:
        return Prediction(None, True)
    name = "".join(filter(str.isalnum, data.name.lower()))
    prediction = predict_then_reveal(
        f"groups_{name}",
        f"The points come from {len(data.groups)} groups. Which method finds them?",
        (*METHODS, _BOTH, _NEITHER),
    )
    if prediction.revealed:
        _verdict(prediction, runs, data.labels)
    return prediction


def guessed_methods(prediction: Prediction) -> tuple[bool, bool]:
    """Return of k-means and of EM whether a visitor expected it to find the groups."""
    is_drawn = prediction.revealed
    hard, soft = (is_drawn and prediction.guess in (method, _BOTH) for method in METHODS)
    return hard, soft


def _verdict(prediction: Prediction, runs: Runs, labels: Tensor) -> None:
    hard, soft = runs.steps.at(len(runs.steps))
    wrong = [
        misassigned(found[: len(labels)], labels)
        for found in (hard.labels, responsibilities_of(soft).argmax(1))
    ]
    finds = [number <= FEW * len(labels) for number in wrong]
    answer = METHODS[finds.index(True)] if any(finds) else _NEITHER
    if all(finds):
        answer = _BOTH
    show_verdict(
        prediction,
        right=answer,
        reason=f"**{answer}**: at the end k-means has **{wrong[0]}** of {len(labels)} points in a wrong"
        f" cluster, EM **{wrong[1]}**. The true groups have {sizes_of_groups(labels)} points."
        + ("" if is_presenting() else why_k_means_errs(hard, labels)),  # a presenter says it
    )


def question_of(settings: Settings, runs: Runs, step: int) -> Question | None:
    """Return what can be asked at this step; None where nobody asks or nothing will move."""
    if not is_predicting() or step % 2 or step + 1 >= len(runs.steps):
        return None
    now = _centres(settings, runs, step)
    later = _centres(settings, runs, step + 1)
    hard, soft = (_farthest_move(a.tolist(), b.tolist()) for a, b in zip(now, later, strict=True))
    of = (settings.centres.tolist(), settings.kind, settings.em_after_k_means, step)
    return Question(
        f"{settings.data.fingerprint}{of}",
        (hard.centre, soft.centre),
        (hard.place, soft.place),
        (hard.answer, soft.answer),
    )


def _farthest_move(now: list[Pair], later: list[Pair]) -> _Move:
    """Return which centre moves farthest, from where and to where."""
    moves = [
        _Move(k, (ax, ay), (bx, by))
        for k, ((ax, ay), (bx, by)) in enumerate(zip(now, later, strict=True))
    ]
    return max(moves, key=lambda move: math.dist(move.place, move.answer))


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
    guess = None if question is None else guess_of(question)
    if question is None or guess is None:
        return
    place, answer = question.places[guess.panel], question.answers[guess.panel]
    off, way = math.dist(guess.place, answer), math.dist(place, answer)
    name = question.described(guess.panel)
    verdict = f"Your error is {percent(off / way)} of that." if way > 1e-9 else "It has converged."
    st.info(
        f"Your guess is {significant(off, 3)} away: {name} moves to ({significant(answer[0], 3)}, {significant(answer[1], 3)})."
        f" It moves by {significant(way, 3)}. {verdict} Step forward to see it.",
        icon=":material/my_location:",
    )


def ask_class_of(
    question: Question | None,
    directions: tuple[str, str],
    bounds: tuple[float, float, float, float],
) -> ClassPrediction | None:
    """Let a presenter ask the class where a centre moves; return what it said, if it was asked.

    Parameters
    ----------
    question : Question or None
    directions : pair of str
        What the plane's coordinates are called.
    bounds : (left, right, bottom, top)
        Of the picture.
    """
    if question is None:
        return None
    asked = class_prediction(question.name)
    if asked is not None:
        _tell_class(question, asked)
    else:
        panel = question.farther
        ask_button(
            records.Question(
                "point",
                f"Where will {question.described(panel)} be after the next step?",
                axes=directions,
                lowest=min(bounds),
                highest=max(bounds),
                right=_written(question.answers[panel]),
                name=question.name,
            ),
            "Ask the class where it goes",
        )
    return asked


def own_place(asked: ClassPrediction) -> Pair | None:
    """Return where this student has put the centre; None if nowhere."""
    if asked.own is None:
        return None
    x, y = map(float, asked.own.split(","))
    return x, y


def _tell_class(question: Question, asked: ClassPrediction) -> None:
    """Say, once it is revealed, how far the class's median is off, and a student's own guess."""
    if asked.summary is None or not asked.summary.points:
        return
    panel = question.farther
    place, answer = question.places[panel], question.answers[panel]
    off = math.dist(asked.summary.median, answer)
    n = len(asked.summary.points)
    own = own_place(asked)
    st.markdown(
        f"{question.described(panel).capitalize()} moves by **{significant(math.dist(place, answer), 3)}**. The median of"
        f" {n} {'answer' if n == 1 else 'answers'} is **{significant(off, 3)}** away from where it goes"
        + (f", your guess **{significant(math.dist(own, answer), 3)}**." if own else ".")
    )


def answers_class(asked: ClassPrediction | None) -> bool:
    """Return whether a click is an answer to the class's question."""
    return asked is not None and asked.summary is None and not may_ask()


def answer(asked: ClassPrediction, place: Pair) -> None:
    """Answer the class's question by a click; call it in a callback."""
    answer_class(asked.question_id, _written(place))


def _written(place: Pair) -> str:
    return ", ".join(significant(coordinate, 4) for coordinate in place)


def _centres(settings: Settings, runs: Runs, step: int) -> tuple[Tensor, Tensor]:
    hard, soft = runs.steps.at(step)
    plane = settings.data.plane
    return plane.project(hard.centres), plane.project(soft.mixture.means)
