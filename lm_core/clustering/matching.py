"""Which cluster stands for which group, and the points for which that is not so."""

import torch
from torch import Tensor

from lm_core.clustering.quality import cheapest_matching, misassigned


def wrongly_assigned(found: Tensor, true: Tensor) -> Tensor:
    """Return for each point, (N,), whether its cluster does not stand for its group.

    Clusters stand for groups so that as few points as possible are wrong: `misassigned` of them.

    Parameters
    ----------
    found, true : int64 Tensor of shape (N,)
        Numbers of clusters and of groups, 0 and up.
    """
    if not misassigned(found, true):
        return torch.zeros_like(found, dtype=torch.bool)
    size = int(torch.maximum(found.max(), true.max())) + 1
    table = (found * size + true).bincount(minlength=size * size).view(size, size)
    group_of = torch.tensor(cheapest_matching((-table).tolist()), device=found.device)
    return group_of[found] != true
