"""torch's optimizers for code that is never compiled: their processes start a second or two earlier.

torch marks the methods of its optimizers for `torch.compile`, and the first call of one that is marked
imports the whole compiler. Here the same methods stand without those marks.
"""

from inspect import unwrap
from typing import Any

import torch


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
    """`torch.optim.Muon`."""
