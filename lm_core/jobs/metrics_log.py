"""Files of JSON lines that grow while others read them.

A row has at least a ``step``; a line that is no such row is left out and counted.
"""

import json
from pathlib import Path
from typing import Any

from lm_core.files import regular

_LONGEST_LINE = 65_536  # bytes
_TYPES: dict[str, type | tuple[type, ...]] = {
    "step": int,
    "seconds": (int, float),
    "loss": (int, float),
    "text": str,
}
"""Of the fields that are read by name."""


class MetricsLogWriter:
    """Appends to a file; what a dead process left of a line is cut off first.

    Raises OSError if the file cannot be written.
    """

    def __init__(self, path: Path) -> None:
        self._file = path.open("ab+")
        self._file.seek(0)
        self._file.truncate(_whole_lines(self._file.read()))

    def append(self, record: dict[str, Any]) -> None:
        """Add a line, visible to readers at once."""
        self._file.write((json.dumps(record, ensure_ascii=False) + "\n").encode())
        self._file.flush()

    def close(self) -> None:
        """Close the file."""
        self._file.close()


class MetricsLogReader:
    """Reads on from where it stopped; of a line that is still being written it sees nothing.

    Attributes
    ----------
    rows : list of dict
        All rows so far, by rising step. A run that resumed after a crash does some steps again;
        their second account replaces the first.
    n_unreadable : int, lines that were left out
    """

    def __init__(self, path: Path) -> None:
        self.rows: list[dict[str, Any]] = []
        self.n_unreadable = 0
        self._path, self._offset = path, 0

    def read(self) -> list[dict[str, Any]]:
        """Take in the rows that have been added since the last call, and return them."""
        try:
            with regular(self._path).open("rb") as file:
                file.seek(self._offset)
                content = file.read()
        except OSError:
            return []  # nothing has been written yet, or the disk lost it
        content = content[: _whole_lines(content)]
        self._offset += len(content)
        lines = content.splitlines()
        added = [row for row in map(_row, lines) if row]
        self.n_unreadable += len(lines) - len(added)
        for row in added:
            while self.rows and self.rows[-1]["step"] >= row["step"]:
                self.rows.pop()
            self.rows.append(row)
        return added


def last_row(path: Path, having: str = "step") -> dict[str, Any] | None:
    """Return a log's newest row in which a field says something.

    None if its last 64 kB have none, or if it cannot be read.
    """
    try:
        with regular(path).open("rb") as file:
            start = max(0, file.seek(0, 2) - _LONGEST_LINE)
            file.seek(start)
            content = file.read()
    except OSError:
        return None
    lines = content[: _whole_lines(content)].splitlines()
    rows = filter(None, map(_row, reversed(lines)))
    return next((row for row in rows if row.get(having) is not None), None)


def _row(line: bytes) -> dict[str, Any] | None:
    """Return the row that a line holds; None if it holds none."""
    try:
        row = json.loads(line)
    except (ValueError, RecursionError):
        return None
    if not isinstance(row, dict) or "step" not in row:
        return None
    known = (isinstance(row[name], kind) for name, kind in _TYPES.items() if name in row)
    return row if all(known) else None


def _whole_lines(content: bytes) -> int:
    """Return the length of what ends in a line break."""
    return content.rfind(b"\n") + 1
