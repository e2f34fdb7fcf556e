"""What a run needs to go on after an interruption, in one file that cannot run code.

Tensors are stored as safetensors, everything else as JSON in the same file's header, so a state is
whole or not there. The file is written beside the training: the processor only copies the bytes to
the system, and a thread waits for the disk.
"""

import json
import os
import threading
import time
from pathlib import Path
from typing import Any

import safetensors
import safetensors.torch
from safetensors import SafetensorError
from torch import Tensor

from lm_core.errors import CheckpointError

MOST_LOST_S = 10.0
"""Work that a killed run may lose, in seconds."""

_SHARE = 0.01  # of the time that may go into saving
_SHORTEST_S, _LONGEST_S = 1.0, 7.0  # the rest of the ten is for the slowest step and the disk


class ResumeFile:
    """Stores a training's state on the disk, at most `MOST_LOST_S` of work behind.

    `path`: Path, its folder is made if it is missing.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._writing: threading.Thread | None = None
        self._error: OSError | None = None
        self._saved_at = self._seen_at = 0.0
        self._cost_s = self._write_s = 0.0

    def load(self) -> dict[str, Any] | None:
        """Return the saved state; None if there is none; raises CheckpointError if the file is damaged."""
        if not self._path.exists():
            return None
        try:
            with safetensors.safe_open(self._path, framework="pt") as file:
                plain = json.loads(file.metadata()["plain"])
                tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
        except (OSError, SafetensorError, ValueError, KeyError, TypeError) as error:
            raise CheckpointError(
                f"{self._path} is damaged: {error}. Remove the run with python -m lm_core jobs"
                " clean, and ask for it again"
            ) from error
        return _joined(plain, tensors)

    def begin(self, seconds: float) -> None:
        """Say how many seconds of work the training has done before it goes on."""
        self._saved_at = self._seen_at = seconds

    def is_due(self, seconds: float) -> bool:
        """Whether to save now, `seconds` of work into the training.

        The rarer the more it costs, but always before another step like the last one could bring
        the work at risk above the limit.
        """
        step_s, self._seen_at = seconds - self._seen_at, seconds
        at_risk = seconds - self._saved_at
        spacing = min(max(_SHORTEST_S, self._cost_s / _SHARE), _LONGEST_S)
        return at_risk >= min(spacing, MOST_LOST_S - 2.0 * step_s - self._write_s)

    def save(self, state: dict[str, Any], seconds: float) -> None:
        """Write a state; the disk is waited for by the next `save`, or by `close`.

        Raises CheckpointError if this or the last state could not be written; the one before it is
        still there.
        """
        self.wait()
        begun = time.perf_counter()
        tensors: dict[str, Tensor] = {}
        plain = json.dumps(_parted(state, "", tensors))
        temporary = self._path.with_suffix(".new")
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            safetensors.torch.save_file(tensors, temporary, {"plain": plain})
        except (OSError, SafetensorError) as error:
            temporary.unlink(missing_ok=True)
            raise _not_saved(self._path, error) from error
        self._cost_s, self._saved_at = time.perf_counter() - begun, seconds
        self._writing = threading.Thread(target=self._publish, args=(temporary,), name="save-state")
        self._writing.start()

    def wait(self) -> None:
        """Wait until the state that was saved last is on the disk.

        Raises CheckpointError if it could not be written.
        """
        if self._writing:
            self._writing.join()
            self._writing = None
        if self._error:
            error, self._error = self._error, None
            raise _not_saved(self._path, error) from error

    def remove(self) -> None:
        """Forget the state: the run has reached its end."""
        self.wait()
        self._path.unlink(missing_ok=True)

    def _publish(self, temporary: Path) -> None:
        begun = time.perf_counter()
        try:
            with temporary.open("rb") as file:
                os.fsync(file.fileno())
            temporary.replace(self._path)
        except OSError as error:
            self._error = error
        self._write_s = time.perf_counter() - begun


def _not_saved(path: Path, error: Exception) -> CheckpointError:
    return CheckpointError(
        f"{path} could not be written: {error}. Free some space (python -m lm_core jobs clean), then"
        " resume: the state saved before is untouched"
    )


def _parted(value: Any, place: str, tensors: dict[str, Tensor]) -> Any:
    """Return nested values as JSON can hold them, with the tensors moved to `tensors` by their place."""
    if isinstance(value, Tensor):
        tensors[place] = value.detach().cpu().contiguous()
        return {"tensor": place}
    if isinstance(value, dict):
        # As pairs, because the optimizer counts its parameters with whole numbers for keys.
        return {"pairs": [[k, _parted(v, f"{place}/{k}", tensors)] for k, v in value.items()]}
    if isinstance(value, list | tuple):
        return [_parted(v, f"{place}/{i}", tensors) for i, v in enumerate(value)]
    return value


def _joined(value: Any, tensors: dict[str, Tensor]) -> Any:
    """Undo `_parted`."""
    if isinstance(value, list):
        return [_joined(v, tensors) for v in value]
    if not isinstance(value, dict):
        return value
    if "tensor" in value:
        return tensors[value["tensor"]]
    return {k: _joined(v, tensors) for k, v in value["pairs"]}
