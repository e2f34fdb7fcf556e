"""Early stopping: end a training once held-out data have been predicted no better for a while.

The rule looks at the loss on held-out data at every evaluation. Where it has not fallen below its lowest
for `patience` evaluations in a row, it stops, and gives back the weights of the lowest.

References
----------
Prechelt 1998, "Early stopping - but when?".
"""

from collections.abc import Sequence
from typing import NamedTuple

from lm_core.errors import require_at_least_1


class StoppingPoint(NamedTuple):
    """Where the rule ends a training."""

    best: int
    """The evaluation, from 0, whose weights are kept."""
    stopped: int | None
    """That at which patience ran out; None if the training ended before."""


def stop_early(losses: Sequence[float], patience: int) -> StoppingPoint:
    """Apply the patience rule to the losses of a training, one for each evaluation.

    Only losses up to the stop are looked at; one that is not a number is no improvement. Raises
    SettingError if there is no loss, or no patience.

    Parameters
    ----------
    losses : sequence of float, at least one
    patience : int, evaluations without a new lowest loss after which to stop, at least 1

    Examples
    --------
    >>> stop_early([0.9, 0.5, 0.6, 0.7, 0.1], patience=2)
    StoppingPoint(best=1, stopped=3)
    """
    require_at_least_1(patience=patience, losses=len(losses))
    best = 0
    for i, loss in enumerate(losses):
        if loss < losses[best] or losses[best] != losses[best]:
            best = i
        elif i - best >= patience:
            return StoppingPoint(best, i)
    return StoppingPoint(best, None)
