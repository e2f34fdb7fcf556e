"""Train what a visitor may train, from several seeds, and keep the losses alone."""

import torch

from lm_core.experiments.commands import Report, experiment, option
from lm_core.experiments.normal_losses.results import NormalLossResults
from lm_core.experiments.normal_losses.training import train_from_seeds
from lm_core.experiments.war_and_peace.presets import PRESETS, WORDS
from lm_core.text.training_text import load_book


@experiment(
    "train what a visitor may train from several seeds: which losses are normal?",
    NormalLossResults,
    option("--recipe", WORDS.name, help="the others take hours", choices=PRESETS),
    option("--seeds", 5, "of the recipe"),
)
def run(report: Report) -> NormalLossResults:
    """Train one recipe; what the file holds of others is kept."""
    book = load_book()
    seeds = range(101, 101 + report.options.seeds)  # none that a form offers at first
    recipe = PRESETS[report.options.recipe]
    found = report(train_from_seeds(recipe, seeds, torch.from_numpy(book.train)))
    before = report.found(NormalLossResults)
    others = [r for r in before.recipes if r.model != found.model] if before else []
    return NormalLossResults(report.provenance(book, seeds=list(seeds)), (found, *others))
