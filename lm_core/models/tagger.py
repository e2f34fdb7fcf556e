r"""Taggers: a class for each word of a sentence, from vectors of words that know nothing of each other.

Every tagger makes the same word vectors :math:`x_t`, sums of the vectors of a word's features, and has
the same output. They differ in what a word is told of its neighbours:

* a window of n words to either side, their vectors *averaged*, :math:`h_t = \tanh(W \bar{x} + b)` with
  :math:`\bar{x} = \frac{1}{2n + 1} \sum_{|j| \le n} x_{t+j}`: which of the words is asked about, and in
  which order they came, is lost;
* the same window *concatenated*, :math:`h_t = \tanh(W [x_{t-n}; \ldots; x_{t+n}] + b)`, with rows of W for
  each place;
* two LSTMs, one from either end: :math:`h_t = [\overrightarrow{h}_t; \overleftarrow{h}_t]`;
* blocks of a transformer without a causal mask, with rotary positions.

References
----------
Collobert et al. 2011, "Natural Language Processing (Almost) from Scratch" (the window).
https://arxiv.org/abs/1103.0398
Schuster & Paliwal 1997, "Bidirectional Recurrent Neural Networks".
Huang, Xu & Yu 2015, "Bidirectional LSTM-CRF Models for Sequence Tagging".
https://arxiv.org/abs/1508.01991
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar, cast

import torch
from torch import Tensor, nn
from torch.nn import functional

from lm_core.errors import SettingError, require_at_least_1, require_below_1
from lm_core.models.recurrent import LSTMCell
from lm_core.models.transformer_blocks import Drop, Encoder, dropout, norm
from lm_core.text.symbols import reversed_rows
from lm_core.text.word_features import N_FEATURES, PADDING

AVERAGED, CONCATENATED = "averaged", "concatenated"
COMBINATIONS = (AVERAGED, CONCATENATED)


class Tagger(nn.Module, ABC):
    """Predicts a tag for each word of a sentence.

    Letters: B sentences, T words, F features a word, D numbers a word vector, K tags.

    Parameters
    ----------
    config : dataclass, with ``vocabulary_size``, ``tags``, ``embedding_size`` and ``dropout``
    hidden_size : int, of what a word's tag is predicted from
    """

    def __init__(self, config: Any, hidden_size: int) -> None:
        super().__init__()
        self.config = config
        self.embedding = nn.Embedding(
            config.vocabulary_size, config.embedding_size, padding_idx=PADDING
        )
        self.output = nn.Linear(hidden_size, config.tags)

    @property
    def parameter_count(self) -> int:
        """Number of trained numbers."""
        return sum(parameter.numel() for parameter in self.parameters())

    def forward(self, features: Tensor, lengths: Tensor) -> Tensor:
        """Return the logits of each word's tags, (B, T, K).

        Parameters
        ----------
        features : int64 Tensor of shape (B, T, F)
            Rows of `lm_core.text.word_features`; `PADDING` behind a sentence's end.
        lengths : int64 Tensor of shape (B,), each in 1..T
        """
        return self._logits(features, lengths, None)

    def training_logits(self, features: Tensor, lengths: Tensor, *, rng: torch.Generator) -> Tensor:
        """Like `forward`, with the config's dropout drawn from `rng`."""
        rate = self.config.dropout
        return self._logits(features, lengths, (lambda x: dropout(x, rate, rng)) if rate else None)

    def embed(self, features: Tensor) -> Tensor:
        """Return the word vectors, (B, T, D): the sum of each word's features; zero for padding."""
        return self.embedding(features).sum(-2)

    @abstractmethod
    def contextualise(self, x: Tensor, lengths: Tensor, drop: Drop | None = None) -> Tensor:
        """Turn word vectors (B, T, D) into vectors of words in their sentences, (B, T, H)."""

    def _logits(self, features: Tensor, lengths: Tensor, drop: Drop | None) -> Tensor:
        x = self.embed(features)
        h = self.contextualise(x if drop is None else drop(x), lengths, drop)
        logits: Tensor = self.output(h if drop is None else drop(h))
        return logits

    @torch.no_grad()
    def initialise(self, rng: torch.Generator) -> None:
        """Draw the starting weights: word vectors with entries of about 1, no tag preferred."""
        self.embedding.weight.normal_(0.0, N_FEATURES**-0.5, generator=rng)
        self.embedding.weight[PADDING] = 0.0
        _draw(self.output, rng)


def _draw(layer: nn.Linear, rng: torch.Generator) -> None:
    layer.weight.normal_(0.0, layer.in_features**-0.5, generator=rng)
    layer.bias.zero_()


def _check(config: Any, **sizes: int) -> None:
    require_at_least_1(
        vocabulary_size=config.vocabulary_size,
        tags=config.tags,
        embedding_size=config.embedding_size,
        **sizes,
    )
    require_below_1(dropout=config.dropout)


# Windows --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class WindowTaggerConfig:
    """Sizes of a `WindowTagger`."""

    vocabulary_size: int
    tags: int
    """`vocabulary_size` and `tags`: ids of features, and K."""
    window: int
    """Words to either side, at least 0."""
    combination: str = CONCATENATED
    """``averaged`` or ``concatenated``."""
    embedding_size: int = 16
    hidden_size: int = 128
    """`embedding_size` and `hidden_size`: D and H."""
    dropout: float = 0.0
    """In [0, 1). Share of numbers set to zero in word vectors and before the output."""

    def __post_init__(self) -> None:
        _check(self, hidden_size=self.hidden_size)
        if self.window < 0:
            raise SettingError(f"window must be at least 0, got {self.window}")
        if self.combination not in COMBINATIONS:
            raise SettingError(
                f"combination must be one of {COMBINATIONS}, got {self.combination!r}"
            )


class WindowTagger(Tagger):
    """Looks at a fixed number of words to either side; beyond the sentence there are zeros."""

    def __init__(self, config: WindowTaggerConfig) -> None:
        super().__init__(config, config.hidden_size)
        places = 2 * config.window + 1 if config.combination == CONCATENATED else 1
        self.hidden = nn.Linear(places * config.embedding_size, config.hidden_size)

    def contextualise(self, x: Tensor, lengths: Tensor, drop: Drop | None = None) -> Tensor:
        """Combine each word's window and send it through one layer."""
        n = self.config.window
        windows = functional.pad(x, (0, 0, n, n)).unfold(1, 2 * n + 1, 1)  # (B, T, D, 2n + 1)
        if self.config.combination == AVERAGED:
            together = windows.mean(-1)
        else:
            together = windows.transpose(-1, -2).flatten(-2)  # place by place, (B, T, (2n + 1) D)
        return torch.tanh(self.hidden(together))

    @torch.no_grad()
    def initialise(self, rng: torch.Generator) -> None:
        """Draw the starting weights."""
        super().initialise(rng)
        _draw(self.hidden, rng)


# From either end ------------------------------------------------------------------------------


@dataclass(frozen=True)
class RecurrentTaggerConfig:
    """Sizes of a `RecurrentTagger`."""

    vocabulary_size: int
    tags: int
    """`vocabulary_size` and `tags`: ids of features, and K."""
    embedding_size: int = 16
    """D."""
    hidden_size: int = 96
    """Units of each direction."""
    dropout: float = 0.0
    """In [0, 1). Share of numbers set to zero in word vectors and before the output."""

    def __post_init__(self) -> None:
        _check(self, hidden_size=self.hidden_size)


class RecurrentTagger(Tagger):
    """Two LSTMs read the sentence, one from its beginning and one from its end."""

    forwards: nn.Module
    backwards: nn.Module
    """`forwards` and `backwards`: an `LSTMCell` each, or while the tagger learns its faster
    twin."""

    def __init__(self, config: RecurrentTaggerConfig) -> None:
        super().__init__(config, 2 * config.hidden_size)
        self.forwards = LSTMCell(config.embedding_size, config.hidden_size, forget_bias=1.0)
        self.backwards = LSTMCell(config.embedding_size, config.hidden_size, forget_bias=1.0)

    def contextualise(self, x: Tensor, lengths: Tensor, drop: Drop | None = None) -> Tensor:
        """Read from either end; side by side are the states at the same word."""
        from_start, _ = self.forwards(x)
        from_end, _ = self.backwards(reversed_rows(x, lengths))
        return torch.cat([from_start, reversed_rows(from_end, lengths)], -1)

    @torch.no_grad()
    def initialise(self, rng: torch.Generator) -> None:
        """Draw the starting weights."""
        super().initialise(rng)
        for cell in (self.forwards, self.backwards):
            cast(LSTMCell, cell).initialise(rng)


# Every word with every word -------------------------------------------------------------------


@dataclass(frozen=True)
class TransformerTaggerConfig:
    """Sizes of a `TransformerTagger`."""

    vocabulary_size: int
    tags: int
    """`vocabulary_size` and `tags`: ids of features, and K."""
    embedding_size: int = 16
    """D."""
    width: int = 64
    heads: int = 4
    layers: int = 2
    """`width`, `heads` and `layers`: of the blocks; the width is a multiple of twice the heads."""
    feed_forward: int = 2
    """Units between the two layers of a block's network, in multiples of the width."""
    dropout: float = 0.0
    """In [0, 1). Share of numbers set to zero in word vectors, after each sublayer and before
    the output."""
    norm: ClassVar[str] = "pre"
    residual: ClassVar[bool] = True
    query_key_norm: ClassVar[bool] = False

    def __post_init__(self) -> None:
        _check(
            self,
            width=self.width,
            heads=self.heads,
            layers=self.layers,
            feed_forward=self.feed_forward,
        )
        if self.width % (2 * self.heads):
            raise SettingError(
                f"width must be a multiple of twice the heads, got {self.width} and {self.heads}"
            )


class TransformerTagger(Tagger):
    """Blocks in which each word attends to all words of its sentence."""

    def __init__(self, config: TransformerTaggerConfig) -> None:
        super().__init__(config, config.width)
        self.widened = nn.Linear(config.embedding_size, config.width)
        self.blocks = Encoder(config)
        self.output_norm = nn.LayerNorm(config.width)

    def contextualise(self, x: Tensor, lengths: Tensor, drop: Drop | None = None) -> Tensor:
        """Send the words through the blocks."""
        return norm(self.output_norm, self.blocks(self.widened(x), lengths, drop=drop))

    @torch.no_grad()
    def initialise(self, rng: torch.Generator) -> None:
        """Draw the starting weights."""
        super().initialise(rng)
        _draw(self.widened, rng)
        self.blocks.initialise(rng)
