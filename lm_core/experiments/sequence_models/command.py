"""Train the small models between vectors and sequences, and save them as checkpoints."""

from pathlib import Path

from lm_core.experiments.commands import Report, carried_out, experiment, option, recipes
from lm_core.experiments.recipes import recipe_named
from lm_core.experiments.sequence_models import curves
from lm_core.experiments.sequence_models.training import RECIPES, SequenceTraining, shortened
from lm_core.jobs.run_folder import home
from lm_core.rng import generator

CURVES = "curves"


@experiment(
    "train the five small models of the page at /sequence-models",
    None,
    recipes((*RECIPES, CURVES), f"; default: all but {CURVES}"),
    option("--steps", help="optimizer steps (default: the recipe's)", type=int),
    option("--seed", help="start of all randomness (default: the recipe's)", type=int),
    option("--out", help="folder of checkpoints (default: LM_LAB_HOME/sequences)", type=Path),
)
def run(report: Report) -> None:
    """Train each to its end and say where it lies."""
    asked = report.options
    changes = {n: v for n in ("steps", "seed") if (v := getattr(asked, n)) is not None}
    for name in asked.recipes or RECIPES:
        if name == CURVES:
            _train_curves(report)
            continue
        recipe = shortened(recipe_named(RECIPES, name), **changes)
        training = SequenceTraining(recipe)
        carried_out(training, recipe.name, recipe.training.steps)
        report(str(training.save(asked.out or home() / "sequences")))


def _train_curves(report: Report) -> None:
    rng, network = generator(1), curves.CurveGenerator()
    network.initialise(rng)
    carried_out(curves.train(network, rng), CURVES, curves.STEPS, every=500)
    curves.measured(network, report.provenance(seed=1)).save()
