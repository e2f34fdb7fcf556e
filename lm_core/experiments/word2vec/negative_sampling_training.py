"""Word vectors trained with negative sampling, by skip-gram or CBOW."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import torch
from torch import Tensor
from torch.nn import functional as F

from lm_core.errors import SettingError, require_fields_at_least_1, require_positive
from lm_core.experiments.word2vec.negative_sampling import (
    NoiseDistribution,
    PairLoss,
    cbow_loss,
    keep_probabilities,
    skip_gram_loss,
    window_mask,
)
from lm_core.experiments.word2vec.training import WordVectorTraining
from lm_core.models.embeddings import WordVectors
from lm_core.text.word_vocabulary import WordVocabulary
from lm_core.training.loop import TrainingLoop

METHODS: dict[str, Callable[..., PairLoss]] = {"skip-gram": skip_gram_loss, "cbow": cbow_loss}
_LOWEST_RATE = 1e-4  # of the highest, at the end


@dataclass(frozen=True)
class NegativeSamplingConfig:
    """What is learned, and how."""

    method: str = "skip-gram"
    """One of `METHODS`."""
    width: int = 100
    """D, numbers a word."""
    window: int = 5
    """Context words to each side, at most: each word's own window is drawn from 1 to this, so
    that near words count more."""
    negatives: int = 5
    """K, random words for each true one."""
    epochs: int = 5
    """Passes over the text."""
    learning_rate: float = 0.025
    """At the start; it falls linearly to a ten-thousandth."""
    thresholds: tuple[float, ...] = (1e-4,)
    """Of `keep_probabilities`; 0 keeps every word. Of several, each pass over the text takes the
    next, over and over: a pass that keeps frequent words teaches more of likeness, one that
    leaves them out more of topics (the README's table of word vectors)."""
    block: int = 64
    batch: int = 16
    """`block` and `batch`: words in a block, and blocks that are learned at once; of small
    vocabularies, fewer."""
    drawn: int = 16
    """Random words that a block's words share."""
    seed: int = 1
    """Start of all randomness."""

    def __post_init__(self) -> None:
        if self.method not in METHODS:
            raise SettingError(f"method must be one of {sorted(METHODS)}, got {self.method!r}")
        require_fields_at_least_1(self, "width window negatives epochs batch drawn")
        require_positive(learning_rate=self.learning_rate)
        if self.block < 2:
            raise SettingError(f"block must be at least 2, got {self.block}")
        if not self.thresholds or min(self.thresholds) < 0.0:
            raise SettingError(
                f"thresholds must be one or more numbers, none negative, got {self.thresholds}"
            )


class RowGradient(NamedTuple):
    """The gradient of some rows of a table (V, D): indices of shape (R,), values of shape (R, D)."""

    table: Tensor
    rows: Tensor
    values: Tensor

    @classmethod
    def of(cls, table: Tensor, rows: Tensor, values: Tensor) -> "RowGradient":
        """Return it for rows and values of any leading shape; a row may be there more than once."""
        return cls(table, rows.reshape(-1), values.reshape(-1, table.shape[1]))


class RowDescent:
    """Gradient descent on those rows of tables that a batch has touched: an optimizer for the loop.

    A row's gradients are added one after the other, where torch's sparse SGD sorts them first, which takes
    up to a sixth of the training's time. They are added number by number, which is faster than
    `index_add_`, row by row.

    `gradients`: tuple of RowGradient, of the batch.
    """

    def __init__(self) -> None:
        self.param_groups: list[dict[str, Any]] = [{"lr": 0.0}]
        self.gradients: tuple[RowGradient, ...] = ()

    def zero_grad(self) -> None:
        """Do nothing: each batch replaces the gradients."""

    def norm(self) -> Tensor:
        """Return the norm of the gradients before those of a row are added up."""
        parts = [values.flatten() for _, _, values in self.gradients]
        return torch.stack([torch.dot(part, part) for part in parts]).sum().sqrt()

    @torch.no_grad()
    def step(self) -> None:
        """Take a step against the gradients."""
        rate = self.param_groups[0]["lr"]
        for table, rows, values in self.gradients:
            table.scatter_add_(0, rows[:, None].expand_as(values), values.mul_(-rate))

    def state_dict(self) -> dict[str, Any]:
        """Return nothing: no past gradients are remembered."""
        return {}

    def load_state_dict(self, saved: dict[str, Any]) -> None:
        """Do nothing."""


class NegativeSamplingTraining(WordVectorTraining):
    """A training with negative sampling in progress; its steps' losses are nats a true pair.

    `tokens`: integer Tensor of shape (N,), the text, in words of the vocabulary; at least one block of them.
    """

    def __init__(
        self, tokens: Tensor, vocabulary: WordVocabulary, config: NegativeSamplingConfig
    ) -> None:
        super().__init__(tokens, fewest_words=config.block, seed=config.seed)
        self.config = config
        # Of few words, few at once: steps found at the same place should not be about the same word.
        self._block = min(config.block, max(2 * config.window, len(vocabulary)))
        self._batch = max(1, min(config.batch, len(vocabulary) // self._block))
        # The rows of all masks there can be: (window T, T), those of windows of one word first.
        radii = torch.arange(1, config.window + 1)[:, None].expand(-1, self._block)
        self._mask_rows = window_mask(radii, self._block).flatten(0, 1)
        self._row_at = torch.arange(self._block) - self._block
        counts = torch.tensor(vocabulary.counts)
        self._noise = NoiseDistribution(counts)
        self._keep = [keep_probabilities(counts, t) for t in config.thresholds]
        # The published program's start: small input embeddings, and zeros for the output.
        input = (torch.rand(len(counts), config.width, generator=self._rng) - 0.5) / config.width
        self.vectors = WordVectors.of(vocabulary, input, torch.zeros_like(input)).requires_grad_()
        self._passes = 0  # begun so far
        self._n_batches = 1
        self._n_pairs = torch.tensor(0.0)
        self._descent = RowDescent()
        self._loop = TrainingLoop(
            self.vectors.parameters(),
            self._next_loss,
            self._descent,
            steps=0,  # grows with each pass: how many words it keeps is drawn when it begins
            learning_rate=lambda _: config.learning_rate * max(_LOWEST_RATE, 1.0 - self.share),
            backward=lambda _: None,  # the gradients come with the loss
            clip=lambda _: self._descent.norm(),
            reported=lambda loss: loss.item() / max(1.0, self._n_pairs.item()),
        )

    @property
    def share(self) -> float:
        """Share of the training that is done, in [0, 1]."""
        return (self._passes - len(self._batches) / self._n_batches) / self.config.epochs

    @property
    def steps(self) -> int:
        """Steps of the whole training, if its passes keep every word."""
        return self.config.epochs * -(-(len(self._text) // self._block) // self._batch)

    def _begin_pass(self) -> list[Tensor]:
        """Draw the words of a pass over the text, in batches of blocks (B, T)."""
        keep = self._keep[self._passes % len(self._keep)]
        drawn = torch.rand(len(self._text), generator=self._rng, dtype=torch.float64)
        kept = self._text[drawn < keep[self._text]]
        if len(kept) < self._block:
            kept = self._text  # so short a text is taken whole
        blocks = kept[: len(kept) // self._block * self._block].view(-1, self._block)
        batches = self._in_drawn_order(blocks, self._batch)
        self._n_batches = len(batches)
        self._passes += 1
        self._loop.steps += self._n_batches
        return batches

    @torch.no_grad()
    def _next_loss(self) -> Tensor:
        config, vectors = self.config, self.vectors
        blocks = self._next_batch()
        noise = self._noise.draw(len(blocks), config.drawn, rng=self._rng)
        radius = torch.randint(1, config.window + 1, blocks.shape, generator=self._rng)
        words = torch.cat([blocks, noise], 1)
        loss = METHODS[config.method](
            F.embedding(blocks, vectors.input),
            *F.embedding(words, vectors.output).split([self._block, config.drawn], 1),
            F.embedding(radius * self._block + self._row_at, self._mask_rows),
            config.negatives,
        )
        self._n_pairs = loss.n_pairs
        self._descent.gradients = (
            RowGradient.of(vectors.input, blocks, loss.by_input),
            RowGradient.of(vectors.output, blocks, loss.by_output),
            RowGradient.of(vectors.output, noise, loss.by_noise),
        )
        return loss.total
