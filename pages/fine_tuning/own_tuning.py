"""A tuning on a visitor's labels: in the background with its losses live, then its answers to be checked."""

import contextlib
from collections.abc import Mapping
from typing import Any, NamedTuple

import pandas as pd
import streamlit as st

from lm_core.errors import RunError
from lm_core.experiments.fine_tuning.experiment import own_tuning_run, read_predictions
from lm_core.experiments.fine_tuning.own_labels import OwnLabels, agreements, unsure_first
from lm_core.experiments.fine_tuning.own_tuning import OwnTuningConfig
from lm_core.experiments.fine_tuning.settings import SCRATCH
from lm_core.jobs import jobs
from lm_core.jobs.jobs import Job
from lm_core.jobs.metrics_log import MetricsLogReader
from lm_core.jobs.records import RunState
from pages.fine_tuning.subject import STYLES
from pages.shared import page
from pages.shared.charts.lines import Axis, line_chart
from pages.shared.charts.predictions import percentage
from pages.shared.trainings.training_requests import show_refusal, submit_training
from pages.shared.turns import fragment
from pages.shared.ui.figures import show_chart
from pages.shared.ui.kept import forget, keep_state, kept_state
from pages.shared.ui.markdown import escaped
from pages.shared.ui.messages import show_error
from pages.shared.ui.visitor import visitor

_TUNED, _CHECKED = "fine_tuning_tuned", "fine_tuning_checked"
_TUNED_KEPT, _CHECKED_KEPT = "fine-tuning.tuned", "fine-tuning.checked"
_MOST_LOSS = 1.5


class Tuned(NamedTuple):
    """A tuning that this visitor has asked for."""

    key: str  # of its job
    method: str
    labels: OwnLabels  # what it learns from, and what it is to tell
    given: dict[str, int]  # all labels at that time, those of skipped sentences included


def current_tuning(given: Mapping[str, int]) -> Tuned | None:
    """Return the tuning of these labels, if one was asked for, in this visit or an earlier one."""
    tuned = _tuned()
    return tuned if tuned is not None and tuned.given == given else None


def _tuned() -> Tuned | None:
    known: list[Any] = kept_state(_TUNED, _TUNED_KEPT, list)
    if not known:
        return None
    key, method, (sentences, labels, others), given = known
    return Tuned(key, method, OwnLabels(tuple(sentences), tuple(labels), tuple(others)), given)


def _checked() -> dict[str, int]:
    """Return what the visitor said of the answers of the tuning, by sentence."""
    empty: dict[str, int] = {}
    return kept_state(_CHECKED, _CHECKED_KEPT, lambda: empty)


def forget_tuning() -> None:
    """Begin anew: stop a tuning that still runs, and keep nothing that was checked."""
    tuned = _tuned()
    for key, name in ((_TUNED, _TUNED_KEPT), (_CHECKED, _CHECKED_KEPT)):
        st.session_state.pop(key, None)
        forget(name)
    if tuned is not None:
        with contextlib.suppress(RunError):  # it is gone already
            if jobs.job(tuned.key).status.state.is_live:
                jobs.cancel(tuned.key)


def tune_button(labels: OwnLabels, method: str, given: dict[str, int]) -> None:
    """Draw the button that asks for a tuning, and say why the last one was refused."""
    st.button(
        "Tune",
        icon=":material/model_training:",
        type="primary",
        key="own_tune",
        width="stretch",
        on_click=_submit,
        args=(labels, method, given, visitor()),
    )
    show_refusal()
    st.caption(
        f"Two networks are trained, one *{method}* and one from scratch. That takes about ten seconds of"
        " one processor."
    )


def _submit(labels: OwnLabels, method: str, given: dict[str, int], who: str) -> None:
    job = submit_training(
        lambda: own_tuning_run(OwnTuningConfig(method), labels),
        who,
        labels.to_text(),
        is_private=True,
    )
    if job is None:
        return
    forget_tuning()
    learned = (labels.labelled, labels.labels, labels.others)
    st.session_state[_TUNED] = [job.key, method, learned, given]
    keep_state(_TUNED_KEPT, st.session_state[_TUNED])


def watch(screen: page.FirstScreen, tuned: Tuned, names: tuple[str, str]) -> None:
    """Draw a tuning while it lasts, and then its answers."""
    try:
        job = jobs.job(tuned.key)
    except RunError:
        forget_tuning()
        with screen.picture:
            st.info("This tuning is gone: it was removed to make room. Tune again.")
        return
    if job.status.state.is_live:
        with screen.picture:
            fragment(_live, run_every=1.0)(tuned)
    elif job.status.state is RunState.FINISHED:
        _answers(screen, tuned, job, names)
    else:
        with screen.picture:
            show_error(job.status.message or f"The tuning was {job.status.state}.", st.warning)
            st.button("Tune again", key="own_again", on_click=forget_tuning)


# While it lasts -------------------------------------------------------------------------------


def _live(tuned: Tuned) -> None:
    """Draw the losses so far; redrawn every second."""
    job = jobs.job(tuned.key)
    if not job.status.state.is_live:
        st.rerun()
    log = MetricsLogReader(job.run.metrics_file)
    log.read()
    with st.container(key="live_own_tuning"):
        _progress(job, len(log.rows))
        _losses(tuned, log, job.status.steps)
    if st.button("Cancel", icon=":material/stop:", key="own_cancel"):
        jobs.cancel(tuned.key)
        st.rerun()


def _progress(job: Job, step: int) -> None:
    steps = job.status.steps
    said = f"Step {step} of {steps}"
    if job.status.state is RunState.QUEUED:
        said = f"It waits its turn: {job.n_ahead} before it" if job.n_ahead else "It is next"
    st.progress(min(1.0, step / steps), said)


def _losses(tuned: Tuned, log: MetricsLogReader, steps: int, height: int = 240) -> None:
    lines = {
        method: [(float(row["step"]), row[name]) for row in log.rows]
        for method, name in ((tuned.method, "loss"), (SCRATCH, "scratch_loss"))
        if log.rows
    }
    show_chart(
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
        name="own-losses",
    )


# Its answers ----------------------------------------------------------------------------------


def _answers(screen: page.FirstScreen, tuned: Tuned, job: Job, names: tuple[str, str]) -> None:
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
            show_error(
                error if isinstance(error, RunError) else "Its answers cannot be read: tune again."
            )
            st.button("Tune again", key="own_again", on_click=forget_tuning)
            return
        checked = _checked()
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
        _losses(tuned, log, job.status.steps, height=200)


def _check_one(
    probabilities: Mapping[str, float], checked: dict[str, int], names: tuple[str, str]
) -> None:
    waiting = [s for s in unsure_first(probabilities) if s not in checked]
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(f"**What is it?** {len(checked)} of {len(probabilities)} checked")
        if checked:
            st.button(
                "Undo",
                key="own_uncheck",
                type="tertiary",
                icon=":material/undo:",
                on_click=_uncheck,
            )
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
    _checked()[sentence] = label
    keep_state(_CHECKED_KEPT, _checked())


def _uncheck() -> None:
    if checked := _checked():
        checked.popitem()
        keep_state(_CHECKED_KEPT, checked)


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
