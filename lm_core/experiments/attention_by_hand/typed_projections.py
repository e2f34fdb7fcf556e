"""Queries, keys and values from typed inputs: X times three small matrices."""

from typing import NamedTuple

from torch import Tensor

from lm_core.errors import ShapeError


class Projections(NamedTuple):
    """Rows of tokens, as attention reads them."""

    queries: Tensor
    keys: Tensor
    values: Tensor


def project(x: Tensor, to_queries: Tensor, to_keys: Tensor, to_values: Tensor) -> Projections:
    """Return Q = X W_Q, K = X W_K and V = X W_V.

    Raises ShapeError if a matrix has not as many rows as X has columns.

    Parameters
    ----------
    x : Tensor of shape (T, E), a row for each token
    to_queries, to_keys, to_values : Tensor of shape (E, d)
    """
    named = {"W_Q": to_queries, "W_K": to_keys, "W_V": to_values}
    for name, matrix in named.items():
        if len(matrix) != x.shape[1]:
            raise ShapeError(
                f"{name} must have as many rows as X has columns, {x.shape[1]}, got {len(matrix)}:"
                " each number of a token is multiplied with one row"
            )
    return Projections(*(x @ matrix for matrix in named.values()))
