"""Train the translation models, each resumable by the same command; then score and ship them."""

import time
from dataclasses import replace
from pathlib import Path

from lm_core.assets import CHECKPOINTS, TOKENIZERS
from lm_core.experiments.commands import Report, experiment, option, progress
from lm_core.experiments.recipes import recipe_named
from lm_core.experiments.translation.experiment import translation_run
from lm_core.experiments.translation.results import BEAM_WIDTH, TranslationResults
from lm_core.experiments.translation.settings import RECIPES, SHIPPED_RECIPES, TranslationRecipe
from lm_core.experiments.translation.shipping import finished_runs, scored, ship
from lm_core.files import write_whole
from lm_core.jobs.run import train_here
from lm_core.jobs.run_folder import RunFolder
from lm_core.results import provenance
from lm_core.text.sentence_pairs import NAME as CORPUS
from lm_core.text.sentence_pairs import TRAIN, load_pairs, pairs_sha256
from lm_core.text.tokenizers.tokenizer_json import to_tokenizer_json
from lm_core.text.translation_vocabulary import NAME as VOCABULARY
from lm_core.text.translation_vocabulary import TranslationVocabulary
from lm_core.training.checkpoints import load_shipped
from lm_core.training.devices import DEVICES, choose_device

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
    option("--device", help="default: LM_LAB_DEVICE, or auto", choices=DEVICES),
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
        print(_train(recipe, arguments.out, arguments.device, arguments.start))
    if arguments.ship:
        _ship(arguments.ship)
    if arguments.score:
        _score(arguments.score)


def _ship(runs: Path) -> None:
    for checkpoint in finished_runs(runs):
        if checkpoint.meta.name in SHIPPED_RECIPES:
            folder, rise = ship(checkpoint, CHECKPOINTS)
            print(f"{folder}: validation loss {rise:+.4f} in 8-bit rows")


def _score(runs: Path) -> None:
    """Score the runs of a folder, and the main ones as they are shipped; those scored before are kept."""
    started = time.perf_counter()
    kept = TranslationResults.load().models if TranslationResults.shipped().exists() else ()
    models = {model.name: model for model in kept}
    for checkpoint in finished_runs(runs):
        name = checkpoint.meta.name
        if name in models:
            continue
        if name in SHIPPED_RECIPES:
            checkpoint = load_shipped(name)
        models[name] = found = scored(checkpoint, lambda line: print(line, flush=True))
        print(f"{name}: BLEU {found.beam.score} beam, {found.greedy.score} greedy", flush=True)
        made = provenance(
            device="cpu",
            seconds=time.perf_counter() - started,
            corpus=CORPUS,
            corpus_sha256=pairs_sha256(),
            vocabulary=VOCABULARY,
            beam_width=BEAM_WIDTH,
            length_penalty=1.0,
            case="kept",
            signature=found.beam.signature,
        )
        TranslationResults(made, tuple(models.values())).save()


def _save_subwords(folder: Path) -> Path:
    """Learn the vocabulary on both sides of the training pairs."""
    pairs = load_pairs(TRAIN)
    sentences = [sentence for pair in pairs for sentence in pair]
    vocabulary = TranslationVocabulary.learn(VOCABULARY, sentences)
    folder.mkdir(parents=True, exist_ok=True)
    write_whole(path := folder / f"{VOCABULARY}.json", to_tokenizer_json(vocabulary.tokenizer))
    return path


def _train(
    recipe: TranslationRecipe, out: Path | None, device: str | None, start: Path | None
) -> Path:
    config = translation_run(recipe, start)
    run = RunFolder(out / recipe.name) if out else RunFolder.keyed(config.fingerprint())
    steps = train_here(run, config, device=choose_device(device))
    for _ in progress(steps, recipe.name, recipe.training.steps, LOG_EVERY):
        pass
    return run.checkpoint
