"""Train the taggers on the Brown corpus, score them on texts that none has read, and store what is shipped."""

from pathlib import Path

from lm_core.experiments.commands import Report, experiment, flag, on_device, option, recipes
from lm_core.experiments.part_of_speech_tagging.results import TaggingResults
from lm_core.experiments.part_of_speech_tagging.scoring import score_texts, train_all
from lm_core.experiments.part_of_speech_tagging.settings import RECIPES
from lm_core.experiments.recipes import recipe_named
from lm_core.text.tagged_sentences import load_texts


@experiment(
    "train taggers that see more or less of a word's context",
    TaggingResults,
    recipes(RECIPES, "; default: all"),
    on_device(),
    option("--runs", help="folder of the trained taggers", type=Path, required=True),
    flag("--score", "score all taggers of the folder on the test texts, and store what is shipped"),
)
def run(report: Report) -> TaggingResults | None:
    """Train what is not in the folder yet, a tagger for each recipe and seed; then score."""
    asked, texts = report.options, load_texts()
    if not asked.score or asked.recipes:
        chosen = [recipe_named(RECIPES, name) for name in asked.recipes or RECIPES]
        train_all(chosen, asked.runs, texts, report.device)
    return score_texts(asked.runs, texts, report) if asked.score else None
