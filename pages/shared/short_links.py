"""Short links: a page's settings kept on this server under a few letters."""

import base64
import hashlib
import json
import re
from pathlib import Path
from typing import NamedTuple

from pydantic import TypeAdapter

from lm_core.errors import LimitError
from lm_core.files import write_whole
from lm_core.jobs.run_folder import home
from pages.shared.registry import PAGES

PARAMETER = "go"
"""Of the home page's address."""
MOST_CHARACTERS, MOST_LINKS = 8_000, 5_000
_LETTERS = 7
_NAME = re.compile(f"[a-z2-7]{{{_LETTERS}}}")


class Target(NamedTuple):
    """Where a short link leads: a page and what its link asks for."""

    address: str
    parameters: dict[str, list[str]]


_TARGET = TypeAdapter(Target)


class ShortLinks:
    """The short links of a server, one small file each; the oldest make room for new ones.

    Parameters
    ----------
    folder : Path
    most : int
        Links that are kept.
    """

    def __init__(self, folder: Path, most: int = MOST_LINKS) -> None:
        self._folder, self._most = folder, most

    def shorten(self, target: Target) -> str:
        """Return the letters that stand for a target; the same ones for the same target.

        Raises
        ------
        LimitError
            If the settings are too long to be kept.
        """
        content = json.dumps(target, sort_keys=True).encode()
        if len(content) > MOST_CHARACTERS:
            raise LimitError(
                f"a short link keeps at most {MOST_CHARACTERS:,} characters of settings, these are"
                f" {len(content):,}: shorten the texts, or use the long link"
            )
        digest = hashlib.sha256(content).digest()
        name = base64.b32encode(digest).decode()[:_LETTERS].lower()
        path = self._folder / name
        if not path.exists():
            self._make_room()
            write_whole(path, content)
        return name

    def resolve(self, name: str) -> Target | None:
        """Return where a short link leads; None where it is not known."""
        if not _NAME.fullmatch(name):
            return None
        try:
            target = _TARGET.validate_json((self._folder / name).read_bytes())
        except (OSError, ValueError):
            return None
        return target if any(spec.address == target.address for spec in PAGES) else None

    def _make_room(self) -> None:
        if self._folder.is_dir():
            kept = sorted(self._folder.glob("[a-z2-7]*"), key=lambda path: path.stat().st_mtime_ns)
            for path in kept[: max(0, len(kept) - self._most + 1)]:
                path.unlink(missing_ok=True)


def short_links() -> ShortLinks:
    """Return this server's."""
    return ShortLinks(home() / "links")
