"""The scores of the taggers, and the weights of one of each kind in 8-bit rows."""

from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, NamedTuple

import numpy as np
import torch

from lm_core.errors import ResultError
from lm_core.experiments.part_of_speech_tagging.evaluation import Accuracies, Confusion
from lm_core.experiments.part_of_speech_tagging.settings import EXPERIMENT, RECIPES
from lm_core.models.tag_counts import TagCounts
from lm_core.results import Count, Positive, Recorded, StoredArray, StoredTensor, one_of
from lm_core.text.tagged_sentences import TAGS
from lm_core.text.word_features import FeatureVocabulary
from lm_core.training.weight_storage import StoredModel

STORAGE = "int8_rows"
COUNTING = "most-frequent-tag"
"""Under this name the baseline's mistakes are stored."""

_BETWEEN = "\n"


class TaggerScore(NamedTuple):
    """One training on the test texts."""

    name: Annotated[str, one_of(RECIPES)]
    seed: int
    parameters: Positive
    steps: Positive
    words_seen: Positive
    seconds: float  # of the processor, for the training
    validation: Accuracies  # of the weights as they are stored
    test: Accuracies


@dataclass(frozen=True)
class Mistakes:
    """What a tagger makes of the test words."""

    rows: tuple[tuple[Count, ...], ...]  # how often each tag, a row, was given each tag, a column
    confusions: tuple[Confusion, ...]

    @cached_property
    def counts(self) -> np.ndarray:
        """The rows as an array, (K, K)."""
        return np.array(self.rows).reshape(len(TAGS), len(TAGS))


@dataclass(frozen=True)
class StoredTagCounts:
    """The counts of the words that have vectors: those that are not 0, each with its place."""

    unknown: StoredArray  # (K,)
    places: StoredArray  # in the array of words and tags, row after row
    numbers: StoredArray

    @classmethod
    def of(cls, counts: TagCounts, vocabulary: FeatureVocabulary) -> "StoredTagCounts":
        """Return the counts of a vocabulary's words."""
        rows = np.stack([counts.counts[word] for word in vocabulary.words])
        places = np.flatnonzero(rows)
        numbers = (counts.unknown, places, rows.ravel()[places])
        return cls(*(each.astype(np.int32) for each in numbers))

    def read(self, vocabulary: FeatureVocabulary) -> TagCounts:
        """Return them by word."""
        words = vocabulary.words
        rows = np.zeros((len(words), len(TAGS)), np.int64)
        rows.ravel()[self.places] = self.numbers
        return TagCounts(dict(zip(words, rows, strict=True)), self.unknown.astype(np.int64))


@dataclass(frozen=True)
class TaggingResults(Recorded, name=EXPERIMENT):
    """All trainings, and what the page draws from."""

    sizes: dict[str, Count]  # test words in each group of `Accuracies`
    baseline: Accuracies  # of the most frequent tag, on the test texts
    scores: tuple[TaggerScore, ...]
    mistakes: dict[str, Mistakes]
    """By recipe, of the first seed; and of the baseline, as `COUNTING`."""
    models: dict[str, StoredModel]  # taggers by recipe, of the first seed
    spelled_features: StoredTensor  # of the vocabulary, in UTF-8
    stored_counts: StoredTagCounts  # of the words that have vectors of their own

    @staticmethod
    def spelled(vocabulary: FeatureVocabulary) -> torch.Tensor:
        """Return a vocabulary's features as they are stored."""
        return torch.tensor(list(_BETWEEN.join(vocabulary.names).encode()), dtype=torch.uint8)

    @cached_property
    def vocabulary(self) -> FeatureVocabulary:
        """Of the features that have vectors."""
        return FeatureVocabulary(bytes(self.spelled_features.tolist()).decode().split(_BETWEEN))

    @cached_property
    def tag_counts(self) -> TagCounts:
        """Of the words that have vectors."""
        return self.stored_counts.read(self.vocabulary)

    def scores_of(self, name: str) -> tuple[TaggerScore, ...]:
        """Return the scores of a recipe, a seed each; raises ResultError if there is none."""
        found = tuple(score for score in self.scores if score.name == name)
        if not found:
            names = sorted({score.name for score in self.scores})
            raise ResultError(f"the results must have {name!r}, they have {names}")
        return found

    def mean(self, name: str, group: str) -> float:
        """Return a recipe's accuracy on a group of test words, the mean over its seeds."""
        values = [getattr(score.test, group) for score in self.scores_of(name)]
        return sum(values) / len(values)
