"""Files that are whole or not there at all, and the records of JSON in them."""

import hashlib
import json
import os
import stat
import tempfile
from collections.abc import Mapping
from dataclasses import fields
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

from pydantic import TypeAdapter, ValidationError
from pydantic_core import ErrorDetails

from lm_core.errors import SettingError

_Record = TypeVar("_Record")


def write_whole(path: Path, content: bytes) -> None:
    """Write a file so that no reader ever sees a part of it; missing folders are made.

    Raises OSError if it could not be written; an older file of that name is then untouched.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile(dir=path.parent, prefix=".part-", delete=False) as file:
        temporary = Path(file.name)
        try:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
            temporary.replace(path)
        finally:
            temporary.unlink(missing_ok=True)


def now() -> str:
    """Return the date and time as people read it, in UTC; nothing is decided by it."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def regular(path: Path) -> Path:
    """Return the path of a file that can be read at once; a pipe would keep its reader waiting.

    Raises OSError if there is none, or if it is a folder, a pipe or a link to itself.
    """
    if not stat.S_ISREG(path.stat().st_mode):
        raise OSError(f"{path} is not a regular file")
    return path


def record_sha256(record: Mapping[str, Any]) -> str:
    """Return the hash of a record's values, however its file is laid out."""
    plain = json.loads(json.dumps(record))
    return hashlib.sha256(json.dumps(plain, sort_keys=True).encode()).hexdigest()


def parse_record(kind: type[_Record], record: Mapping[str, Any]) -> _Record:
    """Return the dataclass that a record of JSON holds, each field of the type that it states.

    Raises SettingError if fields are unknown, missing, of another type or out of range; the message
    names all.
    """
    if surplus := set(record) - {field.name for field in fields(kind)}:  # type: ignore[arg-type]
        raise SettingError(f"unknown fields {sorted(surplus)}")
    try:
        parsed: _Record = _parser(kind).validate_json(json.dumps(record), strict=True)  # type: ignore[arg-type]
    except ValidationError as error:
        raise SettingError(faults_of(error)) from error
    return parsed


def faults_of(error: ValidationError) -> str:
    """Return what is wrong with a record, field by field."""
    return "; ".join(map(_said, error.errors()))


def _said(fault: ErrorDetails) -> str:
    field = ".".join(map(str, fault["loc"])) or "it"
    if fault["type"] == "missing":
        return f"{field} is missing"
    return f"{field} is {fault['input']!r:.60}: {fault['msg']}"


@cache
def _parser(kind: type) -> TypeAdapter[Any]:
    return TypeAdapter(kind)
