"""The two ways in which the networks are trained: the source's, and one that gives them a chance."""

from collections.abc import Iterable
from dataclasses import dataclass

from lm_core.errors import SettingError
from lm_core.experiments.rnn_vs_lstm.settings import RecallSettings

SOURCE_LENGTHS = (4, 6, 8, 10, 12, 14, 16, 18)
LONGER_LENGTHS = (30, 50, 100)


@dataclass(frozen=True)
class RecallProtocol:
    """How networks are trained, whatever their model.

    Attributes
    ----------
    title : str
        For people.
    settings : dict
        Fields of `RecallSettings` that are the same for every model.
    """

    title: str
    settings: dict[str, float | bool]


PROTOCOLS = {
    "source": RecallProtocol("as the source does", {"epochs": 100, "learning_rate": 0.1}),
    "gentle": RecallProtocol(
        "more gently",
        {"epochs": 300, "learning_rate": 0.05, "clip": 0.3, "torch_biases": True},
    ),
}
"""``source`` is the notebook's, number for number. ``gentle`` is ours: half the rate, gradients of at
most norm 0.3, three times the epochs and torch's start of the biases, found by watching the RNN learn at
L = 18 (two seeds, nothing else was tuned on)."""


def protocol_settings(
    protocol: str, model: str, lengths: Iterable[int], seeds: Iterable[int]
) -> RecallSettings:
    """Return how a protocol trains a model.

    Raises
    ------
    SettingError
        If the protocol or the model is unknown, or a length or seed is out of its range.
    """
    if protocol not in PROTOCOLS:
        raise SettingError(f"protocol must be one of {', '.join(PROTOCOLS)}, got {protocol!r}")
    return RecallSettings(model, tuple(lengths), tuple(seeds), **PROTOCOLS[protocol].settings)
