"""Measure overfitting: by capacity, data and noise; double descent; the book; several processes."""

from dataclasses import replace

from lm_core.experiments.commands import Report, experiment, flag, option
from lm_core.experiments.overfitting import book, results, speed_up, study
from lm_core.text.training_text import load_book


@experiment(
    "measure overfitting by capacity, data, noise and time, and the speed of several processes",
    results.OverfittingResults,
    option("--networks", study.NETWORKS, "of each kind"),
    option("--draws", study.DRAWS, "of points to be fitted"),
    option("--steps", book.STEPS, "of each training on the book"),
    flag("--speeds", "only time the processes anew, on a quiet machine"),
)
def run(report: Report) -> results.OverfittingResults:
    """Measure all of it, or only the speed."""
    asked, speeds = report.options, report.each(speed_up.measure((1, 2, 4)))
    if asked.speeds:
        before = results.OverfittingResults.load(asked.out)
        made = before.provenance | {"speeds_date": report.provenance()["date"]}
        return replace(before, provenance=made, speeds=speeds)
    text, sweep = load_book(), report.each(study.sweep(asked.networks))
    descents = report.each(study.descents(asked.draws))
    curves = report.each(book.train_on_book(name, text, asked.steps) for name in book.RUNS)
    counts = {"networks": asked.networks, "draws": asked.draws, "steps": asked.steps}
    made = report.provenance(text, **counts, seed=study.SEED)
    return results.OverfittingResults(made, sweep, descents, curves, speeds)
