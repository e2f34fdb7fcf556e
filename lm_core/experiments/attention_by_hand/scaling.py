"""Why scores are divided by sqrt(d): what random queries and keys do to a softmax as they get wider.

The dot product of two vectors of d standard normal numbers has mean 0 and variance d, so that the
scores grow with the width, and the softmax of growing scores puts all weight on the largest.

References
----------
Vaswani et al. 2017, "Attention Is All You Need", section 3.2.1 and its footnote.
https://arxiv.org/abs/1706.03762
"""

from collections.abc import Sequence
from typing import NamedTuple

import torch
from torch import Tensor

from lm_core.analysis.attention_trace import entropies, peaks, softmax_slopes
from lm_core.errors import SettingError
from lm_core.models.attention import attend

WIDTHS = tuple(2**power for power in range(11))
"""1 to 1,024."""


class ScaleEffect(NamedTuple):
    """What the softmax of many queries is like at one width, with or without the scale."""

    width: int
    """d."""
    is_scaled: bool
    deviation: float
    """Standard deviation of the numbers that enter the softmax."""
    entropy: Tensor
    peak: Tensor
    slope: Tensor
    """`entropy`, `peak` and `slope`: of shape (N,). Of each query: its entropy (bits), its
    largest weight, and the norm of its softmax's Jacobian (`softmax_slopes`)."""
    weights: Tensor
    """Of shape (n_keys,). Of the first query."""


class Spread(NamedTuple):
    """Median of a quantity over the queries, and the ends of its middle 80 %."""

    low: float
    median: float
    high: float


def spread_over_queries(values: Tensor) -> Spread:
    """Return the spread of a field of a `ScaleEffect`, (N,)."""
    levels = values.new_tensor([0.1, 0.5, 0.9])
    return Spread(*torch.quantile(values, levels).tolist())


@torch.inference_mode()
def scale_effects(
    n_keys: int, rng: torch.Generator, *, widths: Sequence[int] = WIDTHS, n_queries: int = 100
) -> list[ScaleEffect]:
    """Let random queries attend to random keys of growing width, each with and without the scale.

    All widths share their numbers: a narrower vector is the beginning of a wider one. Raises
    SettingError if there are fewer than two keys.

    Parameters
    ----------
    n_keys : int, at least 2, every query has as many keys of its own
    rng : torch.Generator, draws queries and keys (standard normal)
    n_queries : int, N
    """
    if n_keys < 2:
        raise SettingError(f"n_keys must be at least 2, got {n_keys}: one key has all the weight")
    queries = torch.randn(n_queries, 1, max(widths), generator=rng)
    keys = torch.randn(n_queries, n_keys, max(widths), generator=rng)
    return [
        _effect(queries[..., :width], keys[..., :width], is_scaled)
        for width in widths
        for is_scaled in (True, False)
    ]


def _effect(queries: Tensor, keys: Tensor, is_scaled: bool) -> ScaleEffect:
    queries, keys = queries.double(), keys.double()  # slopes get as small as 1e-7
    trace = attend(queries, keys, keys, scale=None if is_scaled else 1.0)
    weights = trace.weights.squeeze(-2)  # (N, n_keys)
    return ScaleEffect(
        queries.shape[-1],
        is_scaled,
        float(trace.scaled_scores.std()),
        entropies(weights),
        peaks(weights)[0],
        softmax_slopes(weights),
        weights[0],
    )
