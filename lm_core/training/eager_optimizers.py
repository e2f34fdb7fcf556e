"""torch's optimizers for code that is never compiled: their processes start a second or two earlier.

torch marks the methods of its optimizers for `torch.compile`, and the first call of one that is marked
imports the whole compiler. Here the same methods stand without those marks.
"""

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
    several times as long as all the rest of a training step.
    """

    @torch.no_grad()
    def step(self) -> None:  # type: ignore[override]
        """Move the weights."""
        for group in self.param_groups:
            weights: list[Tensor] = []
            gradients: list[Tensor] = []
            moments: list[Tensor] = []
            self._init_group(group, weights, gradients, moments)
            kept = 1.0 - group["lr"] * group["weight_decay"]
            for weight, gradient, moment in zip(weights, gradients, moments, strict=True):
                moment.lerp_(gradient, 1.0 - group["momentum"])
                direction = gradient.lerp(moment, group["momentum"])
                if direction.device.type != "cpu":
                    direction = direction.bfloat16()
                length = 0.2 * max(weight.shape) ** 0.5  # its `match_rms_adamw`
                weight.mul_(kept).add_(orthogonalised(direction), alpha=-group["lr"] * length)
