r"""One recurrent step's Jacobian, its eigenvalues, and what is left of a gradient after many steps.

    h_t = f(W h_{t-1} + u_t),    J_t = diag(f'(W h_{t-1} + u_t)) W

Going back k steps multiplies a gradient by the transposes of the last k Jacobians. With one J for
all steps the product grows or shrinks in the end like \lambda^k, where \lambda is the spectral radius of J,
its largest absolute eigenvalue. On the way it may do otherwise, unless J is normal.

References
----------
Pascanu, Mikolov & Bengio 2013, "On the difficulty of training Recurrent Neural Networks".
https://arxiv.org/abs/1211.5063
"""

from typing import NamedTuple

import torch
from torch import Generator, Tensor

from lm_core.errors import SettingError, require_at_least_1
from lm_core.models.activations import Activation

RANDOM, ORTHOGONAL, SYMMETRIC, TRIANGULAR = "Random", "Orthogonal", "Symmetric", "Triangular"
KINDS = (RANDOM, ORTHOGONAL, SYMMETRIC, TRIANGULAR)
SIZE = 32
STEPS = 40
_INPUT_DEVIATION = 0.5
_FEED = 0.35  # of the entries above a triangular matrix's diagonal, as a multiple of its radius


def recurrent_matrix(kind: str, radius: float, rng: Generator, size: int = SIZE) -> Tensor:
    """Return a matrix of a kind with this spectral radius, (size, size).

    Raises SettingError if there is no such kind, or the radius is not positive.

    Parameters
    ----------
    kind : str
        ``Random``, every entry normal; ``Orthogonal``; ``Symmetric``, whose eigenvalues are real;
        ``Triangular``, which hands on from unit to unit: its eigenvalues are its diagonal.
    radius : float, greater than 0
    """
    require_at_least_1(size=size)
    if kind not in KINDS:
        raise SettingError(f"kind must be one of {', '.join(KINDS)}, got {kind!r}")
    if not radius > 0:
        raise SettingError(f"radius must be greater than 0, got {radius}")
    draws = torch.randn((size, size), generator=rng, dtype=torch.float64)
    if kind == ORTHOGONAL:
        q, r = torch.linalg.qr(draws)
        return radius * q * r.diagonal().sign()
    if kind == TRIANGULAR:
        ends = torch.linspace(-1.0, 1.0, size, dtype=torch.float64)
        return radius * (torch.diag(ends) + _FEED * draws.triu(1))
    matrix = draws + draws.T if kind == SYMMETRIC else draws
    return matrix * (radius / float(torch.linalg.eigvals(matrix).abs().max()))


class Unrolled(NamedTuple):
    """T steps of a recurrence, and the way back through them."""

    eigenvalues: Tensor
    """Of shape (T, n), complex. Of each step's Jacobian."""
    norms: Tensor
    """Of shape (T + 1,). Of a random gradient that is 1 after the last step, 0 to T steps
    further back."""
    largest: Tensor
    """Of shape (T + 1,). Singular values of the products: the most that any gradient can be
    there."""

    @property
    def radii(self) -> Tensor:
        """Spectral radius of each step's Jacobian, (T,)."""
        return self.eigenvalues.abs().amax(-1)

    @property
    def by_radius(self) -> Tensor:
        """What a gradient would be if each step multiplied it by its spectral radius, (T + 1,)."""
        return torch.cat([torch.ones(1, dtype=torch.float64), self.radii.flip(0).cumprod(0)])


def jacobians(matrix: Tensor, activation: Activation, steps: int, rng: Generator) -> Tensor:
    """Return the Jacobian of each step, (T, n, n), of a recurrence that begins at 0 and reads noise."""
    require_at_least_1(steps=steps)
    n = len(matrix)
    inputs = _INPUT_DEVIATION * torch.randn((steps, n), generator=rng, dtype=torch.float64)
    state, found = torch.zeros(n, dtype=torch.float64), []
    for read in inputs:
        a = matrix @ state + read
        found.append(activation.derivative(a)[:, None] * matrix)
        state = activation.function(a)
    return torch.stack(found)


def unroll(matrix: Tensor, activation: Activation, rng: Generator, steps: int = STEPS) -> Unrolled:
    """Run a recurrence, and take a random gradient and all gradients at once back through it."""
    found = jacobians(matrix, activation, steps, rng)
    gradient = torch.randn(len(matrix), generator=rng, dtype=torch.float64)
    gradient = gradient / gradient.norm()
    product = torch.eye(len(matrix), dtype=torch.float64)
    norms, products = [1.0], [product]
    for step in reversed(found):
        gradient = step.mT @ gradient
        product = product @ step
        norms.append(float(gradient.norm()))
        products.append(product)
    return Unrolled(
        torch.linalg.eigvals(found),
        torch.tensor(norms, dtype=torch.float64),
        torch.linalg.matrix_norm(torch.stack(products), 2),
    )
