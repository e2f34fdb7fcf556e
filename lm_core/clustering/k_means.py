"""k-means by Lloyd's algorithm: assign each point to its nearest centre, move each centre.

`steps` yields every assignment step and every update step; `fit` is its last one. What a record says
of single points beyond their labels (distances, inertia) is computed when somebody asks for it.

References
----------
Lloyd 1982, "Least squares quantization in PCM". https://doi.org/10.1109/TIT.1982.1056489
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property

import torch
from torch import Generator, Tensor

from lm_core.clustering import fast
from lm_core.clustering.points import Start, blocks
from lm_core.errors import SettingError


class Phase(StrEnum):
    """Which step of an iteration a record shows."""

    ASSIGNMENT = "assignment"
    UPDATE = "update"


@dataclass(frozen=True, eq=False)
class KMeansStep:
    """The state after one step."""

    points: Tensor = field(repr=False)
    phase: Phase
    iteration: int
    """How often the centres have been moved; 0 for the first assignment step."""
    centres: Tensor
    """Of shape (K, D)."""
    labels: Tensor = field(repr=False)
    """int64, of shape (N,). The cluster of each point: the nearest centre after an assignment
    step, still the former one after an update step."""
    reseeded: tuple[int, ...] = ()
    """Clusters that were empty and have been moved onto a point in this update step."""
    converged: bool = False
    """No label has changed in this assignment step, so nothing will change any more."""

    @cached_property
    def squared_distances(self) -> Tensor:
        """Squared distance of each point to the centre of its own cluster, (N,)."""
        return own_squared_distances(self.points, self.centres, self.labels)

    @cached_property
    def inertia(self) -> float:
        """Sum of the squared distances: what k-means makes small. No step raises it."""
        return float(self.squared_distances.sum(dtype=torch.float64))


def assignment_step(points: Tensor, centres: Tensor) -> Tensor:
    """Return the number of each point's nearest centre, int64 (N,); of several, the lowest."""
    return squared_distances(points, centres).argmin(1)


def update_step(points: Tensor, labels: Tensor, centres: Tensor) -> Tensor:
    """Return the mean of each cluster's points, (K, D); without points, a centre stays."""
    counts = labels.bincount(minlength=len(centres))[:, None]
    # In float64, or single points would be lost in the sums of many.
    sums = torch.zeros_like(centres, dtype=torch.float64).index_add_(0, labels, points.double())
    return torch.where(counts > 0, (sums / counts).to(points.dtype), centres)


def steps(points: Tensor, centres: Tensor, *, max_iterations: int = 300) -> Iterator[KMeansStep]:
    """Yield assignment, update, assignment, ... until an assignment step changes no label.

    A cluster without points takes the point that is farthest from its own centre, among clusters
    that can spare one; where all points lie on their centres it stays where it is. (This is
    scikit-learn's rule, but for not emptying one cluster to fill another.)

    Raises ShapeError or PointsError if the points cannot be clustered or the centres do not lie
    among them.

    Parameters
    ----------
    points : Tensor of shape (N, D)
    centres : Tensor of shape (K, D), where to start, from `lm_core.clustering.initialisation` or placed by hand
    max_iterations : int
        How often the centres may move. The last record is always an assignment.
    """
    return steps_from(Start(points, centres), max_iterations)


def steps_from(start: Start, max_iterations: int) -> Iterator[KMeansStep]:
    """Yield what `steps` does, of points and centres that are checked."""
    if max_iterations < 0:
        raise SettingError(f"max_iterations must be at least 0, got {max_iterations}")
    return _steps(start.points.detach(), start.centres.detach(), max_iterations)


def _steps(points: Tensor, centres: Tensor, max_iterations: int) -> Iterator[KMeansStep]:
    assign, update = assignment_step, update_step
    if len(points) >= fast.MANY:
        assign, update = fast.nearest, fast.RunningMeans(points, len(centres)).update
    labels = assign(points, centres)
    yield KMeansStep(points, Phase.ASSIGNMENT, 0, centres, labels)
    for iteration in range(1, max_iterations + 1):
        labels, reseeded = _with_empty_filled(points, centres, labels)
        centres = update(points, labels, centres)
        yield KMeansStep(points, Phase.UPDATE, iteration, centres, labels, reseeded)
        before, labels = labels, assign(points, centres)
        converged = torch.equal(labels, before)
        yield KMeansStep(points, Phase.ASSIGNMENT, iteration, centres, labels, converged=converged)
        if converged:
            return


def _with_empty_filled(
    points: Tensor, centres: Tensor, labels: Tensor
) -> tuple[Tensor, tuple[int, ...]]:
    """Return labels in which clusters without points have taken one each, and these clusters."""
    counts = labels.bincount(minlength=len(centres))
    if counts.all():
        return labels, ()
    labels, distances = labels.clone(), own_squared_distances(points, centres, labels)
    reseeded = []
    for cluster in (counts == 0).nonzero().flatten().tolist():
        can_spare = counts[labels] > 1
        farthest = int(distances.where(can_spare, -1.0).argmax())
        if distances[farthest] == 0.0:
            break
        counts[labels[farthest]] -= 1
        labels[farthest], counts[cluster] = cluster, 1
        reseeded.append(cluster)
    return labels, tuple(reseeded)


def fit(points: Tensor, centres: Tensor, *, max_iterations: int = 300) -> KMeansStep:
    """Return the last of `steps`: an assignment, converged unless the iterations ran out."""
    for step in steps(points, centres, max_iterations=max_iterations):
        last = step
    return last


def restarts(
    points: Tensor,
    clusters: int,
    initialise: Callable[[Tensor, int, Generator], Tensor],
    n: int,
    rng: Generator,
    *,
    max_iterations: int = 300,
) -> list[KMeansStep]:
    """Return the last step of `n` runs, each from its own initial centres, in the order of drawing."""
    return [
        fit(points, initialise(points, clusters, rng), max_iterations=max_iterations)
        for _ in range(n)
    ]


def squared_distances(points: Tensor, centres: Tensor) -> Tensor:
    """Return the squared distance of each point to each centre, (N, K)."""
    return torch.cdist(points, centres, compute_mode="donot_use_mm_for_euclid_dist").square()


def own_squared_distances(points: Tensor, centres: Tensor, labels: Tensor) -> Tensor:
    """Return the squared distance of each point to the centre that its label names, (N,)."""
    parts = [
        (points[block] - centres[labels[block]]).square().sum(1)
        for block in blocks(points, points.shape[1])
    ]
    return torch.cat(parts)
