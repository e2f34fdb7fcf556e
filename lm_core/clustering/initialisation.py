"""Where k-means starts: centres drawn from the points. Centres placed by hand are just a tensor.

References
----------
Gonzalez 1985, "Clustering to minimize the maximum intercluster distance" (farthest point).
Arthur and Vassilvitskii 2007, "k-means++: the advantages of careful seeding".
"""

from collections.abc import Callable

import torch
from torch import Generator, Tensor

from lm_core.clustering.points import require_points


def random_points(points: Tensor, clusters: int, rng: Generator) -> Tensor:
    """Return `clusters` of the points, (K, D), drawn without replacement."""
    require_points(points, clusters)
    drawn = torch.randperm(points.shape[0], generator=rng, device=rng.device)[:clusters]
    return points[drawn.to(points.device)]


def farthest_points(points: Tensor, clusters: int, rng: Generator) -> Tensor:
    """Return one point drawn at random, then again and again the one farthest from those taken."""
    require_points(points, clusters)
    centres = [points[_draw(torch.ones_like(points[:, 0]), rng)]]
    nearest = torch.full_like(points[:, 0], torch.inf)
    for _ in range(1, clusters):
        nearest = torch.minimum(nearest, (points - centres[-1]).square().sum(1))
        centres.append(points[int(nearest.argmax())])
    return torch.stack(centres)


def k_means_plus_plus(points: Tensor, clusters: int, rng: Generator) -> Tensor:
    """Return points drawn one by one, each with the squared distance to those taken as its weight.

    This is the algorithm as published: one draw for each centre. (scikit-learn draws several and
    keeps the best, so that its centres differ.) Where only copies of taken points are left, all
    points not yet taken have the same weight.
    """
    require_points(points, clusters)
    free = torch.ones_like(points[:, 0])
    nearest = torch.full_like(free, torch.inf)
    centres: list[Tensor] = []
    while len(centres) < clusters:
        weights = nearest if centres and bool((nearest > 0).any()) else free
        taken = _draw(weights, rng)
        free[taken] = 0.0
        centres.append(points[taken])
        nearest = torch.minimum(nearest, (points - points[taken]).square().sum(1))
    return torch.stack(centres)


STARTS: dict[str, Callable[[Tensor, int, Generator], Tensor]] = {
    "random points": random_points,
    "farthest point": farthest_points,
    "k-means++": k_means_plus_plus,
}


def _draw(weights: Tensor, rng: Generator) -> int:
    """Draw an index with a probability proportional to its weight (torch's own stops at 2^24)."""
    totals = weights.to(torch.float64).cumsum(0)
    level = torch.rand(1, generator=rng, device=rng.device, dtype=torch.float64)
    drawn = torch.searchsorted(totals, level.to(totals.device) * totals[-1], right=True)
    return int(drawn.clamp(max=weights.shape[0] - 1))
