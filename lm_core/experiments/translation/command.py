"""Train the translation models, each resumable by the same command; then score and ship them."""

from dataclasses import replace
from pathlib import Path

from lm_core.assets import TOKENIZERS
from lm_core.experiments.commands import Report, carried_out, experiment, on_device, option, recipes
from lm_core.experiments.recipes import recipe_named
from lm_core.experiments.translation.experiment import translation_run
from lm_core.experiments.translation.scored_runs import score_finished, ship_finished
from lm_core.experiments.translation.settings import RECIPES
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
    recipes(RECIPES, "; or subwords"),
    option("--steps", help="optimizer steps (default: the recipe's)", type=int),
    option("--seed", help="start of all randomness (default: the recipe's)", type=int),
    option("--start", help="folder of the checkpoint that the recipe starts from", type=Path),
    option("--out", help="folder of the runs (default: LM_LAB_HOME/runs)", type=Path),
    option("--score", help="score the finished runs on the test set", type=Path, metavar="RUNS"),
    option("--ship", help="store the finished main runs in 8-bit rows", type=Path, metavar="RUNS"),
    on_device(),
)
def run(report: Report) -> None:
    """Train each to its end and say where it lies."""
    asked = report.options
    for name in asked.recipes:
        if name == "subwords":
            report(str(_save_subwords(asked.out or TOKENIZERS)))
            continue
        recipe = recipe_named(RECIPES, name)
        if asked.steps is not None:
            recipe = replace(recipe, training=replace(recipe.training, steps=asked.steps))
        if asked.seed is not None:
            recipe = recipe.with_seed(asked.seed)
        config = translation_run(recipe, asked.start)
        folder = asked.out and RunFolder(asked.out / recipe.name)
        run = folder or RunFolder.keyed(config.fingerprint())
        steps = train_here(run, config, device=report.device)
        carried_out(steps, recipe.name, recipe.training.steps, LOG_EVERY)
        report(str(run.checkpoint))
    if asked.ship:
        ship_finished(asked.ship, report)
    if asked.score:
        score_finished(asked.score, report)


def _save_subwords(folder: Path) -> Path:
    """Learn the vocabulary on both sides of the training pairs."""
    sentences = [sentence for pair in load_pairs(TRAIN) for sentence in pair]
    vocabulary = TranslationVocabulary.learn(VOCABULARY, sentences)
    folder.mkdir(parents=True, exist_ok=True)
    write_whole(path := folder / f"{VOCABULARY}.json", to_tokenizer_json(vocabulary.tokenizer))
    return path
