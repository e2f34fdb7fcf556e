"""How often each model tells the sentiment of a review, and the models that the page asks."""

from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, NamedTuple

from lm_core.experiments.order_matters.models import BAG, WINDOW
from lm_core.experiments.order_matters.reviews import encode
from lm_core.experiments.order_matters.sentiment import LSTM, RECIPES, log_odds_of
from lm_core.models.text_classifiers import BagClassifier, TextClassifier
from lm_core.results import NOT_EMPTY, Positive, Recorded, Share, one_of
from lm_core.text.word_vocabulary import WordVocabulary
from lm_core.training.weight_storage import StoredModel

PRETRAINED = "pretrained encoder"
CLASSIFIERS = (BAG, WINDOW, LSTM, PRETRAINED)
STORAGE = "float16"


class SentimentScore(NamedTuple):
    """One training, on the tenth that it has not seen."""

    name: Annotated[str, one_of(CLASSIFIERS)]
    seed: int
    """Of weights and batches; and which tenth is held out."""
    parameters: Positive
    as_written: Share
    shuffled: Share
    """`as_written` and `shuffled`: of the held-out reviews that are judged rightly, with their
    words in order, and in random order."""
    turned: Share
    """Of the verdicts, those that are others once the words are in random order."""
    seconds: float
    """Of the processor, for the training."""


class WordShare(NamedTuple):
    """What a word of a text adds to the log-odds of the bag of words."""

    word: str
    weight: float


@dataclass(frozen=True)
class SentimentResults(Recorded, name="order-matters"):
    """All trainings, and the first seed's models of words."""

    reviews: Positive
    held_out: Positive
    """`reviews` and `held_out`: how many sentences there are, and of how many each score is."""
    words: tuple[str, ...]
    """That the first seed's models know, the most frequent first."""
    scores: Annotated[tuple[SentimentScore, ...], NOT_EMPTY]
    stored: dict[Annotated[str, one_of(RECIPES)], StoredModel]

    @cached_property
    def vocabulary(self) -> WordVocabulary:
        """Of the first seed's models."""
        return WordVocabulary(self.words, (0,) * len(self.words))

    @cached_property
    def models(self) -> dict[str, TextClassifier]:
        """The first seed's, by name."""
        return {name: stored.build() for name, stored in self.stored.items()}

    def scores_of(self, name: str) -> tuple[SentimentScore, ...]:
        """Return the scores of one model, a seed each."""
        return tuple(score for score in self.scores if score.name == name)

    def positive(self, text: str) -> dict[str, float]:
        """Return the probability that a text is positive, by each stored model."""
        rows = encode(self.vocabulary, [text])
        return {
            name: float(log_odds_of(model, rows)[0].sigmoid())
            for name, model in self.models.items()
        }

    @property
    def bias(self) -> float:
        """What the bag of words begins its sum with."""
        return float(self._bag.bias)

    def word_shares(self, words: tuple[str, ...]) -> tuple[WordShare, ...]:
        """Return the weight of each word that the bag of words knows, in their order."""
        ids, weights = self.vocabulary.ids, self._bag.weight.weight
        return tuple(
            WordShare(word, float(weights[ids[word] + 1])) for word in words if word in ids
        )

    @property
    def _bag(self) -> BagClassifier:
        bag = self.models[BAG]
        assert isinstance(bag, BagClassifier)
        return bag
