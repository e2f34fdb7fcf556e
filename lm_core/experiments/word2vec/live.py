"""CBOW learned from a short text in seconds, with moments kept to look back at."""

from collections.abc import Iterator
from typing import NamedTuple

import torch
from torch import Tensor

from lm_core.errors import TextError
from lm_core.experiments.word2vec.full_softmax import (
    FullSoftmaxConfig,
    FullSoftmaxTraining,
    mean_of_neighbours,
    neighbours,
    shorten_rows,
)
from lm_core.experiments.word2vec.training import EmbeddingStep
from lm_core.text.word_vocabulary import WordVocabulary, read_words, words_of

MOST_WORDS = 30_000
"""Of a text, so many words are learned from."""

MOST_VECTORS = 800
"""Words that get a vector, the most frequent ones: each step costs as many products."""

FEWEST_WORDS, FEWEST_VECTORS = 100, 10
MOMENTS = 12
"""Kept after the start, at even shares of the training."""


class ShortText(NamedTuple):
    """A text ready to be learned from.

    Attributes
    ----------
    vocabulary : WordVocabulary
    ids : int64 Tensor of shape (N,)
        Its words that have a vector.
    n_words : int
        All words of the text, those beyond `MOST_WORDS` included.
    """

    vocabulary: WordVocabulary
    ids: Tensor
    n_words: int


class Moment(NamedTuple):
    """Both tables as of a share of the training.

    Attributes
    ----------
    share : float in [0, 1]
    step : int
    read, asked : Tensors of shape (V, D)
    """

    share: float
    step: int
    read: Tensor
    asked: Tensor


def short_text(text: str, minimum_count: int) -> ShortText:
    """Read a text in words, and number the most frequent of its first ones.

    Parameters
    ----------
    text : str
    minimum_count : int
        How often a word must stand there to get a vector.

    Raises
    ------
    TextError
        If there is too little to learn from.
    """
    words = words_of(text)
    if len(words) < FEWEST_WORDS:
        raise TextError(
            f"the text must have at least {FEWEST_WORDS} words to learn from, it has {len(words)}:"
            " add more of it"
        )
    vocabulary, ids = read_words([" ".join(words[:MOST_WORDS])], minimum_count)
    if len(vocabulary) < FEWEST_VECTORS:
        raise TextError(
            f"at least {FEWEST_VECTORS} words must stand in the text {minimum_count} times or more,"
            f" {len(vocabulary)} do: use a longer text or a lower minimum count"
        )
    kept = vocabulary.most_frequent(MOST_VECTORS)
    return ShortText(kept, torch.from_numpy(ids[ids < len(kept)]).long(), len(words))


def probabilities(moment: Moment, ids: Tensor, place: int, config: FullSoftmaxConfig) -> Tensor:
    """Return how probable a moment's vectors hold each word to be in the middle of a window: (V,).

    Parameters
    ----------
    moment : Moment
    ids : int64 Tensor of shape (N,)
        The text.
    place : int
        Of the word in the middle, which is not looked at.
    config : FullSoftmaxConfig
        Of the training: its window and longest vector.
    """
    words, inside = neighbours(ids, torch.tensor([place]), config.window)
    read = moment.read.clone()
    if config.max_norm is not None:
        shorten_rows(read, words[inside].unique(), config.max_norm)
    return (mean_of_neighbours(read, words, inside) @ moment.asked.T).softmax(1)[0]


class WatchedTraining:
    """A training that keeps its losses and moments; iterate over it, as long as it is wanted.

    Attributes
    ----------
    text : ShortText
    config : FullSoftmaxConfig
    losses : list of float
        Nats, by step.
    moments : list of Moment
        The start, and one after each twelfth of the training.
    """

    def __init__(self, text: ShortText, config: FullSoftmaxConfig) -> None:
        self.text, self.config = text, config
        self._training = FullSoftmaxTraining(text.ids, text.vocabulary, config)
        self._steps = iter(self._training)
        self.losses: list[float] = []
        self.moments = [self._moment(0.0)]

    @property
    def is_done(self) -> bool:
        """Whether all steps have been taken."""
        return self.moments[-1].share >= 1.0

    @property
    def seconds(self) -> float:
        """Time spent in steps so far."""
        return self._training.seconds

    @property
    def n_steps(self) -> int:
        """Steps of the whole training."""
        return self.config.epochs * -(-len(self.text.ids) // self.config.batch)

    def __iter__(self) -> Iterator[EmbeddingStep]:
        """Yield the steps that are left; who stops in between may go on later."""
        for step in self._steps:
            self.losses.append(step.loss)
            if step.share * MOMENTS >= len(self.moments) - 1e-9:
                self.moments.append(self._moment(step.share))
            yield step

    def _moment(self, share: float) -> Moment:
        vectors = self._training.vectors
        return Moment(
            share,
            self._training.step,
            vectors.read.detach().clone(),
            vectors.asked.detach().clone(),
        )
