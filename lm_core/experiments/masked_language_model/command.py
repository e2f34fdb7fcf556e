"""Train the masked language models, each resumable by the same command; then ship and measure them."""

from pathlib import Path

from lm_core.assets import CHECKPOINTS
from lm_core.experiments.commands import Report, experiment, flag, on_device, option, recipes
from lm_core.experiments.masked_language_model.measuring import (
    curves_of,
    measure,
    measure_splits,
    ship,
)
from lm_core.experiments.masked_language_model.results import MaskedResults, SplitResults
from lm_core.experiments.masked_language_model.resumable import begun, train_in
from lm_core.experiments.masked_language_model.settings import (
    MAIN,
    RECIPES,
    SINGLE_TOKENS,
    SMALL,
    VOCABULARY,
)
from lm_core.experiments.recipes import recipe_named
from lm_core.text.training_text import load_book
from lm_core.text.vocabularies import vocabulary_named
from lm_core.training.checkpoints import load_checkpoint, load_shipped


@experiment(
    "train the models that fill gaps, and measure them",
    None,
    recipes(RECIPES),
    option("--runs", Path("runs/masked"), help="folder of the trainings"),
    option("--ship", (), "store these finished models in 8-bit rows", nargs="+", metavar="RECIPE"),
    flag("--measure", "measure the main model on the validation part"),
    flag("--measure-splits", "measure the small models, likewise"),
    on_device(),
    option("--scale", 1.0, help="share of what is measured"),
    option("--out", help="file to write (default: the shipped results)", type=Path),
)
def run(report: Report) -> None:
    """Train each to its end; then ship and measure, if that is asked for."""
    arguments = report.options
    for name in arguments.recipes:
        train_in(recipe_named(RECIPES, name), arguments.runs / name, report.device)
    if arguments.ship:
        book = load_book(vocabulary_named(VOCABULARY))
        for name in arguments.ship:
            recipe = recipe_named(RECIPES, name)
            training, _ = begun(recipe, arguments.runs / name, report.device)
            report(str(ship(recipe, training, book, _folder(name, arguments.runs))))
    if arguments.measure:
        curve, model = curves_of(arguments.runs, (MAIN,)), load_shipped(MAIN).model
        found = measure(model, curve, report, scale=arguments.scale)
        found.save(arguments.out or MaskedResults.shipped())
    if arguments.measure_splits:
        folders = {name: _folder(name, arguments.runs) / name for name in SMALL}
        models = {name: load_checkpoint(folder).model for name, folder in folders.items()}
        curves, batches = curves_of(arguments.runs, SMALL), max(1, round(24 * arguments.scale))
        splits = measure_splits(models, curves, batches=batches)
        splits.save(arguments.out or SplitResults.shipped())


def _folder(name: str, runs: Path) -> Path:
    """Return where a finished training's model is stored: beside the runs, if no page shows it."""
    return runs / "finished" if name == SINGLE_TOKENS else CHECKPOINTS
