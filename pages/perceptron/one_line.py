"""The perceptron and its rule: on AND, OR and XOR side by side, and on points of one's own."""

import pyarrow as pa
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from lm_core.experiments.perceptron.tasks import AND, BOUNDS, OR, TASKS, XOR, LabelledPoints
from lm_core.models.perceptron import (
    Perceptron,
    PerceptronStep,
    best_line,
    first_repetition,
    learn,
)
from pages.perceptron.own_line import own_line
from pages.perceptron.own_points import LEGEND, OWN, marks_of, points_of, type_points
from pages.perceptron.planes import borders, in_words, picture_of, signed
from pages.shared.components.plane_panels import Plane, plane_panels
from pages.shared.ui.controls import control, is_presenting
from pages.shared.ui.first_screen import FirstScreen, note_beside
from pages.shared.ui.lesson import Prediction, predict_then_reveal, show_verdict
from pages.shared.ui.playback import playback_bar

_LOGIC = "AND, OR, XOR"
_NAMES = (AND, OR, XOR)
_PASSES = 7
_HEIGHT = 300
_NEVER = "No: it repeats for ever"
_ANSWERS = ("Yes, after more passes", "No: it stops at 3", _NEVER)


def choose_points(screen: FirstScreen) -> LabelledPoints | None:
    """Draw the choice of points, and return those of the visitor; None for the logical functions."""
    with screen.controls:
        chosen = control(st.selectbox, "points", "Points", [_LOGIC, OWN], width=180)
        if chosen == _LOGIC:
            return None
        with st.popover("More", icon=":material/tune:"):
            typed = type_points()
    with screen.beside:
        return points_of(OWN, typed)


def one_line(screen: FirstScreen, own: LabelledPoints | None) -> None:
    """Draw what the rule makes of the logical functions, or of points of one's own."""
    if own is None:
        _logical_functions(screen)
    else:
        own_line(screen, own)


# AND, OR, XOR ---------------------------------------------------------------------------------


@st.cache_data(max_entries=1, show_spinner=False)
def _logic_runs() -> dict[str, list[PerceptronStep]]:
    return {name: learn(*TASKS[name], _PASSES) for name in _NAMES}


def _logical_functions(screen: FirstScreen) -> None:
    runs = _logic_runs()
    with screen.beside:
        prediction = _ask(runs[XOR])
    done = {name: _shown_until_right(runs[name]) for name in (AND, OR)}
    below = st.container()
    with screen.picture:
        st.markdown(
            f"**A line divides AND after {done[AND]} points, and OR after {done[OR]}:"
            " is there one for XOR?**"
            if not prediction.revealed
            else f"**A line divides AND after {done[AND]} points, and OR after {done[OR]};"
            " XOR has none**"
        )
        playback_bar(
            "points_shown",
            len(runs[XOR]),
            lambda step: _draw_logic(runs, step, prediction, below),
            label="Points shown",
            start=len(runs[XOR]) - 1,
            seconds_per_step=0.5,
        )
    note_beside(
        screen,
        "Each point is shown in turn, seven times. After a wrong answer the rule adds the point to the"
        " *weights* w, or takes it away, and the line moves: **step back and watch the ringed point**.",
    )


def _shown_until_right(steps: list[PerceptronStep]) -> int:
    """Return how many points had been shown when the rule changed something for the last time."""
    return max(i for i, step in enumerate(steps) if step.error)


def _ask(steps: list[PerceptronStep]) -> Prediction:
    prediction = predict_then_reveal(
        "perceptron_xor",
        "Will the same rule get all four points of XOR right?",
        _ANSWERS,
    )
    if prediction.revealed:
        found = first_repetition(steps, 4)
        most, _ = best_line(*TASKS[XOR])
        passes = (
            f" After pass {found[1]} its weights are those after pass {found[0]}." if found else ""
        )
        show_verdict(
            prediction,
            right=_NEVER,
            reason=f"It never does.{passes} No line gets more than **{most} of 4** right.",
        )
    return prediction


def _draw_logic(
    runs: dict[str, list[PerceptronStep]],
    step: int,
    prediction: Prediction,
    below: DeltaGenerator,
) -> None:
    is_masked = not prediction.revealed
    planes = [
        _plane(name, TASKS[name], runs[name][step], is_asked=is_masked and name == XOR)
        for name in _NAMES
    ]
    plane_panels(
        planes, key="logic_planes", name="perceptron", columns=3, height=_HEIGHT, hint=LEGEND
    )
    if not is_presenting():
        shown = {name: runs[name] for name in _NAMES if not (is_masked and name == XOR)}
        below.dataframe(_numbers(shown, step), hide_index=True, height="content")


def _plane(name: str, points: LabelledPoints, step: PerceptronStep, *, is_asked: bool) -> Plane:
    if is_asked:
        marks = marks_of(points)
        return Plane(
            name, "", BOUNDS, "Four points; the line is asked for.", marks=marks, is_asked=True
        )
    n_right, n = step.n_right, len(points.targets)
    perceptron = step.perceptron
    return Plane(
        name,
        f"{n_right} of {n} right",
        BOUNDS,
        in_words(perceptron),
        picture_of(perceptron.outputs),
        borders([perceptron]),
        marks_of(points, ringed=step.shown, wrong=_wrong(perceptron, points)),
        ("x1", "x2"),
    )


def _wrong(perceptron: Perceptron, points: LabelledPoints) -> tuple[bool, ...]:
    return tuple((perceptron.outputs(points.inputs) != points.targets).tolist())


def _numbers(runs: dict[str, list[PerceptronStep]], step: int) -> pa.Table:
    """Return what the rule did with the point that was shown last, a row for each function."""
    rows = []
    for name, steps in runs.items():
        now = steps[step]
        if now.shown is None:
            rows.append((name, "none yet", "", "", "", in_words(now.perceptron)))
            continue
        before = steps[step - 1].perceptron
        point = TASKS[name].inputs[now.shown]
        total = float(before.sums(point))
        target = int(TASKS[name].targets[now.shown])
        change = "none" if not now.error else f"{'+' if now.error > 0 else '−'} x"
        x = f"({point[0]:g}, {point[1]:g})"
        rows.append(
            (
                name,
                x,
                f"{signed(total)} → {int(total >= 0)}",
                str(target),
                change,
                in_words(now.perceptron),
            )
        )
    names = (
        "Function",
        "Point x",
        "w · x + b → output",
        "Target",
        "Change of w",
        "Weights after it",
    )
    return pa.table(dict(zip(names, map(list, zip(*rows, strict=True)), strict=True)))
