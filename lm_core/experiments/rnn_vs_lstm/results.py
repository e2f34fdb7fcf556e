"""Measured accuracies: one file for both protocols, filled point by point."""

import statistics
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

from lm_core import results as record
from lm_core.errors import ResultError
from lm_core.experiments.rnn_vs_lstm.backbones import BACKBONES
from lm_core.experiments.rnn_vs_lstm.settings import (
    PROTOCOLS,
    RecallSettings,
    n_sequences,
    protocol_settings,
)

NAME = "rnn_vs_lstm"
NETWORKS_AT_ONCE = 16
"""Enough to make the cost of a call negligible, few enough for their states to stay in the cache."""


class RecallResult(NamedTuple):
    """What one network has come to.

    Attributes
    ----------
    backbone : str
    length, seed : int
    accuracy : float
        Share of the sequences it was trained on whose last answer is right, 0 to 1.
    shuffled_accuracy : float
        The same where every symbol after the first is drawn anew at random, so that nothing but
        the first gives the answer away.
    seconds : float
        Its share of the batch's training time.
    """

    backbone: str
    length: int
    seed: int
    accuracy: float
    shuffled_accuracy: float
    seconds: float


@dataclass(frozen=True)
class RecallPoint:
    """All seeds of one backbone at one length.

    Attributes
    ----------
    backbone : str
    length : int
        L, in symbols.
    accuracies : tuple of float
        One a seed, 0 to 1.
    shuffled_accuracies : tuple of float
    parameter_count : int
        Of each network.
    """

    backbone: str
    length: int
    accuracies: tuple[float, ...]
    shuffled_accuracies: tuple[float, ...]
    parameter_count: int

    @property
    def mean(self) -> float:
        """Mean accuracy over the seeds."""
        return statistics.fmean(self.accuracies)

    def shuffled(self) -> "RecallPoint":
        """Return the point as it is on shuffled sequences."""
        return replace(self, accuracies=self.shuffled_accuracies)


class Training(NamedTuple):
    """When the last networks of a protocol were trained, and on what."""

    date: str
    device: str


class RecallResults:
    """The results of all protocols; empty at first.

    Attributes
    ----------
    trained : dict of str to Training
        By protocol.
    """

    def __init__(self) -> None:
        self.trained: dict[str, Training] = {}
        self._results: dict[tuple[str, str, int, int], RecallResult] = {}

    def add(self, protocol: str, results: Iterable[RecallResult], trained: Training) -> None:
        """Take results in; one of the same protocol, backbone, length and seed is replaced."""
        self.trained[protocol] = trained
        self._results |= {(protocol, r.backbone, r.length, r.seed): r for r in results}

    def has(self, protocol: str, backbone: str, length: int, seed: int) -> bool:
        """Whether that network has been trained."""
        return (protocol, backbone, length, seed) in self._results

    def of_protocol(self, protocol: str) -> list[RecallResult]:
        """Return the results of a protocol, sorted."""
        return sorted(r for (trained_as, *_), r in self._results.items() if trained_as == protocol)

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

    def save(self, path: Path) -> None:
        """Write everything with its provenance; one line a network, so that versions compare."""
        seconds = {
            protocol: round(sum(r.seconds for r in self.of_protocol(protocol)), 1)
            for protocol in self.trained
        }
        protocols = {
            protocol: trained._asdict()
            | {"seconds": seconds[protocol], "settings": PROTOCOLS[protocol].settings}
            for protocol, trained in self.trained.items()
        }
        devices = ", ".join(dict.fromkeys(trained.device for trained in self.trained.values()))
        record.Results(
            NAME,
            record.provenance(device=devices, seconds=sum(seconds.values()), protocols=protocols),
            {"columns": list(RecallResult._fields)}
            | {protocol: self.of_protocol(protocol) for protocol in self.trained},
        ).save(path)

    @classmethod
    def load(cls, path: Path) -> "RecallResults":
        """Read a file that `save` has written.

        Raises
        ------
        ResultError
            If it is missing, damaged, of another version or of other columns or protocols.
        """
        document = record.Results.load(path, NAME)
        columns = document.data.pop("columns", None)
        if columns != list(RecallResult._fields) or not set(document.data) <= set(PROTOCOLS):
            raise ResultError(
                f"{path.name} must have columns {RecallResult._fields} and protocols of"
                f" {tuple(PROTOCOLS)}, got {columns} and {tuple(document.data)}: make it again"
            )
        results = cls()
        try:
            for protocol, rows in document.data.items():
                origin = document.provenance["protocols"][protocol]
                trained = Training(origin["date"], origin["device"])
                results.add(protocol, [RecallResult(*row) for row in rows], trained)
        except (KeyError, TypeError) as error:
            raise ResultError(
                f"{path.name} must have columns {columns} in every row, and the origin of every"
                f" protocol: {error!r}; make it again"
            ) from error
        return results


def results_path() -> Path:
    """Return where the shipped results lie."""
    return record.results_path("rnn-vs-lstm")


def missing_batches(
    results: RecallResults,
    protocol: str,
    backbones: Sequence[str],
    lengths: Sequence[int],
    seeds: Sequence[int],
) -> list[RecallSettings]:
    """Return how to train what the results do not have yet, in batches of similar networks.

    Raises
    ------
    SettingError
        If a backbone is unknown, or a length or seed is out of its range.
    """
    batches = []
    for backbone in backbones:
        wanted = protocol_settings(protocol, backbone, lengths, seeds[:1])
        n_seeds = max(1, NETWORKS_AT_ONCE // len(wanted.lengths))
        for some in (seeds[k : k + n_seeds] for k in range(0, len(seeds), n_seeds)):
            # A batch is lengths x seeds; lengths with other seeds missing go into another batch.
            by_missing: dict[tuple[int, ...], list[int]] = {}
            for length in wanted.lengths:
                absent = tuple(s for s in some if not results.has(protocol, backbone, length, s))
                by_missing.setdefault(absent, []).append(length)
            batches += [
                protocol_settings(protocol, backbone, group, absent)
                for absent, group in by_missing.items()
                if absent
            ]
    return batches


def blind_chance(vocabulary: int, length: int) -> float:
    """Return the accuracy of a guess among all first symbols, 1 / (V - L)."""
    return 1.0 / n_sequences(vocabulary, length)


def clockless_chance(length: int) -> float:
    """Return the accuracy of one that sees the last symbol but not how many came before: 1 / L.

    The published sequences are consecutive, so that the last symbol leaves only L candidates for
    the first.
    """
    return 1.0 / length


def breaking_length(
    points: Iterable[RecallPoint], backbone: str, threshold: float = 0.9
) -> int | None:
    """Return the shortest measured length at which a backbone's mean is below; None if there is none."""
    lengths = [p.length for p in points if p.backbone == backbone and p.mean < threshold]
    return min(lengths, default=None)
