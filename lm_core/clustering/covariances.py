"""What a covariance may be: its kind, its floor, and how to tell that a component has collapsed."""

from dataclasses import dataclass

import torch
from torch import Tensor

from lm_core.clustering.gaussian_mixture import CovarianceKind, SufficientStatistics
from lm_core.errors import SettingError


@dataclass(frozen=True)
class Constraint:
    """What holds for every covariance.

    Attributes
    ----------
    floor : float, at least 0
        The smallest variance in any direction. The fit is then the best one above the floor, so
        that the likelihood still never falls. Zero lets components collapse until they break.
    ridge : float, at least 0
        Added to every variance, as scikit-learn's ``reg_covar`` is. It keeps components apart from
        zero, too, but no longer is the fit the best one: the likelihood may fall a little.
    fixed_variance : float, above 0, optional
        The one variance of all components in all directions, never fitted; they must be spherical.
        Towards zero, EM becomes k-means.
    """

    floor: float = 1e-6
    ridge: float = 0.0
    fixed_variance: float | None = None

    def __post_init__(self) -> None:
        if not (self.floor >= 0.0 and self.ridge >= 0.0):
            raise SettingError(
                f"floor and ridge must be at least 0, got {self.floor} and {self.ridge}"
            )
        if self.fixed_variance is not None and not self.fixed_variance > 0.0:
            raise SettingError(f"fixed_variance must be positive, got {self.fixed_variance}")


@dataclass(frozen=True)
class Collapse:
    """A component that rests on too few points.

    Attributes
    ----------
    component : int
    reason : str
        One sentence for a reader.
    is_fatal : bool
        Its density is infinite: EM cannot go on.
    """

    component: int
    reason: str
    is_fatal: bool = False


def constrained(
    statistics: SufficientStatistics, kind: CovarianceKind, constraint: Constraint
) -> tuple[Tensor, tuple[Collapse, ...]]:
    """Return the covariances, (K, D, D), that fit the statistics best, and what has collapsed."""
    width = statistics.means.shape[1]
    unit = torch.eye(width, dtype=statistics.means.dtype, device=statistics.means.device)
    empty = tuple(
        Collapse(component, f"no point belongs to component {component + 1} any more")
        for component in (statistics.counts <= 0).nonzero().flatten().tolist()
    )
    if constraint.fixed_variance is not None:
        return (constraint.fixed_variance * unit).expand_as(statistics.covariances).clone(), empty
    free = _of_kind(statistics, kind, unit) + constraint.ridge * unit
    covariances, collapsed = _held_up(free, statistics.means, constraint.floor, unit)
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


def _held_up(
    free: Tensor, means: Tensor, floor: float, unit: Tensor
) -> tuple[Tensor, tuple[Collapse, ...]]:
    """Lift every variance to the floor; without one, tell which components have broken."""
    precision = torch.finfo(free.dtype).eps
    # Below this a variance is rounding: of the covariance itself, or of the points around its mean.
    lost = precision * free.diagonal(dim1=1, dim2=2).amax(1) * free.shape[1]
    lost = lost + (precision * means.abs().amax(1)).square()
    least = lost.clamp(min=floor)
    # The factorisation succeeds just where all eigenvalues lie above `least`.
    failed = torch.linalg.cholesky_ex(free - least[:, None, None] * unit).info != 0
    if not failed.any():
        return free, ()
    values, vectors = torch.linalg.eigh(free[failed].nan_to_num())
    smallest = values[:, 0].clamp(min=0.0).tolist()
    components = failed.nonzero().flatten().tolist()
    collapses = tuple(
        _collapse(k, variance, floor) for k, variance in zip(components, smallest, strict=True)
    )
    if floor == 0.0:
        return free, collapses
    lifted = values.maximum(least[failed, None])
    covariances = free.clone()
    covariances[failed] = (vectors * lifted[:, None, :]) @ vectors.mT
    return covariances, collapses


def _collapse(component: int, variance: float, floor: float) -> Collapse:
    name = f"component {component + 1}"
    if floor == 0.0:
        return Collapse(
            component,
            f"{name} has collapsed: its variance in one direction is {variance:.2g}, zero as far "
            "as these numbers tell, and its density grows without limit",
            is_fatal=True,
        )
    return Collapse(
        component,
        f"{name} would collapse: its variance in one direction is {variance:.2g}, "
        f"and only the floor of {floor:g} holds it up",
    )
