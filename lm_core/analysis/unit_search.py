"""Units found by example: those whose activation goes with a target, and how well by chance.

With hundreds of units one always fits a little. So the units are chosen on one part of a text and
scored on the other, and the same search is made with the target shifted round in a circle, which keeps
its spans and loses their places.
"""

from dataclasses import dataclass

import numpy as np

from lm_core.errors import ShapeError


@dataclass(frozen=True)
class UnitScore:
    """How well one unit goes with a target."""

    unit: int
    correlation: float  # -1 to 1, on the part of the text by which it was found
    held_out: float  # ... on the other part
    inside: float  # mean activation where the target is above its mean, on the first part
    outside: float  # ... and where it is not
    on_inside: float  # share of those places of the other part where it is nearer to `inside`
    on_outside: float


def correlations(activations: np.ndarray, target: np.ndarray) -> np.ndarray:
    """Return Pearson's correlation of every unit with a target, float64 of shape (U,).

    The result: ndarray, 0 where one of the two is constant.

    Parameters
    ----------
    activations : ndarray of shape (T, U)
    target : ndarray of shape (T,)
    """
    return _correlate(_standardised(activations), target)


def find_units(
    activations: np.ndarray, target: np.ndarray, most: int, split: int | None = None
) -> list[UnitScore]:
    """Return the units that go best with a target, found on a text's beginning, scored on the rest.

    Raises ShapeError if the two are not of one text of at least 4 characters.

    Parameters
    ----------
    activations : ndarray of shape (T, U), T at least 4
    target : ndarray of shape (T,)
    split : int, characters of the beginning; half of them by default
    """
    if len(activations) != len(target) or len(target) < 4:
        raise ShapeError(
            f"activations and target must be of one text of at least 4 characters, got"
            f" {len(activations)} and {len(target)}"
        )
    split = len(target) // 2 if split is None else split
    found = correlations(activations[:split], target[:split])
    best = np.argsort(-np.abs(found), kind="stable")[:most]
    again = correlations(activations[split:, best], target[split:])
    high = target > target[:split].mean()
    return [
        _score(activations[:, unit], high, split, int(unit), float(found[unit]), float(held_out))
        for unit, held_out in zip(best, again, strict=True)
    ]


def _score(
    activation: np.ndarray, high: np.ndarray, split: int, unit: int, found: float, held_out: float
) -> UnitScore:
    """Return the score of one unit from its activation and the places that are high, (T,) each."""
    inside, outside = (_mean(activation[:split][places[:split]]) for places in (high, ~high))
    is_on = (activation > (inside + outside) / 2) == (inside > outside)
    rates = [_mean(is_on[split:][places[split:]]) for places in (high, ~high)]
    return UnitScore(unit, found, held_out, inside, outside, *rates)


def _mean(values: np.ndarray) -> float:
    return float(values.mean()) if len(values) else 0.0


def chance_correlations(activations: np.ndarray, target: np.ndarray, n_shifts: int) -> np.ndarray:
    """Return the largest correlation, sign dropped, that any unit has with the target shifted, (n_shifts,).

    The shifts lie evenly between one place and the next copy of the target, none near either.
    """
    standardised = _standardised(activations)
    shifts = np.linspace(0, len(target), n_shifts + 2).astype(int)[1:-1]
    return np.array(
        [np.abs(_correlate(standardised, np.roll(target, shift))).max() for shift in shifts]
    )


def _standardised(values: np.ndarray) -> np.ndarray:
    """Return columns with mean 0 and length 1; a constant column becomes 0."""
    centred = values - values.mean(0, dtype=np.float64)
    lengths = np.sqrt((centred**2).sum(0))
    return np.divide(centred, lengths, out=np.zeros_like(centred), where=lengths > 1e-12)


def _correlate(standardised: np.ndarray, target: np.ndarray) -> np.ndarray:
    column = _standardised(np.asarray(target, np.float64)[:, None])[:, 0]
    return np.clip(column @ standardised, -1.0, 1.0)
