"""Small files of visitors, each kept on this server under a few letters that its content decides."""

import base64
import hashlib
import re
from pathlib import Path

from lm_core.files import write_whole

_LETTERS = 7
_NAME = re.compile(f"[a-z2-7]{{{_LETTERS}}}")


class KeptFiles:
    """A folder of small files; the oldest make room for new ones.

    Parameters
    ----------
    folder : Path
    most : int
        Files that are kept.
    """

    def __init__(self, folder: Path, most: int) -> None:
        self._folder, self._most = folder, most

    def keep(self, content: bytes) -> str:
        """Return the letters that stand for a content; the same ones for the same content."""
        digest = hashlib.sha256(content).digest()
        name = base64.b32encode(digest).decode()[:_LETTERS].lower()
        path = self._folder / name
        if not path.exists():
            self._make_room()
            write_whole(path, content)
        return name

    def read(self, name: str) -> bytes | None:
        """Return what a few letters stand for; None where they are not known."""
        if not _NAME.fullmatch(name):
            return None
        try:
            return (self._folder / name).read_bytes()
        except OSError:
            return None

    def _make_room(self) -> None:
        if self._folder.is_dir():
            kept = sorted(self._folder.glob("[a-z2-7]*"), key=lambda path: path.stat().st_mtime_ns)
            for path in kept[: max(0, len(kept) - self._most + 1)]:
                path.unlink(missing_ok=True)
