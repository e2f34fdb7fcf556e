"""Points that the class paints, or types: in the link, and in the plane that they are painted on."""

import streamlit as st

from lm_core.experiments.perceptron import tasks
from lm_core.models.perceptron import Perceptron
from pages.shared import page
from pages.shared.components.plane_panels import Painted, Painting, PlaneMark

OWN = "Your own"

_NAME = "own_points"
_START = "0.1 0.3 0\n0.4 0.1 0\n0.2 0.7 0\n1.2 1.1 0\n0.8 0.5 1\n1.1 0.4 1\n0.9 1.1 1\n0.5 1.2 1"
"""Two classes that a line would divide, but for one point."""
_LONGEST = 1_500


def type_points() -> str:
    """Draw the field with the points, and return what it holds."""
    typed = page.control(
        st.text_area,
        _NAME,
        "Points: x, y and class in each line",
        _START,
        max_chars=_LONGEST,
        height=260,
        help="They can be painted as well. Both numbers lie between −0.5 and 1.5; the class is 0 or 1.",
    )
    page.say_limits({_NAME: _LONGEST})
    return str(typed)


def points_of(task: str, typed: str) -> tasks.LabelledPoints:
    """Return the points of a task, or those that were typed; if these cannot be read, the last that could."""
    if task != OWN:
        return tasks.TASKS[task]

    def read(raw: str) -> tasks.LabelledPoints:
        return tasks.read_points(page.checked_text(raw, most=_LONGEST, name="the list of points"))

    return page.read_or_keep(_NAME, typed, read, _START)


def painting_of(points: tasks.LabelledPoints, panel: int = 0) -> Painting:
    """Return what lets points be painted on a plane: they become what is typed."""
    shown = zip(points.inputs.tolist(), points.targets.tolist(), strict=True)
    return Painting(panel, [(x, y, class_) for (x, y), class_ in shown], tasks.MOST_POINTS, _paint)


def _paint(points: list[Painted]) -> None:
    places = tasks.labelled([(x, y) for x, y, _ in points], [class_ for *_, class_ in points])
    st.session_state[_NAME] = tasks.written_points(places)


LEGEND = "● is class 0, ▲ is class 1."  # under planes with such marks


def marks_of(
    points: tasks.LabelledPoints, *, ringed: int | None = None, perceptron: Perceptron | None = None
) -> list[PlaneMark]:
    """Return the points as marks, one of them ringed, those that a perceptron gets wrong crossed out."""
    said = points.targets if perceptron is None else perceptron.outputs(points.inputs)
    shown = zip(points.inputs.tolist(), points.targets.tolist(), said.tolist(), strict=True)
    return [
        PlaneMark((x, y), class_, is_ringed=i == ringed, is_wrong=class_ != output)
        for i, ((x, y), class_, output) in enumerate(shown)
    ]


def why_nothing_to_learn(points: tasks.LabelledPoints) -> str | None:
    """Return what is missing before there is anything to divide, if something is."""
    if not len(points.targets):
        return "Choose ● or ▲, then **press or drag on the plane**. *More* takes points as numbers."
    if points.n_classes < 2:
        missing = "▲ 1" if int(points.targets[0]) == 0 else "● 0"
        return f"All points are of one class, so any line that leaves them on one side will do. Add {missing}."
    return None
