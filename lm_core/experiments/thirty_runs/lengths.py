"""How far back two cells remember, one small network a run: each of both at each length, from a seed of its own.

The task and its training are those of `lm_core.experiments.rnn_vs_lstm`, with fewer symbols, so that a network
is trained within seconds.
"""

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from itertools import islice

from lm_core.experiments.rnn_vs_lstm.settings import RecallSettings
from lm_core.experiments.rnn_vs_lstm.training import RecallTraining

CELLS = ("rnn", "lstm")
VOCABULARY, EPOCHS = 128, 100
LENGTHS = (4, 8, 12, 16, 24)
NETWORKS = tuple((cell, length) for length in LENGTHS for cell in CELLS)
"""Cell and length of the runs, which take them in turn."""
SEEDS = 6
_EPOCHS_A_TURN = 5


def accuracy_at_length(
    cell: str,
    length: int,
    seed: int,
    *,
    model_turn: Callable[[], AbstractContextManager[object]] = nullcontext,
) -> float:
    """Train a network to name the first of some symbols; return the share of right last answers.

    Parameters
    ----------
    cell : one of `CELLS`
    length : int, symbols that are read
    model_turn : callable that returns a context manager, entered for every few epochs
    """
    settings = RecallSettings(cell, (length,), (seed,), vocabulary=VOCABULARY, epochs=EPOCHS)
    with model_turn():
        training = RecallTraining(settings)
    steps = iter(training)
    for _ in range(0, EPOCHS, _EPOCHS_A_TURN):
        with model_turn():
            *_, last = islice(steps, _EPOCHS_A_TURN)
    assert last.accuracies  # taken after the last epoch
    return last.accuracies[0]


@dataclass(frozen=True)
class RecalledLength:
    """What networks of one cell came to at one length."""

    cell: str
    length: int
    accuracies: tuple[float, ...]  # by seed


def recall_from_all_seeds(cell: str, length: int) -> RecalledLength:
    """Return what networks of one cell come to at one length, from `SEEDS` seeds."""
    found = (accuracy_at_length(cell, length, seed) for seed in range(SEEDS))
    return RecalledLength(cell, length, tuple(round(share, 5) for share in found))
