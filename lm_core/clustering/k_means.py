"""k-means by Lloyd's algorithm: assign each point to its nearest centre, move each centre.

`half_steps` yields every half-step; `fit` is its last one. What a record says of single points
beyond their labels (distances, inertia) is computed when somebody asks for it.

References
----------
Lloyd 1982, "Least squares quantization in PCM". https://doi.org/10.1109/TIT.1982.1056489
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from typing import NamedTuple

import torch
from torch import Generator, Tensor

from lm_core.clustering.assignment import Assignment, assign
from lm_core.clustering.points import blocks, require_centres, require_points
from lm_core.errors import SettingError


class Half(StrEnum):
    """Which half of an iteration a record shows."""

    ASSIGN = "assign"
    UPDATE = "update"


@dataclass(frozen=True, eq=False)
class KMeansStep:
    """The state after one half-step.

    Attributes
    ----------
    half : Half
    iteration : int
        How often the centres have been moved; 0 for the first assignment.
    centres : Tensor of shape (K, D)
    labels : int64 Tensor of shape (N,)
        The cluster of each point: the nearest centre after an assignment, still the former one
        after an update.
    reseeded : tuple of int
        Clusters that were empty and have been moved onto a point in this update.
    converged : bool
        No label has changed in this assignment, so nothing will change any more.
    """

    points: Tensor = field(repr=False)
    half: Half
    iteration: int
    centres: Tensor
    labels: Tensor = field(repr=False)
    reseeded: tuple[int, ...] = ()
    converged: bool = False

    @cached_property
    def squared_distances(self) -> Tensor:
        """Squared distance of each point to the centre of its own cluster, (N,)."""
        return own_squared_distances(self.points, self.centres, self.labels)

    @cached_property
    def inertia(self) -> float:
        """Sum of the squared distances: what k-means makes small. No half-step raises it."""
        return float(self.squared_distances.sum(dtype=torch.float64))


def half_steps(
    points: Tensor, centres: Tensor, *, max_iterations: int = 300
) -> Iterator[KMeansStep]:
    """Yield assign, update, assign, ... until an assignment changes no label.

    Equally near centres: the point goes to the one with the lower number. A cluster without points
    moves onto the point that is farthest from its own centre, among clusters that can spare one,
    and takes that point; where all points lie on their centres it stays where it is. (This is
    scikit-learn's rule, but for not emptying one cluster to fill another.)

    Parameters
    ----------
    points : Tensor of shape (N, D)
    centres : Tensor of shape (K, D)
        Where to start, from `lm_core.clustering.initialisation` or placed by hand.
    max_iterations : int
        How often the centres may move. The last record is always an assignment.

    Raises
    ------
    ShapeError, PointsError
        If the points cannot be clustered or the centres do not lie among them.
    """
    require_centres(points, centres)
    require_points(points, centres.shape[0])
    if max_iterations < 0:
        raise SettingError(f"max_iterations must be at least 0, got {max_iterations}")
    return _half_steps(points, centres, max_iterations)


def _half_steps(points: Tensor, centres: Tensor, max_iterations: int) -> Iterator[KMeansStep]:
    assignment = assign(points, centres)
    yield KMeansStep(points, Half.ASSIGN, 0, centres, assignment.labels)
    for iteration in range(1, max_iterations + 1):
        centres, labels, reseeded = _update(points, centres, assignment)
        yield KMeansStep(points, Half.UPDATE, iteration, centres, labels, reseeded)
        assignment = assign(points, centres, assignment)
        converged = assignment.changed == 0
        yield KMeansStep(
            points, Half.ASSIGN, iteration, centres, assignment.labels, converged=converged
        )
        if converged:
            return


def fit(points: Tensor, centres: Tensor, *, max_iterations: int = 300) -> KMeansStep:
    """Return the last of `half_steps`: an assignment, converged unless the iterations ran out."""
    for step in half_steps(points, centres, max_iterations=max_iterations):
        last = step
    return last


def restarts(
    points: Tensor,
    clusters: int,
    start: Callable[[Tensor, int, Generator], Tensor],
    n: int,
    rng: Generator,
    *,
    max_iterations: int = 300,
) -> list[KMeansStep]:
    """Return the last step from each of `n` starts, in the order of drawing."""
    return [
        fit(points, start(points, clusters, rng), max_iterations=max_iterations) for _ in range(n)
    ]


def squared_distances_to_all(points: Tensor, centres: Tensor) -> Tensor:
    """Return the squared distance of each point to each centre, (N, K)."""
    return torch.cdist(points, centres, compute_mode="donot_use_mm_for_euclid_dist").square()


def own_squared_distances(points: Tensor, centres: Tensor, labels: Tensor) -> Tensor:
    """Return the squared distance of each point to the centre that its label names, (N,)."""
    parts = [
        (points[block] - centres[labels[block]]).square().sum(1)
        for block in blocks(points, points.shape[1])
    ]
    return torch.cat(parts)


class _Update(NamedTuple):
    centres: Tensor
    labels: Tensor
    reseeded: tuple[int, ...]


def _update(points: Tensor, centres: Tensor, assignment: Assignment) -> _Update:
    if assignment.counts.all():
        means = assignment.sums / assignment.counts[:, None]
        return _Update(means.to(points.dtype), assignment.labels, ())
    return _update_with_empty(points, centres, assignment)


def _update_with_empty(points: Tensor, centres: Tensor, assignment: Assignment) -> _Update:
    labels, counts, sums = (part.clone() for part in assignment[:3])
    distances = own_squared_distances(points, centres, labels)
    reseeded = []
    for cluster in (counts == 0).nonzero().flatten().tolist():
        can_spare = counts[labels] > 1
        farthest = int(distances.where(can_spare, -1.0).argmax())
        if distances[farthest] == 0.0:
            break
        counts[labels[farthest]] -= 1
        sums[labels[farthest]] -= points[farthest]
        labels[farthest] = cluster
        counts[cluster], sums[cluster] = 1, points[farthest]
        reseeded.append(cluster)
    means = (sums / counts.clamp(min=1)[:, None]).to(points.dtype)
    return _Update(torch.where(counts[:, None] > 0, means, centres), labels, tuple(reseeded))
