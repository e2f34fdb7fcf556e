"""What a covariance may be: its kind, its floor, and how to tell that a component has collapsed."""

from dataclasses import dataclass

import torch
from torch import Tensor

from lm_core.clustering.gaussian_mixture import CovarianceKind, SufficientStatistics
from lm_core.errors import SettingError


@dataclass(frozen=True)
class Constraint:
    """What holds for every covariance."""

    floor: float = 1e-6
    """At least 0. The smallest variance of a component in any direction, as a share of the
    variance of all points (`least_variances`): the fit is then the same in any unit of any
    column. It is the best one above the floor, so that the likelihood still never falls. Zero
    lets components collapse until they break."""
    ridge: float = 0.0
    """At least 0. Added to every variance, in the units of the points, as scikit-learn's
    ``reg_covar`` is. It keeps components apart from zero, too, but no longer is the fit the
    best one: the likelihood may fall a little, and depends on the unit."""
    fixed_variance: float | None = None
    """Above 0. The one variance of all components in all directions, never fitted; they must be
    spherical. Towards zero, EM becomes k-means."""

    def __post_init__(self) -> None:
        if not (self.floor >= 0.0 and self.ridge >= 0.0):
            raise SettingError(
                f"floor and ridge must be at least 0, got {self.floor} and {self.ridge}"
            )
        if self.fixed_variance is not None and not self.fixed_variance > 0.0:
            raise SettingError(f"fixed_variance must be positive, got {self.fixed_variance}")


@dataclass(frozen=True)
class Collapse:
    """A component that rests on too few points."""

    component: int
    reason: str
    """One sentence for a reader."""
    is_fatal: bool = False
    """Its density is infinite: EM cannot go on."""


def least_variances(points: Tensor, kind: CovarianceKind, floor: float) -> Tensor:
    """Return the least variance that a component may have along each column, (D,).

    It is the floor times the variance of all points in that column, or what is lost by rounding if
    that is more. Round components have one variance for all columns, and so one floor: that of
    the mean variance. Where all points are alike in a column, the floor counts as a variance.

    `points`: Tensor of shape (N, D).
    """
    rounding = torch.finfo(points.dtype).eps
    lost = (rounding * points.abs().amax(0)).square()
    variances = points.var(0, correction=0)
    variances = torch.where(variances > len(points) * lost, variances, 0.0)
    if kind is CovarianceKind.SPHERICAL:
        variances = variances.mean().expand_as(variances)
    variances = torch.where(variances > 0.0, variances, 1.0)
    return variances * max(floor, rounding * points.shape[1]) + lost


def constrained(
    statistics: SufficientStatistics, kind: CovarianceKind, constraint: Constraint, least: Tensor
) -> tuple[Tensor, tuple[Collapse, ...]]:
    """Return the covariances, (K, D, D), that fit the statistics best, and what has collapsed.

    `least`: Tensor of shape (D,), the `least_variances` of the points.
    """
    width = statistics.means.shape[1]
    unit = torch.eye(width, dtype=statistics.means.dtype, device=statistics.means.device)
    empty = tuple(
        Collapse(component, f"no point belongs to component {component + 1} any more")
        for component in (statistics.counts <= 0).nonzero().flatten().tolist()
    )
    if constraint.fixed_variance is not None:
        return (constraint.fixed_variance * unit).expand_as(statistics.covariances).clone(), empty
    free = _of_kind(statistics, kind, unit) + constraint.ridge * unit
    covariances, collapsed = _held_up(free, least, constraint.floor)
    return covariances, empty + collapsed


def _of_kind(statistics: SufficientStatistics, kind: CovarianceKind, unit: Tensor) -> Tensor:
    """Return the covariances that fit the statistics best among those of one kind."""
    found = statistics.covariances
    match kind:
        case CovarianceKind.FULL:
            return found
        case CovarianceKind.TIED:
            shares = statistics.counts / statistics.counts.sum()
            return (shares[:, None, None] * found).sum(0).expand_as(found)
        case CovarianceKind.DIAGONAL:
            return found * unit
        case CovarianceKind.SPHERICAL:
            return found.diagonal(dim1=1, dim2=2).mean(1)[:, None, None] * unit


def _held_up(free: Tensor, least: Tensor, floor: float) -> tuple[Tensor, tuple[Collapse, ...]]:
    """Lift every variance to the least one; without a floor, tell which components have broken.

    A direction is judged in units in which the least variance is 1 along every column.
    """
    # The factorisation succeeds just where no direction lies below its least variance.
    failed = torch.linalg.cholesky_ex(free - least.diag()).info != 0
    if not failed.any():
        return free, ()
    units = least.sqrt()[:, None] * least.sqrt()
    values, vectors = torch.linalg.eigh((free[failed] / units).nan_to_num())
    components = failed.nonzero().flatten().tolist()
    shares = (values[:, 0].clamp(min=0.0) * floor).tolist()
    collapses = tuple(
        _collapse(k, share, floor) for k, share in zip(components, shares, strict=True)
    )
    if floor == 0.0:
        return free, collapses
    covariances = free.clone()
    covariances[failed] = (vectors * values.clamp(min=1.0)[:, None, :]) @ vectors.mT * units
    return covariances, collapses


def _collapse(component: int, share: float, floor: float) -> Collapse:
    name = f"component {component + 1}"
    if floor == 0.0:
        return Collapse(
            component,
            f"{name} has collapsed: its variance in one direction is zero as far as these numbers"
            " tell, and its density grows without limit",
            is_fatal=True,
        )
    return Collapse(
        component,
        f"{name} would collapse: its variance in one direction is {share:.2g} of that of all"
        f" points, and only the floor of {floor:g} holds it up",
    )
