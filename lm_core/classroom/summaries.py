"""What a class said: counted, in the middle, and whether it holds."""

import math
import statistics
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from lm_core.classroom.numbered import said
from lm_core.classroom.questions import N_BINS, point
from lm_core.classroom.records import Question


@dataclass(frozen=True)
class Bin:
    """So many answers in a part of an axis; of the parts the last includes its upper end."""

    low: float
    high: float
    count: int


@dataclass(frozen=True)
class Summary:
    """What a class said."""

    n: int
    """Answers."""
    counts: dict[str, int]
    """How often what was said; every option of a choice, in its order, the most frequent first
    of everything else. Empty for points."""
    bins: tuple[Bin, ...] = ()
    """Of numbers."""
    points: tuple[tuple[float, float], ...] = ()
    """Tuple of (float, float). Of points."""
    median: tuple[float, ...] = ()
    """Of numbers, and by coordinate of points; empty of everything else and without answers."""


def summarise(question: Question, values: Sequence[str]) -> Summary:
    """Return what a class said, given its checked answers.

    Tokens differ by every letter; words are the same however they are capitalised, and with or
    without a full stop.
    """
    n = len(values)
    if question.kind == "point":
        points = tuple(point(question, value) for value in values)
        median = tuple(map(statistics.median, zip(*points, strict=True))) if points else ()
        return Summary(n, {}, points=points, median=median)
    if question.kind in ("choice", "several"):
        chosen = Counter(parts(question, values))
        return Summary(n, {option: chosen[option] for option in question.options})
    counts = dict(Counter(parts(question, values)).most_common())
    if question.kind != "number":
        return Summary(n, counts)
    numbers = [float(value) for value in values]
    median = (statistics.median(numbers),) if numbers else ()
    return Summary(n, counts, _bins(question, numbers), median=median)


def _bins(question: Question, numbers: Sequence[float]) -> tuple[Bin, ...]:
    width = (question.highest - question.lowest) / N_BINS
    indices = [min(N_BINS - 1, int((number - question.lowest) / width)) for number in numbers]
    counted = Counter(indices)
    edges = [question.lowest + i * width for i in range(N_BINS + 1)]
    return tuple(Bin(edges[i], edges[i + 1], counted[i]) for i in range(N_BINS))


def parts(question: Question, values: Sequence[str]) -> list[str]:
    """Return what is counted of answers, as the counts name it: each choice and pair, words folded."""
    found = [part for value in values for part in said(question, value)]
    return [folded(word) for word in found] if question.kind == "word" else found


def folded(word: str) -> str:
    """Return a word as it is compared: in small letters, without what ends a sentence.

    Examples
    --------
    >>> folded("The Cat.")
    'the cat'
    """
    return word.casefold().rstrip(" .!?…") or word.casefold()


def is_right(question: Question, value: str) -> bool | None:
    """Return whether an answer holds; None where nobody said what does, and for points.

    A number is right within its tolerance, or else within a twentieth of the axis: it was put there
    by eye.
    """
    if question.right is None or question.kind == "point":
        return None
    if question.kind == "number":
        by_eye = (question.highest - question.lowest) / 20
        tolerance = by_eye if question.tolerance is None else question.tolerance
        distance = abs(float(value) - float(question.right))
        return distance <= tolerance or math.isclose(distance, tolerance)
    if question.kind == "word":
        return folded(value) == folded(question.right)
    return value in question.holding
