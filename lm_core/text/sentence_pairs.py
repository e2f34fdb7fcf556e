"""Multi30k: captions of photographs in English, each with its French translation."""

import gzip
import hashlib
from typing import NamedTuple

from lm_core.errors import CorpusError
from lm_core.text.catalogue import MULTI30K
from lm_core.text.corpora import load_bytes, locate, require, sha256_of

NAME = "multi30k"
TITLE = "Multi30k, English to French"
PARTS = ("train", "val", "test_2016_flickr")
TRAIN, VALIDATION, TEST = PARTS


class SentencePair(NamedTuple):
    """A sentence and its translation."""

    source: str
    target: str


def load_pairs(part: str) -> tuple[SentencePair, ...]:
    """Return one of the `PARTS`, as published but for white space around the lines.

    Raises CorpusUnavailableError if it is not on this machine, and CorpusError if a file is not
    what its record says.
    """
    sources, targets = (_lines(f"{NAME}/{part}.{language}") for language in ("en", "fr"))
    if len(sources) != len(targets):
        raise CorpusError(f"{part} has {len(sources)} English and {len(targets)} French lines")
    return tuple(map(SentencePair, sources, targets))


def _lines(name: str) -> list[str]:
    lines = gzip.decompress(load_bytes(name)).decode("utf-8").removesuffix("\n").split("\n")
    return [line.strip() for line in lines]


def missing_files() -> list[str]:
    """Return the names of the corpus's files that are not on this machine."""
    return [corpus.name for corpus in MULTI30K if locate(corpus.name) is None]


def pairs_sha256() -> str:
    """Return the hash of the hashes of all files, in the order of the catalogue."""
    hashes = [sha256_of(require(corpus.name)) for corpus in MULTI30K]
    return hashlib.sha256("\n".join(hashes).encode()).hexdigest()
