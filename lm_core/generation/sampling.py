"""The sampling chain: every reshaping of a prediction, in one visible order, and the draw at its end.

1. **repetition penalty**, because its rule reads the sign of the model's own logits;
2. **temperature**, so that all cuts below see the distribution that is drawn from, and the mass
   they keep is the mass on screen;
3. **top-n-sigma**, because it needs the spread of all logits, before any is cut away;
4. **top-k**, 5. **typical**, 6. **top-p**, 7. **min-p**: cuts, each on what the ones before have
   left, as llama.cpp orders them;
8. **mirostat**, last, because it steers by what is truly drawn.

`run_chain` shows every stage; `next_probabilities` walks the same links and shows none.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, fields
from functools import cached_property
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor

from lm_core.errors import ShapeError
from lm_core.generation import logit_transforms as transforms
from lm_core.generation.sampling_ranges import RANGES, require_in_range


@dataclass(frozen=True)
class SamplingSettings:
    """How a token is chosen from a prediction. The defaults are plain sampling.

    Raises SettingError if a setting is out of its range in `lm_core.generation.sampling_ranges`.
    """

    temperature: float = 1.0
    top_k: int = 0
    top_p: float = 1.0
    min_p: float = 0.0
    typical_p: float = 1.0
    top_n_sigma: float = 0.0
    """`temperature`, `top_k`, `top_p`, `min_p`, `typical_p` and `top_n_sigma`: float (top_k:
    int). See the function of that name in `lm_core.generation.logit_transforms`."""
    repetition_penalty: float = 1.0
    """1 = off."""
    repetition_window: int = 64
    """At least 1. How many of the latest tokens, the prompt's included, the penalty counts."""
    mirostat_tau: float = 0.0
    mirostat_rate: float = 0.1
    """`mirostat_tau` and `mirostat_rate`: surprise aimed at in bits a token (0 = off), and how
    fast mirostat corrects towards it."""

    def __post_init__(self) -> None:
        for field in fields(self):
            require_in_range(field.name, getattr(self, field.name))

    @cached_property
    def active(self) -> frozenset[str]:
        """Names of the settings that change anything."""
        neutral = {name: bounds.neutral for name, bounds in RANGES.items()}
        return frozenset(
            name
            for name in neutral
            if neutral[name] is not None and getattr(self, name) != neutral[name]
        )


@dataclass(frozen=True)
class Stage:
    """The prediction after one link of the chain."""

    name: str
    active: bool  # False: the link is neutral, and the stage equals the one before
    logits: Tensor  # (..., V) float; -inf = blocked
    probabilities: Tensor  # (..., V) float32, rows sum to 1
    kept: Tensor  # (..., V) bool

    @property
    def entropy_bits(self) -> Tensor:
        """Mean surprise in bits, shape (...)."""
        return entropy_bits(self.probabilities)

    @property
    def effective_choices(self) -> Tensor:
        """2 ** entropy, shape (...): an even draw from so many tokens would surprise as much."""
        return self.entropy_bits.exp2()


@dataclass(frozen=True)
class ChainTrace:
    """A prediction on its way through the chain; the first stage is the model's own."""

    stages: tuple[Stage, ...]

    @property
    def probabilities(self) -> Tensor:
        """What is drawn from, (..., V) float32."""
        return self.stages[-1].probabilities


# The order ------------------------------------------------------------------------------------

_Apply = Callable[[Tensor, SamplingSettings, Tensor, float | Tensor | None], Tensor]


class _Link(NamedTuple):
    name: str
    setting: str  # the link is skipped while this one is neutral
    apply: _Apply  # (logits, settings, history, mu) -> logits


_CHAIN = (
    _Link(
        "repetition penalty",
        "repetition_penalty",
        lambda logits, settings, history, _: transforms.penalise_repetition(
            logits, history[..., -settings.repetition_window :], settings.repetition_penalty
        ),
    ),
    _Link(
        "temperature",
        "temperature",
        lambda logits, settings, *_: transforms.apply_temperature(logits, settings.temperature),
    ),
    _Link(
        "top-n-sigma",
        "top_n_sigma",
        lambda logits, settings, *_: transforms.keep_top_n_sigma(logits, settings.top_n_sigma),
    ),
    _Link(
        "top-k", "top_k", lambda logits, settings, *_: transforms.keep_top_k(logits, settings.top_k)
    ),
    _Link(
        "typical",
        "typical_p",
        lambda logits, settings, *_: transforms.keep_typical(logits, settings.typical_p),
    ),
    _Link(
        "top-p", "top_p", lambda logits, settings, *_: transforms.keep_top_p(logits, settings.top_p)
    ),
    _Link(
        "min-p", "min_p", lambda logits, settings, *_: transforms.keep_min_p(logits, settings.min_p)
    ),
    _Link(
        "mirostat",
        "mirostat_tau",
        lambda logits, settings, _, mu: transforms.keep_mirostat(
            logits, first_mu(settings) if mu is None else mu
        ),
    ),
)


def run_chain(
    logits: Tensor, settings: SamplingSettings, history: Tensor, mu: float | Tensor | None = None
) -> ChainTrace:
    """Take a prediction through the chain and keep what every link made of it.

    The result: ChainTrace, "model", then one stage for every link, active or not.

    Parameters
    ----------
    logits : float Tensor of shape (..., V), the model's own
    history : int64 Tensor of shape (T,) or (..., T)
        Tokens read and written so far, for the repetition penalty; may be empty.
    mu : float or Tensor of shape (...), optional
        Mirostat's present bound in bits; by default its first one, `first_mu`.
    """
    stages = [_stage("model", True, logits)]
    for link in _CHAIN:
        active = link.setting in settings.active
        if active:
            logits = link.apply(logits, settings, history, mu)
        stages.append(_stage(link.name, active, logits))
    return ChainTrace(tuple(stages))


def next_probabilities(
    logits: Tensor, settings: SamplingSettings, history: Tensor, mu: float | Tensor | None = None
) -> Tensor:
    """Return ``run_chain(...).probabilities``, (..., V) float32, without the stages on the way."""
    for link in _CHAIN:
        if link.setting in settings.active:
            logits = link.apply(logits, settings, history, mu)
    return torch.softmax(logits, -1, dtype=torch.float32)


def first_mu(settings: SamplingSettings) -> float:
    """Return the bound, in bits, that mirostat starts from: twice the surprise aimed at."""
    return 2.0 * settings.mirostat_tau


def _stage(name: str, active: bool, logits: Tensor) -> Stage:
    probabilities = torch.softmax(logits, -1, dtype=torch.float32)
    return Stage(name, active, logits, probabilities, logits > -math.inf)


# The draw -------------------------------------------------------------------------------------


def draw(probabilities: Tensor, uniform: float) -> int:
    """Return the token in whose share of [0, 1) the number falls, shares laid out by id.

    Raises ShapeError if `probabilities` is not one row.

    Parameters
    ----------
    probabilities : float Tensor of shape (V,)
        Need not sum to exactly 1; a token of probability 0 is never returned.
    uniform : float in [0, 1], the one random number that decides

    Examples
    --------
    >>> draw(torch.tensor([0.25, 0.0, 0.75]), 0.25)
    2
    """
    if probabilities.dim() != 1:
        raise ShapeError(f"probabilities must be one row, (V,), got {tuple(probabilities.shape)}")
    # numpy, because for a single row torch spends longer on being called than on the sum.
    cumulative = probabilities.numpy().cumsum(dtype=np.float64)
    total = cumulative[-1]
    return int(cumulative.searchsorted(min(uniform * total, np.nextafter(total, 0.0)), "right"))


def draw_each(probabilities: Tensor, uniforms: Tensor) -> Tensor:
    """`draw` for many numbers at once, from one distribution for all or from one each.

    The result: int64 Tensor of shape (N,).

    Parameters
    ----------
    probabilities : float Tensor of shape (V,), or (N, V)
    uniforms : float64 Tensor of shape (N,), each in [0, 1]
    """
    cumulative = probabilities.cumsum(-1, dtype=torch.float64)
    total = cumulative[..., -1]
    # Below the whole sum, whatever the rounding, or the draw would fall behind the last token.
    targets = torch.minimum(uniforms * total, torch.nextafter(total, torch.zeros_like(total)))
    if probabilities.dim() == 1:
        return torch.searchsorted(cumulative, targets, right=True)
    return torch.searchsorted(cumulative, targets.unsqueeze(-1), right=True).squeeze(-1)


def entropy_bits(probabilities: Tensor) -> Tensor:
    """Return the mean surprise of a distribution in bits: (..., V) -> (...).

    Examples
    --------
    >>> round(float(entropy_bits(torch.full((8,), 0.125))), 4)
    3.0
    """
    return torch.special.entr(probabilities).sum(-1) / math.log(2.0)
