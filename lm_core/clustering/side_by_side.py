"""k-means and EM from the same centres over the same points, half-step beside half-step."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from torch import Tensor

from lm_core.clustering import em, k_means
from lm_core.clustering.covariances import Constraint
from lm_core.clustering.em import EMStep
from lm_core.clustering.gaussian_mixture import CovarianceKind
from lm_core.clustering.k_means import KMeansStep

MOST_ITERATIONS = 60
"""After so many both stop, converged or not."""

TOLERANCE = 1e-4
"""EM stops when an iteration raises the log-likelihood by less than this for each point."""


@dataclass(frozen=True, eq=False)
class Lockstep:
    """Both methods, each with all of its half-steps.

    Attributes
    ----------
    hard : tuple of KMeansStep
        assign, update, assign, ...
    soft : tuple of EMStep
        E, M, E, ...
    """

    hard: tuple[KMeansStep, ...]
    soft: tuple[EMStep, ...]

    def __len__(self) -> int:
        return max(len(self.hard), len(self.soft))

    def at(self, step: int) -> tuple[KMeansStep, EMStep]:
        """Return both methods' half-steps; one that is over keeps its last."""
        return self.hard[min(step, len(self.hard) - 1)], self.soft[min(step, len(self.soft) - 1)]


def run(
    points: Tensor,
    centres: Tensor,
    kind: CovarianceKind = CovarianceKind.FULL,
    constraint: Constraint | None = None,
    *,
    em_after_k_means: bool = False,
    max_iterations: int = MOST_ITERATIONS,
    tolerance: float = TOLERANCE,
) -> Lockstep:
    """Run both methods from the same centres.

    Parameters
    ----------
    points : Tensor of shape (N, D)
    centres : Tensor of shape (K, D)
    kind : CovarianceKind
    constraint : Constraint, optional
        Of EM's covariances.
    em_after_k_means : bool
        Whether EM begins with the mixture that fits the clusters found by k-means (scikit-learn's
        default), instead of these centres, equal weights and, for each, the covariance of all.

    Raises
    ------
    ShapeError, PointsError, CovarianceError
        If the points cannot be clustered, or there is no mixture to start from.
    """
    limits = {"max_iterations": max_iterations}
    hard = tuple(k_means.half_steps(points, centres, **limits))
    start = (
        em.start_from_labels(points, hard[-1].labels, len(centres), kind, constraint)
        if em_after_k_means
        else em.start_from_centres(points, centres, kind, constraint)
    )
    soft = em.half_steps(points, start, constraint, tolerance=tolerance, **limits)
    return Lockstep(hard, tuple(soft))


def inertias(steps: Sequence[KMeansStep]) -> list[float]:
    """Return the inertia after each half-step."""
    return [step.inertia for step in steps]


def log_likelihoods(steps: Sequence[EMStep]) -> list[float]:
    """Return the log-likelihood after each half-step.

    After an M-step it is that of the E-step that follows, which has the same parameters.
    """
    later = (*steps[1:], steps[-1])
    return [
        step.log_likelihood if step.half is em.Half.EXPECT else after.log_likelihood
        for step, after in zip(steps, later, strict=True)
    ]


def lower_bounds(steps: Sequence[EMStep]) -> list[float]:
    """Return the lower bound after each half-step, which every half-step raises."""
    # Of copies: the responsibilities that a record would keep are megabytes in all.
    return [replace(step).lower_bound for step in steps]
