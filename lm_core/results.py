"""What an experiment measured, with its provenance: one record, one format, for all experiments.

The results of an experiment are a frozen dataclass below `Recorded`, which writes and reads them. A file
is JSON with the fields of `Results`; tensors lie beside it in safetensors, and the JSON names them.
"""

import hashlib
import json
import platform
from collections.abc import Iterable
from dataclasses import asdict, dataclass, fields, is_dataclass, replace
from functools import cache
from pathlib import Path
from typing import Annotated, Any, ClassVar, Self

import numpy as np
import safetensors.torch
import torch
from pydantic import AfterValidator, ConfigDict, Field, TypeAdapter, ValidationError, ValidationInfo
from pydantic import PlainValidator as Read
from safetensors import SafetensorError
from torch import Tensor

from lm_core.assets import RESULTS, absence
from lm_core.errors import ResultError
from lm_core.files import faults_of, now, record_sha256, write_whole

SCHEMA = 2


@dataclass(frozen=True)
class Results:
    """Numbers of one experiment."""

    experiment: str
    """Name of its folder in `lm_core/experiments`."""
    provenance: dict[str, Any]
    """Plain values, as `provenance` makes them: when, on what and with which settings."""
    data: dict[str, Any]
    """Plain values; what they mean is the experiment's to say."""

    def save(self, path: Path) -> None:
        """Write the file whole; lists in `data` take one line an entry, so that versions compare."""
        record = asdict(self)
        document = {"schema": SCHEMA, "sha256": record_sha256(record), **record}
        head = json.dumps({**document, "data": {}}, indent=1, ensure_ascii=False)
        entries = [f"  {json.dumps(name)}: {_lines(value)}" for name, value in self.data.items()]
        body = "{\n" + ",\n".join(entries) + "\n }"
        write_whole(path, (head.removesuffix("{}\n}") + body + "\n}\n").encode())

    @classmethod
    def load(cls, path: Path, experiment: str, command: str = "") -> "Results":
        """Read what `save` wrote; messages name the command that makes the file.

        Raises ResultError if the file is missing, damaged, of another version or of another
        experiment.
        """
        remedy = _remedy(command or experiment)
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


_DIGEST = "weights_sha256"  # under this name the provenance has the hash of the other file
_BESIDE = "tensor:"
"""Begins what stands in the JSON in the place of a tensor; its name in the other file follows."""


def _beside(value: Any, info: ValidationInfo) -> Tensor:
    name = str(value).removeprefix(_BESIDE)
    if name == value or name not in (info.context or {}):
        raise ValueError("must name a tensor of the file beside it")
    tensor: Tensor = (info.context or {})[name]
    return tensor


StoredTensor = Annotated[Tensor, Read(_beside)]
"""A field's tensor, which lies in the file beside the results."""
StoredArray = Annotated[np.ndarray, Read(lambda value, info: _beside(value, info).numpy())]
"""An array that lies there."""
Share = Annotated[float, Field(ge=0.0, le=1.0)]
Count = Annotated[int, Field(ge=0)]
Positive = Annotated[int, Field(ge=1)]
NonNegative = Annotated[float, Field(ge=0.0)]
NOT_EMPTY = Field(min_length=1)
"""Of a field that holds several: ``Annotated[tuple[Row, ...], NOT_EMPTY]``."""


def one_of(names: Iterable[str]) -> AfterValidator:
    """Return what holds a field to names, as in ``Annotated[str, one_of(KINDS)]``."""
    known = tuple(names)

    def checked(value: str) -> str:
        if value not in known:
            raise ValueError(f"must be one of {known}")
        return value

    return AfterValidator(checked)


@dataclass(frozen=True)
class Recorded:
    """Base of an experiment's results: frozen dataclasses, whose annotations say what a file may hold.

    A field is a plain value, a tuple or dict of them, another frozen dataclass, a named tuple (one line of
    the file as a list), a `StoredTensor` or a `StoredArray`. ``class X(Recorded, name="x")`` is the file ``x.json``.

    Examples
    --------
    >>> @dataclass(frozen=True)
    ... class Tosses(Recorded, name="tosses"):
    ...     heads: tuple[Share, ...]  # by number of tosses
    >>> Tosses.of_record({"heads": [0.5, 1.5]}, {})  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    lm_core.errors.ResultError: heads.1 is 1.5: Input should be less than or equal to 1
    """

    NAME: ClassVar[str]  # of the file, and of what `python -m lm_core experiment` calls it
    EXPERIMENT: ClassVar[str]  # what makes the file, where one experiment makes several

    provenance: dict[str, Any]  # when, on what and with which settings, as `provenance` makes it

    def __init_subclass__(cls, name: str, experiment: str = "") -> None:
        cls.NAME, cls.EXPERIMENT = name, experiment or name

    @classmethod
    def shipped(cls) -> Path:
        """Return where the shipped file lies."""
        return RESULTS / f"{cls.NAME}.json"

    def save(self, path: Path | None = None) -> None:
        """Write the results whole, tensors beside them.

        Raises ResultError if they are none that could be read again; nothing is written then.
        Raises OSError if they cannot be written.
        """
        tensors: dict[str, Tensor] = {}
        data = {
            field.name: _plain(getattr(self, field.name), field.name, tensors)
            for field in fields(self)
        }
        record = Results(self.NAME, data.pop("provenance"), data)
        self.of_record(data, record.provenance, tensors)
        path = path or self.shipped()
        if tensors:
            _save_with_tensors(path, record, tensors)
        else:
            record.save(path)

    @classmethod
    def load(cls, path: Path | None = None) -> Self:
        """Read what `save` wrote, by default the shipped results.

        Raises ResultError if a file is missing, damaged, altered or another one; the message names
        every faulty field.
        """
        path = path or cls.shipped()
        results = Results.load(path, cls.NAME, cls.EXPERIMENT)
        digest = results.provenance.get(_DIGEST)
        try:
            tensors = _tensors_beside(path, digest) if digest else {}
            return cls.of_record(results.data, results.provenance, tensors)
        except ResultError as error:
            raise ResultError(f"{path.name}: {error}; {_remedy(cls.EXPERIMENT)}") from error

    @classmethod
    def of_record(
        cls,
        data: dict[str, Any],
        provenance: dict[str, Any],
        tensors: dict[str, Tensor] | None = None,
    ) -> Self:
        """Return what plain values and named tensors hold; ResultError names what does not fit."""
        text = json.dumps({**data, "provenance": provenance})
        try:
            found: Self = _adapter(cls).validate_json(  # type: ignore[arg-type]
                text, strict=True, context=tensors or {}
            )
        except ValidationError as error:
            raise ResultError(faults_of(error)) from error
        return found


@cache
def _adapter(kind: type) -> TypeAdapter[Any]:
    kind.__pydantic_config__ = ConfigDict(  # type: ignore[attr-defined]
        arbitrary_types_allowed=True, extra="forbid"
    )
    return TypeAdapter(kind)


def _plain(value: Any, place: str, tensors: dict[str, Tensor]) -> Any:
    """Return a value as JSON has it; a tensor goes to the others, under the place where it stood."""
    if isinstance(value, np.ndarray):
        value = torch.from_numpy(value)
    if isinstance(value, Tensor):
        tensors[place] = value.contiguous()
        return _BESIDE + place
    if is_dataclass(value):
        recorded = [
            field.name for field in fields(value) if field.metadata.get("is_recorded", True)
        ]
        value = {name: getattr(value, name) for name in recorded}
    if isinstance(value, dict):
        return {str(n): _plain(entry, f"{place}.{n}", tensors) for n, entry in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(entry, f"{place}.{i}", tensors) for i, entry in enumerate(value)]
    return value


def _remedy(experiment: str) -> str:
    return f"python -m lm_core experiment {experiment} makes it"


def _save_with_tensors(path: Path, results: Results, tensors: dict[str, Tensor]) -> None:
    """Write tensors, then results with their hash: a reader never finds results that are ahead."""
    payload = safetensors.torch.save(tensors)
    write_whole(_file_beside(path), payload)
    digest = hashlib.sha256(payload).hexdigest()
    replace(results, provenance={**results.provenance, _DIGEST: digest}).save(path)


def _tensors_beside(path: Path, expected: str) -> dict[str, Tensor]:
    """Return the tensors beside results; ResultError if they are gone, or not those of the hash."""
    file = _file_beside(path)
    try:
        payload = file.read_bytes()
        if (digest := hashlib.sha256(payload).hexdigest()) != expected:
            raise ResultError(f"{file.name} must have sha256 {expected}, it has {digest}")
        return safetensors.torch.load(payload)
    except (OSError, SafetensorError) as error:
        raise ResultError(f"{file.name} must hold the tensors of the results: {error}") from error


def _file_beside(path: Path) -> Path:
    return path.with_suffix(".safetensors")


def provenance(*, device: str, seconds: float, **settings: Any) -> dict[str, Any]:
    """Return a provenance of now: date, device, training time, libraries, and the settings given."""
    return {
        "date": now(),
        "device": device,
        "seconds": round(seconds, 1),
        "versions": {
            "python": platform.python_version(),
            "torch": torch.__version__,
            "numpy": np.__version__,
        },
        **settings,
    }


def _lines(value: Any, margin: str = "  ") -> str:
    """Return a value as JSON, a list or dict with a line for each entry, and each row of tables in a dict."""
    inner = f"{margin} "
    if isinstance(value, list) and value:
        return "[\n" + ",\n".join(inner + _compact(entry) for entry in value) + f"\n{margin}]"
    if isinstance(value, dict) and value:
        entries = (
            f"{inner}{json.dumps(key)}: {_lines(entry, inner) if _is_table(entry) else _compact(entry)}"
            for key, entry in value.items()
        )
        return "{\n" + ",\n".join(entries) + f"\n{margin}}}"
    return _compact(value)


def _is_table(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and isinstance(value[0], list)


def _compact(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
