"""The loss of a training and, to be played back, what it had come to after some of its steps."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import streamlit as st

from lm_core.jobs.jobs import Job
from lm_core.jobs.metrics_log import MetricsLogReader
from pages.shared.charts.comparisons import training_curve, training_frame
from pages.shared.frame.normal_losses import yardsticks
from pages.shared.ui.controls import asked_by_link, is_presenting
from pages.shared.ui.figures import show_chart
from pages.shared.ui.playback import go_to, playback_bar, step_of

_SAMPLE, _FOLLOWED = "sample", "lab_samples_followed"


class LossCurve(NamedTuple):
    """How the losses of one kind of training are drawn."""

    unit: str = "character"  # that they are means over
    most_nats: float = 4.5  # top of the fixed axis
    height: int = 260
    # whether the curve is the picture, and what was left on the way lies below it; or the other way
    # round, and its text is small
    is_first: bool = True


CHARACTERS = LossCurve()


def play_training(
    job: Job,
    log: MetricsLogReader,
    steps: Sequence[int],
    draw: Callable[[int], None],
    *,
    label: str,
    curve: LossCurve = CHARACTERS,
) -> None:
    """Draw the loss of a training, and one of the things that it has left on its way.

    Parameters
    ----------
    log : MetricsLogReader, with at least one row
    steps : sequence of int
        After which something was left, rising; the newest is followed while the training lasts.
    draw : callable of int, draws what was left after ``steps[i]``
    label : str, of the slider over them
    """
    if not steps:
        _draw_curve(job, log, curve)
        return
    _follow(job, len(steps))
    above = st.container()

    def draw_at(i: int) -> None:
        if curve.is_first:
            with above:
                _draw_curve(job, log, curve, now=steps[i])
            draw(i)
            return
        draw(i)
        if not is_presenting():  # large type leaves room for what was left alone
            _draw_curve(job, log, curve, now=steps[i])

    playback_bar(
        _SAMPLE, len(steps), draw_at, label=label, shortcuts=False, start=0, seconds_per_step=0.8
    )


def _follow(job: Job, n_samples: int) -> None:
    """Go to the newest sample of a training, unless an earlier one is being looked at."""
    key, n_before = st.session_state.get(_FOLLOWED, ("", 0))
    is_at_end = step_of(_SAMPLE, n_before - 1) == n_before - 1
    is_newer = key != job.key or (n_samples != n_before and is_at_end)
    if is_newer and not asked_by_link(_SAMPLE):
        go_to(_SAMPLE, n_samples - 1)
    st.session_state[_FOLLOWED] = (job.key, n_samples)


def _draw_curve(
    job: Job, log: MetricsLogReader, curve: LossCurve, now: float | None = None
) -> None:
    frame = training_frame(log.rows)
    evaluated = frame["validation_loss"].dropna()
    held_to = yardsticks(job.config, job.status.steps)
    unseen = f"; on unseen text {evaluated.iloc[-1]:.3f}" if len(evaluated) else ""
    show_chart(
        training_curve(
            frame,
            steps=job.status.steps,
            now=now,
            unit=curve.unit,
            most_nats=curve.most_nats,
            band=held_to.band,
            levels=held_to.levels,
            height=curve.height,
        ),
        frame,
        key="training_curve",
        alt=f"The loss fell from {frame['loss'].iloc[0]:.2f} to {frame['loss'].iloc[-1]:.3f} nats"
        f" per {curve.unit}{unseen}.",
        name=f"training-{job.key}",
        is_small=not curve.is_first,
    )
    if held_to.note and not is_presenting():
        st.caption(held_to.note)
