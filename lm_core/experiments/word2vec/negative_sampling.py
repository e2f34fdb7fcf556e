"""Skip-gram and CBOW with negative sampling, many words at a time.

Both read a text with a window. Skip-gram asks of a word's vector to tell its neighbours from words
drawn at random; CBOW asks it of the mean of the neighbours' vectors, about the word in the middle. The
loss of a true pair is ``-log sigmoid(v . u)``, that of a random one ``-log sigmoid(-v . u)``, and K
random words are drawn for each true one.

The published program goes through the text pair by pair. Here a stretch of T words is one block:
its words' vectors are gathered once, all their products are one matrix (T, T) in which a band is
wanted, and the block's T random words are held against all of its words, each with the weight that
makes K of them per pair. So nearly all work is products of small matrices.

References
----------
Mikolov et al. 2013, "Efficient Estimation of Word Representations in Vector Space".
https://arxiv.org/abs/1301.3781
Mikolov et al. 2013, "Distributed Representations of Words and Phrases and their Compositionality",
eq. (4). https://arxiv.org/abs/1310.4546
"""

from typing import NamedTuple

import torch
from torch import Tensor
from torch.nn import functional as F


class BlockGradient(NamedTuple):
    """Loss and gradient of a batch of blocks.

    Attributes
    ----------
    loss : Tensor, a scalar
        Nats, summed over all true pairs and the random words held against them.
    n_pairs : int
        True pairs: neighbours in skip-gram, words with a neighbour in CBOW.
    read, asked : Tensors of shape (B, T, D)
        Gradients of the loss: of the vectors of the words read, and of the same words' vectors when
        they are asked for.
    noise : Tensor of shape (B, N, D)
        That of the random words' vectors.
    """

    loss: Tensor
    n_pairs: int
    read: Tensor
    asked: Tensor
    noise: Tensor


def window_mask(reach: Tensor, length: int) -> Tensor:
    """Return which words are neighbours of which: float (B, T, T), rows the words in the middle.

    Parameters
    ----------
    reach : int Tensor of shape (B, T)
        How many words to the left and to the right belong to each word's window.
    length : int
        T; a window ends with its block.
    """
    places = torch.arange(length, device=reach.device)
    distance = (places[:, None] - places).abs()
    return ((distance <= reach.unsqueeze(-1)) & (distance > 0)).float()


def skip_gram(
    read: Tensor, asked: Tensor, noise: Tensor, mask: Tensor, negatives: int
) -> BlockGradient:
    """Return what a batch of blocks teaches skip-gram.

    Parameters
    ----------
    read, asked : Tensors of shape (B, T, D)
        The blocks' words: their vectors, and their vectors as neighbours.
    noise : Tensor of shape (B, N, D)
        Vectors as neighbours of the blocks' N random words.
    mask : Tensor of shape (B, T, T)
        From `window_mask`.
    negatives : int
        K.
    """
    weight = mask.sum(-1, keepdim=True) * (negatives / noise.shape[1])  # (B, T, 1)
    true, false = read @ asked.mT, read @ noise.mT  # (B, T, T), (B, T, N)
    of_true = (true.sigmoid() - 1.0) * mask
    of_false = false.sigmoid() * weight
    loss = (F.softplus(-true) * mask).sum() + (F.softplus(false) * weight).sum()
    return BlockGradient(
        loss,
        int(mask.sum()),
        of_true @ asked + of_false @ noise,
        of_true.mT @ read,
        of_false.mT @ read,
    )


def cbow(read: Tensor, asked: Tensor, noise: Tensor, mask: Tensor, negatives: int) -> BlockGradient:
    """Return what a batch of blocks teaches CBOW; parameters as for `skip_gram`.

    The gradient of a neighbour is that of the mean, not divided by the number of neighbours: so does
    the published program.
    """
    n_neighbours = mask.sum(-1, keepdim=True)
    has_any = (n_neighbours > 0).float()  # (B, T, 1)
    weight = has_any * (negatives / noise.shape[1])
    mean = mask @ read / n_neighbours.clamp_min(1.0)
    true = (mean * asked).sum(-1, keepdim=True)  # (B, T, 1)
    false = mean @ noise.mT  # (B, T, N)
    of_true = (true.sigmoid() - 1.0) * has_any
    of_false = false.sigmoid() * weight
    loss = (F.softplus(-true) * has_any).sum() + (F.softplus(false) * weight).sum()
    of_mean = of_true * asked + of_false @ noise
    return BlockGradient(
        loss, int(has_any.sum()), mask.mT @ of_mean, of_true * mean, of_false.mT @ mean
    )
