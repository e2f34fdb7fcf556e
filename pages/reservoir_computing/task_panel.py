"""One task by the spectral radius: many reservoirs, their best, and one live."""

from typing import NamedTuple

import numpy as np
import pyarrow as pa
import streamlit as st

from lm_core.experiments.reservoir_computing.results import ReservoirResults
from lm_core.experiments.reservoir_computing.study import (
    HORIZON,
    LETTERS,
    MEMORY,
    RADII,
    TASKS,
    score,
)
from lm_core.models.reservoir import KINDS, ORTHOGONAL, SPARSE
from pages.reservoir_computing.measures import MEASURES, quartiles_of
from pages.shared import page
from pages.shared.charts.palette import BLUE, PURPLE
from pages.shared.numbers import significant

_STYLES = {SPARSE: page.LineStyle(BLUE), ORTHOGONAL: page.LineStyle(PURPLE, 1)}
_FIRST = "Middle: × 0.1"
OFFERED_SCALES = {"Weak: × 0.01": 0.01, _FIRST: 0.1, "Strong: × 1": 1.0}
_NEW_SEED = 99
"""Of the live reservoir: none of the grid's has it."""
_HEIGHT = 152


class Asked(NamedTuple):
    """What of the grid is drawn, and which reservoir is measured live."""

    scale: float
    task: str
    radius: float
    kind: str

    @property
    def is_first(self) -> bool:
        """Whether the page asks its question."""
        return self.scale == OFFERED_SCALES[_FIRST]


@st.cache_data(max_entries=512, show_spinner=False)
def live(asked: Asked) -> float:
    """Return the score of one more reservoir, drawn now."""
    with page.model_calls:
        return score(asked.task, asked.kind, asked.scale, asked.radius, _NEW_SEED)


def rnn_of(results: ReservoirResults, task: str) -> float:
    """Return the score of the network that learned all its weights."""
    if task == MEMORY:
        return float(np.mean([sum(row.own) for row in results.memory]))
    if task == LETTERS:
        return results.rnn_loss
    errors = [row.own[HORIZON - 1] for row in results.on_series(task)]
    return float(np.exp(np.log(errors).mean()))


def draw_panel(results: ReservoirResults, task: str, asked: Asked, question: page.Asked) -> None:
    """Draw the quartiles of a task, and where it is best."""
    measure = MEASURES[task]
    low, high = measure.domain
    is_masked = question.masks and task != MEMORY
    lines, bands = {}, {}
    for kind in () if is_masked else KINDS:
        found = quartiles_of(results, task, kind, asked.scale)
        quartiles = {radius: np.clip(q, low, high) for radius, q in found.items()}
        lines[kind] = [(r, float(q[1])) for r, q in quartiles.items()]
        bands[kind] = [(r, float(q[0]), float(q[2])) for r, q in quartiles.items()]
    rnn = rnn_of(results, task)
    rings = {}
    if task == asked.task and not is_masked:
        rings = {asked.kind: [(asked.radius, min(max(live(asked), low), high))]}
    guessed = question.prediction is not None and not question.masks and question.guess == task
    st.markdown(f"**{task}**, {measure.title}{' · your guess' if guessed else ''}")
    page.show_chart(
        page.line_chart(
            lines,
            _STYLES,
            page.Axis("λ", (RADII[0], RADII[-1])),
            page.Axis(measure.short, measure.domain, measure.is_logarithmic, measure.ticks),
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
