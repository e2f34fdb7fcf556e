"""Losses of two parameters: a quadratic of any condition number, a banana, a saddle, a plateau, and part of a network.

Each takes parameters (..., 2) and returns losses (...), so that a whole picture is one call.
"""

import math
from collections.abc import Callable
from functools import cache
from typing import NamedTuple

import torch
from torch import Tensor

from lm_core.errors import SettingError
from lm_core.experiments.perceptron.tasks import TASKS, XOR
from lm_core.experiments.perceptron.training import NetworkSettings, train
from lm_core.models.activations import ACTIVATIONS
from lm_core.models.feed_forward import Layer, Layers, cross_entropy, forward
from lm_core.models.perceptron import Bounds
from lm_core.rng import generator

Loss = Callable[[Tensor], Tensor]

QUADRATIC, BANANA, SADDLE = "Quadratic", "Banana", "Saddle"
PLATEAU, NETWORK = "Plateau", "Network"
NAMES = (QUADRATIC, BANANA, SADDLE, PLATEAU, NETWORK)

N_EXAMPLES = 64
_TURN = math.radians(30.0)
"""The quadratic's long axis against the first parameter: no rule gets an axis for nothing."""


class Landscape(NamedTuple):
    """A loss of two parameters."""

    name: str
    loss: Loss
    """Callable. From parameters (..., 2) to losses (...)."""
    formula: str
    """In LaTeX."""
    bounds: Bounds
    """The part that is drawn."""
    start: tuple[float, float]
    """Where a descent begins, unless it is dragged elsewhere."""
    lowest: float
    """The least loss there is."""
    curvature: float
    """About the largest in the picture; rates of gradient descent are measured by it."""


def landscape(name: str, condition: float = 10.0) -> Landscape:
    """Return a loss by its name; the quadratic has the given condition number.

    Raises SettingError if there is none of that name, or the condition number is below 1.
    """
    if name not in NAMES:
        raise SettingError(f"name must be one of {', '.join(NAMES)}, got {name!r}")
    if name == QUADRATIC:
        return quadratic(condition)
    return {BANANA: _BANANA, SADDLE: _SADDLE, PLATEAU: _PLATEAU}.get(name) or network_slice()


def hessian_of_quadratic(condition: float) -> Tensor:
    """Return A, (2, 2), with eigenvalues 1 and the condition number, its axes turned by 30 degrees."""
    if not condition >= 1:
        raise SettingError(f"condition must be at least 1, got {condition}")
    cosine, sine = math.cos(_TURN), math.sin(_TURN)
    axes = torch.tensor([[cosine, -sine], [sine, cosine]], dtype=torch.float64)
    return axes @ torch.diag(torch.tensor([1.0, condition], dtype=torch.float64)) @ axes.T


def quadratic(condition: float) -> Landscape:
    """Return ``theta' A theta / 2``: the loss of a linear regression on `examples`."""
    a = hessian_of_quadratic(condition)

    def loss(parameters: Tensor) -> Tensor:
        return 0.5 * ((parameters @ a) * parameters).sum(-1)

    return Landscape(
        QUADRATIC,
        loss,
        r"\tfrac12\,\theta^\top A\,\theta",
        (-2.0, 2.0, -2.0, 2.0),
        (-1.7, -0.4),
        0.0,
        condition,
    )


def examples(condition: float) -> tuple[Tensor, Tensor]:
    """Return inputs x, (64, 2), and targets y, (64,), of a linear regression.

    The mean of ``(x . theta - y)^2 / 2`` over all of them is exactly the quadratic of that condition
    number, and a constant; over a few of them it has its lowest point elsewhere.
    """
    draws = torch.randn((N_EXAMPLES, 3), generator=generator(7), dtype=torch.float64)
    orthogonal = torch.linalg.qr(draws).Q * N_EXAMPLES**0.5  # mean squares 1, mean products 0
    inputs = orthogonal[:, :2] @ torch.linalg.cholesky(hessian_of_quadratic(condition)).T
    return inputs, orthogonal[:, 2]


def worst_start(condition: float) -> tuple[float, float]:
    """Return a start on the quadratic from which exact line search is slowest.

    Its distances along the two axes are as 1 / lambda: both weigh the same in every gradient.
    """
    along, across = 1.6, 1.6 / condition
    cosine, sine = math.cos(_TURN), math.sin(_TURN)
    return (-along * cosine + across * sine, -along * sine - across * cosine)


def _banana(parameters: Tensor) -> Tensor:
    x, y = parameters.unbind(-1)
    return (1.0 - x).square() + 10.0 * (y - x.square()).square()


def _saddle(parameters: Tensor) -> Tensor:
    x, y = parameters.unbind(-1)
    return 0.5 * x.square() - 0.5 * y.square() + 0.25 * y**4 + 0.25


def _plateau(parameters: Tensor) -> Tensor:
    return 1.0 - torch.exp(-2.0 * parameters.square().sum(-1))


_BANANA = Landscape(
    BANANA,
    _banana,
    r"(1 - \theta_1)^2 + 10\,(\theta_2 - \theta_1^2)^2",
    (-2.0, 2.0, -1.0, 3.0),
    (-1.3, 2.2),
    0.0,
    120.0,
)
_SADDLE = Landscape(
    SADDLE,
    _saddle,
    r"\tfrac12 \theta_1^2 - \tfrac12 \theta_2^2 + \tfrac14 \theta_2^4 + \tfrac14",
    (-2.0, 2.0, -2.0, 2.0),
    (-1.6, 0.02),
    0.0,
    4.0,
)
_PLATEAU = Landscape(
    PLATEAU,
    _plateau,
    r"1 - e^{-2 (\theta_1^2 + \theta_2^2)}",
    (-2.0, 2.0, -2.0, 2.0),
    (-1.3, 0.9),
    0.0,
    4.0,
)


@cache
def network_slice() -> Landscape:
    """Return the loss of a real network around what it has learned, along two random directions.

    The network has learned XOR with 3 tanh units. Each direction is random, and in each layer as long
    as the learned weights are (Li et al. 2018, "Visualizing the loss landscape of neural nets").
    """
    learned = train(TASKS[XOR], NetworkSettings((3,), seed=2, steps=600)).layers[-1]
    rng = generator(3)
    directions = [_random_like(learned, rng) for _ in range(2)]

    def loss(parameters: Tensor) -> Tensor:
        places = parameters.reshape(-1, 2)
        layers = tuple(
            Layer(*(
                tensor + places[:, 0, None, None] * one + places[:, 1, None, None] * other
                for tensor, one, other in zip(layer, *along, strict=True)
            ))
            for layer, along in zip(learned, zip(*directions, strict=True), strict=True)
        )  # fmt: skip
        trace = forward(layers, TASKS[XOR].inputs, ACTIVATIONS["tanh"])
        return cross_entropy(trace, TASKS[XOR].targets).reshape(parameters.shape[:-1])

    bounds = (-1.5, 1.5, -1.5, 1.5)
    across = torch.linspace(bounds[0], bounds[1], 121, dtype=torch.float64)
    lowest = float(loss(torch.cartesian_prod(across, across)).min())
    return Landscape(
        NETWORK, loss, r"\mathcal{L}(\theta^* + a\,d_1 + b\,d_2)", bounds, (-1.2, 0.9), lowest, 40.0
    )


def _random_like(layers: Layers, rng: torch.Generator) -> Layers:
    """Return a random direction, as long as the weights in each layer; biases have none."""
    directions = []
    for layer in layers:
        draws = torch.randn(layer.weights.shape, generator=rng, dtype=torch.float64)
        length = layer.weights.norm() / draws.norm()
        directions.append(Layer(draws * length, torch.zeros_like(layer.bias)))
    return tuple(directions)
