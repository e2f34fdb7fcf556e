"""EM from several kinds of starts: a few steps from each, then to the end from the likeliest.

No kind is best everywhere. The clusters of k-means are a good start for round groups and a bad one
for long, thin ones beside each other, which it cuts across. A few steps from each start tell them
apart at a fraction of the work (Biernacki, Celeux and Govaert 2003, "Choosing starting values for the
EM algorithm"). All starts are drawn in columns of equal spread, so that they are the same in any unit.
"""

from collections.abc import Sequence

import torch
from torch import Tensor

from lm_core.clustering import em, fast, k_means
from lm_core.clustering.covariances import Constraint
from lm_core.clustering.em import EMStep
from lm_core.clustering.gaussian_mixture import CovarianceKind, Mixture
from lm_core.clustering.initialisation import (
    initial_centres,
    mixture_from_centres,
    mixture_from_labels,
)
from lm_core.clustering.points import standardised

KINDS = ("the clusters of k-means", "random points", "the points that k-means++ draws")
STARTS_OF_A_KIND = 4
"""Starts of each of the `KINDS`."""

_SHORT = 20  # steps that every start is given before they are compared

_ENDS = 4  # so many of the likeliest starts are followed to their end, if need be


def starts(
    points: Tensor,
    clusters: int,
    kind: CovarianceKind = CovarianceKind.FULL,
    seed: int = 0,
    constraint: Constraint | None = None,
) -> list[Mixture]:
    """Return mixtures to begin EM with, `STARTS_OF_A_KIND` of each kind; of one component, one.

    The parameters are those of `lm_core.clustering.number_of_clusters.candidates`.
    """
    if clusters == 1:
        return [mixture_from_centres(points, points.mean(0, keepdim=True), kind, constraint)]
    even = standardised(points)
    found = []
    for number in range(1, STARTS_OF_A_KIND + 1):
        spread = initial_centres(even, clusters, "k-means++", seed, number)
        labels = k_means.fit(even, spread).labels
        found.append(mixture_from_labels(points, labels, clusters, kind, constraint))
        drawn = initial_centres(even, clusters, "random points", seed, number)
        for centres in (drawn, spread):
            rows = torch.cdist(centres, even).argmin(1)
            found.append(mixture_from_centres(points, points[rows], kind, constraint))
    return found


def likeliest(
    points: Tensor, mixtures: Sequence[Mixture], constraint: Constraint | None = None
) -> EMStep:
    """Return the end of EM from the likeliest of these starts, as they are after a few steps.

    Where a component ends with too few points of its own, so that only the floor holds it up, the
    likelihood says more of the floor than of the points: the next likeliest start is taken, and such
    an end only if there is no other.

    Parameters
    ----------
    points : Tensor of shape (N, D)
    mixtures : sequence of Mixture, of one kind and one number of components
    """
    constraint = constraint or Constraint()
    short = fast.from_all_starts(points, mixtures, constraint, _SHORT if len(mixtures) > 1 else 0)
    short.sort(key=lambda reached: (reached.rests_on_floor, -reached.log_likelihood))
    ends = []
    for reached in short[:_ENDS]:
        ends.append(em.fit(points, reached.mixture, constraint))
        if not ends[-1].collapses:
            return ends[-1]
    return max(ends, key=lambda end: end.log_likelihood)
