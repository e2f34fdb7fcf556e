"""Corpora by name: where each is found, how it is fetched, and whether a file is what it claims.

No corpus comes with the project. A file is looked for in the folder named by ``LM_LAB_DATA``, in
``shared/data`` beside the checkout, and in the cache (``LM_LAB_CACHE``, default
``~/.cache/lm-lab``). Nothing is downloaded unless `fetch` is called.
"""

import functools
import hashlib
import json
import re
from dataclasses import dataclass
from pathlib import Path

from lm_core.errors import CorpusError, CorpusUnavailableError
from lm_core.files import now, write_whole
from lm_core.settings import settings
from lm_core.text.catalogue import CORPORA, Corpus, corpus_named
from lm_core.text.download import Progress, download

__all__ = [
    "CORPORA",
    "Corpus",
    "CorpusReport",
    "cache_folder",
    "check",
    "corpus_named",
    "fetch",
    "load_bytes",
    "load_text",
    "locate",
    "require",
    "search_folders",
    "sha256_of",
]

_CHECKOUT = Path(__file__).resolve().parents[2]
_PLAIN_SHARE = 0.97  # of the characters of an English text, at least, are plain ASCII


@dataclass(frozen=True)
class CorpusReport:
    """What a look into a corpus file has shown."""

    corpus: Corpus
    path: Path
    sha256: str
    """Of the file as it is."""
    faults: tuple[str, ...]
    """Why it cannot be used; empty for a good file."""

    @property
    def verdict(self) -> str:
        """``exact``, ``another edition`` or ``not usable``."""
        if self.faults:
            return "not usable"
        return "exact" if self.sha256 == self.corpus.sha256 else "another edition"


# Where ----------------------------------------------------------------------------------------


def cache_folder() -> Path:
    """Return the folder for what can be fetched or computed again; it need not exist yet."""
    return settings().cache


def search_folders() -> list[Path]:
    """Return the folders in which corpora are looked for, first to last."""
    named = settings().data
    return [*([named] if named else []), _CHECKOUT.parent / "shared" / "data", cache_folder()]


def locate(name: str) -> Path | None:
    """Return the corpus's file if it is on this machine; reads no byte of it, uses no network."""
    corpus = corpus_named(name)
    paths = (folder / corpus.path for folder in search_folders())
    return next((path for path in paths if path.is_file()), None)


def require(name: str) -> Path:
    """Return the corpus's file like `locate`, or say where it was looked for and how to get it.

    Raises CorpusUnavailableError if it is not on this machine.
    """
    path = locate(name)
    if path is None:
        corpus = corpus_named(name)
        raise CorpusUnavailableError(
            f"{corpus.path} ({corpus.title}) is in none of {_listed(search_folders())}. Fetch it"
            f" with: python -m lm_core data fetch {name}"
        )
    return path


def _listed(folders: list[Path]) -> str:
    return ", ".join(map(str, folders))


# Whether --------------------------------------------------------------------------------------


def sha256_of(path: Path) -> str:
    """Return a file's sha256; computed again only when its size or date has changed."""
    status = path.stat()
    return _sha256_of(path.resolve(), status.st_mtime_ns, status.st_size)


@functools.lru_cache(maxsize=64)
def _sha256_of(path: Path, modified_ns: int, size: int) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def check(name: str, path: Path | None = None) -> CorpusReport:
    """Compare a file with the record, by its hash and, where that differs, by its content.

    Raises CorpusUnavailableError if there is no such file.

    `path`: Path, the file; by default the one that `locate` finds.
    """
    corpus = corpus_named(name)
    path = path or require(name)
    try:
        sha256 = sha256_of(path)
        faults = () if sha256 == corpus.sha256 else tuple(_faults(corpus, path.read_bytes()))
    except OSError as error:
        raise CorpusUnavailableError(f"{path} could not be read: {error}") from error
    return CorpusReport(corpus, path, sha256, faults)


def _faults(corpus: Corpus, content: bytes) -> list[str]:
    """List what speaks against these bytes being another edition of the corpus."""
    signs = corpus.signs
    if signs is None:
        return [f"its sha256 is not {corpus.sha256}"]
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        return [f"it is not UTF-8 text: {error}"]
    faults = [f"it lacks the words {p!r}" for p in signs.phrases if p not in text.lower()]
    if not signs.shortest <= len(text) <= signs.longest:
        faults.append(
            f"its length is {len(text):,} characters, not between {signs.shortest:,} and"
            f" {signs.longest:,}"
        )
    plain = len(re.findall(r"[\n\r\t -~]", text))
    if plain < _PLAIN_SHARE * len(text):
        faults.append(f"only {plain / len(text):.0%} of its characters are plain English ones")
    return faults


# What -----------------------------------------------------------------------------------------


def load_text(name: str) -> str:
    """Return the whole text of a corpus on this machine, as it was published.

    Raises CorpusUnavailableError if it is nowhere to be found; the message names the folders and
    the command that fetches it. Raises CorpusError if the file is not what its record says.
    """
    return _sound_path(name).read_text(encoding="utf-8-sig")


def load_bytes(name: str) -> bytes:
    """Return a corpus on this machine byte by byte, with the errors of `load_text`."""
    return _sound_path(name).read_bytes()


def _sound_path(name: str) -> Path:
    report = check(name)
    _require_sound(report)
    return report.path


def _require_sound(report: CorpusReport) -> None:
    if report.faults:
        raise CorpusError(
            f"{report.path} is not {report.corpus.title}: {'; '.join(report.faults)}. Remove it,"
            f" then: python -m lm_core data fetch {report.corpus.name}"
        )


def fetch(name: str, progress: Progress | None = None) -> Path:
    """Return the corpus's file, downloaded into the cache unless a sound one is here already.

    The file appears whole or not at all. Beside it, ``<file>.json`` records address, date and
    sha256, which may be another edition's. Raises CorpusUnavailableError if it could not be
    downloaded or stored, and CorpusError if something else came, such as a log-in page, or a
    damaged file outside the cache hides what would be downloaded.

    `progress`: callable, see `lm_core.text.download.Progress`; raising in it cancels.
    """
    corpus = corpus_named(name)
    target = cache_folder() / corpus.path
    found = locate(name)
    if found is not None:
        report = check(name, found)
        if found != target:
            _require_sound(report)
        if not report.faults:
            return found
    content = _downloaded(corpus, progress)
    record = {
        "address": corpus.address,
        "date": now(),
        "sha256": hashlib.sha256(content).hexdigest(),
    }
    try:
        write_whole(target, content)
        write_whole(target.with_name(f"{target.name}.json"), json.dumps(record, indent=2).encode())
    except OSError as error:
        raise CorpusUnavailableError(
            f"{target} could not be written: {error}. Choose another folder with LM_LAB_CACHE"
        ) from error
    return target


def _downloaded(corpus: Corpus, progress: Progress | None) -> bytes:
    try:
        content = download(corpus.address, 2 * corpus.size_bytes, progress)
    except CorpusUnavailableError as error:
        raise CorpusUnavailableError(
            f"{error}. Try again, or put {corpus.path} into one of {_listed(search_folders())}"
        ) from error
    if hashlib.sha256(content).hexdigest() != corpus.sha256:
        faults = _faults(corpus, content)
        if faults:
            raise CorpusError(
                f"what came from {corpus.address} is not {corpus.title}: {'; '.join(faults)}"
            )
    return content
