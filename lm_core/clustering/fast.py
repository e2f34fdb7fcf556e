"""The steps of k-means and EM for many points: fewer passes over them, and no table of N rows.

The readable steps are in `k_means` and `em`; those here return the same, two to four times as fast
from `MANY` points on (`python -m tests.benchmarks.clustering`).

k-means: a block's scores are one product of matrices, and sums are carried on from the update before,
so that only points which have changed their cluster are read again. EM: an M-step needs no single
point, only each component's count, mean and covariance of its share, which the E-step sums up block by
block. EM from several starts at once takes the steps of all in one pass, whatever the number of points.
"""

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import torch
from torch import Tensor
from torch.nn import functional as F

from lm_core.clustering.covariances import Constraint, constrained, least_variances
from lm_core.clustering.gaussian_mixture import (
    CovarianceKind,
    Mixture,
    SufficientStatistics,
    log_joint_of_whitened,
    whiten,
    whitening,
)
from lm_core.clustering.points import blocks

MANY = 5_000
"""From so many points on, k-means and EM take their steps here."""

_WIDE = 16
"""From this width on, a block is read once from front to back to bring it into the cache: the product
by itself reads across its rows, and would wait for the memory up to twice as long."""


@torch.no_grad()  # a number has no gradient, and no table of scores is kept for one
def nearest(points: Tensor, centres: Tensor) -> Tensor:
    """Return the number of the nearest centre of each point, (N,): `k_means.assignment_step`."""
    # |x - c|^2 = |x|^2 - (2 x . c - |c|^2), and |x|^2 is the same for all centres. The centres
    # are taken around one of them: a far-away origin then costs no digits, and, other than
    # around their mean, whole numbers stay whole, so that ties on a grid are ties.
    origin = centres[0]
    slopes = centres - origin
    offsets = (slopes * (centres + origin)).sum(1, keepdim=True)
    labels = torch.empty(len(points), dtype=torch.int64, device=points.device)
    scores = points.new_empty(0)
    for block in blocks(points, max(centres.shape)):
        part = points[block]
        if part.shape[1] >= _WIDE:
            part.sum()
        scores.resize_(len(centres), len(part))
        torch.addmm(offsets, slopes, part.T, beta=-1.0, alpha=2.0, out=scores)
        labels[block] = _row_of_largest(scores)
    return labels


def _row_of_largest(table: Tensor) -> Tensor:
    """Return ``table.argmax(0)``, some twenty times as fast on a CPU.

    Max-pooling is the one vectorised way that torch has of finding where the largest of several
    rows is: the columns become channels, and each pool spans all rows.
    """
    if table.device.type != "cpu":
        return table.argmax(0)
    rows, columns = table.shape
    pixels = table.as_strided((1, columns, 1, rows), (rows * columns, 1, rows * columns, columns))
    return F.max_pool2d_with_indices(pixels, (1, rows))[1].view(columns)


class RunningMeans:
    """The means of clusters, updated by the points that change their cluster.

    Parameters
    ----------
    points : Tensor of shape (N, D)
    clusters : int, K
    """

    def __init__(self, points: Tensor, clusters: int) -> None:
        self._labels: Tensor | None = None
        self._counts = torch.zeros(clusters, dtype=torch.int64, device=points.device)
        # In float64, or single points would be lost in the sums.
        self._sums = points.new_zeros(clusters, points.shape[1], dtype=torch.float64)

    @torch.no_grad()
    def update(self, points: Tensor, labels: Tensor, centres: Tensor) -> Tensor:
        """Return the mean of each cluster's points, (K, D): `k_means.update_step`.

        Parameters
        ----------
        points : Tensor of shape (N, D), the same at every call
        labels : int64 Tensor of shape (N,)
        centres : Tensor of shape (K, D), what a cluster without points keeps
        """
        if self._labels is None:
            self._counts += labels.bincount(minlength=len(centres))
            for block in blocks(points, points.shape[1]):
                self._sums.index_add_(0, labels[block], points[block].to(torch.float64))
        else:
            self._carry_on(points, labels, self._labels)
        self._labels = labels
        counts = self._counts[:, None]
        means = (self._sums / counts.clamp(min=1)).to(points.dtype)
        return torch.where(counts > 0, means, centres)

    def _carry_on(self, points: Tensor, labels: Tensor, before: Tensor) -> None:
        changed = (labels != before).nonzero()[:, 0]
        for block in blocks(changed, points.shape[1]):
            rows = changed[block]
            new, old = labels.index_select(0, rows), before.index_select(0, rows)
            clusters = len(self._counts)
            self._counts += new.bincount(minlength=clusters) - old.bincount(minlength=clusters)
            moved = points.index_select(0, rows).to(torch.float64)
            # Adding with alpha=-1 instead of negating would take up to ten times as long.
            self._sums.index_add_(0, new, moved).index_add_(0, old, moved.neg_())


@torch.no_grad()
def sufficient_statistics(points: Tensor, mixture: Mixture) -> SufficientStatistics:
    """Return what an M-step needs of the points, as the components share them: E-step and sums.

    Raises CovarianceError if a covariance of the mixture is not positive definite.

    `points`: Tensor of shape (N, D).
    """
    clusters, width = mixture.means.shape
    how = whitening(mixture)
    counts = torch.zeros_like(mixture.weights)
    first = torch.zeros_like(mixture.means)
    second = torch.zeros_like(mixture.covariances)
    log_likelihood = 0.0
    # One memory for every block: fresh pages can cost more than the product that fills them.
    memory = points.new_empty(0)
    for block in blocks(points, 4 * clusters * width):  # about as many numbers are alive at once
        y = whiten(points[block], how, memory)  # (B, K, D)
        joint = log_joint_of_whitened(y, how)  # (B, K)
        density = joint.logsumexp(1, keepdim=True)
        log_likelihood += float(density.sum(dtype=torch.float64))
        shares = (joint - density).exp()
        counts += shares.sum(0)
        first += torch.einsum("bk,bkd->kd", shares, y)
        y *= shares.sqrt()[:, :, None]
        by_component = y.transpose(0, 1)  # (K, B, D)
        second.baddbmm_(by_component.mT, by_component)
    return _of_whitened(mixture, counts, first, second, log_likelihood)


def _of_whitened(
    mixture: Mixture, counts: Tensor, first: Tensor, second: Tensor, log_likelihood: float
) -> SufficientStatistics:
    """Turn sums over whitened points back into moments of the points themselves."""
    factors, divisor = mixture.factors, counts.clamp(min=torch.finfo(counts.dtype).tiny)
    step = (factors @ (first / divisor[:, None])[:, :, None])[:, :, 0]
    about_old_mean = factors @ (second / divisor[:, None, None]) @ factors.mT
    covariances = about_old_mean - step[:, :, None] * step[:, None, :]
    # A component without points stays as it was.
    covariances = torch.where(counts[:, None, None] > 0, covariances, mixture.covariances)
    return SufficientStatistics(counts, mixture.means + step, covariances, log_likelihood)


class Reached(NamedTuple):
    """Where EM has come from one of several starts."""

    mixture: Mixture
    log_likelihood: float
    rests_on_floor: bool
    """Some component rests on too few points."""


@torch.no_grad()
def from_all_starts(
    points: Tensor, starts: Sequence[Mixture], constraint: Constraint, steps: int
) -> list[Reached]:
    """Return where `steps` M-steps lead from each start: `em.fit`, for all of them at once.

    Raises CovarianceError if a covariance of a start is not positive definite.

    Parameters
    ----------
    points : Tensor of shape (N, D)
    starts : sequence of S mixtures, of one kind, and of K components each
    """
    n, clusters, kind = len(starts), starts[0].clusters, starts[0].kind
    centre = points.mean(0)
    away = points - centre  # or the squares would lose the digits of a far-away origin
    squares = (away[:, :, None] * away[:, None, :]).flatten(1)
    least = least_variances(points, kind, constraint.floor)
    # One mixture of S * K components, in which each start shares out every point among its own.
    mixture = Mixture(
        torch.cat([start.weights for start in starts]) / n,
        torch.cat([start.means - centre for start in starts]),
        torch.cat([start.covariances for start in starts]),
        kind,
    )
    shares, likelihoods = _shares_by_start(away, mixture, n)
    collapsed: set[int] = set()
    for _ in range(steps):
        statistics = _moments(away, squares, shares, mixture)
        if kind is CovarianceKind.TIED:
            statistics = _tied_by_start(statistics, n)
        free = CovarianceKind.FULL if kind is CovarianceKind.TIED else kind
        covariances, collapses = constrained(statistics, free, constraint, least)
        collapsed = {collapse.component // clusters for collapse in collapses}
        weights = statistics.counts / statistics.counts.sum()
        mixture = Mixture(weights, statistics.means, covariances, kind)
        shares, likelihoods = _shares_by_start(away, mixture, n)
    parts = zip(
        (mixture.weights * n).split(clusters),
        (mixture.means + centre).split(clusters),
        mixture.covariances.split(clusters),
        strict=True,
    )
    return [
        Reached(Mixture(*part, kind), likelihood, start in collapsed)
        for start, (part, likelihood) in enumerate(zip(parts, likelihoods, strict=True))
    ]


def _shares_by_start(points: Tensor, mixture: Mixture, n: int) -> tuple[Tensor, list[float]]:
    """Return the responsibilities, (N, n * K), of n mixtures in one, and each one's log-likelihood."""
    how = whitening(mixture)
    joint = log_joint_of_whitened(whiten(points, how), how).view(len(points), n, -1)
    density = joint.logsumexp(2, keepdim=True)
    likelihoods = density.sum(0, dtype=torch.float64)[:, 0] + len(points) * math.log(n)
    return (joint - density).exp().flatten(1), likelihoods.tolist()


def _moments(
    points: Tensor, squares: Tensor, shares: Tensor, mixture: Mixture
) -> SufficientStatistics:
    counts = shares.sum(0)
    divisor = counts.clamp(min=torch.finfo(counts.dtype).tiny)[:, None]
    means = shares.T @ points / divisor
    covariances = (shares.T @ squares / divisor).view_as(mixture.covariances)
    covariances = covariances - means[:, :, None] * means[:, None, :]
    has_points = counts > 0  # a component without any stays as it was
    return SufficientStatistics(
        counts,
        means.where(has_points[:, None], mixture.means),
        covariances.where(has_points[:, None, None], mixture.covariances),
        math.nan,
    )


def _tied_by_start(statistics: SufficientStatistics, n: int) -> SufficientStatistics:
    """Return the statistics with one covariance for all components of each of n starts."""
    counts = statistics.counts.view(n, -1)
    shares = (counts / counts.sum(1, keepdim=True))[:, :, None, None]
    by_start = statistics.covariances.unflatten(0, counts.shape)
    tied = (shares * by_start).sum(1, keepdim=True).expand_as(by_start).flatten(0, 1)
    return replace(statistics, covariances=tied)
