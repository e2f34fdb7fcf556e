"""Train with batch norm and without by batch size, and time Jacobians either way."""

from itertools import product

from lm_core.experiments.commands import Report, experiment
from lm_core.experiments.gradients import study
from lm_core.experiments.gradients.normalisation import BATCH_SIZES, LAYERS, train_network


@experiment(
    "train with batch norm by batch size, and time Jacobians by forward and reverse sweeps",
    study.GradientResults,
)
def run(report: Report) -> study.GradientResults:
    """Train each kind of network from each seed, and time each function."""
    kinds = product(LAYERS, BATCH_SIZES, study.SEEDS)
    runs = report.each(train_network(*kind) for kind in kinds)
    costs = report.each(study.measure_cost(n, study.EDGES // n) for n in study.INPUTS)
    made = report.provenance(seeds=list(study.SEEDS), edges=study.EDGES)
    return study.GradientResults(made, runs, costs)
