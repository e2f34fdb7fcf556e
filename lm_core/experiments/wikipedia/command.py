"""Train the published transformer of Wikipedia on the articles that are here; keep it, its curve and texts."""

from lm_core.assets import ASSETS
from lm_core.experiments.commands import Report, experiment, option
from lm_core.experiments.wikipedia.articles import FILES, in_subwords, learn_subwords, load_articles
from lm_core.experiments.wikipedia.results import WikipediaResults
from lm_core.experiments.wikipedia.training import STEPS, length_of, read, save, trigram_loss
from lm_core.text.word_corpora import sha256_of_parts


@experiment(
    "train the published transformer of Wikipedia on the articles that are here",
    WikipediaResults,
    option("--steps", STEPS, "of the training"),
    option("--assets", ASSETS, "folder for the model and its subwords"),
)
def run(report: Report) -> WikipediaResults:
    """Learn subwords, count, and train."""
    asked, articles = report.options, load_articles()
    vocabulary = learn_subwords(articles.training)
    learned, held_out = (in_subwords(part, vocabulary) for part in articles)
    model, seconds, points = read(learned, held_out, vocabulary, asked.steps)
    made = report.provenance(corpus="wikitext-2", corpus_sha256=sha256_of_parts(FILES), seed=1)
    counted = trigram_loss(learned, held_out, len(vocabulary))
    lengths = length_of(articles.training, learned), length_of(articles.held_out, held_out)
    found = WikipediaResults(made, *lengths, counted, seconds, points)
    save(asked.assets, model, vocabulary, found)
    return found
