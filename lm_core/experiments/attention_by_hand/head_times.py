"""How long heads take one after another, and how long all at once, measured here and now."""

import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple

import torch

from lm_core.models.multi_head_attention import AttentionMask, MultiHeadAttention, head_by_head

HEADS = (1, 2, 4, 8, 16, 32, 64)
WIDTH, TOKENS = 256, 64
"""Of the layer, D, which all heads share, and of the text."""


class HeadTimes(NamedTuple):
    """One layer, computed in both ways; processor time, the shortest of the rounds."""

    heads: int
    one_by_one: float
    """Milliseconds of `head_by_head`, a loop."""
    at_once: float
    """Milliseconds of the layer, whose heads are one axis of its tensors."""


@torch.inference_mode()
def measure_heads(
    rng: torch.Generator, *, heads: Sequence[int] = HEADS, rounds: int = 7
) -> tuple[HeadTimes, ...]:
    """Time layers of one width with more and more heads on the same random tokens.

    Parameters
    ----------
    rng : torch.Generator, draws weights and tokens
    rounds : int, at least 1
    """
    x = torch.randn(1, TOKENS, WIDTH, generator=rng)
    everything = AttentionMask(torch.ones(1, 1, dtype=torch.bool), x.dtype)
    found = []
    for n_heads in heads:
        layer = MultiHeadAttention(WIDTH, n_heads)
        layer.initialise(rng)
        loop = _milliseconds(partial(head_by_head, layer, x), rounds)
        whole = _milliseconds(partial(layer, x, everything), rounds)
        found.append(HeadTimes(n_heads, loop, whole))
    return tuple(found)


def _milliseconds(compute: Callable[[], object], rounds: int) -> float:
    compute()  # the first call also finds memory
    times = []
    for _ in range(rounds):
        began = time.thread_time()
        compute()
        times.append(1e3 * (time.thread_time() - began))
    return min(times)
