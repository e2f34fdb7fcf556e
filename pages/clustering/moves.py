"""Where a centre moves: a click before an update or M-step, and then how far it was off."""

import math
from typing import Any, NamedTuple
from zlib import crc32

import streamlit as st

from lm_core.classroom import records
from pages.clustering.runs import Moment
from pages.shared.classroom import asking
from pages.shared.classroom.asking import class_prediction
from pages.shared.clustering.panels import METHODS, pairs_of
from pages.shared.components.cluster_panels import Pair
from pages.shared.counts import counted
from pages.shared.numbers import percent, significant

_GUESSES = "clusters_guess"


class Move(NamedTuple):
    """A centre that moves in the next step: of a method's, the one that moves farthest."""

    panel: int
    centre: int
    place: Pair
    answer: Pair

    @property
    def way(self) -> float:
        """How far it moves."""
        return math.dist(self.place, self.answer)

    @property
    def name(self) -> str:
        """The centre in words."""
        return f"centre {self.centre + 1} of {METHODS[self.panel]}"


class Question(NamedTuple):
    """A step in which centres will move, one of each method, and what the presenter's class says to it."""

    key: str  # of this step of this run
    moves: tuple[Move, Move]
    # where the class is asked: about the centre that moves farther
    of_class: asking.ClassPrediction | None = None

    @property
    def name(self) -> str:
        """Its name as a question to a class."""
        return f"move_{crc32(self.key.encode()):08x}"

    @property
    def farther(self) -> Move:
        """What a class is asked about."""
        return max(self.moves, key=lambda move: move.way)

    @property
    def is_open(self) -> bool:
        """Whether a click is a guess, or a student's answer to the class's question."""
        if self.of_class is not None:
            return self.of_class.summary is None and not asking.may_ask()
        return guess_of(self) is None

    def marks(self) -> list[dict[str, Any]]:
        """Return what each panel shows of it: which centre, where it was put, and the truth."""
        asked, guess = self.of_class, guess_of(self)
        shown: dict[str, Any]
        if asked is None:
            if guess is None:
                return [{"asked": move.centre} for move in self.moves]
            panel, place = guess
            move, shown = self.moves[panel], {"guess": place, "answer": self.moves[panel].answer}
        else:
            move, shown = self.farther, {"guess": own_place(asked)}
            if said := asked.summary:
                shown |= {"answer": move.answer, "said": said.points, "median": said.median}
            else:
                shown["asked"] = move.centre
        return [shown if move.panel == panel else {} for panel in range(len(METHODS))]

    def take(self, panel: int, place: Pair) -> None:
        """Take a click for a guess, or for a student's answer; call it in a callback."""
        if self.of_class is not None:
            asking.answer_class(self.of_class.question_id, _written(place))
        else:
            st.session_state[_GUESSES] = (self.key, (panel, place))


def is_predicting() -> bool:
    """Return whether guesses are asked for: then no step may be shown before its own time."""
    return bool(st.session_state.get("predict", False))


def question_of(now: Moment) -> Question | None:
    """Return what can be asked at this step; None where nobody asks or nothing will move."""
    settings, step = now.settings, now.step
    if not is_predicting() or step % 2 or step + 1 >= len(now.runs):
        return None
    moves = []
    for panel, centres in enumerate(zip(now.centres, now.at(step + 1).centres, strict=True)):
        pairs = zip(*(pairs_of(places, settings.data.plane) for places in centres), strict=True)
        each = [Move(panel, k, *pair) for k, pair in enumerate(pairs)]
        moves.append(max(each, key=lambda move: move.way))
    of = (settings.centres.tolist(), settings.kind, settings.em_after_k_means, step)
    question = Question(f"{settings.data.fingerprint}{of}", (moves[0], moves[1]))
    return question._replace(of_class=class_prediction(question.name))


def guess_of(question: Question) -> tuple[int, Pair] | None:
    """Return in which panel and where was clicked here, if anywhere."""
    key, guess = st.session_state.get(_GUESSES, ("", None))
    return guess if key == question.key else None


def own_place(asked: asking.ClassPrediction) -> Pair | None:
    """Return where this student has put the centre; None if nowhere."""
    if asked.own is None:
        return None
    x, y = map(float, asked.own.split(","))
    return x, y


def answer(question: Question, now: Moment, bounds: tuple[float, float, float, float]) -> None:
    """Say how far the guess, or the class, was off; before anybody has guessed let the class be asked."""
    if question.of_class is not None:
        _tell_class(question.farther, question.of_class)
        return
    move = question.farther
    asked = records.Question(
        "point",
        f"Where will {move.name} be after the next step?",
        axes=now.settings.data.directions,
        lowest=min(bounds),
        highest=max(bounds),
        right=_written(move.answer),
        name=question.name,
    )
    asking.ask_button(asked, "Ask the class where it goes")
    if guess := guess_of(question):
        _tell(question.moves[guess[0]], guess[1])


def _tell(move: Move, guess: Pair) -> None:
    off, (x, y) = math.dist(guess, move.answer), move.answer
    share = f"Your error is {percent(off / move.way)} of that." if move.way > 1e-9 else ""
    st.info(
        f"Your guess is {significant(off, 3)} away: {move.name} moves to ({significant(x, 3)},"
        f" {significant(y, 3)}). It moves by {significant(move.way, 3)}."
        f" {share or 'It has converged.'} Step forward to see it.",
        icon=":material/my_location:",
    )


def _tell_class(move: Move, asked: asking.ClassPrediction) -> None:
    """Say, once it is revealed, how far the class's median is off, and a student's own guess."""
    if asked.summary is None or not asked.summary.points:
        return
    off, own = math.dist(asked.summary.median, move.answer), own_place(asked)
    yours = f", your guess **{significant(math.dist(own, move.answer), 3)}**." if own else "."
    st.markdown(
        f"{move.name.capitalize()} moves by **{significant(move.way, 3)}**. The median of"
        f" {counted(len(asked.summary.points), 'answer')} is **{significant(off, 3)}** away from where"
        f" it goes{yours}"
    )


def _written(place: Pair) -> str:
    return ", ".join(significant(coordinate, 4) for coordinate in place)
