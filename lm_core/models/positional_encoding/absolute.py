"""Codes that are added to a token's vector: one row for each position, counted from 0.

References
----------
Vaswani et al. 2017, "Attention Is All You Need", section 3.5. https://arxiv.org/abs/1706.03762
"""

import torch
from torch import Tensor

from lm_core.errors import SettingError

BASE = 10_000.0
"""C of the paper: the slowest wave turns once in about 2 pi C positions."""


def wave_frequencies(
    width: int, base: float = BASE, *, device: torch.device | str = "cpu"
) -> Tensor:
    """Return the angles by which the d / 2 pairs of coordinates turn from one position to the next.

    Raises SettingError if the width is odd or the base not above 1.

    The result: float64 Tensor of shape (width / 2,), radians: ``base ** (-2 j / d)``, falling from 1.

    Parameters
    ----------
    width : int, d, even and at least 2
    base : float, above 1
    """
    if width < 2 or width % 2:
        raise SettingError(f"width must be even and at least 2, got {width}")
    if not base > 1.0:
        raise SettingError(f"base must be above 1, got {base}")
    return base ** (-torch.arange(0, width, 2, dtype=torch.float64, device=device) / width)


def sinusoidal_positions(
    n_positions: int, width: int, base: float = BASE, *, device: torch.device | str = "cpu"
) -> Tensor:
    """Return the fingerprint of each position: sine and cosine of waves from fast to slow.

    ``p[i, 2j] = sin(i / base^(2j/d))`` and ``p[i, 2j+1] = cos(i / base^(2j/d))``. Raises
    SettingError if there is no position, or as for `wave_frequencies`.

    Returns
    -------
    float32 Tensor of shape (n_positions, width), in [-1, 1]
        A row is a position, a column a wave: the heat map of fingerprints.
    """
    _require_positions(n_positions)
    frequencies = wave_frequencies(width, base, device=device)
    steps = torch.arange(n_positions, dtype=torch.float64, device=device)
    angles = steps[:, None] * frequencies  # (n, d / 2)
    return torch.stack([angles.sin(), angles.cos()], -1).flatten(-2).float()


def binary_positions(n_positions: int, width: int, *, device: torch.device | str = "cpu") -> Tensor:
    """Return the binary digits of each position, the fastest last; from 2 ** width on they repeat.

    The result: float32 Tensor of shape (n_positions, width), of zeros and ones.

    Examples
    --------
    >>> binary_positions(4, 2).tolist()
    [[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]]
    """
    _require_positions(n_positions)
    if not 1 <= width <= 62:
        raise SettingError(f"width must lie between 1 and 62 digits, got {width}")
    digits = torch.arange(width - 1, -1, -1, device=device)
    return (torch.arange(n_positions, device=device)[:, None] >> digits & 1).float()


def shift_rotation(offset: float, width: int, base: float = BASE) -> Tensor:
    """Return the matrix that takes the fingerprint of any position to that of `offset` positions on.

    Each pair (sine, cosine) is rotated by its own angle, ``[[cos a, sin a], [-sin a, cos a]]`` with
    ``a = offset / base^(2j/d)``, and so the matrix depends on the distance alone.

    The result: float32 Tensor of shape (width, width), R with ``p[i + offset] = R @ p[i]`` for every i.
    """
    angles = offset * wave_frequencies(width, base)
    cosines, sines = angles.cos(), angles.sin()
    turns = torch.stack([torch.stack([cosines, sines], -1), torch.stack([-sines, cosines], -1)], -2)
    return torch.block_diag(*turns).float()


def position_similarity(codes: Tensor) -> Tensor:
    """Return the cosine between the codes of every two positions, (n, n); a code of zeros has 0."""
    lengths = codes.norm(dim=-1, keepdim=True)
    directions = codes / lengths.clamp_min(torch.finfo(codes.dtype).tiny)
    return directions @ directions.T


def equal_tokens_differ(
    tokens: Tensor, vectors: Tensor, tolerance: float = 1e-5
) -> dict[int, bool]:
    """Return for each token that occurs more than once whether its vectors differ between positions.

    Without positional encoding, the word *can* gets the same vector everywhere in "Can a canner can
    a can?".

    The result: dict of int to bool, by token: True if the vectors of every two of its positions differ.

    Parameters
    ----------
    tokens : int64 Tensor of shape (T,)
    vectors : Tensor of shape (T, D), a layer's output at each position
    tolerance : float, largest difference of two coordinates that still count as equal
    """
    differ = {}
    for token in tokens.unique().tolist():
        of_token = vectors[tokens == token]
        if len(of_token) > 1:
            gaps = (of_token[:, None] - of_token).abs().amax(-1)  # (n, n)
            first, second = torch.triu_indices(len(of_token), len(of_token), 1)
            differ[token] = bool((gaps[first, second] > tolerance).all())
    return differ


def _require_positions(n_positions: int) -> None:
    if n_positions < 1:
        raise SettingError(f"n_positions must be at least 1, got {n_positions}")
