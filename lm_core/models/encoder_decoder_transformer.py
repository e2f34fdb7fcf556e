"""The transformer as it was published: an encoder, and a decoder that attends to what it has read.

A block of the encoder lets the input's tokens attend to each other, in both directions. A block of
the decoder lets a token of the translation attend to those before it (causal mask), then to the
input (cross-attention), and then works on it alone. What the published network has, is here, but
for the norm, which comes before each sublayer: that trains without a warm-up of thousands of steps.

References
----------
Vaswani et al. 2017, "Attention Is All You Need". https://arxiv.org/abs/1706.03762
Xiong et al. 2020, "On Layer Normalization in the Transformer Architecture" (norm before).
https://arxiv.org/abs/2002.04745
Press & Wolf 2017, "Using the Output Embedding to Improve Language Models" (one matrix for
embeddings and output). https://arxiv.org/abs/1608.05859
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, cast

import torch
from torch import Tensor, nn
from torch.nn import functional

from lm_core.errors import SettingError, ShapeError, require_below_1, require_fields_at_least_1
from lm_core.models.attention import AttentionTrace, causal_mask, padding_mask
from lm_core.models.encoder_decoder_model import DecoderOutput, EncoderDecoder
from lm_core.models.language_model import State
from lm_core.models.multi_head_attention import (
    AttentionFunction,
    AttentionMask,
    KeysValues,
    MultiHeadAttention,
    fastest_attention,
    recording,
)
from lm_core.models.positional_encoding.absolute import sinusoidal_positions
from lm_core.models.transformer_blocks import Block, Drop, Encoder, norm


@dataclass(frozen=True)
class EncoderDecoderTransformerConfig:
    """Sizes of an `EncoderDecoderTransformer`."""

    vocabulary_size: int
    """V, of source and target together."""
    width: int = 256
    heads: int = 4
    layers: int = 3
    """`width`, `heads` and `layers`: D, H and the blocks of the encoder, and of the decoder; D
    is even and a multiple of H."""
    feed_forward: int = 2
    """Units between the two layers of a block's network, in multiples of D."""
    dropout: float = 0.0
    """In [0, 1). Share of units set to zero after the embedding and after each sublayer."""
    query_key_norm: bool = False
    """See `MultiHeadAttention`."""
    longest: int = 256
    """Most tokens of a sentence."""
    norm: ClassVar[str] = "pre"
    residual: ClassVar[bool] = True

    def __post_init__(self) -> None:
        require_fields_at_least_1(self, "vocabulary_size width heads layers feed_forward longest")
        if self.width % self.heads or self.width % 2:
            raise SettingError(
                f"width must be even and a multiple of heads, got {self.width} and {self.heads}"
            )
        require_below_1(dropout=self.dropout)


class DecoderBlock(Block):
    """A `Block` that attends to the input sentence between its attention and its network."""

    def __init__(self, config: EncoderDecoderTransformerConfig) -> None:
        super().__init__(config)
        self.cross_norm = nn.LayerNorm(config.width)
        self.cross_attention = MultiHeadAttention(
            config.width, config.heads, query_key_norm=config.query_key_norm
        )

    def decode(
        self,
        x: Tensor,
        mask: AttentionMask,
        past: KeysValues,
        source: KeysValues,
        source_mask: AttentionMask,
        *,
        cross_attention: AttentionFunction = fastest_attention,
        drop: Drop | None = None,
    ) -> tuple[Tensor, KeysValues]:
        """Read T tokens x (B, T, D) that follow on the past; return them and the new past.

        Parameters
        ----------
        x : Tensor of shape (B, T, D)
        mask : AttentionMask, of T queries and M + T keys
        past : pair of Tensor of shape (B, M, D), keys and values of the tokens before
        source : pair of Tensor of shape (B, S, D)
            Keys and values of the input sentence, from ``cross_attention.keys_values``.
        source_mask : AttentionMask, of T queries and S keys
        drop : callable, dropout after each sublayer
        """
        y, past = self.attention(self._sublayer_input(x, self.attention_norm), mask, past)
        x = self._add(x, y if drop is None else drop(y), self.attention_norm)
        y = self.cross_attention.cross(
            self._sublayer_input(x, self.cross_norm), source, source_mask, attention=cross_attention
        )
        x = self._add(x, y if drop is None else drop(y), self.cross_norm)
        return self.feed_forward(x, drop), past

    @torch.no_grad()
    def initialise(self, rng: torch.Generator) -> None:
        """Draw the weights as `Block` does."""
        super().initialise(rng)
        self.cross_attention.initialise(rng)
        self.cross_attention.output.weight *= (2.0 * self.config.layers) ** -0.5


class EncoderDecoderTransformer(EncoderDecoder):
    """Blocks that read the input sentence, blocks that write its translation.

    The state is: the input's lengths (B,); for each layer keys and values of the translation so far,
    (B, M, D) each; then for each layer keys and values of the input, (B, S, D) each.
    """

    def __init__(self, config: EncoderDecoderTransformerConfig) -> None:
        super().__init__()
        self.config = config
        self.cross_attention_shape = (config.layers, config.heads)
        self.embedding = nn.Embedding(config.vocabulary_size, config.width)
        positions = sinusoidal_positions(config.longest, config.width)
        self.register_buffer("positions", positions, persistent=False)
        self.encoder = Encoder(config)
        self.encoder_norm = nn.LayerNorm(config.width)
        self.decoder = nn.ModuleList(DecoderBlock(config) for _ in range(config.layers))
        self.output_norm = nn.LayerNorm(config.width)

    def encode(self, source: Tensor, lengths: Tensor, *, drop: Drop | None = None) -> State:
        """Read sentences; see `EncoderDecoder.encode`."""
        lengths = lengths.to(source.device)
        x = self._embed(source, 0, drop)
        memory = norm(self.encoder_norm, self.encoder(x, lengths, is_rotary=False, drop=drop))
        nothing = memory[:, :0]
        of_source = [t for block in self._blocks for t in block.cross_attention.keys_values(memory)]
        return (lengths, *([nothing] * 2 * self.config.layers), *of_source)

    def decode(
        self,
        tokens: Tensor,
        state: State,
        *,
        trace: bool = False,
        kept_heads: Tensor | None = None,
        drop: Drop | None = None,
    ) -> DecoderOutput:
        """Read tokens of the translation; see `EncoderDecoder.decode`."""
        lengths, caches = state[0], state[1:]
        n_past, n_layers = caches[0].shape[1], self.config.layers
        past, source = _pairs(caches[: 2 * n_layers]), _pairs(caches[2 * n_layers :])
        x = self._embed(tokens, n_past, drop)
        n_new, device = tokens.shape[1], tokens.device
        mask = AttentionMask(causal_mask(n_new, n_past + n_new, device=device), x.dtype)
        n_source = source[0][0].shape[1]
        source_mask = AttentionMask(padding_mask(lengths, n_source)[:, None], x.dtype)
        traces: list[AttentionTrace] = []
        attention = recording(traces) if trace else fastest_attention
        new_past: list[Tensor] = []
        for layer, block in enumerate(self._blocks):
            cross = attention if kept_heads is None else _keeping(attention, kept_heads[layer])
            x, keys_values = block.decode(
                x, mask, past[layer], source[layer], source_mask, cross_attention=cross, drop=drop
            )
            new_past += keys_values
        logits = functional.linear(norm(self.output_norm, x), self.embedding.weight)
        weights = torch.stack([t.weights for t in traces], 1) if trace else None
        return DecoderOutput(logits, (lengths, *new_past, *caches[2 * n_layers :]), weights)

    @property
    def _blocks(self) -> list[DecoderBlock]:
        return [cast(DecoderBlock, block) for block in self.decoder]

    def _embed(self, tokens: Tensor, n_past: int, drop: Drop | None) -> Tensor:
        """Return the vectors (B, T, D) of tokens that follow on `n_past` ones."""
        end = n_past + tokens.shape[1]
        if end > self.config.longest:
            raise ShapeError(
                f"a sentence may have at most {self.config.longest} tokens, got {end}: shorten it"
            )
        codes = cast(Tensor, self.positions)[n_past:end]
        x = self.embedding(tokens) * self.config.width**0.5 + codes
        return x if drop is None else drop(x)

    @torch.no_grad()
    def initialise(self, rng: torch.Generator) -> None:
        """Draw the starting weights; as the output layer, embeddings give logits of about 1."""
        self.embedding.weight.normal_(0.0, self.config.width**-0.5, generator=rng)
        self.encoder.initialise(rng)
        for block in self._blocks:
            block.initialise(rng)


def _pairs(tensors: Sequence[Tensor]) -> list[KeysValues]:
    return list(zip(tensors[::2], tensors[1::2], strict=True))


def _keeping(attention: AttentionFunction, kept: Tensor) -> AttentionFunction:
    """Return an attention function whose heads' outputs are multiplied by `kept`, (H,)."""

    def scaled(queries: Tensor, keys: Tensor, values: Tensor, mask: AttentionMask) -> Tensor:
        return attention(queries, keys, values, mask) * kept[:, None, None]

    return scaled
