"""How much is written at a time: a large model takes a hundred times as long for a token as ours do."""

from typing import NamedTuple

from lm_core.training.checkpoints import CheckpointMeta

_LARGE = 20_000_000  # parameters from which on a model is written with at a slower pace


class Pace(NamedTuple):
    """Numbers of tokens."""

    first: dict[str, int]  # before the first paint, so that there is something to read, by the unit
    piece: int  # while the model is held; then it is the next visitor's turn
    column: int  # of a text beside others, in all
    at_once: int  # of these before the first paint
    per_second: int  # and then each second
    greedy: int  # at temperature 0
    beam: int  # longest that is searched for, and what the search begins with


SMALL = Pace({"character": 240, "token": 80}, 20, 320, 8, 40, 1_000, 160)
LARGE = Pace({"character": 24, "token": 24}, 2, 60, 2, 2, 150, 20)


def pace_of(meta: CheckpointMeta) -> Pace:
    """Return at which pace a model writes."""
    return LARGE if meta.parameter_count > _LARGE else SMALL
