"""Where k-means and EM start: centres drawn from the points, and mixtures around them.

Centres placed by hand are just a tensor.

References
----------
Gonzalez 1985, "Clustering to minimize the maximum intercluster distance" (farthest point).
Arthur and Vassilvitskii 2007, "k-means++: the advantages of careful seeding".
"""

from collections.abc import Callable, Iterator

import torch
from torch import Generator, Tensor

from lm_core.clustering.covariances import Constraint, least_variances
from lm_core.clustering.em import m_step
from lm_core.clustering.gaussian_mixture import CovarianceKind, Mixture, SufficientStatistics
from lm_core.clustering.points import Start, require_points
from lm_core.errors import CovarianceError, PointsError, SettingError
from lm_core.rng import generator

_RESTARTS_OF_A_SEED = 1_000


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


INITIALISATIONS: dict[str, Callable[[Tensor, int, Generator], Tensor]] = {
    "random points": random_points,
    "farthest point": farthest_points,
    "k-means++": k_means_plus_plus,
}


def restarts_of_seed(
    points: Tensor, clusters: int, initialisation: str, seed: int, n: int
) -> Iterator[Tensor]:
    """Yield the `initial_centres` of the restarts 1 to n."""
    for number in range(1, n + 1):
        yield initial_centres(points, clusters, initialisation, seed, number)


def initial_centres(
    points: Tensor, clusters: int, initialisation: str, seed: int, restart: int = 1
) -> Tensor:
    """Return the centres (K, D) of one restart: the same whenever they are asked for by its number.

    Raises SettingError if the initialisation is unknown or the number out of range.

    Parameters
    ----------
    points : Tensor of shape (N, D)
    initialisation : str, of `INITIALISATIONS`
    restart : int, from 1 to 999
    """
    if initialisation not in INITIALISATIONS:
        raise SettingError(
            f"initialisation must be one of {', '.join(INITIALISATIONS)}, got {initialisation!r}"
        )
    if not 1 <= restart < _RESTARTS_OF_A_SEED:
        raise SettingError(f"restart must be from 1 to {_RESTARTS_OF_A_SEED - 1}, got {restart}")
    rng = generator(seed * _RESTARTS_OF_A_SEED + restart)
    return INITIALISATIONS[initialisation](points, clusters, rng)


def mixture_from_labels(
    points: Tensor,
    labels: Tensor,
    clusters: int,
    kind: CovarianceKind = CovarianceKind.FULL,
    constraint: Constraint | None = None,
) -> Mixture:
    """Return the mixture that fits a hard clustering: scikit-learn's start, from k-means labels.

    Raises PointsError if a cluster has no point, and CovarianceError if a cluster is so flat that
    it has no covariance, and no floor holds it up.
    """
    require_points(points, clusters)
    return _fitted(points, _statistics_of_labels(points, labels, clusters), kind, constraint)


def mixture_from_centres(
    points: Tensor,
    centres: Tensor,
    kind: CovarianceKind = CovarianceKind.FULL,
    constraint: Constraint | None = None,
) -> Mixture:
    """Return equal weights, these means, and for each the covariance of all points.

    Raises CovarianceError if all points lie on a line or a plane, and no floor holds the covariance
    up.
    """
    return mixture_of_start(Start(points, centres), kind, constraint)


def mixture_of_start(
    start: Start, kind: CovarianceKind, constraint: Constraint | None, labels: Tensor | None = None
) -> Mixture:
    """Return `mixture_from_centres`, or `mixture_from_labels` where there are some, of what is checked."""
    points, centres, clusters = start.points, start.centres, len(start.centres)
    if labels is not None:
        return _fitted(points, _statistics_of_labels(points, labels, clusters), kind, constraint)
    whole = _statistics_of_labels(points, torch.zeros_like(points[:, 0], dtype=torch.int64), 1)
    alike = SufficientStatistics(
        whole.counts.expand(clusters) / clusters,
        centres,
        whole.covariances.expand(clusters, -1, -1),
        float("nan"),
    )
    return _fitted(points, alike, kind, constraint)


def mixture_on_a_point(points: Tensor, index: int, deviation: float) -> Mixture:
    """Return two components: one fitted to all points, one round and narrow on one of them.

    Raises SettingError if there is no such point or the deviation is not positive.

    Parameters
    ----------
    points : Tensor of shape (N, D)
    index : int, of the point
    deviation : float, standard deviation of the narrow one, above 0
    """
    require_points(points, 2)
    n, width = points.shape
    if not 0 <= index < n:
        raise SettingError(f"index must be from 0 to {n - 1}, got {index}")
    if not deviation > 0.0:
        raise SettingError(f"deviation must be positive, got {deviation}")
    mean = points.mean(0)
    whole = (points - mean).T @ (points - mean) / n
    narrow = deviation**2 * torch.eye(width, dtype=points.dtype, device=points.device)
    weights = torch.tensor([1.0 - 1.0 / n, 1.0 / n], dtype=points.dtype, device=points.device)
    return Mixture(weights, torch.stack([mean, points[index]]), torch.stack([whole, narrow]))


def _draw(weights: Tensor, rng: Generator) -> int:
    """Draw an index with a probability proportional to its weight (torch's own stops at 2^24)."""
    totals = weights.to(torch.float64).cumsum(0)
    level = torch.rand(1, generator=rng, device=rng.device, dtype=torch.float64)
    drawn = torch.searchsorted(totals, level.to(totals.device) * totals[-1], right=True)
    return int(drawn.clamp(max=weights.shape[0] - 1))


def _statistics_of_labels(points: Tensor, labels: Tensor, clusters: int) -> SufficientStatistics:
    """Return the moments of points that belong wholly to one component each.

    Raises PointsError if a cluster has no point.
    """
    counts = labels.bincount(minlength=clusters)
    if counts.shape[0] > clusters or not (counts > 0).all():
        raise PointsError(
            f"each of {clusters} clusters needs a point, they have {counts.tolist()}: take fewer"
            " clusters, or points that differ"
        )
    parts = [points[labels == cluster] for cluster in range(clusters)]
    means = torch.stack([part.mean(0) for part in parts])
    covariances = [
        (part - mean).T @ (part - mean) / part.shape[0]
        for part, mean in zip(parts, means, strict=True)
    ]
    return SufficientStatistics(
        counts.to(points.dtype), means, torch.stack(covariances), float("nan")
    )


def _fitted(
    points: Tensor,
    statistics: SufficientStatistics,
    kind: CovarianceKind,
    constraint: Constraint | None,
) -> Mixture:
    constraint = constraint or Constraint()
    least = least_variances(points, kind, constraint.floor)
    mixture, collapses = m_step(statistics, kind, constraint, least)
    for collapse in collapses:
        if collapse.is_fatal:
            raise CovarianceError(
                f"no mixture to start from: {collapse.reason}; take a covariance floor above zero"
            )
    return mixture
