"""EM for mixtures of normal distributions: share out the points, fit each component to its share.

`steps` yields every E-step and every M-step; `fit` is its last one. What a record says of single
points (responsibilities) is computed when somebody asks for it.

References
----------
Dempster, Laird and Rubin 1977, "Maximum likelihood from incomplete data via the EM algorithm".
Bishop 2006, "Pattern Recognition and Machine Learning", section 9.2.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property

import torch
from torch import Tensor

from lm_core.clustering import fast
from lm_core.clustering.covariances import Collapse, Constraint, constrained, least_variances
from lm_core.clustering.gaussian_mixture import (
    CovarianceKind,
    Mixture,
    SufficientStatistics,
    log_density,
    log_joint,
)
from lm_core.clustering.gaussian_mixture import responsibilities as responsibilities_under
from lm_core.clustering.points import require_centres, require_points
from lm_core.errors import SettingError


class Phase(StrEnum):
    """Which step of an iteration a record shows."""

    E = "E"
    M = "M"


@dataclass(frozen=True, eq=False)
class EMStep:
    """The state after one step."""

    points: Tensor = field(repr=False)
    phase: Phase
    iteration: int
    """How often the parameters have been fitted; 0 for the first E-step."""
    mixture: Mixture
    """The parameters now: those that the shares were computed from (E), or fitted to them (M)."""
    shared_by: Mixture = field(repr=False)
    """The parameters that the responsibilities come from; after an E-step, the same."""
    statistics: SufficientStatistics = field(repr=False)
    """Count, mean and covariance of each component's share of the points."""
    collapses: tuple[Collapse, ...] = ()
    """Components that rest on too few points: held up by the floor, without points, or the end
    of the run."""
    converged: bool = False
    """The log-likelihood has grown by less than the tolerance."""

    @property
    def has_broken(self) -> bool:
        """Whether a component has collapsed so far that EM cannot go on."""
        return any(collapse.is_fatal for collapse in self.collapses)

    @cached_property
    def responsibilities(self) -> Tensor:
        """Each component's share in each point, (N, K): rows sum to one."""
        return responsibilities_under(self.points, self.shared_by)

    @cached_property
    def log_likelihood(self) -> float:
        """Sum over the points of log p(x) under the mixture; infinite if it has broken."""
        if self.has_broken:
            return float("inf")
        if self.phase is Phase.E:
            return self.statistics.log_likelihood
        return float(log_density(self.points, self.mixture).sum(dtype=torch.float64))

    @cached_property
    def lower_bound(self) -> float:
        """What both steps raise: the expected log-joint plus the entropy of the shares.

        After an E-step it touches the log-likelihood; after an M-step it lies below.
        """
        if self.phase is Phase.E or self.has_broken:
            return self.log_likelihood
        shares = self.responsibilities
        expected = torch.where(shares > 0, shares * log_joint(self.points, self.mixture), 0.0)
        return float((expected - torch.xlogy(shares, shares)).sum(dtype=torch.float64))


def e_step(points: Tensor, mixture: Mixture) -> SufficientStatistics:
    """Share each point among the components by its responsibilities, and sum up each one's share.

    Raises CovarianceError if a covariance of the mixture is not positive definite.

    `points`: Tensor of shape (N, D).
    """
    joint = log_joint(points, mixture)
    density = joint.logsumexp(1, keepdim=True)
    responsibilities = (joint - density).exp()  # (N, K): p(k | x_n)
    counts = responsibilities.sum(0)
    shares = responsibilities / counts.clamp(min=torch.finfo(counts.dtype).tiny)
    means = shares.T @ points
    away = points[:, None, :] - means  # (N, K, D)
    covariances = torch.einsum("nk,nkd,nke->kde", shares, away, away)
    has_points = counts > 0  # a component without any stays as it was
    return SufficientStatistics(
        counts,
        means.where(has_points[:, None], mixture.means),
        covariances.where(has_points[:, None, None], mixture.covariances),
        float(density.sum(dtype=torch.float64)),
    )


def m_step(
    statistics: SufficientStatistics, kind: CovarianceKind, constraint: Constraint, least: Tensor
) -> tuple[Mixture, tuple[Collapse, ...]]:
    """Return the mixture that fits the shares best, and the components that have collapsed.

    The parameters are those of `lm_core.clustering.covariances.constrained`.
    """
    covariances, collapses = constrained(statistics, kind, constraint, least)
    weights = statistics.counts / statistics.counts.sum()
    return Mixture(weights, statistics.means, covariances, kind), collapses


def steps(
    points: Tensor,
    start: Mixture,
    constraint: Constraint | None = None,
    *,
    max_iterations: int = 100,
    tolerance: float = 1e-3,
) -> Iterator[EMStep]:
    """Yield E, M, E, ... until the log-likelihood stops rising or a component breaks.

    The last E-step has only measured the likelihood: the parameters are those of the M-step before
    it. scikit-learn, which compares E-steps in the same way, ends with one M-step more. Raises
    ShapeError or PointsError if the points cannot be clustered or the means do not lie in their
    space, SettingError if a setting is out of range, or a fixed variance is asked of a mixture that
    is not spherical, and CovarianceError if a covariance of the start is not positive definite.

    Parameters
    ----------
    points : Tensor of shape (N, D)
    start : Mixture, where to start; its kind stays
    constraint : Constraint, the covariance floor, or a fixed variance
    max_iterations : int, how often the parameters may be fitted
    tolerance : float
        An E-step that finds the log-likelihood grown by less than this for each point is the last.
    """
    require_centres(points, start.means, "means")
    require_points(points, start.clusters)
    constraint = constraint or Constraint()
    return steps_from(points, start, constraint, max_iterations, tolerance)


def steps_from(
    points: Tensor, start: Mixture, constraint: Constraint, max_iterations: int, tolerance: float
) -> Iterator[EMStep]:
    """Yield what `steps` does, of points and means that are checked."""
    if max_iterations < 0 or tolerance < 0:
        raise SettingError(
            f"max_iterations and tolerance must be at least 0, got {max_iterations} and {tolerance}"
        )
    if constraint.fixed_variance is not None and start.kind is not CovarianceKind.SPHERICAL:
        raise SettingError(f"components of a fixed variance must be spherical, got {start.kind}")
    return _steps(points.detach(), start, constraint, max_iterations, tolerance)


def _steps(
    points: Tensor, mixture: Mixture, constraint: Constraint, max_iterations: int, tolerance: float
) -> Iterator[EMStep]:
    expect = fast.sufficient_statistics if len(points) >= fast.MANY else e_step
    least = least_variances(points, mixture.kind, constraint.floor)
    statistics = expect(points, mixture)
    yield EMStep(points, Phase.E, 0, mixture, mixture, statistics)
    for iteration in range(1, max_iterations + 1):
        shared_by = mixture
        mixture, collapses = m_step(statistics, mixture.kind, constraint, least)
        fitted = EMStep(points, Phase.M, iteration, mixture, shared_by, statistics, collapses)
        yield fitted
        if fitted.has_broken:
            return
        before, statistics = statistics.log_likelihood, expect(points, mixture)
        converged = abs(statistics.log_likelihood - before) < tolerance * points.shape[0]
        yield EMStep(points, Phase.E, iteration, mixture, mixture, statistics, collapses, converged)
        if converged:
            return


def fit(
    points: Tensor,
    start: Mixture,
    constraint: Constraint | None = None,
    *,
    max_iterations: int = 100,
    tolerance: float = 1e-3,
) -> EMStep:
    """Return the last of `steps`: an E-step, or the M-step that a component broke in."""
    for step in steps(
        points, start, constraint, max_iterations=max_iterations, tolerance=tolerance
    ):
        last = step
    return last
