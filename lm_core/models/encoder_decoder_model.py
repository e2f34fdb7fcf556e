"""The contract of models that read one sentence and write another, token by token.

`encode` reads the input sentence once; what the decoder needs of it, and what it remembers of its own
tokens, is one state, passed in and out as a language model's is. Greedy decoding, beam search,
training and tracing serve every family.
"""

from abc import ABC, abstractmethod
from typing import Any, NamedTuple

import torch
from torch import Tensor, nn

from lm_core.models.language_model import State
from lm_core.models.transformer_blocks import Drop, dropout


class DecoderOutput(NamedTuple):
    """What the decoder has made of T tokens."""

    logits: Tensor
    """Of shape (B, T, V). Row t is the prediction of the token that follows the t-th."""
    state: State
    """After all T tokens."""
    weights: Tensor | None = None
    """Of shape (B, layers, heads, T, S), or None. Cross-attention: how much each token took from
    each token of the input. None where it was not asked for, or the model has none."""


class SampledOutput(NamedTuple):
    """What the decoder has made of T tokens, some of them its own: scheduled sampling."""

    logits: Tensor
    """Of shape (B, T, V)."""
    read: Tensor
    """int64, of shape (B, T). The tokens that it read."""


class EncoderDecoder(nn.Module, ABC):
    """Reads a source sentence and predicts the tokens of its translation.

    Subclasses are built from one frozen config, kept as `config`, with ``vocabulary_size`` and
    ``dropout``. Source and target share one vocabulary, and its embedding is the output layer, too.
    """

    config: Any
    cross_attention_shape: tuple[int, int]
    """Layers and heads of the cross-attention; (0, 0) without one."""

    @property
    def vocabulary_size(self) -> int:
        """Number of different tokens, V."""
        size: int = self.config.vocabulary_size
        return size

    @property
    def parameter_count(self) -> int:
        """Number of trained numbers."""
        return sum(parameter.numel() for parameter in self.parameters())

    @abstractmethod
    def encode(self, source: Tensor, lengths: Tensor, *, drop: Drop | None = None) -> State:
        """Read sentences and return the state of decoders that have written nothing yet.

        Parameters
        ----------
        source : int64 Tensor of shape (B, S)
        lengths : int64 Tensor of shape (B,), each in 1..S, the tokens behind are padding; they change nothing
        drop : callable, dropout
        """

    @abstractmethod
    def decode(
        self,
        tokens: Tensor,
        state: State,
        *,
        trace: bool = False,
        kept_heads: Tensor | None = None,
        drop: Drop | None = None,
    ) -> DecoderOutput:
        """Read tokens of the translation and predict, after each, the next one.

        Parameters
        ----------
        tokens : int64 Tensor of shape (B, T)
        state : State, the one given is left unchanged
        trace : bool, whether the cross-attention's weights are returned
        kept_heads : Tensor of shape (layers, heads), optional
            What each head of the cross-attention hands on is multiplied with: 0 ablates it.
        drop : callable, dropout
        """

    @abstractmethod
    def initialise(self, rng: torch.Generator) -> None:
        """Draw the starting weights from `rng`."""

    def forward(self, source: Tensor, lengths: Tensor, target: Tensor) -> Tensor:
        """Return the logits (B, T, V) of translations whose tokens so far are given, (B, T)."""
        return self.decode(target, self.encode(source, lengths)).logits

    def training_logits(
        self,
        source: Tensor,
        lengths: Tensor,
        target: Tensor,
        *,
        rng: torch.Generator,
        sampled: float = 0.0,
    ) -> Tensor:
        """Like `forward`, with the config's dropout drawn from `rng`.

        Parameters
        ----------
        sampled : float in [0, 1]
            Share of the target's tokens, the first aside, that the decoder's own predictions take the
            place of. 0 is teacher forcing; above it is scheduled sampling (Bengio et al. 2015,
            https://arxiv.org/abs/1506.03099).
        """
        rate = self.config.dropout

        def drop(x: Tensor) -> Tensor:
            return dropout(x, rate, rng) if rate else x

        state = self.encode(source, lengths, drop=drop)
        if not sampled:
            return self.decode(target, state, drop=drop).logits
        return self.follow_own_tokens(target, state, sampled, rng, drop=drop).logits

    def follow_own_tokens(
        self,
        target: Tensor,
        state: State,
        share: float,
        rng: torch.Generator,
        *,
        drop: Drop | None = None,
    ) -> SampledOutput:
        """Decode where some of the tokens that are read are those that the decoder expected.

        Parameters
        ----------
        target : int64 Tensor of shape (B, T), the right tokens
        state : State, of decoders that have written nothing yet
        share : float in [0, 1], of the tokens, the first aside
        rng : torch.Generator, draws which: those of a smaller share are among those of a larger one
        drop : callable, dropout
        """
        last, read, logits = target[:, :1], [], []
        for following in [*target[:, 1:].split(1, 1), None]:
            output = self.decode(last, state, drop=drop)
            state = output.state
            read.append(last)
            logits.append(output.logits)
            if following is not None:
                is_own = torch.rand(following.shape, generator=rng, device=following.device) < share
                last = torch.where(is_own, output.logits.argmax(-1), following)
        return SampledOutput(torch.cat(logits, 1), torch.cat(read, 1))
