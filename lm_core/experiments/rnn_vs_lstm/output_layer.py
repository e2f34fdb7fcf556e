r"""The layer that names a symbol, with its loss and its gradients in one pass.

A network of 32 units that names one of 512 symbols spends nearly all its time here, so the logits
of a step are turned into probabilities and into all gradients while they are still in the cache,
and are never kept. With the softmax :math:`p` of the logits :math:`z = h W + b` and the one-hot
answer :math:`y`, the gradient of the cross-entropy by :math:`z` is :math:`p - y`; the rest follows
by products, as autograd would do them.
"""

import torch
from torch import Tensor


class OutputLayer:
    """Logits, losses and gradients of one network at a time, in buffers that are used again.

    Parameters
    ----------
    n_sequences : int
        The most rows that a step has.
    vocabulary : int
        V.
    like : Tensor
        Any tensor of the device and dtype to work on.
    """

    def __init__(self, n_sequences: int, vocabulary: int, like: Tensor) -> None:
        self._logits = like.new_empty(n_sequences, vocabulary)
        self._bias_gradient = like.new_empty(vocabulary)

    def logits(self, hidden: Tensor, weight: Tensor, bias: Tensor) -> Tensor:
        """Return the logits (N, V) of hidden states (N, H); the next call overwrites them."""
        return torch.addmm(bias, hidden, weight, out=self._logits[: len(hidden)])

    def learn(
        self,
        hidden: Tensor,
        weight: Tensor,
        bias: Tensor,
        gradients: tuple[Tensor, Tensor, Tensor],
        chances: Tensor,
        share: float,
    ) -> None:
        """Add up the gradients of one step, and write down the probabilities of its answers.

        Row n must name symbol n: the sequences are ordered by their first symbol.

        Parameters
        ----------
        hidden : Tensor of shape (N, H)
        weight : Tensor of shape (H, V)
        bias : Tensor of shape (V,)
        gradients : tuple
            By `hidden` (overwritten), by `weight` and by `bias` (added to).
        chances : Tensor of shape (N,)
            Overwritten; `losses_of` makes losses of them.
        share : float
            Of one answer in the loss: all gradients are scaled by it.
        """
        by_hidden, by_weight, by_bias = gradients
        logits = self.logits(hidden, weight, bias)
        p = torch.softmax(logits, 1, out=logits)  # (N, V), in place
        answers = p.diagonal()
        chances.copy_(answers)
        answers -= 1.0  # p is now the gradient by the logits
        torch.addmm(by_hidden, p, weight.T, beta=0, alpha=share, out=by_hidden)
        by_weight.addmm_(hidden.T, p, alpha=share)
        by_bias.add_(torch.sum(p, 0, out=self._bias_gradient), alpha=share)


def losses_of(chances: Tensor) -> Tensor:
    """Return the losses of answers with these probabilities, in nats.

    A probability that is zero in this dtype counts as its smallest number: 87 nats in float32.
    """
    return chances.clamp_min(torch.finfo(chances.dtype).tiny).log_().neg_()
