"""Measured accuracies: one file for both protocols, filled point by point."""

import statistics
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Annotated, NamedTuple

from lm_core.experiments.rnn_vs_lstm.backbones import BACKBONES
from lm_core.experiments.rnn_vs_lstm.settings import PROTOCOLS, RecallSettings, protocol_settings
from lm_core.results import Count, NonNegative, Positive, Recorded, Share, one_of, provenance

NETWORKS_AT_ONCE = 16
"""Enough to make the cost of a call negligible, few enough for their states to stay in the cache."""


class RecallResult(NamedTuple):
    """One network after its training."""

    backbone: Annotated[str, one_of(BACKBONES)]
    length: Positive
    seed: Count
    accuracy: Share  # of the sequences it was trained on: those whose last answer is right
    shuffled_accuracy: Share  # ... where every symbol but the first is drawn anew at random
    seconds: NonNegative  # its share of the batch's training time


@dataclass(frozen=True)
class RecallPoint:
    """All seeds of one backbone at one length."""

    backbone: str
    length: int  # L, in symbols
    accuracies: tuple[float, ...]  # one a seed
    shuffled_accuracies: tuple[float, ...]
    parameter_count: int  # of each network

    @property
    def mean(self) -> float:
        """Mean accuracy over the seeds."""
        return statistics.fmean(self.accuracies)

    @staticmethod
    def shortest_below(
        points: "Iterable[RecallPoint]", backbone: str, threshold: float = 0.9
    ) -> int | None:
        """Return the shortest measured length at which a backbone's mean is below; None if there is none."""
        lengths = [p.length for p in points if p.backbone == backbone and p.mean < threshold]
        return min(lengths, default=None)

    def shuffled(self) -> "RecallPoint":
        """Return the point as it is on shuffled sequences."""
        return replace(self, accuracies=self.shuffled_accuracies)


class Training(NamedTuple):
    """When the last networks of a protocol were trained, and on what."""

    date: str
    device: str


@dataclass(frozen=True)
class RecallResults(Recorded, name="rnn-vs-lstm"):
    """The results of all protocols, as far as networks are trained."""

    trained: dict[str, Training]  # by protocol
    results: dict[str, tuple[RecallResult, ...]]  # by protocol, sorted

    def __post_init__(self) -> None:
        if set(self.trained) != set(self.results) or not set(self.trained) <= set(PROTOCOLS):
            raise ValueError(f"the protocols must be of {tuple(PROTOCOLS)}, trained and measured")

    def added(
        self, protocol: str, results: Iterable[RecallResult], trained: Training
    ) -> "RecallResults":
        """Return results with more; one of the same protocol, backbone, length and seed is replaced."""
        by_network = {result[:3]: result for result in (*self.of_protocol(protocol), *results)}
        every = {**self.results, protocol: tuple(sorted(by_network.values()))}
        by_protocol = {**self.trained, protocol: trained}
        made = provenance(
            device=", ".join(dict.fromkeys(each.device for each in by_protocol.values())),
            seconds=sum(result.seconds for found in every.values() for result in found),
            settings={name: PROTOCOLS[name].settings for name in every},
        )
        return RecallResults(made, by_protocol, every)

    @cached_property
    def _networks(self) -> frozenset[tuple[str, str, int, int]]:
        return frozenset((name, *r[:3]) for name, found in self.results.items() for r in found)

    def has(self, protocol: str, backbone: str, length: int, seed: int) -> bool:
        """Whether that network has been trained."""
        return (protocol, backbone, length, seed) in self._networks

    def of_protocol(self, protocol: str) -> tuple[RecallResult, ...]:
        """Return the results of a protocol, sorted; none of one that has not been trained."""
        return self.results.get(protocol, ())

    def points(self, protocol: str) -> list[RecallPoint]:
        """Return what was measured, in the order of the backbones, then by length."""
        by_point: dict[tuple[str, int], list[RecallResult]] = {}
        for result in self.of_protocol(protocol):
            by_point.setdefault((result.backbone, result.length), []).append(result)
        order = list(BACKBONES)
        return [
            RecallPoint(
                backbone,
                length,
                tuple(r.accuracy for r in results),
                tuple(r.shuffled_accuracy for r in results),
                protocol_settings(protocol, backbone, [length], [0]).parameter_counts[0],
            )
            for (backbone, length), results in sorted(
                by_point.items(), key=lambda item: (order.index(item[0][0]), item[0][1])
            )
        ]

    def missing(
        self, protocol: str, backbones: Sequence[str], lengths: Sequence[int], seeds: Sequence[int]
    ) -> list[RecallSettings]:
        """Return how to train what is not there yet, in batches of similar networks.

        Raises SettingError if a backbone is unknown, or a length or seed is out of its range.
        """
        batches = []
        for backbone in backbones:
            wanted = protocol_settings(protocol, backbone, lengths, seeds[:1])
            n_seeds = max(1, NETWORKS_AT_ONCE // len(wanted.lengths))
            for some in (seeds[k : k + n_seeds] for k in range(0, len(seeds), n_seeds)):
                # A batch is lengths x seeds; lengths with other seeds missing go into another batch.
                by_missing: dict[tuple[int, ...], list[int]] = {}
                for length in wanted.lengths:
                    absent = tuple(s for s in some if not self.has(protocol, backbone, length, s))
                    by_missing.setdefault(absent, []).append(length)
                batches += [
                    protocol_settings(protocol, backbone, group, absent)
                    for absent, group in by_missing.items()
                    if absent
                ]
        return batches
