"""A mixture of normal distributions: densities, responsibilities, samples, all in log space.

    p(x) = sum_k weight_k N(x; mean_k, covariance_k)

With the Cholesky factor of a covariance, L L^T, its quadratic form is the squared length of
y = L^-1 (x - mean): the *whitened* distance, which every function here rests on.
"""

import math
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from typing import Self

import torch
from torch import Generator, Tensor

from lm_core.clustering.points import blocks, require_centres
from lm_core.errors import CovarianceError, ShapeError


class CovarianceKind(StrEnum):
    """How free the covariances of a mixture are."""

    FULL = "full"
    TIED = "tied"
    DIAGONAL = "diagonal"
    SPHERICAL = "spherical"


@dataclass(frozen=True, eq=False)
class Mixture:
    """The parameters of a mixture of K normal distributions in D dimensions."""

    weights: Tensor
    """Of shape (K,). At least 0 each, 1 together."""
    means: Tensor
    """Of shape (K, D)."""
    covariances: Tensor = field(repr=False)
    """Of shape (K, D, D). Written out for every kind, so that nobody has to tell the kinds
    apart."""
    kind: CovarianceKind = CovarianceKind.FULL

    def __post_init__(self) -> None:
        clusters, width = self.means.shape
        shapes = (tuple(self.weights.shape), tuple(self.covariances.shape))
        wanted = ((clusters,), (clusters, width, width))
        if shapes != wanted:
            raise ShapeError(
                f"{clusters} means in {width} dimensions need weights and covariances of the shapes "
                f"{wanted[0]} and {wanted[1]}, got {shapes[0]} and {shapes[1]}"
            )

    @property
    def clusters(self) -> int:
        """K, the number of components."""
        return self.means.shape[0]

    @cached_property
    def factors(self) -> Tensor:
        """Lower Cholesky factors of the covariances, (K, D, D).

        Raises CovarianceError if a covariance is not positive definite: the component has
        collapsed.
        """
        factors, failed = torch.linalg.cholesky_ex(self.covariances)
        if failed.any():
            raise CovarianceError(
                f"the covariance of component {int(failed.nonzero()[0])} is not positive definite; "
                "a covariance floor above zero keeps components from collapsing"
            )
        return factors

    @property
    def free_parameters(self) -> int:
        """How many numbers can be chosen freely, as BIC and AIC count them."""
        clusters, width = self.means.shape
        covariances = {
            CovarianceKind.FULL: clusters * width * (width + 1) // 2,
            CovarianceKind.TIED: width * (width + 1) // 2,
            CovarianceKind.DIAGONAL: clusters * width,
            CovarianceKind.SPHERICAL: clusters,
        }
        return clusters * width + clusters - 1 + covariances[self.kind]

    def to(self, device: torch.device | str) -> Self:
        """Return the same mixture on another device."""
        weights, means, covariances = self.weights, self.means, self.covariances
        return type(self)(weights.to(device), means.to(device), covariances.to(device), self.kind)


@dataclass(frozen=True, eq=False)
class SufficientStatistics:
    """All that an M-step must know of the points, as K components share them."""

    counts: Tensor
    """Of shape (K,). How many points each has, as the sum of its responsibilities."""
    means: Tensor
    """Of shape (K, D)."""
    covariances: Tensor
    """Of shape (K, D, D). Mean and covariance of each one's share of the points."""
    log_likelihood: float
    """Of all points under the mixture that the responsibilities come from."""


@dataclass(frozen=True, eq=False)
class Whitening:
    """What turns points into whitened distances from all components at once."""

    slopes: Tensor
    """Of shape (D, K * D). ``points @ slopes - offsets`` is y for every component, side by side."""
    offsets: Tensor
    """Of shape (K * D,)."""
    log_scales: Tensor
    """Of shape (K,). The logarithm of what ``exp(-|y|^2 / 2)`` is multiplied with: weight and
    normalisation."""


def whitening(mixture: Mixture) -> Whitening:
    """Return the mixture's whitening; see `Whitening`."""
    clusters, width = mixture.means.shape
    factors = mixture.factors
    unit = torch.eye(width, dtype=factors.dtype, device=factors.device).expand_as(factors)
    inverses = torch.linalg.solve_triangular(factors, unit, upper=False)
    slopes = inverses.permute(2, 0, 1).reshape(width, clusters * width)
    offsets = (inverses @ mixture.means[:, :, None]).flatten()
    half_log_determinants = factors.diagonal(dim1=1, dim2=2).log().sum(1)
    constant = 0.5 * width * math.log(2.0 * math.pi)
    return Whitening(slopes, offsets, mixture.weights.log() - half_log_determinants - constant)


def whiten(points: Tensor, how: Whitening, out: Tensor | None = None) -> Tensor:
    """Return y for each point and component, (N, K, D), in the memory of `out` if that is given."""
    if out is not None:
        out.resize_(points.shape[0], how.offsets.shape[0])
    y = torch.addmm(how.offsets, points, how.slopes, beta=-1.0, out=out)
    return y.view(points.shape[0], how.log_scales.shape[0], points.shape[1])


def log_joint(points: Tensor, mixture: Mixture) -> Tensor:
    """Return log(weight_k N(x_n; mean_k, covariance_k)), (N, K).

    Raises ShapeError if the points do not lie in the space of the mixture, and CovarianceError if a
    covariance is not positive definite.

    `points`: Tensor of shape (N, D).
    """
    require_centres(points, mixture.means, "means")
    how = whitening(mixture)
    found = points.new_empty(points.shape[0], mixture.clusters)
    for block in blocks(points, how.offsets.shape[0]):
        found[block] = log_joint_of_whitened(whiten(points[block], how), how)
    return found


def log_joint_of_whitened(whitened: Tensor, how: Whitening) -> Tensor:
    """Return `log_joint`, (N, K), from the whitened distances (N, K, D)."""
    # The norm, squared again, is one pass without a table of squares: up to three times as fast.
    return how.log_scales - 0.5 * torch.linalg.vector_norm(whitened, dim=2).square()


def log_density(points: Tensor, mixture: Mixture) -> Tensor:
    """Return log p(x_n), (N,)."""
    return log_joint(points, mixture).logsumexp(1)


def responsibilities(points: Tensor, mixture: Mixture) -> Tensor:
    """Return each component's share in each point, p(k | x_n), (N, K): rows sum to one."""
    return log_joint(points, mixture).softmax(1)


def sample(mixture: Mixture, n: int, rng: Generator) -> tuple[Tensor, Tensor]:
    """Draw n points: first a component by its weight, then a point from its distribution.

    Returns
    -------
    points : Tensor of shape (n, D)
    labels : int64 Tensor of shape (n,), the component that each point was drawn from
    """
    weights, means = mixture.weights, mixture.means
    labels = torch.multinomial(weights, n, replacement=True, generator=rng)
    noise = torch.randn(n, means.shape[1], generator=rng, dtype=means.dtype, device=means.device)
    spread = (mixture.factors[labels] @ noise[:, :, None])[:, :, 0]
    return means[labels] + spread, labels


def weighted_densities(mixture: Mixture, x: Tensor, stretch: float = 1.0) -> Tensor:
    """Return weight times density of each component along the line, (K, len(x)).

    Raises ShapeError if the mixture is not one-dimensional.

    Parameters
    ----------
    mixture : Mixture of one-dimensional components
    x : Tensor of shape (M,)
    stretch : float
        Multiplies every standard deviation: whoever takes a variance v below 1 for a deviation
        draws with ``sqrt(v)`` of the true one.
    """
    if mixture.means.shape[1] != 1:
        raise ShapeError(f"one dimension is needed, the mixture has {mixture.means.shape[1]}")
    deviations = stretch * mixture.covariances[:, 0, 0].sqrt()
    away = (x[None, :] - mixture.means) / deviations[:, None]
    heights = mixture.weights / (deviations * math.sqrt(2.0 * math.pi))
    return heights[:, None] * torch.exp(-0.5 * away.square())


def deviations(mixture: Mixture) -> Tensor:
    """Return each component's smallest standard deviation in any direction, (K,)."""
    return torch.linalg.eigvalsh(mixture.covariances)[:, 0].clamp(min=0.0).sqrt()
