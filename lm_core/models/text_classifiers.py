r"""One number for a text of words: three classifiers that know ever more of the words' order.

* `BagClassifier`, logistic regression on counts, :math:`b + \sum_t w_{x_t}`: one weight a word, no order;
* `WindowClassifier`, a convolution over words, :math:`h_t = \mathrm{relu}(W [x_{t-n}; \ldots; x_{t+n}] + c)`, of which
  each filter's largest answer is kept: order within the window, wherever it lies;
* `LSTMClassifier`, one LSTM from the first word to the last, whose last state is read.

References
----------
Kim 2014, "Convolutional Neural Networks for Sentence Classification". https://arxiv.org/abs/1408.5882
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, cast

import torch
from torch import Tensor, nn
from torch.nn import functional

from lm_core.errors import require_below_1, require_fields_at_least_1
from lm_core.models.recurrent import LSTMCell
from lm_core.models.transformer_blocks import Drop, dropout

PADDING = 0
"""Id behind a text's end; words are counted from 1."""


@dataclass(frozen=True)
class BagClassifierConfig:
    """Size of a `BagClassifier`."""

    vocabulary_size: int
    """Ids of words, `PADDING` included."""

    def __post_init__(self) -> None:
        require_fields_at_least_1(self, "vocabulary_size")


@dataclass(frozen=True)
class WindowClassifierConfig:
    """Sizes of a `WindowClassifier`."""

    vocabulary_size: int
    """Ids of words, `PADDING` included."""
    window: int = 1
    """Words to either side."""
    embedding_size: int = 32
    filters: int = 64
    dropout: float = 0.5
    """In [0, 1). Share of numbers set to zero in word vectors and before the output."""

    def __post_init__(self) -> None:
        require_fields_at_least_1(self, "vocabulary_size window embedding_size filters")
        require_below_1(dropout=self.dropout)


@dataclass(frozen=True)
class LSTMClassifierConfig:
    """Sizes of an `LSTMClassifier`."""

    vocabulary_size: int
    """Ids of words, `PADDING` included."""
    embedding_size: int = 32
    hidden_size: int = 64
    dropout: float = 0.5
    """In [0, 1). Share of numbers set to zero in word vectors and before the output."""

    def __post_init__(self) -> None:
        require_fields_at_least_1(self, "vocabulary_size embedding_size hidden_size")
        require_below_1(dropout=self.dropout)


class TextClassifier(nn.Module, ABC):
    """Returns the log-odds of one of two classes for each text."""

    config: Any

    @property
    def parameter_count(self) -> int:
        """Number of trained numbers."""
        return sum(parameter.numel() for parameter in self.parameters())

    def forward(self, words: Tensor, lengths: Tensor) -> Tensor:
        """Return the log-odds, (B,).

        Parameters
        ----------
        words : int64 Tensor of shape (B, T), `PADDING` behind a text's end
        lengths : int64 Tensor of shape (B,), each in 1..T
        """
        return self.log_odds(words, lengths, None)

    def training_log_odds(self, words: Tensor, lengths: Tensor, *, rng: torch.Generator) -> Tensor:
        """Like `forward`, with the config's dropout drawn from `rng`."""
        rate = getattr(self.config, "dropout", 0.0)
        return self.log_odds(words, lengths, (lambda x: dropout(x, rate, rng)) if rate else None)

    @abstractmethod
    def log_odds(self, words: Tensor, lengths: Tensor, drop: Drop | None) -> Tensor:
        """Return the log-odds; `drop` sets some numbers to zero."""


class BagClassifier(TextClassifier):
    """Adds up a weight for each word."""

    def __init__(self, config: BagClassifierConfig) -> None:
        super().__init__()
        self.config = config
        self.weight = nn.Embedding(config.vocabulary_size, 1, padding_idx=PADDING)
        self.bias = nn.Parameter(torch.zeros(1))

    def initialise(self, rng: torch.Generator) -> None:
        """Begin at zero: the loss has one minimum only, so no start has to be drawn."""
        with torch.no_grad():
            self.weight.weight.zero_()
            self.bias.zero_()

    def log_odds(self, words: Tensor, lengths: Tensor, drop: Drop | None) -> Tensor:
        """Return the bias and the weights of all words, added up in the order of their ids.

        In one order, since the last bit of a sum depends on it.
        """
        summed: Tensor = self.bias + self.weight(words.sort(1).values).sum((1, 2))
        return summed


class _Embedded(TextClassifier):
    """Reads vectors of words and predicts from one vector a text."""

    def __init__(self, config: Any, hidden_size: int) -> None:
        super().__init__()
        self.config = config
        self.embedding = nn.Embedding(
            config.vocabulary_size, config.embedding_size, padding_idx=PADDING
        )
        self.output = nn.Linear(hidden_size, 1)

    def log_odds(self, words: Tensor, lengths: Tensor, drop: Drop | None) -> Tensor:
        """Embed, read, predict."""
        x = self.embedding(words)
        h = self.read(x if drop is None else drop(x), lengths)
        predicted: Tensor = self.output(h if drop is None else drop(h))
        return predicted[:, 0]

    @abstractmethod
    def read(self, x: Tensor, lengths: Tensor) -> Tensor:
        """Turn word vectors (B, T, D) into a vector for each text, (B, H)."""

    @torch.no_grad()
    def initialise(self, rng: torch.Generator) -> None:
        """Draw the starting weights: short word vectors, no class preferred."""
        self.embedding.weight.normal_(0.0, 0.1, generator=rng)
        self.embedding.weight[PADDING] = 0.0
        _draw(self.output, rng)


class WindowClassifier(_Embedded):
    """Looks at a few neighbouring words at a time, and keeps the largest answer of each filter."""

    def __init__(self, config: WindowClassifierConfig) -> None:
        super().__init__(config, config.filters)
        self.filters = nn.Linear((2 * config.window + 1) * config.embedding_size, config.filters)

    def read(self, x: Tensor, lengths: Tensor) -> Tensor:
        """Return each filter's largest answer; beyond a text there are zeros."""
        n = self.config.window
        windows = functional.pad(x, (0, 0, n, n)).unfold(1, 2 * n + 1, 1)  # (B, T, D, 2n + 1)
        answers = self.filters(windows.transpose(-1, -2).flatten(-2)).relu()  # (B, T, filters)
        behind = torch.arange(x.shape[1]) >= lengths[:, None]
        return cast(Tensor, answers.masked_fill(behind[..., None], 0.0).amax(1))

    @torch.no_grad()
    def initialise(self, rng: torch.Generator) -> None:
        """Draw the starting weights."""
        super().initialise(rng)
        _draw(self.filters, rng)


class LSTMClassifier(_Embedded):
    """Reads word by word, and predicts from what it has stored at the end."""

    cell: nn.Module
    """An `LSTMCell`, or while the classifier learns its faster twin."""

    def __init__(self, config: LSTMClassifierConfig) -> None:
        super().__init__(config, config.hidden_size)
        self.cell = LSTMCell(config.embedding_size, config.hidden_size, forget_bias=1.0)

    def read(self, x: Tensor, lengths: Tensor) -> Tensor:
        """Return the hidden state at each text's last word."""
        hidden, _ = self.cell(x)
        return cast(Tensor, hidden[torch.arange(len(x)), lengths - 1])

    @torch.no_grad()
    def initialise(self, rng: torch.Generator) -> None:
        """Draw the starting weights."""
        super().initialise(rng)
        cast(LSTMCell, self.cell).initialise(rng)


def _draw(layer: nn.Linear, rng: torch.Generator) -> None:
    layer.weight.normal_(0.0, layer.in_features**-0.5, generator=rng)
    layer.bias.zero_()
