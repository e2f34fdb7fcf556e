"""A masked language model: an encoder that reads in both directions, and fills in what is covered.

The encoder is that of "Attention Is All You Need": blocks whose tokens attend to all tokens of their text,
those behind included. On top of it is one layer that predicts, at each place, which subword is there.
A text lies between a first symbol, ``[CLS]``, and a separator, ``[SEP]``; ``[MASK]`` covers a token, and
``[PAD]`` fills up shorter texts. These four are read but never predicted.

What BERT has and this model has not: learned positions (here they are rotary, as in the causal model
of the same book), a vector for the first and second sentence, a further layer before the output, and
the guess whether two sentences follow on each other, which RoBERTa found to be of no use.

References
----------
Devlin et al. 2019, "BERT: Pre-training of Deep Bidirectional Transformers for Language
Understanding". https://arxiv.org/abs/1810.04805
Liu et al. 2019, "RoBERTa" (masks drawn anew each time, no pairs of sentences).
https://arxiv.org/abs/1907.11692
"""

from dataclasses import dataclass
from functools import partial
from typing import ClassVar

import torch
from torch import Tensor, nn
from torch.nn import functional

from lm_core.errors import SettingError, ShapeError, require_below_1, require_fields_at_least_1
from lm_core.models.multi_head_attention import linear
from lm_core.models.transformer_blocks import Drop, Encoder, dropout, norm

SPECIAL_SYMBOLS = ("[MASK]", "[CLS]", "[SEP]", "[PAD]")
"""Symbols that no text is encoded to; their ids follow on those of the subwords."""


@dataclass(frozen=True)
class MaskedLanguageModelConfig:
    """Sizes of a `MaskedLanguageModel`."""

    vocabulary_size: int
    """V, subwords that can be predicted; the special symbols have the ids V to V + 3."""
    width: int = 256
    heads: int = 8
    layers: int = 4
    """`width`, `heads` and `layers`: H, heads and blocks; the width is a multiple of twice the
    heads."""
    feed_forward: int = 4
    """Units between the two layers of a block's network, in multiples of H."""
    dropout: float = 0.0
    """In [0, 1). Share of numbers set to zero after the embedding and after each sublayer."""
    query_key_norm: bool = True
    """See `MultiHeadAttention`."""
    longest: int = 128
    """Most tokens of a text, ``[CLS]`` and ``[SEP]`` included."""
    norm: ClassVar[str] = "pre"
    residual: ClassVar[bool] = True

    def __post_init__(self) -> None:
        require_fields_at_least_1(self, "vocabulary_size width heads layers feed_forward longest")
        if self.width % (2 * self.heads):
            raise SettingError(
                f"width must be a multiple of twice the heads, got {self.width} and {self.heads}"
            )
        require_below_1(dropout=self.dropout)

    @property
    def mask_id(self) -> int:
        """Id of ``[MASK]``."""
        return self.vocabulary_size

    @property
    def first_id(self) -> int:
        """Id of ``[CLS]``."""
        return self.vocabulary_size + 1

    @property
    def separator_id(self) -> int:
        """Id of ``[SEP]``."""
        return self.vocabulary_size + 2

    @property
    def padding_id(self) -> int:
        """Id of ``[PAD]``."""
        return self.vocabulary_size + 3


class MaskedLanguageModel(nn.Module):
    """Embedding(V + 4, H) -> blocks without a causal mask -> norm -> Linear(H, V)."""

    def __init__(self, config: MaskedLanguageModelConfig) -> None:
        super().__init__()
        self.config = config
        self.embedding = nn.Embedding(config.vocabulary_size + len(SPECIAL_SYMBOLS), config.width)
        self.blocks = Encoder(config)
        self.output_norm = nn.LayerNorm(config.width)
        self.output = nn.Linear(config.width, config.vocabulary_size)

    @property
    def parameter_count(self) -> int:
        """Number of trained numbers."""
        return sum(parameter.numel() for parameter in self.parameters())

    def forward(self, tokens: Tensor, lengths: Tensor) -> Tensor:
        """Return the logits (B, T, V) of the subword at each place, seen from both sides.

        Parameters
        ----------
        tokens : int64 Tensor of shape (B, T), ``[CLS]``, subwords or ``[MASK]``, ``[SEP]``, then ``[PAD]``
        lengths : int64 Tensor of shape (B,), each in 1..T, tokens that are not padding
        """
        return self.predict(self.hidden_states(tokens, lengths))

    def hidden_states(
        self,
        tokens: Tensor,
        lengths: Tensor,
        *,
        drop: Drop | None = None,
        dtype: torch.dtype | None = None,
    ) -> Tensor:
        """Return a vector for each token in its text, (B, T, H), after the last norm.

        Raises ShapeError if the tokens are no (B, T), or there are more than the longest text may
        have.

        Parameters
        ----------
        tokens, lengths
            As for `forward`.
        drop : callable, dropout after the embedding and after each sublayer
        dtype : torch.dtype, of the blocks' arithmetic; by default that of the weights
        """
        if tokens.dim() != 2 or not 1 <= tokens.shape[1] <= self.config.longest:
            raise ShapeError(
                f"tokens must have shape (B, T), T from 1 to {self.config.longest}, got"
                f" {tuple(tokens.shape)}"
            )
        dtype = dtype or self.embedding.weight.dtype
        x = functional.embedding(tokens, self.embedding.weight.to(dtype))
        x = x if drop is None else drop(x)
        return norm(self.output_norm, self.blocks(x, lengths, drop=drop))

    def training_hidden_states(
        self, tokens: Tensor, lengths: Tensor, *, rng: torch.Generator, dtype: torch.dtype
    ) -> Tensor:
        """Like `hidden_states`, with the config's dropout drawn from `rng` and arithmetic in `dtype`."""
        rate = self.config.dropout
        drop = partial(dropout, rate=rate, rng=rng) if rate else None
        return self.hidden_states(tokens, lengths, drop=drop, dtype=dtype)

    def predict(self, hidden: Tensor) -> Tensor:
        """Return the logits (..., V) of what the encoder has made, (..., H)."""
        return linear(self.output, hidden)

    @torch.no_grad()
    def initialise(self, rng: torch.Generator) -> None:
        """Draw the starting weights: small, so that the first predictions are nearly even."""
        self.embedding.weight.normal_(0.0, 0.02, generator=rng)
        self.blocks.initialise(rng)
        self.output.weight.normal_(0.0, 0.02, generator=rng)
        self.output.bias.zero_()

    @torch.no_grad()
    def start_from(self, causal: nn.Module) -> None:
        """Take over the weights of a causal transformer of the same sizes and subwords.

        The special symbols, which it does not know, begin with the mean of all its input
        embeddings. Raises SettingError if its weights have other names or shapes.
        """
        weights = dict(causal.state_dict())
        known = weights["embedding.weight"]
        special = known.mean(0, keepdim=True).expand(len(SPECIAL_SYMBOLS), -1)
        weights["embedding.weight"] = torch.cat([known, special])
        try:
            self.load_state_dict(weights)
        except RuntimeError as error:
            raise SettingError(f"the causal model must have the same sizes: {error}") from error


def between_symbols(tokens: Tensor, config: MaskedLanguageModelConfig) -> Tensor:
    """Return texts of one length, int64 (B, N), as the model reads them: (B, N + 2).

    Place i of a text is place i + 1 between ``[CLS]`` and ``[SEP]``.
    """
    first = tokens.new_full((len(tokens), 1), config.first_id)
    return torch.cat([first, tokens, torch.full_like(first, config.separator_id)], 1)


@torch.no_grad()
def gap_probabilities(model: MaskedLanguageModel, tokens: Tensor, places: Tensor) -> Tensor:
    """Return what a model expects at some places of texts of one length.

    The result: float32 Tensor of shape (B, P, V), probabilities; rows sum to 1.

    Parameters
    ----------
    model : MaskedLanguageModel, in evaluation mode
    tokens : int64 Tensor of shape (B, N), subwords, and ``config.mask_id`` at every place that is covered
    places : int64 Tensor of shape (B, P), places of each text, from 0 to N - 1, covered or not
    """
    inputs = between_symbols(tokens, model.config)
    lengths = torch.full((len(inputs),), inputs.shape[1])
    hidden = model.hidden_states(inputs, lengths)  # (B, N + 2, H)
    rows = torch.arange(len(inputs))[:, None]
    return model.predict(hidden[rows, places + 1]).softmax(-1)
