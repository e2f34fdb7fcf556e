"""t-SNE, exact and step by step, for a few hundred points.

Each point's distances to the others become probabilities of being its neighbour, in the space of
the vectors with a normal distribution as wide as the perplexity asks, in the picture with Student's
t. The picture is moved until both agree as well as they can.

References
----------
van der Maaten & Hinton 2008, "Visualizing Data using t-SNE".
https://jmlr.org/papers/v9/vandermaaten08a.html
"""

import math
from collections.abc import Iterator
from typing import NamedTuple

import torch
from torch import Tensor

from lm_core.errors import SettingError

MOST_POINTS = 300
_EXAGGERATION, _EXAGGERATED_SHARE = 12.0, 0.25
_START = 1e-4  # spread of the first places
_RATE = 10.0  # a larger one tears so few points apart
_HALVINGS = 50
_GAIN = (0.2, 0.8, 0.01)  # added, multiplied, and the least


class TsneStep(NamedTuple):
    """The picture after some steps."""

    step: int
    """Steps taken so far."""
    points: Tensor
    """Of shape (n, 2)."""
    divergence: float
    """Kullback-Leibler divergence in nats, of the picture's probabilities from the true ones."""


def neighbour_probabilities(vectors: Tensor, perplexity: float) -> Tensor:
    """Return the symmetric probabilities (n, n), which add up to 1, of being neighbours.

    Raises SettingError if there are more points than `MOST_POINTS`, or the perplexity lies outside
    its range.

    Parameters
    ----------
    vectors : Tensor of shape (n, D)
    perplexity : float, neighbours that a point has in effect: above 1, below n - 1
    """
    n = len(vectors)
    if n > MOST_POINTS:
        raise SettingError(f"there may be at most {MOST_POINTS} points, got {n}")
    if not 1.0 < perplexity < n - 1:
        raise SettingError(f"perplexity must lie between 1 and {n - 1}, got {perplexity:g}")
    distances = torch.cdist(vectors, vectors).square()
    itself = torch.eye(n, dtype=torch.bool)
    wanted = math.log(perplexity)
    low = torch.zeros(n, 1, dtype=vectors.dtype)
    high = torch.full_like(low, torch.inf)
    precision = torch.ones_like(low)
    for _ in range(_HALVINGS):
        logits = (-distances * precision).masked_fill(itself, -torch.inf)
        rows = logits.softmax(1)
        entropy = -torch.special.xlogy(rows, rows).sum(1, keepdim=True)
        is_wide = entropy > wanted
        low = torch.where(is_wide, precision, low)
        high = torch.where(is_wide, high, precision)
        precision = torch.where(high.isinf(), precision * 2.0, (low + high) / 2.0)
    return (rows + rows.T) / (2.0 * n)


def divergence_and_gradient(
    true: Tensor, points: Tensor, exaggeration: float = 1.0
) -> tuple[float, Tensor]:
    """Return how far a picture is from the truth, and in which direction it gets worse.

    The result: float, Tensor of shape (n, 2), Kullback-Leibler divergence in nats, and its gradient.

    Parameters
    ----------
    true : Tensor of shape (n, n), from `neighbour_probabilities`
    points : Tensor of shape (n, 2)
    exaggeration : float, in the gradient alone, neighbours pull so many times as hard as they should
    """
    tails = 1.0 / (1.0 + torch.cdist(points, points).square())
    tails.fill_diagonal_(0.0)
    shown = tails / tails.sum()
    floor = torch.finfo(points.dtype).tiny
    divergence = (torch.special.xlogy(true, true) - true * shown.clamp_min(floor).log()).sum()
    pull = (exaggeration * true - shown) * tails
    gradient = 4.0 * (pull.sum(1, keepdim=True) * points - pull @ points)
    return float(divergence), gradient


def t_sne(
    vectors: Tensor, perplexity: float, rng: torch.Generator, *, steps: int = 500
) -> Iterator[TsneStep]:
    """Yield a picture of some vectors, from its random start to its last step.

    Parameters
    ----------
    vectors : Tensor of shape (n, D), at most `MOST_POINTS`
    perplexity : float, see `neighbour_probabilities`
    rng : Generator, draws the first places: another seed, another picture
    steps : int, during the first quarter neighbours pull harder than they should, which forms clusters
    """
    true = neighbour_probabilities(vectors.double(), perplexity)
    n = len(true)
    points = _START * torch.randn(n, 2, generator=rng, dtype=true.dtype)
    moving, gain = torch.zeros_like(points), torch.ones_like(points)
    added, multiplied, least = _GAIN
    for step in range(steps + 1):
        is_early = step < _EXAGGERATED_SHARE * steps
        pull = _EXAGGERATION if is_early else 1.0
        divergence, gradient = divergence_and_gradient(true, points, pull)
        yield TsneStep(step, points, divergence)
        is_going_on = gradient.sign() != moving.sign()
        gain = torch.where(is_going_on, gain + added, gain * multiplied).clamp_min(least)
        moving = (0.5 if is_early else 0.8) * moving - _RATE * gain * gradient
        points = points + moving
        points = points - points.mean(0)
