"""Descents on a loss of two parameters: by every rule at once, by Newton, by exact line search, by minibatches."""

import math
from typing import NamedTuple

import torch
from torch import Tensor

from lm_core.experiments.optimisers.landscapes import Landscape, Loss, examples
from lm_core.rng import generator
from lm_core.training.update_rules import (
    AdaDelta,
    AdaGrad,
    Adam,
    GradientDescent,
    Memory,
    Muon,
    RMSProp,
    UpdateRule,
)

GRADIENT_DESCENT, LINE_SEARCH, NEWTON = "GD", "line search", "Newton"
_BETA = 0.9


class Runner(NamedTuple):
    """A rule that takes part, and a learning rate that suits it."""

    rule: UpdateRule
    rate: float
    formula: str
    """In LaTeX."""
    follows_curvature: bool = False
    """Whether the rate is measured in 1 / curvature: steps as long as the gradient need it,
    those of a given length do not."""

    def rate_on(self, scene: Landscape) -> float:
        """Return the learning rate on a loss."""
        return self.rate / scene.curvature if self.follows_curvature else self.rate


RUNNERS: dict[str, Runner] = {
    GRADIENT_DESCENT: Runner(
        GradientDescent(), 1.8, r"\theta \leftarrow \theta - \eta\,g", follows_curvature=True
    ),
    "momentum": Runner(
        GradientDescent(_BETA),
        1.0,
        r"m \leftarrow \beta m + g, \quad \theta \leftarrow \theta - \eta\,m",
        follows_curvature=True,
    ),
    "EMA momentum": Runner(
        GradientDescent(_BETA, dampening=_BETA),
        1.8,
        r"m \leftarrow \beta m + (1 - \beta)\,g, \quad \theta \leftarrow \theta - \eta\,m",
        follows_curvature=True,
    ),
    "Nesterov": Runner(
        GradientDescent(_BETA, is_nesterov=True),
        1.0,
        r"m \leftarrow \beta m + g, \quad \theta \leftarrow \theta - \eta\,(g + \beta m)",
        follows_curvature=True,
    ),
    "AdaGrad": Runner(
        AdaGrad(), 0.4, r"s \leftarrow s + g^2, \quad \theta \leftarrow \theta - \eta\,g / \sqrt{s}"
    ),
    "RMSProp": Runner(
        RMSProp(0.9),
        0.05,
        r"s \leftarrow \alpha s + (1 - \alpha)\,g^2, \quad \theta \leftarrow \theta - \eta\,g / \sqrt{s}",
    ),
    "AdaDelta": Runner(
        AdaDelta(),
        30.0,
        r"\theta \leftarrow \theta - \eta\,\frac{\mathrm{rms}(\Delta)}{\mathrm{rms}(g)}\,g",
    ),
    "Adam": Runner(
        Adam(),
        0.15,
        r"\theta \leftarrow \theta - \eta\,\frac{m / (1 - \beta_1^t)}{\sqrt{s / (1 - \beta_2^t)}}",
    ),
    "Muon": Runner(Muon(), 0.1, r"\theta \leftarrow \theta - \eta\,\mathrm{orthogonal}(m)"),
}
"""All rules, by name; Newton and the line search need more than a gradient."""


def gradient(loss: Loss, place: Tensor) -> Tensor:
    """Return the gradient at one place, or at several, each in a row; not by `torch.func`, which takes 2 s to import."""
    place = place.detach().requires_grad_()
    return torch.autograd.grad(loss(place).sum(), place)[0]


def hessian(loss: Loss, place: Tensor) -> Tensor:
    """Return the second derivatives at a place (n,), as an (n, n) matrix."""
    place = place.detach().requires_grad_()
    (first,) = torch.autograd.grad(loss(place), place, create_graph=True)
    if not first.requires_grad:  # of a plane
        return torch.zeros((len(place), len(place)), dtype=place.dtype)
    rows = [
        torch.autograd.grad(one, place, retain_graph=True, materialize_grads=True)[0]
        for one in first
    ]
    return torch.stack(rows)


def descend(
    loss: Loss, start: tuple[float, float], rule: UpdateRule, rate: float, steps: int
) -> Tensor:
    """Return the way of a rule, (steps + 1, 2); from where it has left the numbers, not a number."""
    now = torch.tensor([start], dtype=torch.float64)  # one row, which Muon takes for a matrix
    memory: Memory = rule.start(now)
    way = [now]
    for _ in range(steps):
        now, memory = rule.step(now, gradient(loss, now), memory, rate)
        way.append(now)
    return torch.cat(way)


def descend_by_line_search(loss: Loss, start: tuple[float, float], steps: int) -> Tensor:
    """Return the way of gradient descent whose every rate is the best one, (steps + 1, 2)."""
    now = torch.tensor(start, dtype=torch.float64)
    way = [now]
    for _ in range(steps):
        direction = gradient(loss, now)
        now = now - best_rate(loss, now, direction) * direction
        way.append(now)
    return torch.stack(way)


def descend_by_newton(
    loss: Loss, start: tuple[float, float], steps: int, rate: float = 1.0
) -> Tensor:
    """Return the way of ``theta <- theta - rate H^-1 g``, (steps + 1, 2).

    Where the Hessian H is not positive definite, the way leads to a saddle or uphill; where it cannot
    be inverted, it ends in what is not a number.
    """
    now = torch.tensor(start, dtype=torch.float64)
    way = [now]
    for _ in range(steps):
        found, info = torch.linalg.solve_ex(hessian(loss, now), gradient(loss, now))
        now = now - rate * found if not info else torch.full_like(now, math.nan)
        way.append(now)
    return torch.stack(way)


def best_rate(loss: Loss, place: Tensor, direction: Tensor) -> float:
    """Return the rate above 0 at which the loss along ``place - rate * direction`` is least.

    From a wide range of rates the best one is taken, then the best between its neighbours, and so on.
    """
    rates = torch.logspace(-6, 6, 97, dtype=torch.float64)
    for _ in range(8):
        losses = loss(place - rates[:, None] * direction).nan_to_num(math.inf)
        best = int(losses.argmin())
        low, high = rates[max(best - 1, 0)], rates[min(best + 1, len(rates) - 1)]
        rates = torch.linspace(0.0, 1.0, 33, dtype=torch.float64) * (high - low) + low
    return float(rates[16])


def descend_by_minibatches(
    condition: float, start: tuple[float, float], rate: float, batch: int, steps: int, seed: int
) -> Tensor:
    """Return the way of gradient descent on so many random examples of the quadratic at a time."""
    rng = generator(seed)
    inputs, targets = examples(condition)
    now = torch.tensor(start, dtype=torch.float64)
    way = [now]
    for _ in range(steps):
        drawn = torch.randperm(len(inputs), generator=rng)[:batch]
        residuals = inputs[drawn] @ now - targets[drawn]
        now = now - rate * (inputs[drawn].T @ residuals) / len(drawn)
        way.append(now)
    return torch.stack(way)


def bound_of_line_search(condition: float) -> float:
    """Return by which factor a step of exact line search shrinks the loss of a quadratic at least.

    ``((kappa - 1) / (kappa + 1))^2``: the lecture slides' convergence rate.
    """
    return ((condition - 1.0) / (condition + 1.0)) ** 2


def edge_of_divergence(loss: Loss, place: tuple[float, float]) -> float:
    """Return 2 / lambda_max of the Hessian there: above that rate gradient descent leaves a minimum."""
    found = hessian(loss, torch.tensor(place, dtype=torch.float64))
    return 2.0 / float(torch.linalg.eigvalsh(found)[-1])


def losses_along(scene: Landscape, way: Tensor) -> Tensor:
    """Return the losses of a way above the lowest one."""
    return (scene.loss(way) - scene.lowest).clamp_min(0.0)
