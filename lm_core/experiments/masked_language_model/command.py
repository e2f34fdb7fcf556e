"""Train the masked language models, each resumable by the same command; then ship and measure them."""

import json
import sys
from pathlib import Path

from lm_core.assets import CHECKPOINTS
from lm_core.experiments.commands import Report, experiment, flag, option
from lm_core.experiments.masked_language_model.measuring import (
    LOG,
    curves_of,
    measure,
    measure_splits,
    ship,
)
from lm_core.experiments.masked_language_model.results import MaskedResults, SplitResults
from lm_core.experiments.masked_language_model.settings import (
    MAIN,
    RECIPES,
    SINGLE_TOKENS,
    SMALL,
    VOCABULARY,
    MaskedRecipe,
)
from lm_core.experiments.masked_language_model.training import (
    MaskedTraining,
    book_segments,
    masked_loss,
)
from lm_core.experiments.recipes import recipe_named
from lm_core.jobs.resume import ResumeFile
from lm_core.models.masked_language_model import MaskedLanguageModel
from lm_core.text.training_text import load_book
from lm_core.text.vocabularies import vocabulary_named
from lm_core.training.checkpoints import load_checkpoint, load_shipped

LOG_EVERY, LOOK_EVERY = 20, 200
_STATE = "state.safetensors"


@experiment(
    "train the models that fill gaps, and measure them",
    None,
    option("recipes", help=f"of {', '.join(RECIPES)}", nargs="*", metavar="RECIPE"),
    option("--runs", Path("runs/masked"), help="folder of the trainings"),
    option(
        "--ship",
        (),
        help="store these finished trainings' models in 8-bit rows",
        nargs="+",
        metavar="RECIPE",
    ),
    flag("--measure", "measure the main model on the validation part"),
    flag("--measure-splits", "measure the small models, likewise"),
    option("--scale", 1.0, help="share of what is measured"),
    option("--out", help="file to write (default: the shipped results)", type=Path),
)
def run(report: Report) -> None:
    """Train each to its end; then ship and measure, if that is asked for."""
    arguments = report.options
    for name in arguments.recipes:
        _train(recipe_named(RECIPES, name), arguments.runs / name)
    if arguments.ship:
        book = load_book(vocabulary_named(VOCABULARY))
        for name in arguments.ship:
            recipe = recipe_named(RECIPES, name)
            training, _ = _begun(recipe, arguments.runs / name)
            print(ship(recipe, training, book, _folder(name, arguments.runs)), flush=True)
    if arguments.measure:
        curve = curves_of(arguments.runs, (MAIN,))
        model = load_shipped(MAIN).model
        found = measure(model, curve, lambda line: print(line, flush=True), scale=arguments.scale)
        found.save(arguments.out or MaskedResults.shipped())
    if arguments.measure_splits:
        curves = curves_of(arguments.runs, SMALL)
        models = {
            name: load_checkpoint(_folder(name, arguments.runs) / name).model for name in SMALL
        }
        splits = measure_splits(models, curves, batches=max(1, round(24 * arguments.scale)))
        splits.save(arguments.out or SplitResults.shipped())


def _folder(name: str, runs: Path) -> Path:
    """Return where a finished training's model is stored: beside the runs, if no page shows it."""
    return runs / "finished" if name == SINGLE_TOKENS else CHECKPOINTS


def _begun(recipe: MaskedRecipe, folder: Path) -> tuple[MaskedTraining, ResumeFile]:
    """Return a training at the step that it has reached."""
    causal = load_shipped(recipe.starts_from).model if recipe.starts_from else None
    learned, _ = book_segments(recipe)
    model = MaskedLanguageModel(recipe.model)
    training = MaskedTraining(model, recipe.training, learned, causal=causal)
    resume = ResumeFile(folder / _STATE)
    if saved := resume.load():
        training.load_state_dict(saved)
    resume.begin(training.loop.seconds)
    return training, resume


def _train(recipe: MaskedRecipe, folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    training, resume = _begun(recipe, folder)
    _, held_out = book_segments(recipe)
    with (folder / LOG).open("a") as log:
        for step in training:
            row = {"step": step.step, "loss": round(step.loss, 4), "seconds": round(step.seconds)}
            is_last = step.step == recipe.training.steps
            if step.step % LOOK_EVERY == 0 or is_last:
                loss = masked_loss(training.model, held_out, recipe.training.masking)
                row["held_out"] = round(loss, 4)
            if step.step % LOG_EVERY == 0 or is_last:
                print(json.dumps(row), file=log, flush=True)
                print(recipe.name, row, f"{step.seconds / step.step:.2f} s a step", file=sys.stderr)
            if is_last or resume.is_due(step.seconds):
                resume.save(training.state_dict(), step.seconds)
    resume.wait()
