r"""A reservoir: a recurrent network whose weights are drawn once and never learned.

    h_t = (1 - a) h_{t-1} + a f(W_in x_t + b + W h_{t-1})

W is random and sparse, scaled to a spectral radius; a is the leaking rate, f is tanh. Only a linear
read-out of h is learned, by ridge regression (`lm_core.models.ridge`). Around h = 0 a step multiplies
a small difference by (1 - a) I + a W.

Letters: N units, E inputs, T steps, V symbols. Everything is float64 and in NumPy: one step of a small
network costs a few microseconds, less than one call of torch.

References
----------
Jaeger 2001, "The 'echo state' approach to analysing and training recurrent neural networks".
Jaeger, Lukosevicius, Popovici & Siewert 2007, "Optimization and applications of echo state networks
with leaky-integrator neurons" (the leak).
Lukosevicius 2012, "A Practical Guide to Applying Echo State Networks".
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import torch
from torch import Generator

from lm_core.errors import DivergenceError, SettingError, ShapeError, require_at_least_1

TANH, LINEAR = "tanh", "linear"
ACTIVATIONS = (TANH, LINEAR)
SPARSE, ORTHOGONAL = "Sparse", "Orthogonal"
KINDS = (SPARSE, ORTHOGONAL)
"""Of recurrent matrices: random connections, or a random orthogonal matrix, all eigenvalues of size 1."""


_DRAWS = 10
"""Of a matrix so sparse that every eigenvalue is 0: it is drawn again."""


_BOUND = 1e6  # a linear reservoir whose state is larger has left what can be computed with


class ReservoirDraws(NamedTuple):
    """What is drawn once, before anything is scaled."""

    recurrent: np.ndarray
    """Of shape (N, N). Sparse: standard normal where two units are connected, 0 elsewhere."""
    inputs: np.ndarray
    """Of shape (N, E). Uniform in -1 to 1."""
    bias: np.ndarray
    """Of shape (N,). Likewise."""
    eigenvalues: np.ndarray
    """Complex ndarray of shape (N,). Of `recurrent`."""

    @property
    def radius(self) -> float:
        """Spectral radius of `recurrent`: its largest absolute eigenvalue."""
        return float(np.abs(self.eigenvalues).max())


def draw_reservoir(
    units: int, inputs: int, density: float, rng: Generator, kind: str = SPARSE
) -> ReservoirDraws:
    """Draw connections and weights.

    Raises SettingError if a setting is out of its range, or no draw can be scaled.

    Parameters
    ----------
    units, inputs : int, N and E, each at least 1
    density : float in (0, 1], probability that one unit is connected to another, of a sparse matrix
    kind : str, one of `KINDS`
    """
    require_at_least_1(units=units, inputs=inputs)
    if kind not in KINDS:
        raise SettingError(f"kind must be one of {', '.join(KINDS)}, got {kind!r}")
    if not 0.0 < density <= 1.0:
        raise SettingError(f"density must lie in (0, 1], got {density}")

    def uniform(*shape: int) -> np.ndarray:
        return (2.0 * torch.rand(shape, generator=rng, dtype=torch.float64) - 1.0).numpy()

    from_input, bias = uniform(units, inputs), uniform(units)
    for _ in range(_DRAWS):
        weights = torch.randn((units, units), generator=rng, dtype=torch.float64)
        if kind == ORTHOGONAL:
            q, r = np.linalg.qr(weights.numpy())
            recurrent = q * np.sign(r.diagonal())
        else:
            drawn = torch.rand((units, units), generator=rng, dtype=torch.float64)
            recurrent = (weights * (drawn < density)).numpy()
        eigenvalues = np.linalg.eigvals(recurrent).astype(complex)
        if np.abs(eigenvalues).max() > 1e-2:
            return ReservoirDraws(recurrent, from_input, bias, eigenvalues)
    raise SettingError(
        f"{units} units with density {density:g} have no feedback that could be scaled: take more of either"
    )


@dataclass(frozen=True)
class ReservoirSettings:
    """How a reservoir's draws are scaled."""

    spectral_radius: float = 0.9
    """At least 0. Largest absolute eigenvalue of W."""
    leak: float = 1.0
    """In (0, 1]. Leaking rate a: 1 forgets the old state but for what W hands on."""
    input_scale: float = 1.0
    """At least 0. Of input weights and biases."""
    activation: str = TANH
    """``tanh``, or ``linear`` for what theory can say exactly."""

    def __post_init__(self) -> None:
        if not 0.0 < self.leak <= 1.0:
            raise SettingError(f"leak must lie in (0, 1], got {self.leak}")
        if not (self.spectral_radius >= 0.0 and self.input_scale >= 0.0):
            raise SettingError(
                f"spectral_radius and input_scale must be at least 0, got {self.spectral_radius} and"
                f" {self.input_scale}"
            )
        if self.activation not in ACTIVATIONS:
            raise SettingError(f"activation must be one of {ACTIVATIONS}, got {self.activation!r}")


class Reservoir(NamedTuple):
    """Fixed weights, scaled."""

    weight_ih: np.ndarray
    """Of shape (N, E)."""
    weight_hh: np.ndarray
    """Of shape (N, N)."""
    bias: np.ndarray
    """Of shape (N,)."""
    leak: float = 1.0
    activation: str = TANH

    @property
    def linearised(self) -> np.ndarray:
        """What a step multiplies a small difference by, around h = 0 without a bias, (N, N)."""
        return (1.0 - self.leak) * np.eye(len(self.bias)) + self.leak * self.weight_hh

    def from_input(self, inputs: np.ndarray) -> np.ndarray:
        """Return what inputs add to every unit, (..., N): vectors (..., E), or symbols (...) in 0..E-1."""
        if inputs.dtype.kind == "i":
            return self.weight_ih.T[inputs] + self.bias
        return inputs @ self.weight_ih.T + self.bias


def scale_reservoir(draws: ReservoirDraws, settings: ReservoirSettings) -> Reservoir:
    """Return a reservoir with the spectral radius and the input weights of `settings`."""
    factor = settings.spectral_radius / draws.radius
    return Reservoir(
        settings.input_scale * draws.inputs,
        factor * draws.recurrent,
        settings.input_scale * draws.bias,
        settings.leak,
        settings.activation,
    )


def scaled_eigenvalues(draws: ReservoirDraws, settings: ReservoirSettings) -> np.ndarray:
    """Return the eigenvalues of (1 - a) I + a W for W scaled to its spectral radius, complex (N,).

    Scaling multiplies each eigenvalue, and the leak draws it towards 1: no matrix is decomposed again.
    """
    scaled = draws.eigenvalues * (settings.spectral_radius / draws.radius)
    return (1.0 - settings.leak) + settings.leak * scaled


def run_reservoir(
    reservoir: Reservoir, inputs: np.ndarray, state: np.ndarray | None = None
) -> np.ndarray:
    """Read a sequence, or several side by side, and return the state after every step.

    Raises ShapeError if the state does not fit the inputs, and DivergenceError if a linear
    reservoir has left the numbers.

    The result: ndarray of shape (T, ..., N).

    Parameters
    ----------
    inputs : ndarray of shape (T, ..., E), or of integers, (T, ...)
        The steps first; integers are symbols that stand for one-hot vectors.
    state : ndarray of shape (..., N), from which to go on; zeros if there is none
    """
    states = reservoir.from_input(inputs)  # (T, ..., N), made into the states in place
    now = np.zeros(states.shape[1:]) if state is None else np.array(state, float)
    if now.shape != states.shape[1:]:
        raise ShapeError(f"state must have shape {states.shape[1:]}, got {now.shape}")
    across, leak, is_tanh = (
        reservoir.weight_hh.T.copy(),
        reservoir.leak,
        reservoir.activation == TANH,
    )
    with np.errstate(over="ignore", invalid="ignore"):
        for new in states:
            new += now @ across  # (..., N) x (N, N) -> (..., N)
            if is_tanh:
                np.tanh(new, out=new)
            if leak != 1.0:
                new *= leak
                new += (1.0 - leak) * now
            now = new
    if not is_tanh and not np.abs(states).max() < _BOUND:
        raise DivergenceError(
            "the state of a linear reservoir grows without bound: take a spectral radius of at most 1"
        )
    return states
