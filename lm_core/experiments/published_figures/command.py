"""Repeat the published experiments that no other experiment repeats, and print the whole ledger."""

from lm_core.experiments.commands import Report, experiment, flag
from lm_core.experiments.published_figures import study
from lm_core.experiments.published_figures.ledger import load_ledger
from lm_core.experiments.published_figures.results import Repetitions


@experiment(
    "repeat published experiments, and print every published figure beside ours",
    Repetitions,
    flag("--table", "print the ledger, and repeat nothing"),
)
def run(report: Report) -> None:
    """Repeat and save, unless only the table is asked for; then print a row for each figure."""
    if not report.options.table:
        study.repeat().save(report.options.out)
    for entry in load_ledger():
        report(
            f"{entry.verdict:16} {entry.figure.measured:58.58} {entry.theirs:>12}  {entry.shown}"
        )
