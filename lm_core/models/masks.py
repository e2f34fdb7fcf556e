"""Who may look at whom: in one sense throughout the project, where True means may look.

A mask is called `allowed` and broadcasts to the scores, (..., queries, keys). Torch has both senses:
`F.scaled_dot_product_attention` agrees with ours, `nn.MultiheadAttention` has the opposite one.
"""

import torch
from torch import Tensor

from lm_core.errors import SettingError, ShapeError


def causal_mask(
    n_queries: int,
    n_keys: int | None = None,
    *,
    window: int | None = None,
    device: torch.device | str = "cpu",
) -> Tensor:
    """Let each position look at itself and at what came before it.

    Parameters
    ----------
    n_queries : int, at least 1
    n_keys : int, optional
        At least `n_queries`: the queries are the **last** positions of the keys, as when a text is
        read on from a cache. By default there are as many keys as queries.
    window : int, optional
        Positions that each may look at, itself included, at least 1; by default all.

    Returns
    -------
    bool Tensor of shape (n_queries, n_keys)

    Raises
    ------
    SettingError
        If there are fewer keys than queries, no query, or no window.

    Examples
    --------
    >>> causal_mask(2, 3).int().tolist()
    [[1, 1, 0], [1, 1, 1]]
    """
    n_keys = n_queries if n_keys is None else n_keys
    if not 1 <= n_queries <= n_keys:
        raise SettingError(
            f"n_queries must lie between 1 and n_keys, got {n_queries} queries and {n_keys} keys"
        )
    if window is not None and window < 1:
        raise SettingError(f"window must be at least 1, got {window}")
    distance = distances(n_queries, n_keys, device=device)
    allowed = distance >= 0
    return allowed if window is None else allowed & (distance < window)


def distances(n_queries: int, n_keys: int, *, device: torch.device | str = "cpu") -> Tensor:
    """Return how far each key lies behind each query, int64 (n_queries, n_keys); negative is ahead.

    The queries are the last positions of the keys.
    """
    keys = torch.arange(n_keys, device=device)
    return keys[n_keys - n_queries :, None] - keys


def padding_mask(lengths: Tensor, n_keys: int) -> Tensor:
    """Let nobody look at what only fills up a shorter text.

    Parameters
    ----------
    lengths : int Tensor of shape (B,)
        Tokens of each text that are its own, from 0 to `n_keys`.
    n_keys : int

    Returns
    -------
    bool Tensor of shape (B, 1, n_keys)
        The same for every query.

    Raises
    ------
    ShapeError
        If the lengths are no vector.
    SettingError
        If a length lies outside its range.
    """
    if lengths.dim() != 1:
        raise ShapeError(f"lengths must have shape (B,), got {tuple(lengths.shape)}")
    if len(lengths) and (int(lengths.min()) < 0 or int(lengths.max()) > n_keys):
        raise SettingError(f"lengths must lie in [0, {n_keys}], got {lengths.tolist()}")
    return torch.arange(n_keys, device=lengths.device) < lengths[:, None, None]


def for_torch_multihead(allowed: Tensor) -> Tensor:
    """Return the mask in the sense of `nn.MultiheadAttention`, where True means may **not** look."""
    return ~allowed
