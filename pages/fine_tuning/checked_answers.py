"""The answers of a tuned model, checked one by one."""

from collections.abc import Mapping
from typing import Any

import pandas as pd
import streamlit as st

from lm_core.errors import RunError
from lm_core.experiments.fine_tuning.experiment import read_predictions
from lm_core.experiments.fine_tuning.own_labels import agreements, unsure_first
from lm_core.experiments.fine_tuning.settings import SCRATCH
from lm_core.jobs.jobs import Job
from lm_core.jobs.metrics_log import MetricsLogReader
from pages.fine_tuning.kept_tuning import CHECKED_KEPT, Tuned, checked_of, forget_tuning
from pages.fine_tuning.subject import STYLES
from pages.shared import page
from pages.shared.charts.lines import Axis, line_chart
from pages.shared.charts.predictions import percentage
from pages.shared.ui.kept import keep_state
from pages.shared.ui.markdown import escaped

_MOST_LOSS = 1.5


def draw_losses(tuned: Tuned, log: MetricsLogReader, steps: int, height: int = 240) -> None:
    """Draw the losses of a tuning so far."""
    lines = {
        method: [(float(row["step"]), row[name]) for row in log.rows]
        for method, name in ((tuned.method, "loss"), (SCRATCH, "scratch_loss"))
        if log.rows
    }
    page.show_chart(
        line_chart(
            lines,
            STYLES,
            Axis("steps", (1.0, float(steps))),
            Axis("loss on your labels (nats)", (0.0, _MOST_LOSS)),
            height=height,
        ),
        pd.DataFrame(
            [(row["step"], row["loss"], row["scratch_loss"]) for row in log.rows],
            columns=["step", tuned.method, SCRATCH],
        ),
        key="own_losses",
        alt="; ".join(f"{name}: {pairs[-1][1]:.2f} nats" for name, pairs in lines.items())
        or "No step so far.",
    )


def check_answers(screen: page.FirstScreen, tuned: Tuned, job: Job, names: tuple[str, str]) -> None:
    """Draw the sentence to be checked next, all answers, and how often visitor and model agree."""
    with screen.picture:
        try:
            found = read_predictions(job.run)
            by_method = {
                method: dict(zip(tuned.labels.others, values, strict=True))
                for method, values in found.items()
            }
            probabilities = by_method[tuned.method]
        except (RunError, ValueError, KeyError) as error:
            page.show_error(
                error if isinstance(error, RunError) else "Its answers cannot be read: tune again."
            )
            st.button("Tune again", key="own_again", on_click=forget_tuning)
            return
        checked = checked_of()
        _check_one(probabilities, checked, names)
        _list(by_method, checked, names, tuned.method)
    with screen.beside:
        st.markdown(_agreed(by_method, checked, tuned.method))
    page.note_beside(
        screen,
        "None of these sentences had a label when it learned. The first to be checked are those of which"
        " it is least sure, because by its own probabilities it is most likely to be wrong there.",
    )
    if not page.is_presenting():
        log = MetricsLogReader(job.run.metrics_file)
        log.read()
        draw_losses(tuned, log, job.status.steps, height=200)


def _check_one(
    probabilities: Mapping[str, float], checked: dict[str, int], names: tuple[str, str]
) -> None:
    waiting = [s for s in unsure_first(probabilities) if s not in checked]
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(f"**What is it?** {len(checked)} of {len(probabilities)} checked")
        if checked:
            page.button("own_uncheck", "Undo", "undo", _uncheck, type="tertiary")
    if not waiting:
        st.success("All sentences are checked.")
        return
    sentence = waiting[0]
    p = probabilities[sentence]
    with st.container(border=True):
        st.header(escaped(sentence), anchor=False)
        best = int(p > 0.5)
        st.caption(f"The model says {escaped(names[best])}, {percentage(p if best else 1.0 - p)}.")
    for column, label, key in zip(
        st.columns(2, gap="small"), (0, 1), ("Left", "Right"), strict=True
    ):
        with column:
            st.button(
                escaped(names[label]),
                key=f"own_check_{label}",
                width="stretch",
                type="primary" if label == best else "secondary",
                shortcut=key,
                on_click=_check,
                args=(sentence, label),
            )


def _check(sentence: str, label: int) -> None:
    checked_of()[sentence] = label
    keep_state(CHECKED_KEPT, checked_of())


def _uncheck() -> None:
    if checked := checked_of():
        checked.popitem()
        keep_state(CHECKED_KEPT, checked)


def _list(
    by_method: Mapping[str, Mapping[str, float]],
    checked: Mapping[str, int],
    names: tuple[str, str],
    method: str,
) -> None:
    """Draw all answers, from the surest of the second label to the surest of the first."""
    ranked = sorted(by_method[method], key=lambda sentence: -by_method[method][sentence])
    frame = pd.DataFrame(
        {
            "sentence": ranked,
            method: [round(100 * by_method[method][s]) for s in ranked],
            SCRATCH: [round(100 * by_method[SCRATCH][s]) for s in ranked],
            "you": [names[checked[s]] if s in checked else "" for s in ranked],
        }
    )
    columns: dict[str, Any] = {
        name: st.column_config.ProgressColumn(
            f"{names[1]}, {name}", format="%d %%", min_value=0, max_value=100
        )
        for name in (method, SCRATCH)
    }
    columns["sentence"] = st.column_config.TextColumn(width="large")
    st.dataframe(frame, hide_index=True, height=230, column_config=columns)


def _agreed(
    by_method: Mapping[str, Mapping[str, float]], checked: Mapping[str, int], method: str
) -> str:
    if not checked:
        return "The model has labelled the rest. Tap what is right, so that the page can count how often you agree."
    right = {name: agreements(found, checked) for name, found in by_method.items()}
    return (
        f"*{method.capitalize()}*, it agreed with you on **{right[method]} of {len(checked)}**;"
        f" the same network {SCRATCH} on **{right[SCRATCH]} of {len(checked)}**."
    )
