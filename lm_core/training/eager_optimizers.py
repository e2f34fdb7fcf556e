"""torch's optimizers for code that is never compiled: their processes start a second or two earlier.

torch marks the methods of its optimizers for `torch.compile`, and the first call of one that is marked
imports the whole compiler. Here the same methods stand without those marks.
"""

from collections import defaultdict
from inspect import unwrap
from typing import Any

import torch
from torch import Tensor

from lm_core.training.update_rules import orthogonalised


class _Eager(torch.optim.Optimizer):
    """What all of torch's optimizers share."""

    add_param_group: Any = unwrap(torch.optim.Optimizer.add_param_group)
    zero_grad: Any = unwrap(torch.optim.Optimizer.zero_grad)
    state_dict: Any = unwrap(torch.optim.Optimizer.state_dict)
    load_state_dict: Any = unwrap(torch.optim.Optimizer.load_state_dict)


class SGD(_Eager, torch.optim.SGD):
    """`torch.optim.SGD`."""

    step: Any = torch.no_grad()(unwrap(torch.optim.SGD.step))


class Adam(_Eager, torch.optim.Adam):
    """`torch.optim.Adam`."""

    step: Any = torch.no_grad()(unwrap(torch.optim.Adam.step))


class AdamW(_Eager, torch.optim.AdamW):
    """`torch.optim.AdamW`."""

    step: Any = torch.no_grad()(unwrap(torch.optim.AdamW.step))


class Muon(_Eager, torch.optim.Muon):
    """`torch.optim.Muon` with steps as long as AdamW's, on a processor in the arithmetic of the weights.

    torch's own goes through bfloat16, for which many processors have no instructions: there it takes
    several times as long as all the rest of a training step. It takes one matrix after the other, too,
    and a graphics card then waits for the next small product more than it computes: there all matrices
    of one shape go together.
    """

    @torch.no_grad()
    def step(self) -> None:  # type: ignore[override]
        """Move the weights."""
        for group in self.param_groups:
            weights: list[Tensor] = []
            gradients: list[Tensor] = []
            moments: list[Tensor] = []
            self._init_group(group, weights, gradients, moments)
            is_on_card = bool(weights) and weights[0].device.type != "cpu"
            move = move_by_shape if is_on_card else move_one_by_one
            move(weights, gradients, moments, group)


def move_one_by_one(
    weights: list[Tensor], gradients: list[Tensor], moments: list[Tensor], group: dict[str, Any]
) -> None:
    """Take a step of Muon in place, a matrix at a time, each in its own arithmetic."""
    kept = 1.0 - group["lr"] * group["weight_decay"]
    for weight, gradient, moment in zip(weights, gradients, moments, strict=True):
        moment.lerp_(gradient, 1.0 - group["momentum"])
        direction = orthogonalised(gradient.lerp(moment, group["momentum"]))
        weight.mul_(kept).add_(direction, alpha=-group["lr"] * _length(weight))


def move_by_shape(
    weights: list[Tensor], gradients: list[Tensor], moments: list[Tensor], group: dict[str, Any]
) -> None:
    """Take a step of Muon in place, all matrices of one shape at a time, in bfloat16."""
    torch._foreach_lerp_(moments, gradients, 1.0 - group["momentum"])
    directions = torch._foreach_lerp(gradients, moments, group["momentum"])
    torch._foreach_mul_(weights, 1.0 - group["lr"] * group["weight_decay"])
    of_shape: dict[torch.Size, list[int]] = defaultdict(list)
    for place, weight in enumerate(weights):
        of_shape[weight.shape].append(place)
    for places in of_shape.values():
        alike = [weights[place] for place in places]
        stacked = torch.stack([directions[place] for place in places])
        moved = orthogonalised(stacked.bfloat16()).to(stacked.dtype)
        torch._foreach_add_(alike, moved.unbind(), alpha=-group["lr"] * _length(alike[0]))


def _length(weight: Tensor) -> float:
    """Return how long torch's `match_rms_adamw` makes a step of a matrix, in steps of length 1."""
    return 0.2 * max(weight.shape) ** 0.5
