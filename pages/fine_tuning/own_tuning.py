"""A tuning on a visitor's labels: in the background with its losses live, then its answers to be checked."""

from collections.abc import Mapping

import streamlit as st

from lm_core.errors import RunError
from lm_core.experiments.fine_tuning.experiment import own_tuning_run
from lm_core.experiments.fine_tuning.own_labels import OwnLabels
from lm_core.experiments.fine_tuning.own_tuning import OwnTuningConfig
from lm_core.jobs import jobs
from lm_core.jobs.jobs import Job
from lm_core.jobs.metrics_log import MetricsLogReader
from lm_core.jobs.records import RunState
from pages.fine_tuning.checked_answers import check_answers, draw_losses
from pages.fine_tuning.kept_tuning import TUNED, TUNED_KEPT, Tuned, forget_tuning, tuned_of
from pages.shared import page
from pages.shared.trainings.training_requests import show_refusal, submit_training, train_button
from pages.shared.turns import fragment
from pages.shared.ui.kept import keep_state
from pages.shared.ui.visitor import visitor


def current_tuning(given: Mapping[str, int]) -> Tuned | None:
    """Return the tuning of these labels, if one was asked for, in this visit or an earlier one."""
    tuned = tuned_of()
    return tuned if tuned is not None and tuned.given == given else None


def tune_button(labels: OwnLabels, method: str, given: dict[str, int]) -> None:
    """Draw the button that asks for a tuning, and say why the last one was refused."""
    is_wanted = train_button("own_tune", "Tune", width="stretch")
    if is_wanted and _submit(labels, method, given, visitor()):
        st.rerun()
    show_refusal()
    st.caption(
        f"Two networks are trained, one *{method}* and one from scratch. That takes about ten seconds of"
        " one processor."
    )


def _submit(labels: OwnLabels, method: str, given: dict[str, int], who: str) -> bool:
    """Ask for a tuning; return whether nothing speaks against it."""
    job = submit_training(
        lambda: own_tuning_run(OwnTuningConfig(method), labels),
        who,
        labels.to_text(),
        is_private=True,
    )
    if job is None:
        return False
    forget_tuning()
    learned = (labels.labelled, labels.labels, labels.others)
    st.session_state[TUNED] = [job.key, method, learned, given]
    keep_state(TUNED_KEPT, st.session_state[TUNED])
    return True


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
        check_answers(screen, tuned, job, names)
    else:
        with screen.picture:
            page.show_error(job.status.message or f"The tuning was {job.status.state}.", st.warning)
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
        draw_losses(tuned, log, job.status.steps)
        st.caption("No band of other seeds lies behind these losses, because the labels are yours.")
    if st.button("Cancel", icon=":material/stop:", key="own_cancel"):
        jobs.cancel(tuned.key)
        st.rerun()


def _progress(job: Job, step: int) -> None:
    steps = job.status.steps
    said = f"Step {step} of {steps}"
    if job.status.state is RunState.QUEUED:
        said = f"It waits its turn: {job.n_ahead} before it" if job.n_ahead else "It is next"
    st.progress(min(1.0, step / steps), said)
