"""Count how often networks fail to learn XOR."""

from lm_core.experiments.commands import Report, experiment, option
from lm_core.experiments.perceptron import study


@experiment(
    "count how often networks fail to learn XOR, by activation, width and depth",
    study.PerceptronResults,
    option("--starts", study.STARTS, "of each kind of network"),
)
def run(report: Report) -> study.PerceptronResults:
    """Count for each kind of network."""
    starts = report.options.starts
    failures = report.each(study.count_failures(*kind, starts) for kind in study.grid())
    made = report.provenance(steps=study.STEPS, learning_rate=study.LEARNING_RATE, seed=study.SEED)
    return study.PerceptronResults(made, failures)
