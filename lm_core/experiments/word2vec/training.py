"""What the trainings of word vectors share: passes over a text, in batches of a drawn order."""

from abc import ABC, abstractmethod
from collections.abc import Iterator

import torch
from torch import Tensor

from lm_core.errors import TextError
from lm_core.models.embeddings import WordVectors
from lm_core.rng import generator
from lm_core.training.loop import TrainingLoop, TrainStep


class WordVectorTraining(ABC):
    """A training in progress; iterate over it for its steps.

    Parameters
    ----------
    tokens : integer Tensor of shape (N,), the text, in words of the vocabulary
    fewest_words : int, how many words the text must have
    seed : int, start of all randomness

    Raises
    ------
    TextError
        If the text is shorter.

    Iterating raises a DivergenceError if the loss is not a number any more.
    """

    vectors: WordVectors
    """Trained in place."""
    _loop: TrainingLoop

    def __init__(self, tokens: Tensor, *, fewest_words: int, seed: int) -> None:
        if len(tokens) < fewest_words:
            raise TextError(
                f"the text must have at least {fewest_words} words, it has {len(tokens)}"
            )
        self._text = tokens.long()
        self._rng = generator(seed)
        self._batches: list[Tensor] = []  # of this pass, the next one last

    @property
    @abstractmethod
    def share(self) -> float:
        """Share of the training that is done, in [0, 1]."""

    @abstractmethod
    def _begin_pass(self) -> list[Tensor]:
        """Return the batches of a pass over the text."""

    def __iter__(self) -> Iterator[TrainStep]:
        """Yield the remaining steps."""
        while self.share < 1.0:
            yield self._loop.take_step()

    def _next_batch(self) -> Tensor:
        if not self._batches:
            self._batches = self._begin_pass()[::-1]
        return self._batches.pop()

    def _in_drawn_order(self, items: Tensor, batch: int) -> list[Tensor]:
        order = torch.randperm(len(items), generator=self._rng)
        return [*items[order].split(batch)]
