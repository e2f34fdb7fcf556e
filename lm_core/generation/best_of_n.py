"""Best-of-n: write n texts, keep the one with the highest score. No training, and a known distance.

References
----------
Stiennon et al. 2020, "Learning to summarize from human feedback", appendix G.3: KL = log n - (n - 1)/n.
https://arxiv.org/abs/2009.01325
Beirami et al. 2024, "Theoretical guarantees on the best-of-n alignment policy": where texts can be equal
it is an upper bound. https://arxiv.org/abs/2401.01879
"""

import math

import torch
from torch import Tensor

from lm_core.errors import SettingError, ShapeError, require_at_least_1


def best_of_n_kl(n: int) -> float:
    """Return KL(best of n || writer) in nats, log n - (n - 1) / n; no two texts having one score.

    Examples
    --------
    >>> best_of_n_kl(1)
    0.0
    >>> round(best_of_n_kl(16), 3)
    1.835
    """
    require_at_least_1(n=n)
    return math.log(n) - (n - 1) / n


def best_of_n_mean(scores: Tensor, values: Tensor, n: int) -> Tensor:
    """Return the mean value of the text with the highest score among n, over all ways to take n of M.

    The k-th lowest score (from 1) is the highest of n with probability C(k - 1, n - 1) / C(M, n).
    Raises ShapeError if the two do not have one shape, and SettingError if n is out of its range.

    The result: Tensor of shape (...).

    Parameters
    ----------
    scores : Tensor of shape (..., M), by which the best is chosen
    values : Tensor of shape (..., M), what is averaged: the scores themselves, or another judge's
    n : int, in 1..M
    """
    if scores.shape != values.shape:
        raise ShapeError(
            f"scores and values must have one shape, got {tuple(scores.shape)} and"
            f" {tuple(values.shape)}"
        )
    n_texts = scores.shape[-1]
    if not 1 <= n <= n_texts:
        raise SettingError(f"n must lie in 1..{n_texts}, got {n}")
    ways = math.comb(n_texts, n)
    chances = [math.comb(k, n - 1) / ways for k in range(n_texts)]  # math.comb is 0 below n - 1
    order = scores.argsort(dim=-1, stable=True)
    ranked = values.gather(-1, order).double()
    return (ranked * torch.tensor(chances, dtype=torch.float64)).sum(-1)
