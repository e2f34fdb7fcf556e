"""CBOW as it was first described: the word in the middle is chosen among all words.

The mean of the neighbours' vectors is held against every word's other vector, and the cross-entropy
of the softmax is the loss. It is exact, and costs V products for each word of the text.

References
----------
Mikolov et al. 2013, "Efficient Estimation of Word Representations in Vector Space", section 3.1.
https://arxiv.org/abs/1301.3781
"""

import time
from collections.abc import Iterator
from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn import functional as F

from lm_core.errors import DivergenceError, SettingError, TextError
from lm_core.experiments.word2vec.training import EmbeddingStep
from lm_core.models.embeddings import WordVectors
from lm_core.rng import generator
from lm_core.text.word_vocabulary import WordVocabulary


@dataclass(frozen=True)
class FullSoftmaxConfig:
    """What is learned, and how; the defaults are the source's, but for its larger batches.

    Attributes
    ----------
    width : int
        D, numbers a vector.
    window : int
        Words to each side, all of them neighbours.
    max_norm : float or None
        Longest that a neighbour's vector may be; None for any length.
    epochs : int
        Passes over the text.
    learning_rate : float
        Adam's at the start; it falls linearly to 0.
    batch : int
        Words in the middle that are learned at once.
    seed : int
        Start of all randomness.
    """

    width: int = 300
    window: int = 4
    max_norm: float | None = 1.0
    epochs: int = 7
    learning_rate: float = 0.1
    batch: int = 1_024
    seed: int = 1

    def __post_init__(self) -> None:
        for name in ("width", "window", "epochs", "batch"):
            if getattr(self, name) < 1:
                raise SettingError(f"{name} must be at least 1, got {getattr(self, name)}")
        if not self.learning_rate > 0.0:
            raise SettingError(f"learning_rate must be positive, got {self.learning_rate}")
        if self.max_norm is not None and not self.max_norm > 0.0:
            raise SettingError(f"max_norm must be positive or None, got {self.max_norm}")


def neighbours(tokens: Tensor, middles: Tensor, window: int) -> tuple[Tensor, Tensor]:
    """Return the words around some places of a text, and which of them there are.

    Parameters
    ----------
    tokens : int64 Tensor of shape (N,)
    middles : int64 Tensor of shape (B,)
        Places in the text.
    window : int
        w, words to each side.

    Returns
    -------
    int64 Tensor, bool Tensor, both of shape (B, 2 w)
        Words from left to right; False where the text has begun or ended, with word 0 in its place.
    """
    steps = torch.cat([torch.arange(-window, 0), torch.arange(1, window + 1)])
    places = middles[:, None] + steps
    inside = (places >= 0) & (places < len(tokens))
    return tokens[places.clamp(0, len(tokens) - 1)] * inside, inside


def mean_of_neighbours(read: Tensor, words: Tensor, inside: Tensor) -> Tensor:
    """Return the mean vector (B, D) of the neighbours (B, 2 w) that there are."""
    vectors = F.embedding(words, read) * inside.unsqueeze(-1)
    return vectors.sum(1) / inside.sum(1, keepdim=True).clamp_min(1)


class FullSoftmaxTraining:
    """A training in progress; iterate over it for its steps.

    Parameters
    ----------
    tokens : integer Tensor of shape (N,)
        The text, in words of the vocabulary.
    vocabulary : WordVocabulary
    config : FullSoftmaxConfig

    Attributes
    ----------
    vectors : WordVectors
        Trained in place.

    Raises
    ------
    TextError
        If the text has fewer than two words.

    Iterating raises a DivergenceError if the loss is not a number any more.
    """

    def __init__(
        self, tokens: Tensor, vocabulary: WordVocabulary, config: FullSoftmaxConfig
    ) -> None:
        if len(tokens) < 2:
            raise TextError(f"the text must have at least 2 words, it has {len(tokens)}")
        self.config, self._text = config, tokens.long()
        self._rng = generator(config.seed)
        # The source's start: that of torch.nn.Embedding, and of torch.nn.Linear without bias.
        shape, bound = (len(vocabulary), config.width), config.width**-0.5
        read = torch.randn(shape, generator=self._rng)
        asked = torch.empty(shape).uniform_(-bound, bound, generator=self._rng)
        self.vectors = WordVectors.of(vocabulary, read, asked)
        self.step, self.seconds = 0, 0.0

    def __iter__(self) -> Iterator[EmbeddingStep]:
        """Yield the steps of all epochs."""
        config = self.config
        # The same memory, but with gradients.
        tables = [t.detach().requires_grad_() for t in (self.vectors.read, self.vectors.asked)]
        optimizer = torch.optim.Adam(tables, lr=config.learning_rate)
        n_batches = -(-len(self._text) // config.batch)
        n_steps = config.epochs * n_batches
        while self.step < n_steps:
            order = torch.randperm(len(self._text), generator=self._rng)
            for middles in order.split(config.batch):
                begin = time.perf_counter()
                optimizer.param_groups[0]["lr"] = config.learning_rate * (1 - self.step / n_steps)
                loss = self._learn(middles, tables, optimizer)
                self.step += 1
                self.seconds += time.perf_counter() - begin
                yield EmbeddingStep(self.step, loss, self.step / n_steps, self.seconds)

    def _learn(
        self, middles: Tensor, tables: list[Tensor], optimizer: torch.optim.Optimizer
    ) -> float:
        read, asked = tables
        words, inside = neighbours(self._text, middles, self.config.window)
        if self.config.max_norm is not None:
            shorten_rows(read, words[inside].unique(), self.config.max_norm)
        logits = mean_of_neighbours(read, words, inside) @ asked.T  # (B, V)
        loss = F.cross_entropy(logits, self._text[middles])
        if not loss.isfinite():
            raise DivergenceError(
                f"the loss of step {self.step + 1} is {loss.item()}: try a third of the learning"
                f" rate ({self.config.learning_rate / 3:.1g})"
            )
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        return loss.item()


@torch.no_grad()
def shorten_rows(table: Tensor, rows: Tensor, longest: float) -> None:
    """Bring those of some rows of a table (V, D) that are longer to a length, in place.

    As `torch.nn.Embedding` does with its ``max_norm``: before a vector is used, not after each step.
    """
    chosen = table[rows]
    length = chosen.norm(dim=1, keepdim=True)
    table[rows] = torch.where(length > longest, chosen * (longest / (length + 1e-7)), chosen)
