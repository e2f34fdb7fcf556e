"""Do some vectors lie together? Their distances among each other beside those to all others."""

from collections.abc import Sequence

import torch
from torch import Tensor


def distance_ratio(vectors: Tensor, group: Sequence[int], others: Sequence[int]) -> float:
    """Return the mean distance within a group, divided by the mean distance between it and others.

    1 if the group is scattered among the others, less if it lies together.

    Parameters
    ----------
    vectors : Tensor of shape (n, D)
    group, others : sequences of int, rows; at least two in the group, and one other

    Examples
    --------
    >>> vectors = torch.tensor([[0.0, 0.0], [0.0, 1.0], [4.0, 0.0], [4.0, 1.0]])
    >>> round(distance_ratio(vectors, [0, 1], [2, 3]), 3)
    0.246
    """
    own, far = vectors[list(group)], vectors[list(others)]
    first, second = torch.triu_indices(len(own), len(own), 1)
    within = (own[first] - own[second]).norm(dim=1).mean()
    return float(within / torch.cdist(own, far).mean())


def random_groups_as_close(
    vectors: Tensor, group: Sequence[int], others: Sequence[int], n: int, rng: torch.Generator
) -> int:
    """Return how many of n groups, drawn at random from all these rows, have no larger `distance_ratio`.

    Few: what the group has in common is seen in the vectors.
    """
    own, among = distance_ratio(vectors, group, others), [*group, *others]
    n_close = 0
    for _ in range(n):
        drawn = [among[i] for i in torch.randperm(len(among), generator=rng).tolist()]
        n_close += distance_ratio(vectors, drawn[: len(group)], drawn[len(group) :]) <= own
    return n_close
