"""EM for mixtures of normal distributions: share out the points, fit each component to its share.

`half_steps` yields every half-step; `fit` is its last one. What a record says of single points
(responsibilities) is computed when somebody asks for it, by the code that the E-step itself uses.

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

from lm_core.clustering.covariances import Collapse, Constraint, constrained
from lm_core.clustering.gaussian_mixture import CovarianceKind, Mixture, log_density, log_joint
from lm_core.clustering.gaussian_mixture import responsibilities as responsibilities_under
from lm_core.clustering.moments import Moments, moments_of_labels, share_out
from lm_core.clustering.points import require_centres, require_points
from lm_core.errors import CovarianceError, SettingError


class Half(StrEnum):
    """Which half of an iteration a record shows."""

    EXPECT = "E"
    MAXIMISE = "M"


@dataclass(frozen=True, eq=False)
class EMStep:
    """The state after one half-step.

    Attributes
    ----------
    half : Half
    iteration : int
        How often the parameters have been fitted; 0 for the first E-step.
    mixture : Mixture
        The parameters now: those that the shares were computed from (E), or fitted to them (M).
    shared_by : Mixture
        The parameters that the responsibilities come from; after an E-step, the same.
    moments : Moments
        Count, mean and covariance of each component's share of the points.
    collapses : tuple of Collapse
        Components that stand on too little: held up by the floor, without points, or the end of
        the run.
    converged : bool
        The log-likelihood has grown by less than the tolerance.
    """

    points: Tensor = field(repr=False)
    half: Half
    iteration: int
    mixture: Mixture
    shared_by: Mixture = field(repr=False)
    moments: Moments = field(repr=False)
    collapses: tuple[Collapse, ...] = ()
    converged: bool = False

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
        if self.half is Half.EXPECT:
            return self.moments.log_likelihood
        return float(log_density(self.points, self.mixture).sum(dtype=torch.float64))

    @cached_property
    def lower_bound(self) -> float:
        """What both half-steps raise: the expected log-joint plus the entropy of the shares.

        After an E-step it touches the log-likelihood; after an M-step it lies below.
        """
        if self.half is Half.EXPECT or self.has_broken:
            return self.log_likelihood
        shares = self.responsibilities
        expected = torch.where(shares > 0, shares * log_joint(self.points, self.mixture), 0.0)
        return float((expected - torch.xlogy(shares, shares)).sum(dtype=torch.float64))


def half_steps(
    points: Tensor,
    start: Mixture,
    constraint: Constraint | None = None,
    *,
    max_iterations: int = 100,
    tolerance: float = 1e-3,
) -> Iterator[EMStep]:
    """Yield E, M, E, ... until the log-likelihood stands still or a component breaks.

    Parameters
    ----------
    points : Tensor of shape (N, D)
    start : Mixture
        Where to start; its kind stays.
    constraint : Constraint, optional
        The covariance floor, or a fixed variance.
    max_iterations : int
        How often the parameters may be fitted.
    tolerance : float
        An E-step that finds the log-likelihood grown by less than this for each point is the last.

    Raises
    ------
    ShapeError, PointsError
        If the points cannot be clustered or the means do not lie in their space.
    SettingError
        If a setting is out of range, or a fixed variance is asked of a mixture that is not
        spherical.
    CovarianceError
        If a covariance of the start is not positive definite.
    """
    require_centres(points, start.means, "means")
    require_points(points, start.clusters)
    if max_iterations < 0 or tolerance < 0:
        raise SettingError(
            f"max_iterations and tolerance must be at least 0, got {max_iterations} and {tolerance}"
        )
    constraint = constraint or Constraint()
    if constraint.fixed_variance is not None and start.kind is not CovarianceKind.SPHERICAL:
        raise SettingError(f"components of a fixed variance must be spherical, got {start.kind}")
    return _half_steps(points, start, constraint, max_iterations, tolerance)


def _half_steps(
    points: Tensor, mixture: Mixture, constraint: Constraint, max_iterations: int, tolerance: float
) -> Iterator[EMStep]:
    moments = share_out(points, mixture)
    yield EMStep(points, Half.EXPECT, 0, mixture, mixture, moments)
    for iteration in range(1, max_iterations + 1):
        shared_by, (mixture, collapses) = mixture, _maximised(moments, mixture.kind, constraint)
        fitted = EMStep(points, Half.MAXIMISE, iteration, mixture, shared_by, moments, collapses)
        yield fitted
        if fitted.has_broken:
            return
        before, moments = moments.log_likelihood, share_out(points, mixture)
        converged = abs(moments.log_likelihood - before) < tolerance * points.shape[0]
        yield EMStep(
            points, Half.EXPECT, iteration, mixture, mixture, moments, collapses, converged
        )
        if converged:
            return


def _maximised(
    moments: Moments, kind: CovarianceKind, constraint: Constraint
) -> tuple[Mixture, tuple[Collapse, ...]]:
    covariances, collapses = constrained(moments, kind, constraint)
    weights = moments.counts / moments.counts.sum()
    return Mixture(weights, moments.means, covariances, kind), collapses


def fit(
    points: Tensor,
    start: Mixture,
    constraint: Constraint | None = None,
    *,
    max_iterations: int = 100,
    tolerance: float = 1e-3,
) -> EMStep:
    """Return the last of `half_steps`: an E-step, or the M-step that a component broke in."""
    for step in half_steps(
        points, start, constraint, max_iterations=max_iterations, tolerance=tolerance
    ):
        last = step
    return last


def start_from_labels(
    points: Tensor,
    labels: Tensor,
    clusters: int,
    kind: CovarianceKind = CovarianceKind.FULL,
    constraint: Constraint | None = None,
) -> Mixture:
    """Return the mixture that fits a hard clustering: scikit-learn's start, from k-means labels.

    Raises
    ------
    PointsError
        If a cluster has no point.
    CovarianceError
        If a cluster is so flat that it has no covariance, and no floor holds it up.
    """
    require_points(points, clusters)
    return _unbroken(
        _maximised(moments_of_labels(points, labels, clusters), kind, constraint or Constraint())
    )


def start_from_centres(
    points: Tensor,
    centres: Tensor,
    kind: CovarianceKind = CovarianceKind.FULL,
    constraint: Constraint | None = None,
) -> Mixture:
    """Return equal weights, these means, and for each the covariance of all points.

    Raises
    ------
    CovarianceError
        If all points lie on a line or a plane, and no floor holds the covariance up.
    """
    require_centres(points, centres)
    require_points(points, centres.shape[0])
    clusters = centres.shape[0]
    whole = moments_of_labels(points, torch.zeros_like(points[:, 0], dtype=torch.int64), 1)
    alike = Moments(
        whole.counts.expand(clusters) / clusters,
        centres,
        whole.covariances.expand(clusters, -1, -1),
        float("nan"),
    )
    return _unbroken(_maximised(alike, kind, constraint or Constraint()))


def _unbroken(found: tuple[Mixture, tuple[Collapse, ...]]) -> Mixture:
    mixture, collapses = found
    for collapse in collapses:
        if collapse.is_fatal:
            raise CovarianceError(
                f"no mixture to start from: {collapse.reason}; take a covariance floor above zero"
            )
    return mixture
