r"""Double descent: the error on new points falls, rises up to as many features as points, and falls again.

N points y = f(x) + noise are fitted by least squares on D random features,

    \phi_d(x) = \sqrt{2 / D} \cos(\omega_d x + b_d),    \omega_d normal,    b_d uniform,

the hidden layer of a network whose first weights are drawn and stay. With D < N one solution is best.
With D > N infinitely many pass through every point, and the one with the shortest weights is taken:
the one that gradient descent from 0 comes to. At D = N there is only one that does, and it is wild.
Weight decay, \lambda \|w\|^2 added to the squared errors, is solved with the same decomposition.

References
----------
Rahimi & Recht 2007, "Random features for large-scale kernel machines".
Belkin, Hsu, Ma & Mandal 2019, "Reconciling modern machine-learning practice and the classical
bias-variance trade-off". https://arxiv.org/abs/1812.11118
Nakkiran et al. 2021, "Optimal regularization can mitigate double descent".
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

import torch
from torch import Tensor

from lm_core.errors import SettingError, ShapeError, require_at_least_1
from lm_core.rng import generator

POINTS = 20
MOST_FEATURES = 1_000
FREQUENCY = 12.0
"""Standard deviation of the features' frequencies, in radians per unit of x."""
COUNTS = (
    *(
        2,
        3,
        4,
        5,
        6,
        7,
        8,
        10,
        12,
        14,
        16,
        17,
        18,
        19,
        20,
        21,
        22,
        23,
        24,
        26,
        28,
        30,
        34,
        40,
        48,
        60,
    ),
    *(80, 110, 150, 200, 280, 400, 600, 1_000),
)
"""Numbers of features that are compared."""
_NEW_PLACES = 201
_NEGLIGIBLE = 1e-12  # singular values below this share of the largest count as 0


class Problem(NamedTuple):
    """Points to be fitted, and the features to do it with."""

    x: Tensor
    y: Tensor
    """`x` and `y`: of shape (N,). Places at equal distances in [-1, 1], and what was measured
    there."""
    frequencies: Tensor
    phases: Tensor
    """`frequencies` and `phases`: of shape (MOST_FEATURES,). Of the features."""
    noise: float
    """Standard deviation of what y has beside the truth."""


class Errors(NamedTuple):
    """Mean squared errors by the number of features."""

    training: tuple[float, ...]
    new: tuple[float, ...]
    """`training` and `new`: on the points that were fitted, and expected on new ones, their
    noise included."""


def truth(x: Tensor) -> Tensor:
    """Return what the points are measurements of."""
    return torch.sin(1.5 * math.pi * x)


def draw_problem(seed: int, noise: float, points: int = POINTS) -> Problem:
    """Draw points and features; from one seed, noise of another size is the same noise, larger or smaller.

    Raises SettingError if there is no point, or the noise is negative.
    """
    require_at_least_1(points=points)
    if not noise >= 0.0:
        raise SettingError(f"noise must be at least 0, got {noise}")
    rng = generator(seed)
    x = torch.linspace(-1.0, 1.0, points, dtype=torch.float64)
    y = truth(x) + noise * torch.randn(points, generator=rng, dtype=torch.float64)
    frequencies = FREQUENCY * torch.randn(MOST_FEATURES, generator=rng, dtype=torch.float64)
    phases = 2.0 * math.pi * torch.rand(MOST_FEATURES, generator=rng, dtype=torch.float64)
    return Problem(x, y, frequencies, phases, noise)


def features(problem: Problem, x: Tensor, count: int) -> Tensor:
    """Return the first `count` features at places (M,), as (M, count)."""
    turns = problem.frequencies[:count] * x[:, None] + problem.phases[:count]
    return turns.cos() * math.sqrt(2.0 / count)


def least_squares(design: Tensor, y: Tensor, weight_decay: float = 0.0) -> Tensor:
    """Return the shortest weights (D,) that minimise ``|design w - y|^2 + weight_decay |w|^2``.

    Through the singular value decomposition ``design = U S V^T``: ``w = V S / (S^2 + weight_decay) U^T y``.

    Parameters
    ----------
    design : Tensor of shape (N, D)
    y : Tensor of shape (N,)
    weight_decay : float, at least 0
    """
    if design.dim() != 2 or y.shape != design.shape[:1]:
        raise ShapeError(
            "design must have shape (N, D) and y (N,), got"
            f" {tuple(design.shape)} and {tuple(y.shape)}"
        )
    left, values, right = torch.linalg.svd(design, full_matrices=False)
    is_used = values > _NEGLIGIBLE * values[0]
    factors = torch.where(is_used, values / (values.square() + weight_decay), 0.0)
    return right.T @ (factors * (left.T @ y))


def fitted(problem: Problem, count: int, x: Tensor, weight_decay: float = 0.0) -> Tensor:
    """Return what the fit with so many features says at places (M,)."""
    design = features(problem, problem.x, count)
    return features(problem, x, count) @ least_squares(design, problem.y, weight_decay)


def errors_by_count(
    problem: Problem, weight_decay: float = 0.0, counts: Sequence[int] = COUNTS
) -> Errors:
    """Return both errors of the fits with each number of features."""
    places = torch.linspace(-1.0, 1.0, _NEW_PLACES, dtype=torch.float64)
    both = torch.cat([problem.x, places])
    training, new = [], []
    for count in counts:
        said = fitted(problem, count, both, weight_decay)
        n = len(problem.x)
        training.append(float((said[:n] - problem.y).square().mean()))
        error = (said[n:] - truth(places)).square().mean()
        new.append(float(error) + problem.noise**2)
    return Errors(tuple(training), tuple(new))
