"""The perceptron's rule on points of one's own, beside the best that any line can do."""

from typing import NamedTuple

import streamlit as st

from lm_core.experiments.perceptron.tasks import BOUNDS, LabelledPoints
from lm_core.models.perceptron import Perceptron, PerceptronStep, best_line, learn
from pages.perceptron.own_points import LEGEND, marks_of, painting_of, why_nothing_to_learn
from pages.perceptron.planes import borders, in_words, picture_of
from pages.shared import page
from pages.shared.charts.palette import BLUE
from pages.shared.components.plane_panels import Plane, follow_hand, plane_panels

_PASSES = 30
_HEIGHT = 260


class Found(NamedTuple):
    """What the rule and a search through all lines make of points."""

    passes: list[PerceptronStep]  # after each pass over the points
    most: int  # how many points any line gets right at most
    best: Perceptron  # with such a line


def own_line(screen: page.FirstScreen, points: LabelledPoints) -> None:
    """Draw the points to be painted on, the rule's line and the best one, and points right by pass."""
    n = len(points.targets)
    missing = why_nothing_to_learn(points)
    found = Found(learn(*points, _PASSES)[::n], *best_line(*points)) if n else None
    with screen.picture:
        st.markdown(f"**{_finding(found, n) if found else 'Paint some points of each class'}**")
        page.playback_bar(
            "passes", _PASSES + 1, lambda i: _draw(points, found, i), label="Passes over the points"
        )
    page.note_beside(
        screen,
        missing
        or "Choose ● or ▲ and **press or drag on the plane** to paint points. The dashed line is the best"
        " that there is, found by trying all; the full one is the rule's, so the gap between them"
        " is what the rule misses.",
    )


def _finding(found: Found, n: int) -> str:
    passes = found.passes
    if found.most < n:
        return (
            f"No line gets all {n} points right: {found.most} is the most, and the rule has"
            f" {passes[-1].n_right}"
        )
    done = next((i for i, step in enumerate(passes) if step.n_right == n), None)
    if done is None:
        return f"There is a line that gets all {n} points right; {_PASSES} passes have not found it"
    return f"A line divides all {n} points; the rule finds one in pass {done}"


def _draw(points: LabelledPoints, found: Found | None, i: int) -> None:
    follow_hand()
    left, right = st.columns([1.1, 1], gap="small")
    with left:
        plane_panels(
            [_plane(points, found, i)],
            key="own_plane",
            name="own-points",
            columns=1,
            hint=LEGEND,
            height=_HEIGHT,
            painting=painting_of(points),
        )
    with right:
        if found is None:
            st.info("There are no points yet: choose ● or ▲, then press on the plane.")
        else:
            _right_by_pass(found, len(points.targets), i)


def _plane(points: LabelledPoints, found: Found | None, i: int) -> Plane:
    if found is None:
        return Plane("Your points", "", BOUNDS, "No points yet.", names=("x1", "x2"))
    perceptron = found.passes[i].perceptron
    possible = (line._replace(is_dashed=True, towards=None) for line in borders([found.best]))
    return Plane(
        "Your points",
        f"{found.passes[i].n_right} of {len(points.targets)} right",
        BOUNDS,
        in_words(perceptron),
        picture_of(perceptron.outputs),
        [*possible, *borders([perceptron])],
        # The points themselves are painted over these; the crosses reach beyond them.
        [mark for mark in marks_of(points, perceptron=perceptron) if mark.is_wrong],
        ("x1", "x2"),
    )


def _right_by_pass(found: Found, n: int, i: int) -> None:
    most = found.most
    page.show_lines(
        "own_right",
        {"right": [(float(k), float(step.n_right)) for k, step in enumerate(found.passes)]},
        {"right": page.LineStyle(BLUE)},
        page.Axis("passes", (0, _PASSES)),
        page.Axis("points that are right", (0, n)),
        said=f"Points of {n} that are right, by passes; any line: {most}.",
        references={f"any line: {most}": [(0, most), (_PASSES, most)]},
        now=i,
        has_names=False,
        is_small=True,
        height=_HEIGHT + 20,
    )
