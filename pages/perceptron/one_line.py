"""The perceptron and its rule: on AND, OR and XOR side by side, and on points of one's own."""

import pyarrow as pa
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from lm_core.experiments.perceptron.tasks import AND, BOUNDS, OR, TASKS, XOR, LabelledPoints
from lm_core.models.perceptron import PerceptronStep, best_line, first_repetition, learn
from pages.perceptron.own_line import own_line
from pages.perceptron.own_points import LEGEND, OWN, marks_of, points_of, type_points
from pages.perceptron.planes import borders, in_words, picture_of, signed
from pages.shared import page
from pages.shared.components.plane_panels import Plane, plane_panels

_LOGIC = "AND, OR, XOR"
_NAMES = (AND, OR, XOR)
_PASSES = 7
_HEIGHT = 300
_SUM = "w · x + b → output"
_NEVER = "No: it repeats for ever"


def one_line(screen: page.FirstScreen) -> None:
    """Draw what the rule makes of the logical functions, or of points of one's own."""
    with screen.controls:
        chosen = page.choice("points", "Points", [_LOGIC, OWN], width=180)
    if chosen == _LOGIC:
        _logical_functions(screen)
        return
    with page.more(screen):
        typed = type_points()
    with screen.beside:
        points = points_of(OWN, typed)
    own_line(screen, points)


# AND, OR, XOR ---------------------------------------------------------------------------------


@st.cache_data(max_entries=1, show_spinner=False)
def _logic_runs() -> dict[str, list[PerceptronStep]]:
    return {name: learn(*TASKS[name], _PASSES) for name in _NAMES}


def _logical_functions(screen: page.FirstScreen) -> None:
    runs = _logic_runs()
    found, (most, _) = first_repetition(runs[XOR], 4), best_line(*TASKS[XOR])
    passes = f" After pass {found[1]} its weights are those after pass {found[0]}." if found else ""
    asked = page.ask(
        screen,
        "perceptron_xor",
        "Will the same rule get all four points of XOR right?",
        ("Yes, after more passes", "No: it stops at 3", _NEVER),
        right=_NEVER,
        reason=(
            f"It never does, because no line gets more than **{most} of 4** right, so there is always a"
            f" point to correct.{passes}"
        ),
    )
    done = {name: _shown_until_right(runs[name]) for name in (AND, OR)}
    below, n = st.container(), len(runs[XOR])
    with screen.picture:
        divided = f"A line divides AND after {done[AND]} points, and OR after {done[OR]}"
        xor = ": is there one for XOR?" if asked.masks else "; XOR has none"
        st.markdown(f"**{divided}{xor}**")
        page.playback_bar(
            "points_shown",
            n,
            lambda step: _draw_logic(runs, step, asked.masks, below),
            label="Points shown",
        )
    page.note_beside(
        screen,
        "Each point is shown in turn, seven times. After a wrong answer the rule adds the point"
        " to the *weights* w, or takes it away, so the line moves: **step back and watch the"
        " ringed point**. On the line itself the output is 1.",
    )


def _shown_until_right(steps: list[PerceptronStep]) -> int:
    """Return how many points had been shown when the rule changed something for the last time."""
    return max(i for i, step in enumerate(steps) if step.error)


def _draw_logic(
    runs: dict[str, list[PerceptronStep]], step: int, is_masked: bool, below: DeltaGenerator
) -> None:
    planes = [
        _plane(name, TASKS[name], runs[name][step], is_asked=is_masked and name == XOR)
        for name in _NAMES
    ]
    plane_panels(
        planes, key="logic_planes", name="perceptron", columns=3, height=_HEIGHT, hint=LEGEND
    )
    if not page.is_presenting():
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
        marks_of(points, ringed=step.shown, perceptron=perceptron),
        ("x1", "x2"),
    )


def _numbers(runs: dict[str, list[PerceptronStep]], step: int) -> pa.Table:
    """Return what the rule did with the point that was shown last, a row for each function."""
    rows = []
    for name, steps in runs.items():
        now, task = steps[step], TASKS[name]
        row = {"Function": name, "Point x": "none yet", _SUM: "", "Target": "", "Change of w": ""}
        if now.shown is not None:
            point = task.inputs[now.shown]
            total = float(steps[step - 1].perceptron.sums(point))
            row["Point x"] = f"({point[0]:g}, {point[1]:g})"
            row[_SUM] = f"{signed(total)} → {int(total >= 0)}"
            row["Target"] = str(int(task.targets[now.shown]))
            row["Change of w"] = f"{'+' if now.error > 0 else '−'} x" if now.error else "none"
        rows.append(row | {"Weights after it": in_words(now.perceptron)})
    return pa.Table.from_pylist(rows)
