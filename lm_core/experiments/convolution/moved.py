"""What a feature map and its pooled map make of a picture that moves."""

from typing import NamedTuple

from torch import Tensor

from lm_core.models.convolution import Pair, pool, shifted, trace_convolution

_EQUAL = 1e-5


class Moved(NamedTuple):
    """A picture as it is and moved, each with its feature map and its pooled map."""

    by: Pair  # cells down and to the right
    pictures: tuple[Tensor, Tensor]
    maps: tuple[Tensor, Tensor]
    pooled: tuple[Tensor, Tensor]

    @property
    def changed(self) -> Tensor:
        """Which of the pooled numbers are others after the move."""
        return _differ(*self.pooled)

    @property
    def n_astray(self) -> int:
        """At how many places the map of the moved picture is not the moved map, edges left out."""
        wrong = _differ(shifted(self.maps[0], *self.by), self.maps[1])
        rows, columns = (
            slice(max(0, n), size + min(0, n)) for n, size in zip(self.by, wrong.shape, strict=True)
        )
        return int(wrong[rows, columns].sum())


def move(picture: Tensor, weights: Tensor, by: Pair, size: int, kind: str) -> Moved:
    """Move a picture (H, W) that a filter (h, w) is laid on, and pool the map before and after.

    Parameters
    ----------
    by : pair of int, cells down and to the right
    size, kind
        Of the pooling, as `pool` has them.
    """
    after = shifted(picture, *by)
    first, second = (trace_convolution(x[None], weights[None]).output for x in (picture, after))
    pooled = pool(first, size, kind), pool(second, size, kind)
    return Moved(by, (picture, after), (first, second), pooled)


def _differ(before: Tensor, after: Tensor) -> Tensor:
    return (before - after).abs() > _EQUAL
