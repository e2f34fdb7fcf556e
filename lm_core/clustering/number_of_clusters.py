"""How many clusters: what inertia, silhouette, BIC and AIC say of each number.

References
----------
Thorndike 1953, "Who belongs in the family?" (the elbow).
Rousseeuw 1987, "Silhouettes". Schwarz 1978 (BIC). Akaike 1974 (AIC).
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass

import torch
from torch import Tensor

from lm_core.clustering import k_means
from lm_core.clustering.covariances import Constraint
from lm_core.clustering.em import EMStep
from lm_core.clustering.gaussian_mixture import CovarianceKind
from lm_core.clustering.initialisation import initial_centres
from lm_core.clustering.k_means import KMeansStep
from lm_core.clustering.metrics import aic, bic, silhouette
from lm_core.clustering.points import standardised
from lm_core.clustering.restarts import likeliest, starts
from lm_core.errors import PointsError
from lm_core.rng import generator

RESTARTS = 5


@dataclass(frozen=True, eq=False)
class Candidate:
    """What one number of clusters leads to."""

    hard: KMeansStep
    """The best of `RESTARTS` runs."""
    soft: EMStep
    """EM from the likeliest of several starts, which are not those of k-means."""
    silhouette: float
    """Of k-means; not a number for one cluster, or where all points are alike."""
    bic: float
    aic: float
    """`bic` and `aic`: of EM."""

    @property
    def clusters(self) -> int:
        """K."""
        return len(self.hard.centres)

    @property
    def inertia(self) -> float:
        """Of k-means."""
        return self.hard.inertia


def candidates(
    points: Tensor,
    most: int,
    kind: CovarianceKind = CovarianceKind.FULL,
    seed: int = 0,
    constraint: Constraint | None = None,
) -> Iterator[Candidate]:
    """Yield what K = 1, 2, ... up to `most` lead to, or up to the number of points.

    Raises ShapeError or PointsError if the points cannot be clustered.

    Parameters
    ----------
    points : Tensor of shape (N, D)
    most : int, at least 1
    seed : int, of the initial centres, which k-means++ draws
    """
    for clusters in range(1, min(most, len(points)) + 1):
        runs = (
            k_means.fit(points, initial_centres(points, clusters, "k-means++", seed, number))
            for number in range(1, RESTARTS + 1)
        )
        hard = min(runs, key=lambda step: step.inertia)
        if hard.labels.unique().shape[0] < clusters:
            return  # there are not so many different points
        soft = likeliest(points, starts(points, clusters, kind, seed, constraint), constraint)
        yield Candidate(hard, soft, _silhouette(hard, seed), bic(soft), aic(soft))


def _silhouette(step: KMeansStep, seed: int) -> float:
    try:
        return silhouette(step.points, step.labels, generator(seed))
    except PointsError:
        return math.nan


def inertia_without_groups(inertia: float, clusters: int, width: int) -> float:
    """Return the inertia that K clusters would leave if the points filled their space evenly.

    K equal cells of a D-dimensional body are each ``K**(-1/D)`` times as long, so that all squared
    distances shrink by ``K**(-2/D)``: even without any group the curve falls steeply and bends.

    Parameters
    ----------
    inertia : float, of one cluster
    clusters, width : int, K and D

    Examples
    --------
    >>> inertia_without_groups(100.0, 4, 2)
    25.0
    """
    return inertia * clusters ** (-2.0 / width)


def dimension_of(points: Tensor) -> int:
    """Return in how many directions the points vary at all."""
    return max(1, int(torch.linalg.matrix_rank(standardised(points))))
