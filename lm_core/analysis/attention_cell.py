"""One cell of an attention map, number by number: what the formula adds up to.

    weight = exp(s - m) / sum over the row of exp(s' - m),   s = q . k / (sqrt(d) temperature) + bias

where ``m`` is the row's largest score that is not masked: subtracting it changes nothing and keeps the
exponentials small.
"""

from typing import NamedTuple

import torch
from torch import Tensor

from lm_core.errors import SettingError
from lm_core.models.attention import AttentionTrace


class AttentionCell(NamedTuple):
    """One query attending to one key."""

    products: Tensor
    """Of shape (d,). Of the query's and the key's coordinates; they add up to `score`."""
    score: float
    scaled_score: float
    """`score` and `scaled_score`: ``q . k``, and what the softmax is given."""
    is_visible: bool
    """Whether the query may attend to the key."""
    largest: float
    """m; minus infinity where the whole row is masked."""
    exponential: float
    total: float
    """`exponential` and `total`: of this cell and of its row; 0 where masked."""
    weight: float
    """In [0, 1]."""
    weighted_value: Tensor
    """Of shape (v,). The key's value times the weight: its share in `output`."""
    output: Tensor
    """Of shape (v,). What the query's row mixes out of all values."""


def attention_cell(stages: AttentionTrace, query: int, key: int) -> AttentionCell:
    """Return the numbers of one cell of a head.

    Raises SettingError if there is no such query or key.

    Parameters
    ----------
    stages : AttentionTrace, of one head: tensors of shape (T, ...) and (S, ...)
    query, key : int, in [0, T) and [0, S)
    """
    n_queries, n_keys = stages.weights.shape
    for name, index, count in (("query", query, n_queries), ("key", key, n_keys)):
        if not 0 <= index < count:
            raise SettingError(f"{name} must lie in [0, {count - 1}], got {index}")
    row = stages.masked_scores[query].double()
    is_visible = bool(torch.isfinite(row[key]))
    largest = float(row.max())
    exponentials = (row - largest).exp().nan_to_num(0.0)  # a row masked throughout is all NaN
    return AttentionCell(
        stages.queries[query] * stages.keys[key],
        float(stages.scores[query, key]),
        float(stages.scaled_scores[query, key]),
        is_visible,
        largest,
        float(exponentials[key]),
        float(exponentials.sum()),
        float(stages.weights[query, key]),
        stages.values[key] * stages.weights[query, key],
        stages.output[query],
    )
