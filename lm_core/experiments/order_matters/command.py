"""Train the models that tell the sentiment of a review, three seeds of each, and store the first of each kind."""

from lm_core.experiments.commands import Report, experiment
from lm_core.experiments.fine_tuning.settings import ENCODER
from lm_core.experiments.order_matters.results import STORAGE, SentimentResults, SentimentScore
from lm_core.experiments.order_matters.reviews import divide, load_reviews
from lm_core.experiments.order_matters.sentiment import train_on_words, vocabulary_of
from lm_core.experiments.order_matters.sentiment_scores import SEEDS, score_tuned, score_words
from lm_core.training.weight_storage import StoredModel


@experiment("train four models to tell the sentiment of film reviews", SentimentResults)
def run(report: Report) -> SentimentResults:
    """Train and score; each seed holds out another tenth."""
    reviews, scores = load_reviews(), list[SentimentScore]()
    stored: dict[str, StoredModel] = {}
    for seed in SEEDS:
        divided = divide(reviews, seed)
        vocabulary = vocabulary_of(divided.training)
        for name, trained in train_on_words(divided.training, vocabulary, seed).items():
            scores.append(report(score_words(name, trained, vocabulary, divided.held_out, seed)))
            stored.setdefault(name, StoredModel.of(trained.model, STORAGE))
        scores.append(report(score_tuned(divided, seed)))
    first, made = divide(reviews, SEEDS[0]), report.provenance(encoder=ENCODER)
    sizes = len(reviews.texts), len(first.held_out.texts)
    words = vocabulary_of(first.training).words
    return SentimentResults(made, *sizes, words, tuple(scores), stored)
