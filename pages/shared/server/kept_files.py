"""Small files of visitors, each kept on this server under a few letters that its content decides."""

import base64
import hashlib
import os
import re
import time
from collections.abc import Mapping
from pathlib import Path

from lm_core.errors import LimitError
from lm_core.files import write_whole
from pages.shared.allowances import Allowances

MONTH_S = 30 * 86_400.0
"""A file that was opened within it is never given up for another."""

_DAY_S = 86_400.0
_LETTERS = 12
_NAME = re.compile(f"[a-z2-7]{{{_LETTERS}}}|[a-z2-7]{{7}}")
"""Names had seven letters once; their links still lead to them."""


class KeptFiles:
    """A folder of small files; those that nobody has opened for a month make room for new ones.

    Parameters
    ----------
    most : int, files that are kept
    what : str, they are called so in messages, in the plural
    """

    def __init__(self, folder: Path, most: int, what: str) -> None:
        self._folder, self._most, self._what = folder, most, what

    def keep(self, content: bytes, owners: Mapping[str, Allowances] | None = None) -> str:
        """Return the letters that stand for a content; the same ones for the same content.

        Raises LimitError if an owner has brought too many, or if there is no room.

        Parameters
        ----------
        owners : mapping of str to Allowances, optional
            Who brings it, each with the allowances that count: a visitor, and their address.
        """
        name = base64.b32encode(hashlib.sha256(content).digest()).decode()[:_LETTERS].lower()
        kept = self.read(name)
        if kept == content:
            return name
        if kept is not None:
            raise LimitError("another file has this name already: change a word in yours")
        owners = owners or {}
        self._require_allowance(owners)
        self._make_room()
        write_whole(self._folder / name, content)
        for owner, allowances in owners.items():
            allowances.take(owner)
        return name

    def read(self, name: str) -> bytes | None:
        """Return what a few letters stand for, and note that it was opened; None where they are not known."""
        if not _NAME.fullmatch(name):
            return None
        path = self._folder / name
        try:
            content = path.read_bytes()
            if time.time() - path.stat().st_mtime > _DAY_S:
                os.utime(path)
        except OSError:
            return None
        return content

    def _require_allowance(self, owners: Mapping[str, Allowances]) -> None:
        wait_s = max(
            (allowances.wait_s(owner) for owner, allowances in owners.items()), default=0.0
        )
        if wait_s > 0.0:
            raise LimitError(
                f"you, or others at your address, have kept as many {self._what} here as one may:"
                f" try again in {_in_words(wait_s)}"
            )

    def _make_room(self) -> None:
        """Give up what nobody has opened for a month, the longest unopened first, if room is needed."""
        if not self._folder.is_dir():
            return
        opened = {path: path.stat().st_mtime for path in self._folder.glob("[a-z2-7]*")}
        surplus = len(opened) - self._most + 1
        unopened = [path for path, when in opened.items() if time.time() - when > MONTH_S]
        if surplus > len(unopened):
            raise LimitError(
                f"this server keeps {self._most:,} {self._what}, and all of them were opened within"
                " the last month: there is no room for another one now"
            )
        for path in sorted(unopened, key=opened.__getitem__)[: max(0, surplus)]:
            path.unlink(missing_ok=True)


def _in_words(seconds: float) -> str:
    if seconds < 3_600:
        return f"{max(1, round(seconds / 60))} minutes"
    return f"{round(seconds / 3_600)} hours"
