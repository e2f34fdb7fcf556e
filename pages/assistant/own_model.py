"""A pretrained model from the visitor's own machine: how to bring one, and how it answers by examples."""

from collections.abc import Iterator
from time import monotonic

import pyarrow as pa
import streamlit as st

from lm_core.experiments.assistant.results import AssistantResults
from lm_core.experiments.assistant.study import CHANCE, RIGHT, Cell, measure
from lm_core.experiments.assistant.tasks import CANDIDATES, SHORT, SHOTS, TASKS
from lm_core.experiments.assistant.tuning import TUNED, WRITER
from lm_core.training.checkpoints import CheckpointMeta
from lm_core.training.model_vocabulary import vocabulary_of
from pages.assistant.asked import SHORT_NAMES, STYLES
from pages.assistant.bring_a_model import how_to_bring_one, say_what_is_here
from pages.assistant.examples_choice import TASK_TITLES
from pages.shared import page
from pages.shared.charts.lines import Axis, line_chart
from pages.shared.models.language_models import model_named
from pages.shared.models.pretrained import PRETRAINED, pretrained_provenance
from pages.shared.numbers import percent
from pages.shared.turns import model_calls

_HEIGHT = 300
_TRIALS = 20
_MEASURED = "assistant_measured"


def _choose_measured(screen: page.FirstScreen) -> str:
    """Draw the choice of the task, and return it."""
    with screen.controls:
        return page.segments("measured_task", "Task", TASK_TITLES, next(iter(TASK_TITLES)))


def own_model(screen: page.FirstScreen) -> None:
    """Draw what the pretrained model reaches beside ours, or how to bring one."""
    task = _choose_measured(screen)
    meta = pretrained_provenance()
    results = page.shipped(AssistantResults)
    rows = {name: results.of(name, task) for name in (WRITER, TUNED)}
    with screen.beside:
        if meta is None:
            how_to_bring_one()
        else:
            _measure(meta, task)
    if meta is not None:
        rows[PRETRAINED] = st.session_state.get(_MEASURED, {}).get((meta.weights_sha256, task), [])
    with screen.picture:
        st.markdown(f"**{_finding(meta, rows, task)}**")
        _draw({name: cells for name, cells in rows.items() if cells}, task)
    if not page.is_presenting():
        say_what_is_here(meta)


def _finding(meta: CheckpointMeta | None, rows: dict[str, list[Cell]], task: str) -> str:
    title, ours = TASKS[task].title, rows[WRITER][-1].accuracy
    if meta is None:
        return (
            f"{title}: our untuned model is right in {percent(ours)} after {SHOTS[-1]} examples. And a"
            " larger model?"
        )
    if not rows[PRETRAINED]:
        return (
            f"{title}: our untuned model is right in {percent(ours)} after {SHOTS[-1]} examples. And"
            " your model?"
        )
    first, last = rows[PRETRAINED][0], rows[PRETRAINED][-1]
    return (
        f"{title}: your model is right in {percent(first.accuracy)} with {first.shots} examples, in"
        f" {percent(last.accuracy)} with {last.shots}"
    )


def _measure(meta: CheckpointMeta, task: str) -> None:
    """Offer to measure the pretrained model on this server, with progress; any click ends it."""
    measured = st.session_state.setdefault(_MEASURED, {})
    key = (meta.weights_sha256, task)
    st.markdown(f"{_TRIALS} questions with {', '.join(map(str, SHOTS))} examples, on this server.")
    if not st.button("Measure it", type="primary", key="measure", disabled=key in measured):
        return
    bar = st.progress(0.0, "Reading prompts")
    st.button("Stop", key="stop_measuring")  # a click runs the page anew, and so ends the loop
    measured_so_far: list[Cell] = []
    began = monotonic()
    for done, cell in enumerate(_cells(meta, task), start=1):
        measured_so_far.append(cell)
        bar.progress(done / len(SHOTS), f"{done} of {len(SHOTS)}, {monotonic() - began:.0f} s")
    measured[key] = measured_so_far
    st.rerun()


def _cells(meta: CheckpointMeta, task: str) -> Iterator[Cell]:
    model, vocabulary = model_named(meta.name, meta.weights_sha256).model, vocabulary_of(meta)
    for shots in SHOTS:
        with model_calls:
            found = list(
                measure(
                    PRETRAINED, model, vocabulary, task, SHORT, RIGHT, shots=[shots], trials=_TRIALS
                )
            )
        yield from found


def _draw(rows: dict[str, list[Cell]], task: str) -> None:
    names = {name: SHORT_NAMES[name] for name in rows}
    page.show_chart(
        line_chart(
            {names[n]: [(float(c.shots), c.accuracy) for c in cells] for n, cells in rows.items()},
            {names[n]: STYLES[n] for n in rows},
            Axis(
                "examples before the question",
                (0.0, float(SHOTS[-1])),
                values=tuple(map(float, SHOTS)),
            ),
            Axis("right answers", (0.0, 1.0), form=".0%"),
            references={f"chance: 1 of {CANDIDATES}": [(0.0, CHANCE), (float(SHOTS[-1]), CHANCE)]},
            has_points=True,
            height=_HEIGHT,
        ),
        pa.table(
            {"examples": list(SHOTS)}
            | {names[n]: [c.accuracy for c in cells] for n, cells in rows.items()}
        ),
        key="own_accuracy",
        alt=f"{TASKS[task].title}: "
        + "; ".join(f"{names[n]} {percent(cells[-1].accuracy)}" for n, cells in rows.items()),
        name="accuracy-of-your-model",
    )
