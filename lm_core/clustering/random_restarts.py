"""Many starts over the same points: how often each local optimum is found."""

from collections.abc import Iterator
from typing import NamedTuple

from torch import Tensor

from lm_core.clustering.covariances import Constraint
from lm_core.clustering.gaussian_mixture import CovarianceKind
from lm_core.clustering.initialisation import STARTS
from lm_core.clustering.side_by_side import run
from lm_core.errors import SettingError
from lm_core.rng import generator

_STARTS_OF_A_SEED = 1_000


class Outcome(NamedTuple):
    """Where one start led.

    Attributes
    ----------
    number : int
        Of the start, from 1.
    inertia : float
        At the end of k-means.
    log_likelihood : float
        At the end of EM; infinite if a component broke.
    """

    number: int
    inertia: float
    log_likelihood: float


def start(points: Tensor, clusters: int, rule: str, seed: int, number: int = 1) -> Tensor:
    """Return the centres (K, D) of one start: the same whenever it is asked for by its number.

    Parameters
    ----------
    points : Tensor of shape (N, D)
    clusters : int
    rule : str
        Of `STARTS`.
    seed : int
    number : int
        From 1 to 999.

    Raises
    ------
    SettingError
        If the rule is unknown or the number out of range.
    """
    if rule not in STARTS:
        raise SettingError(f"rule must be one of {', '.join(STARTS)}, got {rule!r}")
    if not 1 <= number < _STARTS_OF_A_SEED:
        raise SettingError(f"number must be from 1 to {_STARTS_OF_A_SEED - 1}, got {number}")
    return STARTS[rule](points, clusters, generator(seed * _STARTS_OF_A_SEED + number))


def outcomes(
    points: Tensor,
    clusters: int,
    rule: str,
    seed: int,
    n: int,
    kind: CovarianceKind = CovarianceKind.FULL,
    constraint: Constraint | None = None,
    *,
    em_after_k_means: bool = False,
) -> Iterator[Outcome]:
    """Yield where the starts 1 to n lead: k-means from its centres, EM from there or after it.

    The parameters are those of `start` and of `lm_core.clustering.side_by_side.run`.
    """
    for number in range(1, n + 1):
        centres = start(points, clusters, rule, seed, number)
        both = run(points, centres, kind, constraint, em_after_k_means=em_after_k_means)
        yield Outcome(number, both.hard[-1].inertia, both.soft[-1].log_likelihood)
