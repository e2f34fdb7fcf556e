"""How often a model tells the sentiment of the held-out reviews, as written and with their words shuffled."""

from collections.abc import Callable

from torch import Tensor

from lm_core.experiments.fine_tuning.settings import ENCODER
from lm_core.experiments.order_matters.pretrained_sentiment import tune
from lm_core.experiments.order_matters.results import PRETRAINED, SentimentScore
from lm_core.experiments.order_matters.reviews import Divided, Reviews, encode, with_shuffled_words
from lm_core.experiments.order_matters.sentiment import TrainedClassifier, log_odds_of
from lm_core.text.vocabularies import FULL_SUBWORDS, vocabulary_named
from lm_core.text.word_vocabulary import WordVocabulary
from lm_core.training.checkpoints import load_shipped

SEEDS = (0, 1, 2)
"""Each draws weights and batches, and holds out another tenth."""
_ENCODER_STEPS = 200
"""Of 32 reviews each: fewer than one pass, which keeps all three seeds within ten minutes of a core."""


def score_words(
    name: str, trained: TrainedClassifier, vocabulary: WordVocabulary, held_out: Reviews, seed: int
) -> SentimentScore:
    """Score a model of words on reviews that it has not read."""
    return _score(
        name,
        seed,
        trained.model.parameter_count,
        trained.seconds,
        held_out,
        lambda reviews: log_odds_of(trained.model, encode(vocabulary, reviews.texts)) > 0.0,
    )


def score_tuned(divided: Divided, seed: int, steps: int = _ENCODER_STEPS) -> SentimentScore:
    """Tune the encoder on the reviews to learn from, and score it on the others."""
    encoder, vocabulary = load_shipped(ENCODER).model, vocabulary_named(FULL_SUBWORDS)
    tuned = tune(encoder, vocabulary, divided.training, seed=seed, steps=steps)
    n = tuned.model.learned_parameter_count
    return _score(PRETRAINED, seed, n, tuned.seconds, divided.held_out, tuned.is_positive)


def _score(
    name: str,
    seed: int,
    parameters: int,
    seconds: float,
    held_out: Reviews,
    judge: Callable[[Reviews], Tensor],
) -> SentimentScore:
    as_written, shuffled = judge(held_out), judge(with_shuffled_words(held_out, seed))
    is_positive = held_out.is_positive.bool()
    shares = (as_written == is_positive, shuffled == is_positive, as_written != shuffled)
    right, shuffled_right, turned = (round(float(share.double().mean()), 4) for share in shares)
    return SentimentScore(name, seed, parameters, right, shuffled_right, turned, round(seconds, 1))
