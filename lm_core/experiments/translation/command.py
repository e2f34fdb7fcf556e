"""Train the translation models, each resumable by the same command; then score and ship them."""

from dataclasses import replace
from pathlib import Path

import torch

from lm_core.assets import TOKENIZERS
from lm_core.experiments.commands import Report, experiment, on_device, option, progress
from lm_core.experiments.recipes import recipe_named
from lm_core.experiments.translation.experiment import translation_run
from lm_core.experiments.translation.scored_runs import score_finished, ship_finished
from lm_core.experiments.translation.settings import RECIPES, TranslationRecipe
from lm_core.files import write_whole
from lm_core.jobs.run import train_here
from lm_core.jobs.run_folder import RunFolder
from lm_core.text.sentence_pairs import TRAIN, load_pairs
from lm_core.text.tokenizers.tokenizer_json import to_tokenizer_json
from lm_core.text.translation_vocabulary import NAME as VOCABULARY
from lm_core.text.translation_vocabulary import TranslationVocabulary

LOG_EVERY = 20


@experiment(
    "train the models that translate captions",
    None,
    option("recipes", help=f"of {', '.join(RECIPES)}; or subwords", nargs="*", metavar="RECIPE"),
    option("--steps", help="optimizer steps (default: the recipe's)", type=int),
    option("--seed", help="start of all randomness (default: the recipe's)", type=int),
    option(
        "--start", help="folder of the checkpoint that the recipe starts from, if any", type=Path
    ),
    option("--out", help="folder of the runs (default: LM_LAB_HOME/runs)", type=Path),
    option(
        "--score",
        help="score the finished runs of a folder on the test set",
        type=Path,
        metavar="RUNS",
    ),
    option(
        "--ship",
        help="store the finished main runs of a folder in 8-bit rows",
        type=Path,
        metavar="RUNS",
    ),
    on_device(),
)
def run(report: Report) -> None:
    """Train each to its end and say where it lies."""
    arguments = report.options
    for name in arguments.recipes:
        if name == "subwords":
            print(_save_subwords(arguments.out or TOKENIZERS))
            continue
        recipe = recipe_named(RECIPES, name)
        if arguments.steps is not None:
            training = replace(recipe.training, steps=arguments.steps)
            recipe = replace(recipe, training=training)
        if arguments.seed is not None:
            recipe = recipe.with_seed(arguments.seed)
        print(_train(recipe, arguments.out, report.device, arguments.start))
    if arguments.ship:
        ship_finished(arguments.ship, report)
    if arguments.score:
        score_finished(arguments.score, report)


def _save_subwords(folder: Path) -> Path:
    """Learn the vocabulary on both sides of the training pairs."""
    pairs = load_pairs(TRAIN)
    sentences = [sentence for pair in pairs for sentence in pair]
    vocabulary = TranslationVocabulary.learn(VOCABULARY, sentences)
    folder.mkdir(parents=True, exist_ok=True)
    write_whole(path := folder / f"{VOCABULARY}.json", to_tokenizer_json(vocabulary.tokenizer))
    return path


def _train(
    recipe: TranslationRecipe, out: Path | None, device: torch.device, start: Path | None
) -> Path:
    config = translation_run(recipe, start)
    run = RunFolder(out / recipe.name) if out else RunFolder.keyed(config.fingerprint())
    steps = train_here(run, config, device=device)
    for _ in progress(steps, recipe.name, recipe.training.steps, LOG_EVERY):
        pass
    return run.checkpoint
