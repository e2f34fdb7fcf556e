"""What each token of a piece of text may look at, and how far away it is: the same in all layers."""

from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn import functional as F

from lm_core.models.masks import distances
from lm_core.models.positional_encoding.absolute import binary_positions, sinusoidal_positions
from lm_core.models.positional_encoding.relative import alibi_bias, t5_buckets
from lm_core.models.positional_encoding.rotary import rotary_tables, rotate
from lm_core.models.transformer_config import TransformerLanguageModelConfig

T5_BUCKETS = 32


@dataclass(frozen=True)
class Sight:
    """T new tokens after M remembered ones; S = M + T.

    Attributes
    ----------
    allowed : bool Tensor, broadcasts to (B, H, T, S)
        True means may look.
    bias : Tensor of shape (H, T, S) or None
        Added to the scaled scores.
    tables : pair of Tensor of shape (S, d / 2), or None
        For rotary positions.
    """

    allowed: Tensor
    bias: Tensor | None
    tables: tuple[Tensor, Tensor] | None

    def turned(self, queries: Tensor, keys: Tensor) -> tuple[Tensor, Tensor]:
        """Return queries (..., T, d) and keys (..., S, d), turned if positions are rotary."""
        if self.tables is None:
            return queries, keys
        of_queries = tuple(table[-queries.shape[-2] :] for table in self.tables)
        return rotate(queries, of_queries), rotate(keys, self.tables)

    def additive_mask(self, dtype: torch.dtype) -> Tensor:
        """Return bias and mask as one: minus infinity where a query may not look."""
        bias = self.bias
        if bias is None:
            bias = torch.zeros((), dtype=dtype, device=self.allowed.device)
        return bias.to(dtype).masked_fill(~self.allowed, float("-inf"))


def sight_of(
    config: TransformerLanguageModelConfig,
    n_remembered: int,
    n_new: int,
    *,
    bucket_bias: Tensor | None = None,
    dtype: torch.dtype = torch.float32,
    device: torch.device | str = "cpu",
) -> Sight:
    """Return who sees whom when `n_new` tokens follow on `n_remembered` ones.

    Parameters
    ----------
    config : TransformerLanguageModelConfig
    n_remembered, n_new : int
        M < C and 1 <= T <= C.
    bucket_bias : Tensor of shape (T5_BUCKETS, H), optional
        Of each bucket and head, where positions are T5's.
    dtype : torch.dtype
        Of bias and tables.
    """
    n_keys = n_remembered + n_new
    behind = distances(n_new, n_keys, device=device)  # (T, S)
    allowed = (behind < config.context) & (behind >= 0 if config.causal else True)
    if config.has_blocks:
        block = torch.arange(n_keys, device=device) // config.context
        allowed = allowed & (block[n_remembered:, None] == block)
    bias = tables = None
    if config.position == "alibi":
        bias = alibi_bias(behind, config.heads).to(dtype)
    elif config.position == "t5":
        buckets = t5_buckets(-behind, T5_BUCKETS, bidirectional=not config.causal)
        bias = bucket_bias[buckets].permute(2, 0, 1).to(dtype)
    elif config.position == "rotary":
        tables = rotary_tables(2 * config.context, config.head_width, dtype=dtype, device=device)
        tables = tuple(table[:n_keys] for table in tables)
    return Sight(allowed, bias, tables)


def fixed_codes(config: TransformerLanguageModelConfig) -> Tensor | None:
    """Return the codes of a block's C positions that are not learned, (C, D), or None."""
    if config.position == "sinusoidal":
        return sinusoidal_positions(config.context, config.width)
    if config.position == "binary":
        n_digits = min(config.width, max(1, (config.context - 1).bit_length()))
        codes = binary_positions(config.context, n_digits)
        return F.pad(codes, (0, config.width - n_digits))
    return None


def n_to_remember(config: TransformerLanguageModelConfig, n_keys: int) -> int:
    """Return how many of the last tokens the next one can still look at."""
    return n_keys % config.context if config.has_blocks else min(n_keys, config.context - 1)
