"""Train the LSTM of War and Peace by the published schedule; called again, it goes on where it was."""

import torch

from lm_core.experiments.commands import Report, experiment, option
from lm_core.experiments.published_schedule.results import PUBLISHED_STEPS, ScheduleResults
from lm_core.experiments.published_schedule.training import WindowTraining, kept_points
from lm_core.text.training_text import load_book


@experiment(
    "train the LSTM of War and Peace by the published schedule, as far as you let it",
    ScheduleResults,
    option("--steps", PUBLISHED_STEPS, "where to stop"),
)
def run(report: Report) -> ScheduleResults:
    """Write the curve at each of its points, so that a run that is stopped has lost little."""
    n_steps, book = report.options.steps, load_book()
    training = WindowTraining(torch.from_numpy(book.train), steps=n_steps)
    found = report.found(ScheduleResults) or ScheduleResults({}, 0, 0.0, ())
    for point in kept_points(training, n_steps, torch.from_numpy(book.validation)):
        made, seconds = report.provenance(book, seed=1), training.loop.seconds
        found = ScheduleResults(made, point.step, seconds, (*found.points, point))
        found.save(report.options.out)
    return found
