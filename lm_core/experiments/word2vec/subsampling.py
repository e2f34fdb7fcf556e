"""Which words are read, and which are held against them: both by how frequent they are.

References
----------
Mikolov et al. 2013, "Distributed Representations of Words and Phrases and their Compositionality",
sections 2.2 and 2.3. https://arxiv.org/abs/1310.4546
"""

import torch
from torch import Tensor

_SMOOTHING = 0.75


def keep_probabilities(counts: Tensor, threshold: float) -> Tensor:
    """Return the probability with which each occurrence of a word is read.

    Frequent words say little of their neighbours: with a share f of the text, a word is read with
    probability ``sqrt(t / f) + t / f`` (the published program's formula; the paper has the first
    summand alone).

    Parameters
    ----------
    counts : Tensor of shape (V,)
    threshold : float
        t; 0 reads everything.

    Returns
    -------
    float64 Tensor of shape (V,), values in [0, 1]
    """
    if not threshold:
        return torch.ones(len(counts), dtype=torch.float64)
    ratio = threshold * counts.sum() / counts.double()
    return (ratio.sqrt() + ratio).clamp(max=1.0)


class NoiseDistribution:
    """Draws words to be held against the true ones, with ``count ** 0.75`` as their weight.

    Parameters
    ----------
    counts : Tensor of shape (V,)
    """

    def __init__(self, counts: Tensor) -> None:
        weights = counts.double() ** _SMOOTHING
        self.probabilities = weights / weights.sum()
        self._ends = self.probabilities.cumsum(0)
        self._ends[-1] = 1.0

    def draw(self, *size: int, rng: torch.Generator) -> Tensor:
        """Return words, int64 of the given size."""
        uniform = torch.rand(*size, generator=rng, dtype=torch.float64)
        return torch.searchsorted(self._ends, uniform, right=True)
