"""How much is written at a time: a large model takes a hundred times as long for a token as ours do."""

from typing import NamedTuple

from lm_core.training.checkpoints import CheckpointMeta

_LARGE = 20_000_000
"""Parameters from which on a model is written with at a slower pace."""


class Pace(NamedTuple):
    """Numbers of tokens.

    Attributes
    ----------
    first : dict of str to int
        Before the first paint, so that there is something to read, by the model's unit.
    piece : int
        While the model is held; then it is the next visitor's turn.
    column, at_once, per_second : int
        Of a text beside others: in all, before the first paint, and then each second.
    greedy : int
        At temperature 0.
    beam : int
        Longest that is searched for, and what the search begins with.
    """

    first: dict[str, int]
    piece: int
    column: int
    at_once: int
    per_second: int
    greedy: int
    beam: int


SMALL = Pace({"character": 240, "token": 80}, 20, 320, 8, 40, 1_000, 160)
LARGE = Pace({"character": 24, "token": 24}, 2, 60, 2, 2, 150, 20)


def pace_of(meta: CheckpointMeta) -> Pace:
    """Return at which pace a model writes."""
    return LARGE if meta.parameter_count > _LARGE else SMALL
