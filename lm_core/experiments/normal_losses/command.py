"""Train what a visitor may train, from several seeds, and keep the losses alone."""

from lm_core.experiments.commands import Report, experiment, option
from lm_core.experiments.normal_losses.recipes import TRAININGS
from lm_core.experiments.normal_losses.results import NormalLossResults
from lm_core.experiments.normal_losses.training import train_from_seeds
from lm_core.experiments.war_and_peace.presets import WORDS


@experiment(
    "train what a visitor may train from several seeds: which losses are normal?",
    NormalLossResults,
    option("--recipe", WORDS.name, help="better, deep and wide take hours", choices=TRAININGS),
    option("--seeds", 5, "of the recipe"),
)
def run(report: Report) -> NormalLossResults:
    """Train one recipe; what the file holds of others is kept."""
    seeds = range(101, 101 + report.options.seeds)  # none that a form offers at first
    known = TRAININGS[report.options.recipe]()
    found = report(train_from_seeds(known, seeds))
    before = report.found(NormalLossResults)
    others = [r for r in before.recipes if not r.are_normal_for(known.config)] if before else []
    return NormalLossResults(report.provenance(seeds=list(seeds)), (found, *others))
