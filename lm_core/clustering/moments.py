"""The E-step: what each component's share of the points amounts to, in one pass over them.

An M-step needs no single point, only each component's count, mean and covariance of its share. So
the E-step sums these up block by block, and no table of N rows is ever held.
"""

from dataclasses import dataclass

import torch
from torch import Tensor

from lm_core.clustering.gaussian_mixture import Mixture, log_joint_of_whitened, whiten, whitening
from lm_core.clustering.points import blocks
from lm_core.errors import PointsError


@dataclass(frozen=True, eq=False)
class Moments:
    """The points as K components share them.

    Attributes
    ----------
    counts : Tensor of shape (K,)
        How many points each has, as the sum of its shares.
    means : Tensor of shape (K, D)
    covariances : Tensor of shape (K, D, D)
        Mean and covariance of each one's share of the points.
    log_likelihood : float
        Of all points under the mixture that shared them out.
    """

    counts: Tensor
    means: Tensor
    covariances: Tensor
    log_likelihood: float


@torch.no_grad()
def share_out(points: Tensor, mixture: Mixture) -> Moments:
    """Share the points out among the components, and sum up the shares.

    Parameters
    ----------
    points : Tensor of shape (N, D)
    mixture : Mixture of K components

    Raises
    ------
    CovarianceError
        If a covariance of the mixture is not positive definite.
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
    return _moments(mixture, counts, first, second, log_likelihood)


def _moments(
    mixture: Mixture, counts: Tensor, first: Tensor, second: Tensor, log_likelihood: float
) -> Moments:
    """Turn sums over whitened points back into moments of the points themselves."""
    factors, divisor = mixture.factors, counts.clamp(min=torch.finfo(counts.dtype).tiny)
    step = (factors @ (first / divisor[:, None])[:, :, None])[:, :, 0]
    about_old_mean = factors @ (second / divisor[:, None, None]) @ factors.mT
    covariances = about_old_mean - step[:, :, None] * step[:, None, :]
    # A component without points stays as it was.
    covariances = torch.where(counts[:, None, None] > 0, covariances, mixture.covariances)
    return Moments(counts, mixture.means + step, covariances, log_likelihood)


def moments_of_labels(points: Tensor, labels: Tensor, clusters: int) -> Moments:
    """Return the moments of points that belong wholly to one component each.

    Raises
    ------
    PointsError
        If a cluster has no point.
    """
    counts = labels.bincount(minlength=clusters)
    if counts.shape[0] > clusters or not (counts > 0).all():
        raise PointsError(
            f"each of {clusters} clusters needs a point, they have {counts.tolist()}: take fewer"
            " clusters, or points that differ"
        )
    parts = [points[labels == cluster] for cluster in range(clusters)]
    means = torch.stack([part.mean(0) for part in parts])
    covariances = [
        (part - mean).T @ (part - mean) / part.shape[0]
        for part, mean in zip(parts, means, strict=True)
    ]
    return Moments(counts.to(points.dtype), means, torch.stack(covariances), float("nan"))
