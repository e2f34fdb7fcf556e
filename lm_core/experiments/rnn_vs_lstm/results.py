"""Measured accuracies on disk: one file a protocol, filled point by point."""

import json
import statistics
from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch

from lm_core.assets import RESULTS
from lm_core.errors import ResultError
from lm_core.experiments.rnn_vs_lstm.models import MODELS
from lm_core.experiments.rnn_vs_lstm.protocols import PROTOCOLS, protocol_settings
from lm_core.experiments.rnn_vs_lstm.settings import n_sequences
from lm_core.files import write_whole

SCHEMA = 1


class RecallResult(NamedTuple):
    """What one network has come to.

    Attributes
    ----------
    model : str
    length, seed : int
    accuracy : float
        Share of the sequences it was trained on whose last answer is right, 0 to 1.
    shuffled_accuracy : float
        The same where every symbol after the first is drawn anew at random, so that nothing but
        the first gives the answer away.
    seconds : float
        Its share of the batch's training time.
    """

    model: str
    length: int
    seed: int
    accuracy: float
    shuffled_accuracy: float
    seconds: float


@dataclass(frozen=True)
class RecallPoint:
    """All seeds of one model at one length.

    Attributes
    ----------
    model : str
    length : int
        L, in symbols.
    accuracies : tuple of float
        One a seed, 0 to 1.
    shuffled_accuracies : tuple of float
    parameter_count : int
        Of each network.
    """

    model: str
    length: int
    accuracies: tuple[float, ...]
    shuffled_accuracies: tuple[float, ...]
    parameter_count: int

    @property
    def mean(self) -> float:
        """Mean accuracy over the seeds."""
        return statistics.fmean(self.accuracies)

    def shuffled(self) -> "RecallPoint":
        """Return the point as it stands on shuffled sequences."""
        return replace(self, accuracies=self.shuffled_accuracies)


class RecallResults:
    """The results of one protocol.

    Parameters
    ----------
    protocol : str
        Name in `PROTOCOLS`.
    device : str
        What trained the networks, for people.
    date : str
        When the last of them was trained.
    """

    def __init__(self, protocol: str, *, device: str = "", date: str = "") -> None:
        self.protocol, self.device, self.date = protocol, device, date
        self._results: dict[tuple[str, int, int], RecallResult] = {}

    def __len__(self) -> int:
        return len(self._results)

    def add(self, results: Iterable[RecallResult]) -> None:
        """Take results in; one of the same model, length and seed is replaced."""
        self._results |= {(r.model, r.length, r.seed): r for r in results}

    def has(self, model: str, length: int, seed: int) -> bool:
        """Whether that network has been trained."""
        return (model, length, seed) in self._results

    @property
    def seconds(self) -> float:
        """Training time of all networks together."""
        return sum(result.seconds for result in self._results.values())

    def points(self) -> list[RecallPoint]:
        """Return what was measured, in the order of the models, then by length."""
        keys = sorted(
            {(model, length) for model, length, _ in self._results},
            key=lambda key: (list(MODELS).index(key[0]), key[1]),
        )
        return [self._point(*key) for key in keys]

    def _point(self, model: str, length: int) -> RecallPoint:
        of_point = [r for r in self._results.values() if (r.model, r.length) == (model, length)]
        of_point.sort(key=lambda r: r.seed)
        settings = protocol_settings(self.protocol, model, [length], [0])
        return RecallPoint(
            model,
            length,
            tuple(r.accuracy for r in of_point),
            tuple(r.shuffled_accuracy for r in of_point),
            settings.parameter_counts[0],
        )

    def save(self, path: Path) -> None:
        """Write everything with its provenance; one line a network, so that versions can be compared."""
        provenance = {
            "schema": SCHEMA,
            "protocol": self.protocol,
            "settings": {
                model: _without_task(asdict(protocol_settings(self.protocol, model, [4], [0])))
                for model in MODELS
            },
            "device": self.device,
            "date": self.date,
            "seconds": round(self.seconds, 1),
            "versions": {"torch": torch.__version__, "numpy": np.__version__},
            "columns": RecallResult._fields,
        }
        head = json.dumps(provenance, indent=2)[:-2]
        rows = [json.dumps(list(result)) for _, result in sorted(self._results.items())]
        text = head + ',\n  "results": [\n    ' + ",\n    ".join(rows) + "\n  ]\n}\n"
        write_whole(path, text.encode())

    @classmethod
    def load(cls, path: Path) -> "RecallResults":
        """Read a file that `save` has written.

        Raises
        ------
        ResultError
            If it is missing, damaged or of another version.
        """
        try:
            provenance: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        except FileNotFoundError as error:
            raise ResultError(
                f"{path.name} is missing: python -m lm_core experiment rnn-vs-lstm makes it"
            ) from error
        except ValueError as error:
            raise ResultError(f"{path.name} must be JSON: {error}; make it again") from error
        if provenance.get("schema") != SCHEMA or provenance.get("protocol") not in PROTOCOLS:
            raise ResultError(
                f"{path.name} must have schema {SCHEMA} and a protocol of {sorted(PROTOCOLS)}, got"
                f" {provenance.get('schema')!r} and {provenance.get('protocol')!r}: make it again"
            )
        if tuple(provenance["columns"]) != RecallResult._fields:
            raise ResultError(
                f"{path.name} must have columns {RecallResult._fields}: make it again"
            )
        results = cls(provenance["protocol"], device=provenance["device"], date=provenance["date"])
        results.add(RecallResult(*row) for row in provenance["results"])
        return results


def results_path(protocol: str) -> Path:
    """Return where the shipped results of a protocol lie."""
    return RESULTS / f"rnn-vs-lstm-{protocol}.json"


def blind_chance(vocabulary: int, length: int) -> float:
    """Return the accuracy of a guess among all first symbols, 1 / (V - L)."""
    return 1.0 / n_sequences(vocabulary, length)


def clockless_chance(length: int) -> float:
    """Return the accuracy of one that sees the last symbol but not how many came before: 1 / L.

    The source's sequences are consecutive, so that the last symbol leaves only L candidates for
    the first.
    """
    return 1.0 / length


def _without_task(settings: dict[str, Any]) -> dict[str, Any]:
    return {n: v for n, v in settings.items() if n not in ("model", "lengths", "seeds")}


def breaking_length(
    points: Iterable[RecallPoint], model: str, threshold: float = 0.9
) -> int | None:
    """Return the shortest measured length at which a model's mean is below; None if there is none."""
    lengths = [p.length for p in points if p.model == model and p.mean < threshold]
    return min(lengths, default=None)
