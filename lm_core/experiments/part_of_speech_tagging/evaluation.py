"""How often a tagger is right: on all words, on seen, unseen and ambiguous ones; and what it confuses."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from lm_core.models.tag_counts import TagCounts
from lm_core.results import Count, Positive, Share
from lm_core.text.tagged_sentences import TAGS, TaggedSentence
from lm_core.text.word_features import spelled_plainly

_MOST_EXAMPLES = 8  # words named for each confusion


class Accuracies(NamedTuple):
    """Shares of words that have the right tag."""

    every: Share  # of all words, punctuation included
    seen: Share  # of those that the training texts have
    unseen: Share  # ... and have not
    ambiguous: Share  # of those that had several tags there: `TagCounts.is_ambiguous`


class Confusion(NamedTuple):
    """Words that had one tag and were given another."""

    tag: Count
    predicted: Count
    words: tuple[tuple[str, Positive], ...]  # the most frequent of them, and how often each was so


@dataclass(frozen=True)
class HeldOutWords:
    """Words to be tagged, one after another, and to which groups they belong."""

    words: tuple[str, ...]
    tags: np.ndarray
    """Int ndarray of shape (N,)."""
    is_seen: np.ndarray
    is_ambiguous: np.ndarray
    """`is_seen` and `is_ambiguous`: bool, of shape (N,)."""

    @classmethod
    def of(cls, sentences: Sequence[TaggedSentence], training: TagCounts) -> "HeldOutWords":
        """Return the words of sentences, judged by the counts of the training texts."""
        words = tuple(word for sentence in sentences for word in sentence.words)
        return cls(
            words,
            np.concatenate([sentence.tags for sentence in sentences]),
            np.array([training.has(word) for word in words]),
            np.array([training.is_ambiguous(word) for word in words]),
        )

    @property
    def sizes(self) -> dict[str, int]:
        """How many words are in each group of `Accuracies`."""
        n_seen = int(self.is_seen.sum())
        sizes = (len(self.words), n_seen, len(self.words) - n_seen, int(self.is_ambiguous.sum()))
        return dict(zip(Accuracies._fields, sizes, strict=True))

    def accuracies(self, predicted: np.ndarray) -> Accuracies:
        """Return how often the tags predicted, (N,), are right."""
        is_right = predicted == self.tags
        groups = (slice(None), self.is_seen, ~self.is_seen, self.is_ambiguous)
        return Accuracies(*(round(float(is_right[group].mean()), 5) for group in groups))

    def confusion_counts(self, predicted: np.ndarray) -> np.ndarray:
        """Return how often each tag, a row, was given each tag, a column; (K, K)."""
        size = len(TAGS)
        pairs = np.bincount(self.tags * size + predicted, minlength=size * size)
        return pairs.reshape(size, size)

    def confusions(self, predicted: np.ndarray) -> list[Confusion]:
        """Return the words that were confused most often, for each two tags, spelled plainly."""
        found: defaultdict[tuple[int, int], Counter[str]] = defaultdict(Counter)
        for place in np.flatnonzero(predicted != self.tags):
            pair = int(self.tags[place]), int(predicted[place])
            found[pair][spelled_plainly(self.words[place])] += 1
        return [
            Confusion(*pair, tuple(words.most_common(_MOST_EXAMPLES)))
            for pair, words in sorted(found.items())
        ]
