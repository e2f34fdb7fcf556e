"""Train the taggers on the Brown corpus, score them on texts that none has read, and store what is shipped."""

from pathlib import Path

from lm_core.experiments.commands import Report, experiment, flag, option
from lm_core.experiments.part_of_speech_tagging.results import TaggingResults
from lm_core.experiments.part_of_speech_tagging.scoring import Part, score_all, train
from lm_core.experiments.part_of_speech_tagging.settings import RECIPES, SEEDS
from lm_core.experiments.part_of_speech_tagging.training import learn_vocabulary
from lm_core.experiments.recipes import recipe_named
from lm_core.models.tag_counts import TagCounts
from lm_core.text import tagged_sentences as corpus


@experiment(
    "train taggers that see more or less of a word's context",
    TaggingResults,
    option("recipes", help=f"of {', '.join(RECIPES)}; default: all", nargs="*", metavar="RECIPE"),
    option("--runs", help="folder of the trained taggers", type=Path, required=True),
    flag("--score", "score all taggers of the folder on the test texts, and store what is shipped"),
)
def run(report: Report) -> TaggingResults | None:
    """Train what is not in the folder yet, a tagger for each recipe and seed; then score."""
    asked, texts = report.options, corpus.load_texts()
    sentences = corpus.sentences_of_part(texts, corpus.TRAIN)
    vocabulary = learn_vocabulary(sentences)
    if not asked.score or asked.recipes:
        encoded = Part.of(sentences, vocabulary).encoded
        for recipe in (recipe_named(RECIPES, name) for name in asked.recipes or RECIPES):
            for seed in SEEDS:
                train(recipe.with_seed(seed), asked.runs, encoded, len(vocabulary))
    if not asked.score:
        return None
    parts = {
        part: Part.of(corpus.sentences_of_part(texts, part), vocabulary)
        for part in (corpus.VALIDATION, corpus.TEST)
    }
    names = [text.name for text in corpus.texts_of_part(texts, corpus.TEST)]
    return score_all(asked.runs, vocabulary, TagCounts.of(sentences), parts, names, report)
