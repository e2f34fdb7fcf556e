"""Where a spectral radius of 1 is best, and where not: four tasks over many reservoirs, and one live."""

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
)
from lm_core.models.reservoir import KINDS
from pages.reservoir_computing.measures import best_radius
from pages.reservoir_computing.task_panel import OFFERED_SCALES, Asked, draw_panel, live, rnn_of
from pages.shared import page
from pages.shared.numbers import significant

_ANSWERS = (MEMORY, MACKEY_GLASS, FIVE_SINES, LETTERS)


def _choose_radius(screen: page.FirstScreen) -> Asked:
    """Draw the controls of the grid, and return what is asked for."""
    with screen.controls:
        scale = page.control(st.selectbox, "strength", "Inputs", list(OFFERED_SCALES), 1, width=160)
        radius = page.pick("live_radius", "Live: λ", RADII, 0.9, width=150)
        with st.popover("More", icon=":material/tune:"):
            task = page.choice("live_task", "Live: task", TASKS[:3])
            kind = page.choice("live_kind", "Live: random matrix W", KINDS)
    return Asked(OFFERED_SCALES[str(scale)], str(task), float(radius), str(kind))


def radius_of_tasks(screen: page.FirstScreen) -> None:
    """Draw each task's score against the spectral radius, with a trained network's, and one live."""
    asked = _choose_radius(screen)
    results = page.shipped(ReservoirResults)
    best = {task: best_radius(results, task, asked.scale) for task in TASKS}
    question = _ask(screen, asked, best)
    with screen.picture:
        st.markdown(f"**{_finding(best, question)}**")
        rows = st.columns(2, gap="small"), st.columns(2, gap="small")
        for column, task in zip((*rows[0], *rows[1]), TASKS, strict=True):
            with column:
                draw_panel(results, task, asked, question)
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
    return f"{significant(live(asked), 3)} {unit}"


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


def _table_of_best(results: ReservoirResults, best: dict[str, float]) -> None:
    """Say in numbers where 1 is best, for every strength of the inputs."""
    rows = []
    for task in TASKS:
        found = [f"{best_radius(results, task, scale):g}" for scale in SCALES]
        if task == LETTERS:
            found = ["–", "–", f"{best[task]:g}"]
        rows.append((task, *found, significant(rnn_of(results, task), 3)))
    titles = ("best λ of sparse W", "inputs × 0.01", "× 0.1", "× 1", "RNN's score")
    page.show_rows(titles, rows)
    made = results.provenance
    st.caption(
        f"Measured {made['date'][:10]}: 10 reservoirs of 100 units at each of {len(RADII)} radii, 2"
        f" of 256 on letters ({made['characters']:,} characters, one-hot inputs × 1). Leaking rate"
        " and penalty of each task were chosen on its training part."
    )
