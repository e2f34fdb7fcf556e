"""k-means and EM from the same centres over the same points.

Step by step side by side; from many initialisations; and with one fixed, round variance that goes to
zero, where EM becomes k-means.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

from torch import Tensor

from lm_core.clustering import em, k_means
from lm_core.clustering.covariances import Constraint
from lm_core.clustering.em import EMStep
from lm_core.clustering.gaussian_mixture import CovarianceKind
from lm_core.clustering.initialisation import mixture_from_centres, mixture_of_start
from lm_core.clustering.k_means import KMeansStep
from lm_core.clustering.points import Start

MOST_ITERATIONS = 60
"""After so many both stop, converged or not."""

TOLERANCE = 1e-4
"""EM stops when an iteration raises the log-likelihood by less than this for each point."""


@dataclass(frozen=True, eq=False)
class SideBySide:
    """Both methods, each with all of its steps."""

    hard: tuple[KMeansStep, ...]
    """Assignment, update, assignment, ..."""
    soft: tuple[EMStep, ...]
    """E, M, E, ..."""

    def __len__(self) -> int:
        return max(len(self.hard), len(self.soft))

    def at(self, step: int) -> tuple[KMeansStep, EMStep]:
        """Return both methods' steps; one that is over keeps its last."""
        return self.hard[min(step, len(self.hard) - 1)], self.soft[min(step, len(self.soft) - 1)]

    @cached_property
    def inertias(self) -> list[float]:
        """The inertia after each step."""
        return inertias(self.hard)

    @cached_property
    def log_likelihoods(self) -> list[float]:
        """The log-likelihood after each step."""
        return log_likelihoods(self.soft)

    @cached_property
    def lower_bounds(self) -> list[float]:
        """The lower bound after each step."""
        return lower_bounds(self.soft)

    def ways(self, step: int) -> tuple[list[Tensor], list[Tensor]]:
        """Return the centres of k-means and the means of EM, (K, D) each, from the start to a step."""
        places = [s.centres for s in self.hard], [s.mixture.means for s in self.soft]
        hard, soft = ([way[0], *way[1 : step + 1 : 2]] for way in places)
        return hard, soft

    def assigned_by(self, step: int) -> Tensor:
        """Return the centres that k-means' labels come from: after an update, those before it."""
        at = min(step, len(self.hard) - 1)
        is_assigned = self.hard[at].phase is k_means.Phase.ASSIGNMENT
        return self.hard[at if is_assigned else at - 1].centres


def run(
    points: Tensor,
    centres: Tensor,
    kind: CovarianceKind = CovarianceKind.FULL,
    constraint: Constraint | None = None,
    *,
    em_after_k_means: bool = False,
    max_iterations: int = MOST_ITERATIONS,
    tolerance: float = TOLERANCE,
) -> SideBySide:
    """Run both methods from the same centres.

    Raises ShapeError, PointsError or CovarianceError if the points cannot be clustered, or there is
    no mixture to start from.

    Parameters
    ----------
    points : Tensor of shape (N, D)
    centres : Tensor of shape (K, D)
    constraint : Constraint, of EM's covariances
    em_after_k_means : bool
        Whether EM begins with the mixture that fits the clusters found by k-means (scikit-learn's
        default), instead of these centres, equal weights and, for each, the covariance of all.
    """
    start = Start(points, centres)
    hard = tuple(k_means.steps_from(start, max_iterations))
    labels = hard[-1].labels if em_after_k_means else None
    mixture = mixture_of_start(start, kind, constraint, labels)
    constraint = constraint or Constraint()
    soft = em.steps_from(points, mixture, constraint, max_iterations, tolerance)
    return SideBySide(hard, tuple(soft))


def inertias(steps: Sequence[KMeansStep]) -> list[float]:
    """Return the inertia after each step."""
    return [step.inertia for step in steps]


def log_likelihoods(steps: Sequence[EMStep]) -> list[float]:
    """Return the log-likelihood after each step.

    After an M-step it is that of the E-step that follows, which has the same parameters.
    """
    later = (*steps[1:], steps[-1])
    return [
        step.log_likelihood if step.phase is em.Phase.E else after.log_likelihood
        for step, after in zip(steps, later, strict=True)
    ]


def lower_bounds(steps: Sequence[EMStep]) -> list[float]:
    """Return the lower bound after each step, which every step raises."""
    # Of copies: the responsibilities that a record would keep are megabytes in all.
    return [replace(step).lower_bound for step in steps]


class Restart(NamedTuple):
    """Where one initialisation led."""

    number: int
    """Of the restart, from 1."""
    inertia: float
    """At the end of k-means."""
    log_likelihood: float
    """At the end of EM; infinite if a component broke."""


def random_restarts(
    points: Tensor,
    starts: Iterable[Tensor],
    kind: CovarianceKind = CovarianceKind.FULL,
    constraint: Constraint | None = None,
    *,
    em_after_k_means: bool = False,
) -> Iterator[Restart]:
    """Yield where starts lead, numbered from 1: k-means from these centres, EM from there or after it.

    The other parameters are those of `run`.
    """
    for number, centres in enumerate(starts, start=1):
        both = run(points, centres, kind, constraint, em_after_k_means=em_after_k_means)
        yield Restart(number, both.hard[-1].inertia, both.soft[-1].log_likelihood)


class Agreement(NamedTuple):
    """k-means and EM of one fixed deviation, from the same centres."""

    deviation: float
    """sigma, of all components in all directions."""
    hard: KMeansStep
    soft: EMStep
    agreeing: float
    """In [0, 1]. Share of the points that EM gives most to the component of the number that
    k-means says."""
    certainty: float
    """In [1 / K, 1]. Mean of the largest responsibility."""


def hard_assignment_limit(
    points: Tensor, centres: Tensor, deviations: Sequence[float]
) -> Iterator[Agreement]:
    """Yield how far EM agrees with k-means, for each deviation.

    Raises ShapeError, PointsError or SettingError if the points cannot be clustered, or a deviation
    is not positive.

    Parameters
    ----------
    points : Tensor of shape (N, D)
    centres : Tensor of shape (K, D), where both start
    deviations : sequence of float, the deviations, above 0
    """
    hard = k_means.fit(points, centres)
    for deviation in deviations:
        constraint = Constraint(fixed_variance=deviation**2)
        start = mixture_from_centres(points, centres, CovarianceKind.SPHERICAL, constraint)
        soft = em.fit(points, start, constraint, max_iterations=MOST_ITERATIONS, tolerance=1e-6)
        shares, found = soft.responsibilities.max(1)
        agreeing = float((found == hard.labels).double().mean())
        yield Agreement(deviation, hard, soft, agreeing, float(shares.mean()))
