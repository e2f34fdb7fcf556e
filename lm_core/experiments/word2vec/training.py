"""Learning word vectors from a text, step by step."""

import math
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

import torch
from torch import Tensor

from lm_core.errors import DivergenceError, SettingError, TextError
from lm_core.experiments.word2vec.negative_sampling import (
    BlockGradient,
    cbow,
    skip_gram,
    window_mask,
)
from lm_core.experiments.word2vec.subsampling import NoiseDistribution, keep_probabilities
from lm_core.models.embeddings import WordVectors
from lm_core.rng import generator
from lm_core.text.word_vocabulary import WordVocabulary

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
    thresholds : tuple of float
        Of `keep_probabilities`; 0 reads every word. Of several, each pass over the text takes the next,
        over and over: a pass that keeps frequent words teaches more of likeness, one that leaves them
        out more of topics (the README's table of word vectors).
    block, batch : int
        Words in a block, and blocks that are learned at once; of small vocabularies, fewer.
    drawn : int
        Random words that a block's words share.
    seed : int
        Start of all randomness.
    """

    method: str = "skip-gram"
    width: int = 100
    window: int = 5
    negatives: int = 5
    epochs: int = 5
    learning_rate: float = 0.025
    thresholds: tuple[float, ...] = (1e-4,)
    block: int = 64
    batch: int = 16
    drawn: int = 16
    seed: int = 1

    def __post_init__(self) -> None:
        if self.method not in METHODS:
            raise SettingError(f"method must be one of {sorted(METHODS)}, got {self.method!r}")
        for name in ("width", "window", "negatives", "epochs", "batch", "drawn"):
            if getattr(self, name) < 1:
                raise SettingError(f"{name} must be at least 1, got {getattr(self, name)}")
        if self.block < 2:
            raise SettingError(f"block must be at least 2, got {self.block}")
        if not self.learning_rate > 0.0:
            raise SettingError(f"learning_rate must be positive, got {self.learning_rate}")
        if not self.thresholds or min(self.thresholds) < 0.0:
            raise SettingError(
                f"thresholds must be one or more numbers, none negative, got {self.thresholds}"
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


class EmbeddingTraining:
    """A training of word vectors in progress; iterate over it for its steps.

    Parameters
    ----------
    tokens : integer Tensor of shape (N,)
        The text, in words of the vocabulary.
    vocabulary : WordVocabulary
    config : EmbeddingConfig

    Attributes
    ----------
    vectors : WordVectors
        Trained in place.

    Raises
    ------
    TextError
        If the text is shorter than a block.

    Iterating raises a DivergenceError if the loss is not a number any more.
    """

    def __init__(self, tokens: Tensor, vocabulary: WordVocabulary, config: EmbeddingConfig) -> None:
        if len(tokens) < config.block:
            raise TextError(
                f"the text must have at least {config.block} words, one block, it has {len(tokens)}"
            )
        self.config, self._text = config, tokens.long()
        # Of few words, few at once: steps found at the same place should not be about the same word.
        self._block = min(config.block, max(2 * config.window, len(vocabulary)))
        self._batch = max(1, min(config.batch, len(vocabulary) // self._block))
        self._rng = generator(config.seed)
        counts = torch.tensor(vocabulary.counts)
        self._noise = NoiseDistribution(counts)
        self._keep = [keep_probabilities(counts, t) for t in config.thresholds]
        # The published program's start: small numbers for what is read, zeros for what is asked.
        read = (torch.rand(len(counts), config.width, generator=self._rng) - 0.5) / config.width
        self.vectors = WordVectors.of(vocabulary, read, torch.zeros_like(read))
        self.step, self.seconds = 0, 0.0

    def __iter__(self) -> Iterator[EmbeddingStep]:
        """Yield the steps of all epochs."""
        for epoch in range(self.config.epochs):
            batches = self._batches(self._keep[epoch % len(self._keep)])
            for i, blocks in enumerate(batches):
                begin = time.perf_counter()
                share = (epoch + i / len(batches)) / self.config.epochs
                loss = self._learn(blocks, share)
                self.step += 1
                self.seconds += time.perf_counter() - begin
                done = (epoch + (i + 1) / len(batches)) / self.config.epochs
                yield EmbeddingStep(self.step, loss, done, self.seconds)

    def _batches(self, keep: Tensor) -> list[Tensor]:
        """Return the words of one epoch that are read, in batches of blocks (B, T)."""
        drawn = torch.rand(len(self._text), generator=self._rng, dtype=torch.float64)
        read = self._text[drawn < keep[self._text]]
        if len(read) < self._block:
            read = self._text  # so short a text is read whole
        blocks = read[: len(read) // self._block * self._block].view(-1, self._block)
        order = torch.randperm(len(blocks), generator=self._rng)
        return list(blocks[order].split(self._batch))

    def _learn(self, blocks: Tensor, share: float) -> float:
        config, vectors = self.config, self.vectors
        noise = self._noise.draw(len(blocks), config.drawn, rng=self._rng)
        reach = torch.randint(1, config.window + 1, blocks.shape, generator=self._rng)
        found = METHODS[config.method](
            vectors.read[blocks],
            vectors.asked[blocks],
            vectors.asked[noise],
            window_mask(reach, self._block),
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
            raise DivergenceError(
                f"the loss of step {self.step + 1} is {loss}: try a third of the learning rate"
                f" ({config.learning_rate / 3:.1g})"
            )
        return loss
