"""How fast a model learns, and what pulls at its weights."""

import math
from collections.abc import Callable
from functools import partial
from typing import Any

from torch import nn

from lm_core.training.eager_optimizers import AdamW
from lm_core.training.muon import ADAMW_SHARE, MuonAndAdamW


def learning_rate_at(step: int, *, steps: int, peak: float, warmup_steps: int = 0) -> float:
    """Return the learning rate of a step counted from 0: linear warm-up times a cosine to 0.

    Parameters
    ----------
    step, steps : int, the step and the number of all steps
    peak : float, reached after `warmup_steps`, if these are few beside `steps`
    warmup_steps : int, 0 for none

    References
    ----------
    Loshchilov & Hutter 2017, "SGDR", eq. (5), one period. https://arxiv.org/abs/1608.03983
    """
    warmup = min(1.0, (step + 1) / warmup_steps) if warmup_steps else 1.0
    return peak * warmup * 0.5 * (1.0 + math.cos(math.pi * step / steps))


def learning_rates_of(config: Any) -> Callable[[int], float]:
    """Return the rate by step of settings that have `steps`, `learning_rate`, the peak, and `warmup_steps`."""
    peak, warmup_steps = config.learning_rate, config.warmup_steps
    return partial(learning_rate_at, steps=config.steps, peak=peak, warmup_steps=warmup_steps)


OPTIMIZERS = ("adamw", "muon")


def make_optimizer(
    model: nn.Module, weight_decay: float, name: str = "adamw", adamw_share: float = ADAMW_SHARE
) -> AdamW | MuonAndAdamW:
    """Return an optimizer with weight decay on weight matrices only: not on biases, not on embeddings.

    Its learning rate is to be set before each step. `name` is one of `OPTIMIZERS`; beside Muon, AdamW
    takes `adamw_share` of the rate.

    References
    ----------
    Loshchilov & Hutter 2019, "Decoupled Weight Decay Regularization".
    https://arxiv.org/abs/1711.05101
    """
    if name == "muon":
        return MuonAndAdamW(model, weight_decay, adamw_share)
    embeddings = {id(m.weight) for m in model.modules() if isinstance(m, nn.Embedding)}
    decayed: list[nn.Parameter] = []
    free: list[nn.Parameter] = []
    for parameter in model.parameters():
        is_matrix = parameter.dim() > 1 and id(parameter) not in embeddings
        (decayed if is_matrix else free).append(parameter)
    groups = [
        {"params": decayed, "weight_decay": weight_decay},
        {"params": free, "weight_decay": 0.0},
    ]
    return AdamW(groups, betas=(0.9, 0.99))
