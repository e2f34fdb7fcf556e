"""Small networks of one shape, trained side by side as one computation."""

from collections.abc import Sequence

import torch
from torch import Tensor, nn
from torch.func import stack_module_state


class StackedNetworks:
    """Networks of one shape: `vmap` runs one of them over all their weights.

    `networks`: sequence of Module, S of one shape.

    Attributes
    ----------
    weights, buffers : dict of str to Tensor
        By the names in a network, stacked: the first axis counts the networks.
    """

    def __init__(self, networks: Sequence[nn.Module]) -> None:
        self.weights: dict[str, Tensor]
        self.buffers: dict[str, Tensor]
        self.weights, self.buffers = stack_module_state(list(networks))

    def gradient_norms(self) -> Tensor:
        """Return the Euclidean norm of each network's gradient, (S,)."""
        squares = [
            w.grad.flatten(1).square().sum(1) for w in self.weights.values() if w.grad is not None
        ]
        return torch.stack(squares).sum(0).sqrt()

    def scale_gradients(self, factors: Tensor) -> None:
        """Multiply each network's gradient by its own factor, (S,)."""
        for weight in self.weights.values():
            if weight.grad is not None:
                weight.grad *= factors.view(-1, *[1] * (weight.dim() - 1))

    def clip_gradients(self, longest: float | None) -> Tensor:
        """Shorten each network's gradient by its own norm; return the norms before, (S,)."""
        norms = self.gradient_norms()
        if longest is not None:
            self.scale_gradients((longest / (norms + 1e-6)).clamp_max(1.0))
        return norms
