"""From soft to hard: EM with one fixed, round variance becomes k-means as it goes to zero."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from torch import Tensor

from lm_core.clustering import em, k_means
from lm_core.clustering.covariances import Constraint
from lm_core.clustering.em import EMStep
from lm_core.clustering.gaussian_mixture import CovarianceKind
from lm_core.clustering.k_means import KMeansStep
from lm_core.clustering.side_by_side import MOST_ITERATIONS


class Agreement(NamedTuple):
    """k-means and EM of one fixed deviation, from the same centres.

    Attributes
    ----------
    deviation : float
        sigma, of all components in all directions.
    hard : KMeansStep
    soft : EMStep
    agreeing : float in [0, 1]
        Share of the points that EM gives most to the component of the number that k-means says.
    certainty : float in [1 / K, 1]
        Mean of the largest responsibility.
    """

    deviation: float
    hard: KMeansStep
    soft: EMStep
    agreeing: float
    certainty: float


def agreements(points: Tensor, centres: Tensor, sizes: Sequence[float]) -> Iterator[Agreement]:
    """Yield how far EM agrees with k-means, for each deviation.

    Parameters
    ----------
    points : Tensor of shape (N, D)
    centres : Tensor of shape (K, D)
        Where both start.
    sizes : sequence of float
        The deviations, above 0.

    Raises
    ------
    ShapeError, PointsError, SettingError
        If the points cannot be clustered, or a deviation is not positive.
    """
    hard = k_means.fit(points, centres)
    for deviation in sizes:
        constraint = Constraint(fixed_variance=deviation**2)
        start = em.start_from_centres(points, centres, CovarianceKind.SPHERICAL, constraint)
        soft = em.fit(points, start, constraint, max_iterations=MOST_ITERATIONS, tolerance=1e-6)
        shares, found = soft.responsibilities.max(1)
        agreeing = float((found == hard.labels).double().mean())
        yield Agreement(deviation, hard, soft, agreeing, float(shares.mean()))
