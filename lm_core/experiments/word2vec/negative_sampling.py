"""Skip-gram and CBOW with negative sampling: the two losses, and what is drawn for them.

Skip-gram predicts from a centre word's input embedding its context words, and tells them from random
words; CBOW predicts the centre word from the mean of its context's input embeddings. The loss of a
true pair is ``-log sigmoid(v . u)``, that of a random one ``-log sigmoid(-v . u)``, with K random words
(negative samples) for each true one.

The published program goes through the text pair by pair. Here a stretch of T words is one block: its
embeddings are gathered once, all their products are one matrix (T, T) of which a band counts, and all
words of the block share N random words, each weighted so that K of them count per pair. So nearly all
work is products of small matrices. The gradients are written out: that of CBOW is not quite its loss's.

References
----------
Mikolov et al. 2013, "Efficient Estimation of Word Representations in Vector Space".
https://arxiv.org/abs/1301.3781
Mikolov et al. 2013, "Distributed Representations of Words and Phrases and their Compositionality",
eq. (4), sections 2.2 and 2.3. https://arxiv.org/abs/1310.4546
"""

from typing import NamedTuple

import torch
from torch import Tensor
from torch.nn import functional as F

_SMOOTHING = 0.75


class PairLoss(NamedTuple):
    """The loss of a batch of blocks, and its gradient by the embeddings that it was worked out from."""

    total: Tensor
    """Tensor, a scalar. Nats, summed over all true pairs and their random words."""
    n_pairs: Tensor
    """Tensor, a scalar. True pairs: context words in skip-gram, centre words with a context in
    CBOW."""
    by_input: Tensor
    by_output: Tensor
    """`by_input` and `by_output`: tensors of shape (B, T, D)."""
    by_noise: Tensor
    """Of shape (B, N, D)."""


def window_mask(radius: Tensor, length: int) -> Tensor:
    """Return which words are context of which: float (B, T, T), rows the centre words.

    Parameters
    ----------
    radius : int Tensor of shape (B, T), how many words to the left and to the right each word's window has
    length : int, T; a window ends with its block
    """
    places = torch.arange(length, device=radius.device)
    distance = (places[:, None] - places).abs()
    return ((distance <= radius.unsqueeze(-1)) & (distance > 0)).float()


def skip_gram_loss(
    input: Tensor, output: Tensor, noise: Tensor, mask: Tensor, negatives: int
) -> PairLoss:
    """Return skip-gram's loss on a batch of blocks.

    Parameters
    ----------
    input, output : Tensors of shape (B, T, D), both embeddings of the blocks' words
    noise : Tensor of shape (B, N, D), output embeddings of the blocks' random words
    mask : Tensor of shape (B, T, T), from `window_mask`
    negatives : int, K
    """
    weight = mask.sum(-1, keepdim=True) * (negatives / noise.shape[1])  # (B, T, 1)
    true, false = F.logsigmoid(input @ output.mT), F.logsigmoid(-(input @ noise.mT))
    by_true, by_false = true.expm1() * mask, false.expm1() * -weight  # (B, T, T), (B, T, N)
    return PairLoss(
        -(true * mask).sum() - (false * weight).sum(),
        mask.sum(),
        torch.baddbmm(by_true @ output, by_false, noise),
        by_true.mT @ input,
        by_false.mT @ input,
    )


def cbow_loss(
    input: Tensor, output: Tensor, noise: Tensor, mask: Tensor, negatives: int
) -> PairLoss:
    """Return CBOW's loss on a batch of blocks; parameters as for `skip_gram_loss`.

    Each context word gets the whole gradient of the mean, not divided by the number of context words:
    so does the published program.
    """
    n_context = mask.sum(-1, keepdim=True)  # (B, T, 1)
    has_any = n_context.clamp(max=1.0)
    weight = has_any * (negatives / noise.shape[1])
    mean = (mask @ input).div_(n_context.clamp_min(1.0))
    true = F.logsigmoid((mean * output).sum(-1, keepdim=True))  # (B, T, 1)
    false = F.logsigmoid(-(mean @ noise.mT))  # (B, T, N)
    by_true, by_false = true.expm1() * has_any, false.expm1() * -weight
    by_mean = torch.baddbmm(by_true * output, by_false, noise)
    return PairLoss(
        -(true * has_any).sum() - (false * weight).sum(),
        has_any.sum(),
        mask.mT @ by_mean,
        by_true * mean,
        by_false.mT @ mean,
    )


# What is drawn --------------------------------------------------------------------------------


def keep_probabilities(counts: Tensor, threshold: float) -> Tensor:
    """Return the probability with which subsampling keeps each occurrence of a word.

    Frequent words say little of their context: a word that makes up a share f of the text is kept with
    probability ``sqrt(t / f) + t / f`` (the published program's formula; the paper has the first
    summand alone).

    The result: float64 Tensor of shape (V,), values in [0, 1].

    Parameters
    ----------
    counts : Tensor of shape (V,)
    threshold : float, t; 0 keeps everything
    """
    if not threshold:
        return torch.ones(len(counts), dtype=torch.float64)
    ratio = threshold * counts.sum() / counts.double()
    return (ratio.sqrt() + ratio).clamp(max=1.0)


class NoiseDistribution:
    """Draws the random words, with ``count ** 0.75`` as their weight.

    `counts`: Tensor of shape (V,).
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
