"""Many numbers a word, two on paper: axes made of words."""

from torch import Tensor

from lm_core.analysis.similarity import unit_vectors
from lm_core.errors import SettingError, ShapeError


def axis_between(low: Tensor, high: Tensor) -> Tensor:
    """Return the direction (D,) of length 1 from some words to others.

    Parameters
    ----------
    low, high : Tensors of shape (n, D) and (m, D)
        The words at the ends, each at length 1: the axis leads from the mean of the ones to that of
        the others.

    Raises
    ------
    SettingError
        If both ends are the same.
    """
    if low.dim() != 2 or high.dim() != 2 or low.shape[1] != high.shape[1]:
        raise ShapeError(
            f"low and high must be (n, D) and (m, D), got {tuple(low.shape)} and"
            f" {tuple(high.shape)}"
        )
    difference = high.mean(0) - low.mean(0)
    if float(difference.norm()) < 1e-6:
        raise SettingError(
            "the two ends of an axis must differ: choose other words for one of them"
        )
    return unit_vectors(difference)
