"""How well a query fits a key: one number for each pair.

References
----------
Bahdanau, Cho & Bengio 2015, "Neural Machine Translation by Jointly Learning to Align and
Translate" (additive). https://arxiv.org/abs/1409.0473
Luong, Pham & Manning 2015, "Effective Approaches to Attention-based Neural Machine Translation"
(dot product). https://arxiv.org/abs/1508.04025
"""

import torch
from torch import Tensor, nn

from lm_core.errors import ShapeError


def dot_product_scores(queries: Tensor, keys: Tensor) -> Tensor:
    """Return ``q . k`` of every pair.

    Parameters
    ----------
    queries : Tensor of shape (..., T, d)
    keys : Tensor of shape (..., S, d)

    Returns
    -------
    Tensor of shape (..., T, S)

    Raises
    ------
    ShapeError
        If queries and keys have different widths.
    """
    if queries.shape[-1] != keys.shape[-1]:
        raise ShapeError(
            "queries and keys must have one width for a dot product, got"
            f" {queries.shape[-1]} and {keys.shape[-1]}: project them, or use additive scores"
        )
    return queries @ keys.transpose(-1, -2)


class AdditiveScores(nn.Module):
    """``v . tanh(q W_q + k W_k)``: a small network compares query and key, which may differ in width.

    Parameters
    ----------
    query_width, key_width, hidden_width : int
    """

    def __init__(self, query_width: int, key_width: int, hidden_width: int) -> None:
        super().__init__()
        self.query = nn.Parameter(torch.empty(query_width, hidden_width))
        self.key = nn.Parameter(torch.empty(key_width, hidden_width))
        self.direction = nn.Parameter(torch.empty(hidden_width))

    def forward(self, queries: Tensor, keys: Tensor) -> Tensor:
        """Return the scores (..., T, S) of queries (..., T, d_q) and keys (..., S, d_k)."""
        summed = (queries @ self.query).unsqueeze(-2) + (keys @ self.key).unsqueeze(-3)
        return torch.tanh(summed) @ self.direction  # (..., T, S, h) x (h) -> (..., T, S)

    @torch.no_grad()
    def initialise(self, rng: torch.Generator) -> None:
        """Draw the weights so that the sums before tanh have about the inputs' variance."""
        for weight in (self.query, self.key):
            weight.normal_(0.0, weight.shape[0] ** -0.5, generator=rng)
        self.direction.normal_(0.0, len(self.direction) ** -0.5, generator=rng)
