"""Train the small networks of the page at /inside-a-cell, all from one seed."""

from lm_core.experiments.commands import Report, experiment, option
from lm_core.experiments.inside_a_cell.results import TrainedNetworks
from lm_core.experiments.inside_a_cell.study import grid, train_grid


@experiment(
    "train the small networks that name the first of twenty digits",
    TrainedNetworks,
    option("--seed", 1, "of all randomness"),
)
def run(report: Report) -> TrainedNetworks:
    """Train each network of the grid; its accuracies are those after so many updates."""
    return train_grid(
        grid(report.options.seed),
        on_trained=lambda name, trained: report(f"{name}  {trained.accuracy}"),
    )
