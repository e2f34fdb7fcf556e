"""How good a clustering is, with and without the true labels."""

import math

import torch
from torch import Generator, Tensor

from lm_core.clustering.em import EMStep
from lm_core.clustering.points import require_points
from lm_core.errors import PointsError, ShapeError


def bic(step: EMStep) -> float:
    """Return the Bayesian information criterion: smaller is better.

    ``parameters * log(N) - 2 * log-likelihood`` (Schwarz 1978).
    """
    penalty = step.mixture.free_parameters * math.log(step.points.shape[0])
    return penalty - 2.0 * step.log_likelihood


def aic(step: EMStep) -> float:
    """Return Akaike's information criterion, ``2 * parameters - 2 * log-likelihood``."""
    return 2.0 * step.mixture.free_parameters - 2.0 * step.log_likelihood


def silhouette(points: Tensor, labels: Tensor, rng: Generator, limit: int = 2000) -> float:
    """Return the mean silhouette, between -1 and 1: how much nearer points lie to their own.

    For each point (b - a) / max(a, b), where a is its mean distance to the others of its cluster
    and b that to the nearest other cluster; 0 for a cluster of one (Rousseeuw 1987). Raises
    PointsError if the points (those drawn, if some were) lie in fewer than two clusters.

    Parameters
    ----------
    points : Tensor of shape (N, D)
    labels : int64 Tensor of shape (N,)
    rng : Generator, draws `limit` of the points where there are more: the cost grows with their square
    """
    require_points(points)
    _require_labels(labels, points.shape[0])
    if points.shape[0] > limit:
        drawn = torch.randperm(points.shape[0], generator=rng, device=rng.device)[:limit]
        points, labels = points[drawn.to(points.device)], labels[drawn.to(points.device)]
    names, labels = labels.unique(return_inverse=True)
    if names.shape[0] < 2:
        raise PointsError("a silhouette compares at least two clusters, got one")
    members = torch.nn.functional.one_hot(labels).to(points.dtype)  # (N, K)
    counts = members.sum(0)
    totals = torch.cdist(points, points) @ members  # (N, K) distances to each cluster, summed
    own = labels[:, None]
    inside = totals.gather(1, own)[:, 0] / (counts[labels] - 1.0).clamp(min=1.0)
    outside = (totals / counts).scatter(1, own, torch.inf).amin(1)
    scores = (outside - inside) / torch.maximum(outside, inside)
    return float(scores.nan_to_num().where(counts[labels] > 1, 0.0).mean())


def inertia_of_groups(points: Tensor, labels: Tensor) -> float:
    """Return the sum of squared distances (N, D) to the mean of each point's own group, (N,).

    What k-means minimises, for groups that it has not chosen.
    """
    _require_labels(labels, points.shape[0])
    members = torch.nn.functional.one_hot(labels).to(points.dtype)
    means = members.T @ points / members.sum(0).clamp(min=1.0)[:, None]
    return float((points - means[labels]).square().sum(dtype=torch.float64))


def misassigned(found: Tensor, true: Tensor) -> int:
    """Return how many points lie in the wrong cluster, under the best matching of the names.

    Parameters
    ----------
    found : int64 Tensor of shape (N,)
        Numbers of clusters, 0 and up; there may be more or fewer than groups, and what cannot be
        matched is wrong.
    true : int64 Tensor of shape (n,)
        Groups of the first n points; those that are left have none, and are not wrong.
    """
    return int(is_misassigned(found, true).sum())


def is_misassigned(found: Tensor, true: Tensor) -> Tensor:
    """Return for each point, bool (N,), whether its cluster is not the one matched with its group.

    Clusters are matched with groups so that as few points as possible are wrong.
    """
    labelled, wrong = found[: true.shape[0]], torch.zeros_like(found, dtype=torch.bool)
    _require_labels(true, labelled.shape[0])
    size = int(torch.maximum(labelled.max(), true.max())) + 1
    table = (labelled * size + true).bincount(minlength=size * size).view(size, size)
    group_of = torch.tensor(cheapest_matching((-table).tolist()), device=found.device)
    wrong[: true.shape[0]] = group_of[labelled] != true
    return wrong


def cheapest_matching(costs: list[list[float]]) -> list[int]:
    """Return for each row of a square table its own column, so that the costs' sum is smallest.

    The Hungarian method by shortest augmenting paths, n^3 steps (Kuhn 1955; Jonker and Volgenant
    1987).

    Examples
    --------
    >>> cheapest_matching([[4.0, 1.0], [2.0, 3.0]])
    [1, 0]
    """
    n = len(costs)
    row_price, column_price = [0.0] * n, [0.0] * (n + 1)
    row_of = [-1] * (n + 1)  # the row that each column is given to; column n is the way in
    for row in range(n):
        row_of[n], column = row, n
        slack, came_from, reached = [math.inf] * n, [n] * n, [False] * (n + 1)
        while row_of[column] >= 0:
            reached[column], current = True, row_of[column]
            for other in (j for j in range(n) if not reached[j]):
                left = costs[current][other] - row_price[current] - column_price[other]
                if left < slack[other]:
                    slack[other], came_from[other] = left, column
            nearest = min((j for j in range(n) if not reached[j]), key=slack.__getitem__)
            step = slack[nearest]
            for j in range(n + 1):
                if reached[j]:
                    row_price[row_of[j]] += step
                    column_price[j] -= step
                elif j < n:
                    slack[j] -= step
            column = nearest
        while column != n:
            row_of[column], column = row_of[came_from[column]], came_from[column]
    return [row_of.index(row) for row in range(n)]


def _require_labels(labels: Tensor, n: int) -> None:
    if labels.shape != (n,) or labels.is_floating_point() or n < 1:
        raise ShapeError(
            f"labels must be whole numbers of the shape ({n},), one for each point, "
            f"got {tuple(labels.shape)} of {labels.dtype}"
        )
