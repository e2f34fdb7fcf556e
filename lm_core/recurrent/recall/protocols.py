"""The two ways in which the networks are trained: the source's, and one that gives them a chance."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from lm_core.errors import SettingError
from lm_core.recurrent.recall.settings import RecallSettings

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
        Fields of `RecallSettings` that are the same for all models.
    exceptions : dict of str to dict
        Fields that a model has of its own.
    """

    title: str
    settings: dict[str, float | bool | None]
    exceptions: dict[str, dict[str, float]] = field(default_factory=dict)


PROTOCOLS = {
    "source": RecallProtocol("as the source trains", {"epochs": 100, "learning_rate": 0.1}),
    "gentle": RecallProtocol(
        "lower rate, clipped, longer",
        {"epochs": 300, "learning_rate": 0.03, "clip": 1.0, "torch_biases": True},
        {"irnn": {"learning_rate": 0.01}},
    ),
}
"""``source`` is the notebook's, number for number. ``gentle`` is ours: a lower rate, gradients of at
most norm 1 and more epochs, found on the training curves of the RNN at L = 18; the ReLU of the IRNN
needs a rate lower still."""


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
    known = PROTOCOLS[protocol]
    settings = RecallSettings(model, tuple(lengths), tuple(seeds), **known.settings)
    return replace(settings, **known.exceptions.get(model, {}))
