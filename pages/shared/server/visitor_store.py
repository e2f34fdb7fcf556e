"""What visitors left on this server: texts, files and answers, for whoever comes back as the same visitor."""

import contextlib
import re
import shutil
import time
import zlib
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock
from typing import NamedTuple

from lm_core.errors import LimitError
from lm_core.files import write_whole
from lm_core.jobs.run_folder import home

KEPT_DAYS = 14
"""Days after a visitor's last visit when all that was kept for them goes."""

TAB = "tab."
"""Begins the names of what belongs to one tab of a browser; it goes after a day."""
_DAY_S, _TOUCH_S = 86_400.0, 3_600.0
_NAME = re.compile(r"[a-z0-9][a-z0-9_.-]{0,99}")
_VISITOR = re.compile(r"[0-9a-f]{16}")
_ADDRESS_FILE = ".address"


class Quotas(NamedTuple):
    """How much is kept: bytes on the disk, compressed, and numbers."""

    visitor_bytes: int = 12_000_000  # of one visitor
    visitor_entries: int = 120  # of one visitor
    # address_bytes and address_visitors: of all visitors who share an address: a class behind one
    # router has room
    address_bytes: int = 120_000_000
    address_visitors: int = 1_000
    all_bytes: int = 1_000_000_000
    all_visitors: int = 20_000


class _Share(NamedTuple):
    """What one visitor takes, and from which address they came; addresses are hashed anew at each start."""

    n_bytes: int
    n_entries: int
    address: str


@dataclass
class VisitorStore:
    """A folder for each visitor, a compressed file for each thing; several threads may use it.

    Who is full is refused: nobody's things make room for those of others. All that a visitor left goes
    `KEPT_DAYS` after their last visit, by `purge`.
    """

    folder: Path
    quotas: Quotas = field(default_factory=Quotas)
    _lock: Lock = field(default_factory=Lock, repr=False)
    _shares: dict[str, _Share] | None = field(default=None, repr=False)

    def has(self, visitor: str) -> bool:
        """Return whether anything is kept for a visitor."""
        return self._of(visitor).is_dir()

    def read(self, visitor: str, name: str) -> bytes | None:
        """Return what a visitor left under a name; None where there is nothing that can be read."""
        try:
            packed = self._place(visitor, name).read_bytes()
            content = zlib.decompress(packed)
        except (OSError, zlib.error):
            return None
        self.come_back(visitor)
        return content

    def keep(self, visitor: str, name: str, content: bytes, address: str = "") -> None:
        """Keep a content for a visitor, in place of what they left under this name before.

        Raises LimitError if they, their address or all together have left as much as is kept, and
        OSError if it cannot be written.
        """
        packed = zlib.compress(content, 1)
        with self._lock:
            place = self._place(visitor, name)
            before = place.stat().st_size if place.exists() else None
            shares = self._known()
            old = shares.get(visitor, _Share(0, 0, address))
            new = _Share(
                old.n_bytes - (before or 0) + len(packed), old.n_entries + (before is None), address
            )
            self._require_room({**shares, visitor: new}, visitor)
            write_whole(place, packed)
            if address != old.address or not shares.get(visitor):
                write_whole(self._of(visitor) / _ADDRESS_FILE, address.encode())
            shares[visitor] = new

    def drop(self, visitor: str, name: str) -> None:
        """Forget what a visitor left under a name."""
        with self._lock:
            place, shares = self._place(visitor, name), self._known()
            if place.exists():
                old = shares[visitor]
                shares[visitor] = old._replace(
                    n_bytes=old.n_bytes - place.stat().st_size, n_entries=old.n_entries - 1
                )
                place.unlink()

    def entries(self, visitor: str) -> dict[str, int]:
        """Return the names under which a visitor left something, with their bytes on the disk."""
        return {path.name: path.stat().st_size for path in sorted(self._of(visitor).glob("[!.]*"))}

    def forget(self, visitor: str) -> None:
        """Forget all that a visitor left."""
        with self._lock:
            shutil.rmtree(self._of(visitor), ignore_errors=True)
            self._known().pop(visitor, None)

    def come_back(self, visitor: str) -> None:
        """Note that a visitor is here: their days begin anew."""
        folder = self._of(visitor)
        with contextlib.suppress(FileNotFoundError):  # they have left nothing
            if time.time() - folder.stat().st_mtime > _TOUCH_S:
                folder.touch()

    def purge(self) -> None:
        """Forget what belongs to visitors who have not come back for `KEPT_DAYS`."""
        with self._lock:
            for path in self._folders():
                if time.time() - path.stat().st_mtime > KEPT_DAYS * _DAY_S:
                    shutil.rmtree(path, ignore_errors=True)
                for of_tab in path.glob(f"{TAB}*"):
                    if time.time() - of_tab.stat().st_mtime > _DAY_S:
                        of_tab.unlink(missing_ok=True)
            self._shares = None

    def _require_room(self, shares: dict[str, _Share], visitor: str) -> None:
        own, quotas = shares[visitor], self.quotas
        if own.n_bytes > quotas.visitor_bytes or own.n_entries > quotas.visitor_entries:
            raise LimitError(
                f"this server keeps at most {quotas.visitor_bytes / 1e6:g} MB and"
                f" {quotas.visitor_entries} texts and files for a visitor: forget some under *My work*"
            )
        beside = [
            share for share in shares.values() if own.address and share.address == own.address
        ]
        if (
            len(beside) > quotas.address_visitors
            or sum(share.n_bytes for share in beside) > quotas.address_bytes
        ):
            raise LimitError(
                "this server keeps no more texts and files for your network, because others there have filled its share: forget some under *My work*, or try again later"
            )
        if (
            len(shares) > quotas.all_visitors
            or sum(share.n_bytes for share in shares.values()) > quotas.all_bytes
        ):
            raise LimitError(
                "this server has no more room for texts and files of visitors: forget some of yours under *My work*, or try again later"
            )

    def _known(self) -> dict[str, _Share]:
        """Return what each visitor takes; counted on the disk once, and after anything was forgotten."""
        if self._shares is None:
            self._shares = {path.name: _share(path) for path in self._folders()}
        return self._shares

    def _folders(self) -> list[Path]:
        return [path for path in self.folder.glob("*") if _VISITOR.fullmatch(path.name)]

    def _of(self, visitor: str) -> Path:
        if not _VISITOR.fullmatch(visitor):
            raise ValueError(f"a visitor has 16 hexadecimal digits, got {visitor!r}")
        return self.folder / visitor

    def _place(self, visitor: str, name: str) -> Path:
        if not _NAME.fullmatch(name):
            raise ValueError(
                f"a name has lower-case letters, digits, '_', '.' and '-', got {name!r}"
            )
        return self._of(visitor) / name


def _share(folder: Path) -> _Share:
    """Return what a visitor's folder holds."""
    sizes = [path.stat().st_size for path in folder.glob("[!.]*")]
    address = folder / _ADDRESS_FILE
    said = address.read_text(encoding="ascii") if address.exists() else ""
    return _Share(sum(sizes), len(sizes), said)


_STORES: dict[Path, VisitorStore] = {}


def visitor_store() -> VisitorStore:
    """Return this server's, below the folder of its runs."""
    folder = home() / "visitors"
    return _STORES.setdefault(folder, VisitorStore(folder))
