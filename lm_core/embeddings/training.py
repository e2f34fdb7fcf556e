"""Learning word vectors from a text, step by step."""

import math
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import torch
from torch import Tensor, nn

from lm_core.embeddings.negative_sampling import BlockGradient, cbow, skip_gram, window_mask
from lm_core.embeddings.sampling import NoiseDistribution, keep_probabilities
from lm_core.errors import SettingError, TextError
from lm_core.rng import generator

METHODS: dict[str, Callable[..., BlockGradient]] = {"skip-gram": skip_gram, "cbow": cbow}
_LOWEST_RATE = 1e-4  # of the highest, at the end


@dataclass(frozen=True)
class EmbeddingConfig:
    """What is learned, and how.

    Attributes
    ----------
    method : str
        One of `METHODS`.
    width : int
        D, numbers a word.
    window : int
        Words to each side, at most: each word's own reach is drawn from 1 to this, so that near
        neighbours count more.
    negatives : int
        K, random words for each true one.
    epochs : int
        Passes over the text.
    learning_rate : float
        At the start; it falls linearly to a ten-thousandth.
    threshold : float
        Of `keep_probabilities`; 0 reads every word.
    block, batch : int
        Words in a block, and blocks that are learned at once.
    seed : int
        Start of all randomness.
    """

    method: str = "skip-gram"
    width: int = 100
    window: int = 5
    negatives: int = 5
    epochs: int = 5
    learning_rate: float = 0.025
    threshold: float = 1e-4
    block: int = 64
    batch: int = 16
    seed: int = 1

    def __post_init__(self) -> None:
        if self.method not in METHODS:
            raise SettingError(f"method must be one of {sorted(METHODS)}, got {self.method!r}")
        for name in ("width", "window", "negatives", "epochs", "batch"):
            if getattr(self, name) < 1:
                raise SettingError(f"{name} must be at least 1, got {getattr(self, name)}")
        if self.block < 2:
            raise SettingError(f"block must be at least 2, got {self.block}")
        if not self.learning_rate > 0.0 or self.threshold < 0.0:
            raise SettingError(
                "learning_rate must be positive and threshold not negative, got"
                f" {self.learning_rate} and {self.threshold}"
            )


class EmbeddingStep(NamedTuple):
    """What one batch of blocks did.

    Attributes
    ----------
    step : int
        From 1.
    loss : float
        Nats a true pair, random words included, before the step was taken.
    share : float in (0, 1]
        Of the whole training that is done.
    seconds : float
        Time spent in steps so far.
    """

    step: int
    loss: float
    share: float
    seconds: float


class WordVectors(nn.Module):
    """Two vectors for each word: one when it is read, one when it is asked for.

    Attributes
    ----------
    read, asked : Parameters of shape (V, D)
    """

    def __init__(self, size: int, width: int) -> None:
        super().__init__()
        self.read = nn.Parameter(torch.zeros(size, width), requires_grad=False)
        self.asked = nn.Parameter(torch.zeros(size, width), requires_grad=False)

    @torch.no_grad()
    def initialise(self, rng: torch.Generator) -> None:
        """Draw the first vectors within half a unit over D, and set the others to zero."""
        self.read.uniform_(-0.5, 0.5, generator=rng).div_(self.read.shape[1])
        self.asked.zero_()


class EmbeddingTraining:
    """A training of word vectors in progress; iterate over it for its steps.

    Parameters
    ----------
    tokens : int64 Tensor of shape (N,)
        The text, in words with a vector.
    counts : Tensor of shape (V,)
        How often each word stands in the text.
    config : EmbeddingConfig

    Attributes
    ----------
    vectors : WordVectors
        Trained in place.

    Raises
    ------
    TextError
        If the text is shorter than one block.
    """

    def __init__(self, tokens: Tensor, counts: Tensor, config: EmbeddingConfig) -> None:
        if len(tokens) < config.block:
            raise TextError(
                f"the text must have at least {config.block} words, one block, it has {len(tokens)}"
            )
        self.config, self._text = config, tokens
        self._rng = generator(config.seed)
        self._noise = NoiseDistribution(counts)
        self._keep = keep_probabilities(counts, config.threshold)
        self.vectors = WordVectors(len(counts), config.width)
        self.vectors.initialise(self._rng)
        self.step, self.seconds = 0, 0.0

    def __iter__(self) -> Iterator[EmbeddingStep]:
        """Yield the steps of all epochs."""
        for epoch in range(self.config.epochs):
            batches = self._batches()
            for i, blocks in enumerate(batches):
                begin = time.perf_counter()
                share = (epoch + i / len(batches)) / self.config.epochs
                loss = self._learn(blocks, share)
                self.step += 1
                self.seconds += time.perf_counter() - begin
                done = (epoch + (i + 1) / len(batches)) / self.config.epochs
                yield EmbeddingStep(self.step, loss, done, self.seconds)

    def _batches(self) -> list[Tensor]:
        """Return the words of one epoch that are read, in batches of blocks (B, T)."""
        drawn = torch.rand(len(self._text), generator=self._rng, dtype=torch.float64)
        read = self._text[drawn < self._keep[self._text]]
        size = self.config.block
        if len(read) < size:
            read = self._text  # so short a text is read whole
        blocks = read[: len(read) // size * size].view(-1, size)
        order = torch.randperm(len(blocks), generator=self._rng)
        return list(blocks[order].split(self.config.batch))

    def _learn(self, blocks: Tensor, share: float) -> float:
        config, vectors = self.config, self.vectors
        noise = self._noise.draw(*blocks.shape, rng=self._rng)
        reach = torch.randint(1, config.window + 1, blocks.shape, generator=self._rng)
        found = METHODS[config.method](
            vectors.read[blocks],
            vectors.asked[blocks],
            vectors.asked[noise],
            window_mask(reach, config.block),
            config.negatives,
        )
        rate = config.learning_rate * max(_LOWEST_RATE, 1.0 - share)
        for table, words, gradient in (
            (vectors.read, blocks, found.read),
            (vectors.asked, blocks, found.asked),
            (vectors.asked, noise, found.noise),
        ):
            table.index_add_(0, words.flatten(), gradient.flatten(0, 1), alpha=-rate)
        loss = found.loss.item() / max(1, found.n_pairs)
        if not math.isfinite(loss):
            raise SettingError(
                f"the loss is {loss} at step {self.step + 1}: try a third of the learning rate"
                f" ({config.learning_rate / 3:.1g})"
            )
        return loss


def train_embeddings(
    tokens: Tensor, counts: Tensor, config: EmbeddingConfig
) -> tuple[WordVectors, dict[str, Any]]:
    """Train to the end; return the vectors and what is known of the training."""
    training, last = EmbeddingTraining(tokens, counts, config), None
    for step in training:
        last = step
    return training.vectors, {"steps": last.step, "seconds": last.seconds, "loss": last.loss}
