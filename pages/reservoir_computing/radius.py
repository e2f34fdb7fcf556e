"""Where a spectral radius of 1 is best, and where not: four tasks over many reservoirs, and one live."""

from typing import NamedTuple

import numpy as np
import pyarrow as pa
import streamlit as st

from lm_core.experiments.reservoir_computing.results import ReservoirResults
from lm_core.experiments.reservoir_computing.series import FIVE_SINES, MACKEY_GLASS
from lm_core.experiments.reservoir_computing.study import (
    HORIZON,
    LETTERS,
    MEMORY,
    RADII,
    SCALES,
    TASKS,
    score,
)
from lm_core.models.reservoir import KINDS, ORTHOGONAL, SPARSE
from pages.shared import page
from pages.shared.charts.lines import Axis, LineStyle, line_chart
from pages.shared.charts.palette import BLUE, PURPLE
from pages.shared.numbers import significant
from pages.shared.turns import model_calls
from pages.shared.ui.figures import show_chart

_STYLES = {SPARSE: LineStyle(BLUE), ORTHOGONAL: LineStyle(PURPLE, 1)}
_FIRST = "Middle: × 0.1"
_SCALES = {"Weak: × 0.01": 0.01, _FIRST: 0.1, "Strong: × 1": 1.0}
_NEW_SEED = 99
"""Of the live reservoir: none of the grid's has it."""
_HEIGHT = 152
_LETTER_SCALE = 1.0


class _Measure(NamedTuple):
    """How a task's score is drawn."""

    title: str
    short: str
    domain: tuple[float, float]
    is_logarithmic: bool
    is_higher_better: bool
    ticks: tuple[float, ...] = ()


_MEASURES = {
    MEMORY: _Measure(
        "inputs recalled", "capacity", (0.0, 100.0), False, True, (0.0, 25.0, 50.0, 75.0, 100.0)
    ),
    MACKEY_GLASS: _Measure(
        f"error {HORIZON} steps ahead",
        "NRMSE",
        (1e-3, 10.0),
        True,
        False,
        (1e-3, 1e-2, 0.1, 1.0, 10.0),
    ),
    FIVE_SINES: _Measure(
        f"error {HORIZON} steps ahead",
        "NRMSE",
        (1e-3, 10.0),
        True,
        False,
        (1e-3, 1e-2, 0.1, 1.0, 10.0),
    ),
    LETTERS: _Measure(
        "nats per character", "loss", (1.0, 3.0), False, False, (1.0, 1.5, 2.0, 2.5, 3.0)
    ),
}
_ANSWERS = (MEMORY, MACKEY_GLASS, FIVE_SINES, LETTERS)


class Asked(NamedTuple):
    """What of the grid is drawn, and which reservoir is measured live."""

    scale: float
    task: str
    radius: float
    kind: str

    @property
    def is_first(self) -> bool:
        """Whether the page asks its question."""
        return self.scale == _SCALES[_FIRST]


def _choose_radius(screen: page.FirstScreen) -> Asked:
    """Draw the controls of the grid, and return what is asked for."""
    with screen.controls:
        scale = page.control(st.selectbox, "strength", "Inputs", list(_SCALES), 1, width=160)
        radius = page.pick("live_radius", "Live: λ", RADII, 0.9, width=150)
        with st.popover("More", icon=":material/tune:"):
            task = page.choice("live_task", "Live: task", TASKS[:3])
            kind = page.choice("live_kind", "Live: random matrix W", KINDS)
    return Asked(_SCALES[str(scale)], str(task), float(radius), str(kind))


@st.cache_data(max_entries=512, show_spinner=False)
def _live(asked: Asked) -> float:
    with model_calls:
        return score(asked.task, asked.kind, asked.scale, asked.radius, _NEW_SEED)


def radius_of_tasks(screen: page.FirstScreen) -> None:
    """Draw each task's score against the spectral radius, with a trained network's, and one live."""
    asked = _choose_radius(screen)
    results = page.shipped(ReservoirResults)
    best = {task: _best(results, task, asked.scale) for task in TASKS}
    question = _ask(screen, asked, best)
    with screen.picture:
        st.markdown(f"**{_finding(best, question)}**")
        rows = st.columns(2, gap="small"), st.columns(2, gap="small")
        for column, task in zip((*rows[0], *rows[1]), TASKS, strict=True):
            with column:
                _panel(results, task, asked, question)
    page.note_beside(
        screen,
        "A line is the median over seeds and a band holds half of them, because a single random W"
        f" may be lucky. The ring is a reservoir drawn and measured now: {_said(asked)}. **Make"
        " the inputs strong**: where is the best λ now?",
    )
    if not page.is_presenting() and not question.masks:
        _table_of_best(results, best)


def _said(asked: Asked) -> str:
    unit = "inputs recalled" if asked.task == MEMORY else f"NRMSE {HORIZON} steps ahead"
    return f"{significant(_live(asked), 3)} {unit}"


def _scale_of(task: str, scale: float) -> float:
    """Return the input scale at which a task was measured: letters have one only."""
    return _LETTER_SCALE if task == LETTERS else scale


@st.cache_resource(max_entries=32, show_spinner=False)
def _quartiles(
    _results: ReservoirResults, task: str, kind: str, scale: float
) -> dict[float, np.ndarray]:
    return _results.quartiles(task, kind, _scale_of(task, scale))


def _best(results: ReservoirResults, task: str, scale: float) -> float:
    """Return the radius at which sparse reservoirs have the best median."""
    found = _quartiles(results, task, SPARSE, scale)
    pick = max if _MEASURES[task].is_higher_better else min
    return pick(found, key=lambda radius: float(found[radius][1]))


def _ask(screen: page.FirstScreen, asked: Asked, best: dict[str, float]) -> page.Asked:
    if not asked.is_first:
        return page.Asked()
    farthest = max(best, key=lambda task: abs(best[task] - 1.0))
    return page.ask(
        screen,
        "radius",
        "A usual choice is λ ≈ 1. For which task is a sparse reservoir's best λ farthest from 1?",
        _ANSWERS,
        right=farthest,
        reason=f"**{farthest}**, best at λ = {best[farthest]:g}: probably because the last letters say"
        " most, and a long echo only blurs them.",
    )


def _finding(best: dict[str, float], question: page.Asked) -> str:
    if question.masks:
        return f"Memory is best with λ = {best[MEMORY]:g}; and the other tasks?"
    said = ", ".join(f"{_short(task)} {best[task]:g}" for task in TASKS)
    return f"The best λ of a sparse W: {said}"


def _short(task: str) -> str:
    return task if task == MACKEY_GLASS else task.lower()


def _rnn(results: ReservoirResults, task: str) -> float:
    """Return the score of the network that learned all its weights."""
    if task == MEMORY:
        return float(np.mean([sum(row.own) for row in results.memory]))
    if task == LETTERS:
        return results.rnn_loss
    errors = [row.own[HORIZON - 1] for row in results.on_series(task)]
    return float(np.exp(np.log(errors).mean()))


def _panel(results: ReservoirResults, task: str, asked: Asked, question: page.Asked) -> None:
    measure = _MEASURES[task]
    low, high = measure.domain
    is_masked = question.masks and task != MEMORY
    lines, bands = {}, {}
    for kind in () if is_masked else KINDS:
        found = _quartiles(results, task, kind, asked.scale)
        quartiles = {radius: np.clip(q, low, high) for radius, q in found.items()}
        lines[kind] = [(r, float(q[1])) for r, q in quartiles.items()]
        bands[kind] = [(r, float(q[0]), float(q[2])) for r, q in quartiles.items()]
    rnn = _rnn(results, task)
    rings = {}
    if task == asked.task and not is_masked:
        rings = {asked.kind: [(asked.radius, min(max(_live(asked), low), high))]}
    guessed = question.prediction is not None and not question.masks and question.guess == task
    st.markdown(f"**{task}**, {measure.title}{' · your guess' if guessed else ''}")
    show_chart(
        line_chart(
            lines,
            _STYLES,
            Axis("λ", (RADII[0], RADII[-1])),
            Axis(measure.short, measure.domain, measure.is_logarithmic, measure.ticks),
            bands=bands,
            references={"RNN": [(RADII[0], rnn), (RADII[-1], rnn)]},
            rings=rings,
            now=1.0,
            height=_HEIGHT,
        ),
        _table(lines),
        key=f"radius_{TASKS.index(task)}",
        alt=f"{task}: the trained RNN has {significant(rnn, 3)} {measure.title}"
        + "".join(
            f"; {kind} at λ = 1: {significant(dict(pairs).get(1.0, float('nan')), 3)}"
            for kind, pairs in lines.items()
        ),
        name=f"radius-{task.lower().replace(' ', '-')}",
        is_small=True,
    )


def _table(lines: dict[str, list[tuple[float, float]]]) -> pa.Table:
    return pa.table(
        {
            "spectral radius": list(RADII),
            **{
                kind: [dict(pairs).get(radius) for radius in RADII] for kind, pairs in lines.items()
            },
        }
    )


def _table_of_best(results: ReservoirResults, best: dict[str, float]) -> None:
    """Say in numbers where 1 is best, for every strength of the inputs."""
    rows = []
    for task in TASKS:
        found = [f"{_best(results, task, scale):g}" for scale in SCALES]
        if task == LETTERS:
            found = ["–", "–", f"{best[task]:g}"]
        rows.append(
            f"| {task} | " + " | ".join(found) + f" | {significant(_rnn(results, task), 3)} |"
        )
    st.markdown(
        "| best λ of sparse W | inputs × 0.01 | × 0.1 | × 1 | RNN's score |\n|---|---|---|---|---|\n"
        + "\n".join(rows)
    )
    made = results.provenance
    st.caption(
        f"Measured {made['date'][:10]}: 10 reservoirs of 100 units at each of {len(RADII)} radii, 2"
        f" of 256 on letters ({made['characters']:,} characters, one-hot inputs × 1). Leaking rate"
        " and penalty of each task were chosen on its training part."
    )
