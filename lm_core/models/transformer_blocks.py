"""One block of a transformer: tokens attend to each other, then a small network works on each.

References
----------
Vaswani et al. 2017, "Attention Is All You Need" (norm after each sublayer).
https://arxiv.org/abs/1706.03762
Radford et al. 2019, "Language Models are Unsupervised Multitask Learners" (norm before, GELU).
Zhang & Sennrich 2019, "Root Mean Square Layer Normalization". https://arxiv.org/abs/1910.07467
Shazeer 2020, "GLU Variants Improve Transformer" (SwiGLU). https://arxiv.org/abs/2002.05202
"""

from collections.abc import Callable
from typing import Any, NamedTuple, Protocol, cast

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from lm_core.models import multi_head_attention
from lm_core.models.attention import padding_mask
from lm_core.models.multi_head_attention import linear
from lm_core.models.positional_encoding.relative import rotary_tables

Drop = Callable[[Tensor], Tensor]

_FORMER_NAMES = {"projections": "attention.projections", "mixed": "attention.output"}


class BlockConfig(Protocol):
    """What a block is told: see `lm_core.models.transformer_config`."""

    @property
    def width(self) -> int:
        """Numbers of a token's vector, D."""

    @property
    def heads(self) -> int:
        """Heads of the attention."""

    @property
    def layers(self) -> int:
        """Blocks in a row."""

    @property
    def feed_forward(self) -> int | float:
        """Units of the network, in multiples of D."""

    @property
    def norm(self) -> str:
        """Where the layer norms are."""

    @property
    def residual(self) -> bool:
        """Whether a sublayer's output is added to its input."""

    @property
    def query_key_norm(self) -> bool:
        """Whether queries and keys are normalised."""


class BlockOutput(NamedTuple):
    """The residual stream after each sublayer, (B, T, D), and keys and values for the cache."""

    after_attention: Tensor
    after_feed_forward: Tensor
    keys_values: multi_head_attention.KeysValues


class RMSNorm(nn.Module):
    """``x / sqrt(mean(x^2) + eps) * gain``: no mean is taken away, and nothing is added."""

    def __init__(self, width: int, eps: float = 1e-6) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.ones(width))
        self.eps = eps

    def forward(self, x: Tensor) -> Tensor:
        """Bring the vectors of x (..., D) to one length, times a gain for each of the D places."""
        # Squares are summed in float32: in bfloat16 the sum of many would keep two digits.
        mean_square = x.float().square().mean(-1, keepdim=True)
        return x * torch.rsqrt(mean_square + self.eps).to(x.dtype) * self.weight.to(x.dtype)


Norm = nn.LayerNorm | RMSNorm


def new_norm(normalisation: str, width: int) -> Norm:
    """Return a norm of one of `NORMALISATIONS` for vectors of this width."""
    return RMSNorm(width) if normalisation == "rms_norm" else nn.LayerNorm(width)


def hidden_units(config: BlockConfig, activation: str) -> int:
    """Return how many units a block's network has, U: with SwiGLU, whose matrices are three, two thirds."""
    units = config.feed_forward * config.width
    return round(2 * units / 3 if activation == "swiglu" else units)


class Block(nn.Module):
    """Attention and a two-layer network, each with its norm and its residual path, as configured.

    Parameters
    ----------
    activation : str, of `lm_core.models.transformer_config.ACTIVATIONS`
    bias : bool, whether the linear layers add one
    normalisation : str, of `lm_core.models.transformer_config.NORMALISATIONS`
    key_value_heads : int, heads that have keys and values of their own; by default all
    """

    def __init__(
        self,
        config: BlockConfig,
        *,
        activation: str = "gelu",
        bias: bool = False,
        normalisation: str = "layer_norm",
        key_value_heads: int | None = None,
    ) -> None:
        super().__init__()
        width, hidden = config.width, hidden_units(config, activation)
        self.config, self.activation = config, activation
        has_norm, is_gated = config.norm != "none", activation == "swiglu"
        self.attention_norm = new_norm(normalisation, width) if has_norm else None
        self.attention = multi_head_attention.MultiHeadAttention(
            width,
            config.heads,
            key_value_heads=key_value_heads,
            query_key_norm=config.query_key_norm,
            bias=bias,
        )
        self.feed_forward_norm = new_norm(normalisation, width) if has_norm else None
        self.widened = nn.Linear(width, 2 * hidden if is_gated else hidden, bias=bias)
        self.narrowed = nn.Linear(hidden, width, bias=bias)
        self.register_load_state_dict_pre_hook(_rename_former)

    def forward(
        self,
        x: Tensor,
        mask: multi_head_attention.AttentionMask,
        past: multi_head_attention.KeysValues | None = None,
        *,
        attention: multi_head_attention.AttentionFunction = multi_head_attention.fastest_attention,
        drop: Drop | None = None,
    ) -> BlockOutput:
        """Read T tokens x (B, T, D); mask, past and attention are `MultiHeadAttention`'s.

        `drop` is the dropout after each sublayer.
        """
        y, keys_values = self.attention(
            self._sublayer_input(x, self.attention_norm), mask, past, attention=attention
        )
        x = self._add(x, y if drop is None else drop(y), self.attention_norm)
        return BlockOutput(x, self.feed_forward(x, drop), keys_values)

    def feed_forward(self, x: Tensor, drop: Drop | None = None) -> Tensor:
        """Add what the two-layer network makes of each token to the residual stream (B, T, D)."""
        return self.narrow(x, self.widen(x), drop)

    def widen(self, x: Tensor) -> Tensor:
        """Return the hidden units of the two-layer network after their activation, (B, T, U)."""
        return self.activate(linear(self.widened, self._sublayer_input(x, self.feed_forward_norm)))

    def activate(self, y: Tensor) -> Tensor:
        """Return the hidden units (..., U) of what the first layer returns: (..., U), with SwiGLU (..., 2 U)."""
        if self.activation != "swiglu":
            return F.gelu(y, approximate="tanh" if self.activation == "gelu_tanh" else "none")
        gates, values = y.chunk(2, -1)
        return gates * gates.sigmoid() * values  # SiLU(gate) times value

    def narrow(self, x: Tensor, units: Tensor, drop: Drop | None = None) -> Tensor:
        """Add what hidden units (B, T, U) say to the residual stream (B, T, D) from which they were made."""
        y = linear(self.narrowed, units)
        return self._add(x, y if drop is None else drop(y), self.feed_forward_norm)

    def _sublayer_input(self, x: Tensor, layer_norm: Norm | None) -> Tensor:
        return norm(layer_norm, x) if self.config.norm == "pre" else x

    def _add(self, x: Tensor, y: Tensor, layer_norm: Norm | None) -> Tensor:
        """Add a sublayer's output to the residual stream."""
        y = x + y if self.config.residual else y
        return norm(layer_norm, y) if self.config.norm == "post" else y

    @torch.no_grad()
    def initialise(self, rng: torch.Generator) -> None:
        """Draw the weights; with residual paths, what is added starts small.

        All blocks together then add about as much to the residual stream as one would alone
        (Radford et al. 2019, section 2.3).
        """
        self.attention.initialise(rng)
        for layer in (self.widened, self.narrowed):
            layer.weight.normal_(0.0, (3.0 * layer.in_features) ** -0.5, generator=rng)
            if layer.bias is not None:
                layer.bias.zero_()
        if self.config.residual:
            for layer in (self.attention.output, self.narrowed):
                layer.weight *= (2.0 * self.config.layers) ** -0.5


class Encoder(nn.ModuleList):
    """Blocks in a row, in which each token attends to all tokens of its text, before it and after it."""

    def __init__(self, config: BlockConfig) -> None:
        super().__init__(Block(config) for _ in range(config.layers))
        self.head_width = config.width // config.heads

    def forward(
        self, x: Tensor, lengths: Tensor, *, is_rotary: bool = True, drop: Drop | None = None
    ) -> Tensor:
        """Return what the blocks make of texts x (B, T, D) of these lengths (B,), padding behind them."""
        n_tokens = x.shape[1]
        visible = padding_mask(lengths, n_tokens)[:, None]  # (B, 1, 1, T): all but padding
        tables = None
        if is_rotary:
            tables = rotary_tables(n_tokens, self.head_width, dtype=x.dtype, device=x.device)
        mask = multi_head_attention.AttentionMask(visible, x.dtype, rotation=tables)
        for block in self:
            x = block(x, mask, drop=drop).after_feed_forward
        return x

    def initialise(self, rng: torch.Generator) -> None:
        """Draw the weights of all blocks, one after the other."""
        for block in self:
            cast(Block, block).initialise(rng)


def norm(layer: Norm | None, x: Tensor) -> Tensor:
    """Apply a norm, if there is one, in the arithmetic of its input."""
    if layer is None:
        return x
    if isinstance(layer, RMSNorm):
        return layer(x)
    weight, bias = layer.weight.to(x.dtype), layer.bias.to(x.dtype)
    return F.layer_norm(x, layer.normalized_shape, weight, bias, layer.eps)


def dropout(x: Tensor, rate: float, rng: torch.Generator) -> Tensor:
    """Set a share of the units to zero, drawn from `rng`, and scale the others up to make up for it.

    One random byte decides on each unit, so that the rate is rounded to 1/256: drawing eight at a
    time takes an eighth of the time that a random number for each would.
    """
    threshold = round(256 * rate)
    words = torch.empty((x.numel() + 7) // 8, dtype=torch.int64, device=x.device)
    words.random_(-(2**63), None, generator=rng)
    is_kept = words.view(torch.uint8)[: x.numel()].view(x.shape) >= threshold
    return x * is_kept.to(x.dtype).mul_(256.0 / (256 - threshold))


def _rename_former(module: nn.Module, weights: dict[str, Any], prefix: str, *_: object) -> None:
    """Give weights that were saved when attention was part of the block the names of its layer."""
    del module
    for former, name in _FORMER_NAMES.items():
        if f"{prefix}{former}.weight" in weights:
            weights[f"{prefix}{name}.weight"] = weights.pop(f"{prefix}{former}.weight")
