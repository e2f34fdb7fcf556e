r"""How an optimizer moves weights, one readable rule each: gradient in, weights and memory out.

With g the gradient, eta the learning rate and \beta, \rho, \alpha decay rates:

    gradient descent   theta <- theta - eta g
    momentum           m <- beta m + g,                    theta <- theta - eta m
    EMA momentum       m <- beta m + (1 - beta) g,         theta <- theta - eta m
    Nesterov           m <- beta m + g,                    theta <- theta - eta (g + beta m)
    AdaGrad            s <- s + g^2,                       theta <- theta - eta g / (sqrt(s) + eps)
    RMSProp            s <- alpha s + (1 - alpha) g^2,     theta <- theta - eta g / (sqrt(s) + eps)
    AdaDelta           as RMSProp, times the root mean square of past steps
    Adam               both means, each divided by 1 - beta^t
    Muon               momentum, then the nearest matrix with orthogonal rows

Each is equal to its class in `torch.optim`, but for Muon: torch's makes its matrices orthogonal in
bfloat16, this one in the type of the weights, and a step differs by about a hundredth. These return new
tensors, and so can be stepped back. All but Muon go element by element, so that many starts may lie in one tensor.

References
----------
Polyak 1964; Nesterov 1983; Duchi, Hazan & Singer 2011 (AdaGrad); Zeiler 2012 (AdaDelta);
Tieleman & Hinton 2012 (RMSProp); Kingma & Ba 2015 (Adam); Jordan et al. 2024 (Muon).
"""

from dataclasses import dataclass
from typing import NamedTuple, Protocol

import torch
from torch import Tensor

NEWTON_SCHULZ = (3.4445, -4.7750, 2.0315)
"""Coefficients of Muon's iteration."""


class Memory(NamedTuple):
    """What a rule remembers of past gradients."""

    step: int
    """Steps that were taken."""
    tensors: tuple[Tensor, ...]
    """Of the weights' shape."""


class Moved(NamedTuple):
    """Weights after a step, and what the rule remembers then."""

    weights: Tensor
    memory: Memory


class UpdateRule(Protocol):
    """What all rules do."""

    def start(self, weights: Tensor) -> Memory:
        """Return the memory before the first step."""

    def step(self, weights: Tensor, gradient: Tensor, memory: Memory, rate: float) -> Moved:
        """Return weights and memory after a step; nothing is changed in place."""


@dataclass(frozen=True)
class GradientDescent:
    """Gradient descent, with momentum if asked for: `torch.optim.SGD`."""

    momentum: float = 0.0
    dampening: float = 0.0
    """1 - how much of a new gradient enters: equal to `momentum`, m is an average of past
    gradients."""
    is_nesterov: bool = False

    def start(self, weights: Tensor) -> Memory:
        """Return no momentum."""
        return Memory(0, (torch.zeros_like(weights),))

    def step(self, weights: Tensor, gradient: Tensor, memory: Memory, rate: float) -> Moved:
        """Take a step; the first gradient enters the momentum whole, as in torch."""
        share = 1.0 - self.dampening if memory.step else 1.0
        m = self.momentum * memory.tensors[0] + share * gradient
        direction = gradient + self.momentum * m if self.is_nesterov else m
        return Moved(weights - rate * direction, Memory(memory.step + 1, (m,)))


@dataclass(frozen=True)
class AdaGrad:
    """Each weight's rate falls with the sum of its squared gradients: `torch.optim.Adagrad`."""

    epsilon: float = 1e-10

    def start(self, weights: Tensor) -> Memory:
        """Return an empty sum."""
        return Memory(0, (torch.zeros_like(weights),))

    def step(self, weights: Tensor, gradient: Tensor, memory: Memory, rate: float) -> Moved:
        """Take a step."""
        squares = memory.tensors[0] + gradient.square()
        moved = weights - rate * gradient / (squares.sqrt() + self.epsilon)
        return Moved(moved, Memory(memory.step + 1, (squares,)))


@dataclass(frozen=True)
class RMSProp:
    """Divide by the root of a running mean of squared gradients: `torch.optim.RMSprop`."""

    decay: float = 0.99
    epsilon: float = 1e-8

    def start(self, weights: Tensor) -> Memory:
        """Return a mean of 0."""
        return Memory(0, (torch.zeros_like(weights),))

    def step(self, weights: Tensor, gradient: Tensor, memory: Memory, rate: float) -> Moved:
        """Take a step."""
        squares = _mean(memory.tensors[0], gradient.square(), self.decay)
        moved = weights - rate * gradient / (squares.sqrt() + self.epsilon)
        return Moved(moved, Memory(memory.step + 1, (squares,)))


@dataclass(frozen=True)
class AdaDelta:
    """RMSProp with steps in the weights' own unit: `torch.optim.Adadelta`."""

    decay: float = 0.9
    epsilon: float = 1e-6

    def start(self, weights: Tensor) -> Memory:
        """Return two means of 0: of squared gradients, and of squared steps."""
        return Memory(0, (torch.zeros_like(weights), torch.zeros_like(weights)))

    def step(self, weights: Tensor, gradient: Tensor, memory: Memory, rate: float) -> Moved:
        """Take a step."""
        squares = _mean(memory.tensors[0], gradient.square(), self.decay)
        of_steps = memory.tensors[1]
        step = gradient * (of_steps + self.epsilon).sqrt() / (squares + self.epsilon).sqrt()
        of_steps = _mean(of_steps, step.square(), self.decay)
        return Moved(weights - rate * step, Memory(memory.step + 1, (squares, of_steps)))


@dataclass(frozen=True)
class Adam:
    """Momentum divided by the root of mean squares, both corrected for their start at 0: `torch.optim.Adam`."""

    first_decay: float = 0.9
    second_decay: float = 0.999
    epsilon: float = 1e-8

    def start(self, weights: Tensor) -> Memory:
        """Return two means of 0: of gradients, and of their squares."""
        return Memory(0, (torch.zeros_like(weights), torch.zeros_like(weights)))

    def step(self, weights: Tensor, gradient: Tensor, memory: Memory, rate: float) -> Moved:
        """Take a step."""
        step = memory.step + 1
        first = _mean(memory.tensors[0], gradient, self.first_decay)
        second = _mean(memory.tensors[1], gradient.square(), self.second_decay)
        mean = first / (1.0 - self.first_decay**step)
        spread = (second / (1.0 - self.second_decay**step)).sqrt()
        moved = weights - rate * mean / (spread + self.epsilon)
        return Moved(moved, Memory(step, (first, second)))


@dataclass(frozen=True)
class Muon:
    """Momentum made orthogonal: `torch.optim.Muon` without weight decay. Weights are matrices (..., A, B).

    A matrix of one row becomes a vector of length about 1, however long the gradient is.
    """

    momentum: float = 0.95
    iterations: int = 5

    def start(self, weights: Tensor) -> Memory:
        """Return no momentum."""
        return Memory(0, (torch.zeros_like(weights),))

    def step(self, weights: Tensor, gradient: Tensor, memory: Memory, rate: float) -> Moved:
        """Take a step, Nesterov's way."""
        m = _mean(memory.tensors[0], gradient, self.momentum)
        direction = orthogonalised(_mean(gradient, m, 1.0 - self.momentum), self.iterations)
        rows, columns = weights.shape[-2:]
        length = max(1.0, rows / columns) ** 0.5
        return Moved(weights - rate * length * direction, Memory(memory.step + 1, (m,)))


def orthogonalised(matrix: Tensor, iterations: int = 5) -> Tensor:
    """Return a matrix (..., A, B) with its singular values near 1: Newton and Schulz's iteration."""
    a, b, c = NEWTON_SCHULZ
    is_tall = matrix.shape[-2] > matrix.shape[-1]
    x = matrix.mT if is_tall else matrix
    x = x / x.norm(dim=(-2, -1), keepdim=True).clamp_min(1e-7)
    for _ in range(iterations):
        gram = x @ x.mT
        x = a * x + (b * gram + c * gram @ gram) @ x
    return x.mT if is_tall else x


def _mean(before: Tensor, new: Tensor, decay: float) -> Tensor:
    """Return a running mean: ``decay`` of what it was, and the rest of what is new."""
    return decay * before + (1.0 - decay) * new
