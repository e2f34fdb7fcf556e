"""What an experiment measured, with its provenance: one record, one format, for all experiments.

A file is JSON with the fields of `Results`. Weights of networks too small and too many for
checkpoints of their own lie beside it in safetensors: see `save_with_weights`.
"""

import hashlib
import json
import platform
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
import safetensors.torch
import torch
from safetensors import SafetensorError
from torch import Tensor

from lm_core.assets import RESULTS, absence
from lm_core.errors import ResultError
from lm_core.files import record_sha256, write_whole

SCHEMA = 2


@dataclass(frozen=True)
class Results:
    """Numbers of one experiment.

    Attributes
    ----------
    experiment : str
        Name of its folder in `lm_core/experiments`.
    provenance : dict
        Plain values, as `provenance` makes them: when, on what and with which settings.
    data : dict
        Plain values; what they mean is the experiment's to say.
    """

    experiment: str
    provenance: dict[str, Any]
    data: dict[str, Any]

    def save(self, path: Path) -> None:
        """Write the file whole; lists in `data` take one line an entry, so that versions compare."""
        record = asdict(self)
        document = {"schema": SCHEMA, "sha256": record_sha256(record), **record}
        head = json.dumps({**document, "data": {}}, indent=1, ensure_ascii=False)
        entries = [f"  {json.dumps(name)}: {_lines(value)}" for name, value in self.data.items()]
        body = "{\n" + ",\n".join(entries) + "\n }"
        write_whole(path, (head.removesuffix("{}\n}") + body + "\n}\n").encode())

    @classmethod
    def load(cls, path: Path, experiment: str) -> "Results":
        """Read what `save` wrote.

        Raises
        ------
        ResultError
            If the file is missing, damaged, of another version or of another experiment.
        """
        remedy = f"python -m lm_core experiment {experiment} makes it"
        try:
            document = json.loads(path.read_text(encoding="utf-8"))
        except FileNotFoundError as error:
            raise ResultError(absence() or f"{path.name} is missing: {remedy}") from error
        except (OSError, ValueError, RecursionError) as error:
            raise ResultError(f"{path.name} must be JSON: {error}; {remedy}") from error
        found = document if isinstance(document, dict) else {}
        if (found.get("schema"), found.get("experiment")) != (SCHEMA, experiment):
            raise ResultError(
                f"{path.name} must have schema {SCHEMA} and experiment {experiment!r}, got"
                f" {found.get('schema')!r} and {found.get('experiment')!r}: {remedy}"
            )
        if not all(isinstance(found.get(name), dict) for name in ("provenance", "data")):
            raise ResultError(f"{path.name} must have provenance and data: {remedy}")
        results = cls(experiment, found["provenance"], found["data"])
        # A file from before there was a hash is read without.
        if found.get("sha256", digest := record_sha256(asdict(results))) != digest:
            raise ResultError(
                f"{path.name} must have the values of sha256 {found['sha256']}, it has {digest}: it"
                f" was altered by hand; {remedy}"
            )
        return results


def save_with_weights(path: Path, results: Results, weights: dict[str, Tensor]) -> None:
    """Write results to `path` and weights beside it, whose hash goes into the provenance.

    The weights are written first: a reader never finds results that are ahead of them.

    Raises
    ------
    OSError
        If they cannot be written.
    """
    payload = safetensors.torch.save(weights)
    write_whole(_weights_file(path), payload)
    digest = hashlib.sha256(payload).hexdigest()
    replace(results, provenance={**results.provenance, "weights_sha256": digest}).save(path)


def load_with_weights(path: Path, experiment: str) -> tuple[Results, dict[str, Tensor]]:
    """Read what `save_with_weights` wrote.

    Raises
    ------
    ResultError
        If a file is missing or damaged, or the weights are not those of the provenance.
    """
    results, weights_file = Results.load(path, experiment), _weights_file(path)
    try:
        payload = weights_file.read_bytes()
        digest, expected = hashlib.sha256(payload).hexdigest(), results.provenance["weights_sha256"]
        if digest != expected:
            raise ResultError(
                f"{weights_file.name} has sha256 {digest}, {path.name} says {expected}"
            )
        return results, safetensors.torch.load(payload)
    except (OSError, KeyError, SafetensorError) as error:
        raise ResultError(
            f"{weights_file.name} must hold the networks' weights: {error}"
        ) from error


def tensors_below(stored: dict[str, Tensor], prefix: str) -> dict[str, Tensor]:
    """Return those tensors whose names begin with a prefix, named without it."""
    return {n.removeprefix(prefix): t for n, t in stored.items() if n.startswith(prefix)}


def _weights_file(path: Path) -> Path:
    return path.with_suffix(".safetensors")


def results_path(name: str) -> Path:
    """Return where the shipped results of that name lie."""
    return RESULTS / f"{name}.json"


def provenance(*, device: str, seconds: float, **settings: Any) -> dict[str, Any]:
    """Return a provenance of now: date, device, training time, libraries, and the settings given."""
    return {
        "date": datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        "device": device,
        "seconds": round(seconds, 1),
        "versions": {
            "python": platform.python_version(),
            "torch": torch.__version__,
            "numpy": np.__version__,
        },
        **settings,
    }


def _lines(value: Any) -> str:
    """Return a value as JSON, a list or dict with a line for each of its entries."""
    if isinstance(value, list) and value:
        return "[\n" + ",\n".join(f"   {_compact(entry)}" for entry in value) + "\n  ]"
    if isinstance(value, dict) and value:
        entries = (f"   {json.dumps(key)}: {_compact(entry)}" for key, entry in value.items())
        return "{\n" + ",\n".join(entries) + "\n  }"
    return _compact(value)


def _compact(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
