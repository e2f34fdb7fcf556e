"""The assign half of k-means: whose centre is nearest, and what each cluster's points sum up to.

The costs that matter are passes over the points. There is one: a block's scores are one product of
matrices, and counts and sums are carried on from the assignment before, so that only points which
have changed their cluster are read again.
"""

from typing import NamedTuple

import torch
from torch import Tensor
from torch.nn import functional as F

from lm_core.clustering.points import blocks

_WIDE = 16
"""From this width on, a block is read once from front to back to bring it into the cache: the product
by itself reads across its rows, and would wait for the memory up to twice as long."""


class Assignment(NamedTuple):
    """Each point's cluster, and what the new centres follow from.

    Attributes
    ----------
    labels : int64 Tensor of shape (N,)
    counts : int64 Tensor of shape (K,)
        How many points each cluster has.
    sums : float64 Tensor of shape (K, D)
        Of the points of each cluster. In float64, or single points would be lost in them.
    changed : int
        How many points have another cluster than before; all of them, at first.
    """

    labels: Tensor
    counts: Tensor
    sums: Tensor
    changed: int


def assign(points: Tensor, centres: Tensor, before: Assignment | None = None) -> Assignment:
    """Assign each point to its nearest centre; of several, to the one with the lowest number.

    Parameters
    ----------
    points : Tensor of shape (N, D)
    centres : Tensor of shape (K, D)
    before : Assignment, optional
        An assignment of the same points to K other centres, to carry counts and sums on from.
    """
    labels = nearest(points, centres)
    if before is None:
        sums = torch.zeros_like(centres, dtype=torch.float64)
        for block in blocks(points, points.shape[1]):
            sums.index_add_(0, labels[block], points[block].to(torch.float64))
        return Assignment(labels, labels.bincount(minlength=len(centres)), sums, len(points))
    counts, sums = before.counts, before.sums
    changed = (labels != before.labels).nonzero()[:, 0]
    for block in blocks(changed, points.shape[1]):
        rows = changed[block]
        new, old = labels.index_select(0, rows), before.labels.index_select(0, rows)
        counts = counts + new.bincount(minlength=len(counts)) - old.bincount(minlength=len(counts))
        moved = points.index_select(0, rows).to(torch.float64)
        # Adding with alpha=-1 instead of negating would take up to ten times as long.
        sums = sums.index_add(0, new, moved).index_add_(0, old, moved.neg_())
    return Assignment(labels, counts, sums, len(changed))


@torch.no_grad()  # a number has no gradient, and no table of scores is kept for one
def nearest(points: Tensor, centres: Tensor) -> Tensor:
    """Return the number of the nearest centre of each point, (N,)."""
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
