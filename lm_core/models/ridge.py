r"""Ridge regression in closed form, from sums that may be gathered piece by piece.

    minimise  |Y - X W - 1 b'|^2 + \lambda |W|^2

has one minimum, where (X'X + \lambda I) W = X'Y on centred X and Y. The constant b is not penalised.

References
----------
Hoerl & Kennard 1970, "Ridge Regression: Biased Estimation for Nonorthogonal Problems".
"""

from typing import NamedTuple

import numpy as np

from lm_core.errors import SettingError, ShapeError, require_positive


class Readout(NamedTuple):
    """A linear map from states to outputs."""

    weights: np.ndarray
    """Of shape (N, O)."""
    constant: np.ndarray
    """Of shape (O,)."""

    def __call__(self, states: np.ndarray) -> np.ndarray:
        """Return the outputs, (..., O), for states (..., N)."""
        return states @ self.weights + self.constant


class RidgeSums:
    """All that ridge regression needs to know of states and targets, in float64.

    `n_features`, `n_outputs`: int, N and O.
    """

    def __init__(self, n_features: int, n_outputs: int) -> None:
        self.n_rows = 0
        self._products = np.zeros((n_features + 1, n_features + 1))
        self._targets = np.zeros((n_features + 1, n_outputs))

    def add(self, states: np.ndarray, targets: np.ndarray) -> None:
        """Add states (T, N) and what is to be read out of each, (T, O).

        Raises ShapeError if they do not fit together, or the sums.
        """
        n, outputs = len(self._products) - 1, self._targets.shape[1]
        if states.shape != (len(targets), n) or targets.shape[1:] != (outputs,):
            raise ShapeError(
                f"states must have shape (T, {n}) and targets (T, {outputs}), got {states.shape} and"
                f" {targets.shape}"
            )
        self.n_rows += len(states)
        self._products[:n, :n] += states.T @ states
        self._products[n, :n] += states.sum(0)
        self._products[:n, n] = self._products[n, :n]
        self._products[n, n] = self.n_rows
        self._targets[:n] += states.T @ targets
        self._targets[n] += targets.sum(0)

    def solve(self, penalty: float) -> Readout:
        """Return the one read-out with the least squared error plus `penalty` times its squared weights.

        Raises SettingError if the penalty is not positive, or nothing was added.
        """
        require_positive(penalty=penalty)
        if not self.n_rows:
            raise SettingError("ridge regression needs at least one row")
        penalised = self._products + penalty * np.eye(len(self._products))
        penalised[-1, -1] = self.n_rows  # the constant is free
        found = np.linalg.solve(penalised, self._targets)
        return Readout(found[:-1], found[-1])


def ridge(states: np.ndarray, targets: np.ndarray, penalty: float) -> Readout:
    """Return the ridge regression of targets (T, O) on states (T, N).

    Raises ShapeError or SettingError if the shapes differ, or the penalty is not positive.

    `penalty`: float, greater than 0, lambda, against sums and not means: as in scikit-learn.
    """
    sums = RidgeSums(states.shape[1], targets.shape[1])
    sums.add(states, targets)
    return sums.solve(penalty)
