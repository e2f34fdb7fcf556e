"""Finished runs of translators: shipped in 8-bit rows, and scored on the test set."""

from collections.abc import Callable
from pathlib import Path

from lm_core.assets import CHECKPOINTS
from lm_core.experiments.commands import Report
from lm_core.experiments.translation.results import BEAM_WIDTH, TranslationResults
from lm_core.experiments.translation.settings import SHIPPED_RECIPES
from lm_core.experiments.translation.shipping import finished_runs, scored, ship
from lm_core.text.sentence_pairs import NAME as CORPUS
from lm_core.text.sentence_pairs import pairs_sha256
from lm_core.text.translation_vocabulary import NAME as VOCABULARY
from lm_core.training.checkpoints import load_shipped


def ship_finished(runs: Path, say: Callable[[str], object]) -> None:
    """Ship the main runs of a folder, and say what 8-bit rows cost each."""
    for checkpoint in finished_runs(runs):
        if checkpoint.meta.name in SHIPPED_RECIPES:
            folder, rise = ship(checkpoint, CHECKPOINTS)
            say(f"{folder}: validation loss {rise:+.4f} in 8-bit rows")


def score_finished(runs: Path, report: Report) -> None:
    """Score the runs of a folder, and the main ones as they are shipped; those scored before are kept."""
    kept = TranslationResults.load().models if TranslationResults.shipped().exists() else ()
    models = {model.name: model for model in kept}
    for checkpoint in finished_runs(runs):
        name = checkpoint.meta.name
        if name in models:
            continue
        if name in SHIPPED_RECIPES:
            checkpoint = load_shipped(name)
        models[name] = found = scored(checkpoint, report)
        report(f"{name}: BLEU {found.beam.score} beam, {found.greedy.score} greedy")
        made = report.provenance(
            corpus=CORPUS,
            corpus_sha256=pairs_sha256(),
            vocabulary=VOCABULARY,
            beam_width=BEAM_WIDTH,
            length_penalty=1.0,
            case="kept",
            signature=found.beam.signature,
        )
        TranslationResults(made, tuple(models.values())).save()
