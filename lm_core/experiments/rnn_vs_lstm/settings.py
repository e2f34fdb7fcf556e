"""What is trained in the recall experiment: the task, the networks, and the two ways in which they learn."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from lm_core.errors import SettingError
from lm_core.experiments.rnn_vs_lstm.backbones import BACKBONES, parameter_count

LENGTHS = (2, 128)
VOCABULARIES = (4, 1024)
WIDTHS = (1, 128)
EPOCHS = (1, 1_000)
LEARNING_RATES = (1e-5, 1.0)
CLIPS = (1e-3, 1e3)
MAX_NETWORKS = 64
MAX_SEED = 1_000_000
EVERY_EPOCHS = 10
"""Accuracy is taken after so many epochs, and at the end."""


@dataclass(frozen=True)
class RecallSettings:
    """A batch of networks of one backbone: one for each length and seed.

    The task is the published one: read L consecutive symbols out of V, and after each of them name
    the first. There are V - L such sequences, all are read in every epoch, and the accuracy counts the
    last answer of each. (christianb93/MLLM, notebook MeasuringRNNAccuracy.)

    Raises SettingError if a field is out of its range.
    """

    backbone: str
    """Name in `lm_core.experiments.rnn_vs_lstm.backbones.BACKBONES`."""
    lengths: tuple[int, ...]
    """L of the networks, 2..128 symbols."""
    seeds: tuple[int, ...]
    """0 to a million; every length is trained once from each."""
    vocabulary: int = 512
    """V, 4..1024 symbols, more than the longest length."""
    width: int | None = None
    """Hidden units, 1..128; None for the backbone's own."""
    epochs: int = 100
    """Passes over all sequences, each of them one step of Adam, 1..1000."""
    learning_rate: float = 0.1
    """At the first epoch, 1e-5 to 1; it falls linearly to zero."""
    clip: float | None = None
    """Largest norm of a network's gradient, 0.001 to 1000; None to leave it as it is."""
    torch_biases: bool = False
    """Whether the biases of an RNN start as torch's do, uniform within 1/sqrt(width); the
    published RNN draws them from a normal, which saturates many units from the first step on."""

    def __post_init__(self) -> None:
        if self.backbone not in BACKBONES:
            known = ", ".join(BACKBONES)
            raise SettingError(f"backbone must be one of {known}, got {self.backbone!r}")
        for name, allowed in (("lengths", LENGTHS), ("seeds", (0, MAX_SEED))):
            object.__setattr__(self, name, tuple(dict.fromkeys(getattr(self, name))))
            if not getattr(self, name):
                raise SettingError(f"{name} must name at least one")
            for value in getattr(self, name):
                _require_between(name, value, allowed)
        if len(self.networks) > MAX_NETWORKS:
            raise SettingError(
                f"a batch may have at most {MAX_NETWORKS} networks, got {len(self.lengths)} lengths"
                f" x {len(self.seeds)} seeds: train them in several batches"
            )
        _require_between("vocabulary", self.vocabulary, VOCABULARIES)
        _require_between("width", self.hidden_units, WIDTHS)
        heads = BACKBONES[self.backbone].heads
        if self.hidden_units % heads:
            raise SettingError(
                f"width must be a multiple of {heads} for {self.backbone}, got {self.width}"
            )
        _require_between("epochs", self.epochs, EPOCHS)
        _require_between("learning rate", self.learning_rate, LEARNING_RATES)
        if self.clip is not None:
            _require_between("clip", self.clip, CLIPS)
        if max(self.lengths) >= self.vocabulary:
            raise SettingError(
                f"lengths must be below the vocabulary of {self.vocabulary} symbols,"
                f" got {max(self.lengths)}"
            )

    @property
    def hidden_units(self) -> int:
        """The width that the networks have: the given one, or the backbone's own."""
        return BACKBONES[self.backbone].width if self.width is None else self.width

    @property
    def networks(self) -> tuple[tuple[int, int], ...]:
        """Length and seed of each network, longest first."""
        lengths = sorted(set(self.lengths), reverse=True)
        return tuple((length, seed) for length in lengths for seed in self.seeds)

    @property
    def parameter_counts(self) -> tuple[int, ...]:
        """Trained numbers of each network, in the order of `networks`."""
        return tuple(
            parameter_count(self.backbone, self.vocabulary, self.hidden_units, length)
            for length, _ in self.networks
        )


def read_lengths(written: str) -> tuple[int, ...]:
    """Return the lengths that somebody wrote: ``4 8 12``, or ``4-18`` for every second one.

    Raises SettingError if it is none, no whole numbers, out of range, or more than a batch may
    have.
    """
    low, high = LENGTHS
    lengths: list[int] = []
    for part in written.replace(",", " ").split():
        ends = part.split("-")
        if not all(end.isdecimal() and len(end) < 7 for end in ends) or len(ends) > 2:
            raise SettingError(
                f"lengths must be whole numbers from {low} to {high}, such as 4 8 12 or 4-18,"
                f" got {part[:20]!r}"
            )
        for end in ends:
            _require_between("lengths", int(end), LENGTHS)
        lengths += range(int(ends[0]), int(ends[-1]) + 1, 2)
    if not lengths:
        raise SettingError(f"lengths must name at least one, from {low} to {high}: such as 4 8 12")
    return tuple(sorted(set(lengths)))


def with_changes(
    settings: RecallSettings,
    *,
    n_seeds: int,
    width: int,
    learning_rate: float,
    clip: float,
    epochs: int,
) -> RecallSettings:
    """Return settings with what somebody typed in: so many seeds from 0; a clip of 0 is none.

    Raises SettingError if one of them is out of its range.
    """
    _require_between("seeds", n_seeds, (1, MAX_NETWORKS))
    return replace(
        settings,
        seeds=tuple(range(n_seeds)),
        width=width,
        learning_rate=learning_rate,
        clip=clip or None,
        epochs=epochs,
    )


def n_sequences(vocabulary: int, length: int) -> int:
    """Return the number of sequences of that length: V - L, as published."""
    return vocabulary - length


def blind_chance(vocabulary: int, length: int) -> float:
    """Return the accuracy of a guess among all first symbols, 1 / (V - L)."""
    return 1.0 / n_sequences(vocabulary, length)


def clockless_chance(length: int) -> float:
    """Return the accuracy of one that sees the last symbol but not how many came before: 1 / L.

    The published sequences are consecutive, so that the last symbol leaves only L candidates for
    the first.
    """
    return 1.0 / length


# Protocols ------------------------------------------------------------------------------------

PUBLISHED_LENGTHS = (4, 6, 8, 10, 12, 14, 16, 18)
LONGER_LENGTHS = (30, 50, 100)


@dataclass(frozen=True)
class RecallProtocol:
    """How networks are trained, whatever their backbone."""

    title: str
    """For people."""
    settings: dict[str, Any]
    """Fields of `RecallSettings` that are the same for every backbone."""


PROTOCOLS = {
    "original": RecallProtocol("original settings", {"epochs": 100, "learning_rate": 0.1}),
    "clipped": RecallProtocol(
        "clipped, lower rate",
        {"epochs": 300, "learning_rate": 0.05, "clip": 0.3, "torch_biases": True},
    ),
}
"""``original`` is the notebook's, number for number. ``clipped`` is ours: half the rate, gradients of at
most norm 0.3, three times the epochs and torch's initialisation of the biases, found by watching the
RNN learn at L = 18 (two seeds, nothing else was tuned on)."""


def protocol_settings(
    protocol: str, backbone: str, lengths: Iterable[int], seeds: Iterable[int]
) -> RecallSettings:
    """Return how a protocol trains a backbone.

    Raises SettingError if the protocol or the backbone is unknown, or a length or seed is out of
    its range.
    """
    if protocol not in PROTOCOLS:
        raise SettingError(f"protocol must be one of {', '.join(PROTOCOLS)}, got {protocol!r}")
    return RecallSettings(backbone, tuple(lengths), tuple(seeds), **PROTOCOLS[protocol].settings)


def _require_between(name: str, value: float, allowed: tuple[float, float]) -> None:
    low, high = allowed
    if not low <= value <= high:
        raise SettingError(f"{name} must be between {low:,} and {high:,}, got {value:,}")
