"""Recognising memorised passages where the book is absent: a Bloom filter of its character n-grams.

Each stretch of 16 characters is hashed to four places of a long row of bits, and building the
filter sets those bits. A stretch whose bits are all set is taken to be in the book. One that
is there is never missed; one that is not is taken for one at the false-positive rate.

A run of hits, one for each further character, is all that is known of a longer passage. Real prose
shares many stretches with the book without being copied from it, so that a run may also be true
stretches from several places, joined by chance hits: it shows that a passage may be copied, never that
it is. What the filter does not recognise is certainly not in the book.

The rate is 5 % on purpose: three bits fewer per stretch than at 1 % save a megabyte. It also keeps the text unreadable: whoever would
spell the book out, trying all 70 characters after each 15, meets 3 wrong ones beside the right.

References
----------
Bloom 1970, "Space/time trade-offs in hash coding with allowable errors".
Kirsch & Mitzenmacher 2006, "Less hashing, same performance" (all places from two hashes).
Steele, Lea & Flood 2014, "Fast splittable pseudorandom number generators" (the mixing function).
"""

import hashlib
import json
import math
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
import safetensors.numpy
from safetensors import SafetensorError

from lm_core.assets import shown
from lm_core.errors import ResultError, SettingError, TextError
from lm_core.files import parse_record, write_whole
from lm_core.generation.memorisation import MemorisedSpan

SCHEMA = 1
META_FILE, BITS_FILE = "meta.json", "filter.safetensors"


@dataclass(frozen=True)
class FilterMeta:
    """All that is known about a filter except its bits."""

    vocabulary: str
    """Name of the vocabulary whose ids it reads."""
    corpus_sha256: str
    """The text that it was made from."""
    gram_length: int
    """Characters of the stretches hashed."""
    n_grams: int
    """Different stretches in it."""
    n_bits: int
    n_hashes: int
    """`n_bits` and `n_hashes`: length of the row of bits, and bits looked up for each stretch."""


@dataclass(frozen=True)
class NgramFilter:
    """A Bloom filter over the stretches of `meta.gram_length` characters of a text."""

    meta: FilterMeta
    bits: np.ndarray
    """uint8, of shape (ceil(n_bits / 8),). Eight bits to a byte, lowest first."""

    @classmethod
    def build(
        cls,
        ids: np.ndarray,
        *,
        vocabulary: str,
        corpus_sha256: str,
        gram_length: int = 16,
        false_positive_rate: float = 0.05,
    ) -> "NgramFilter":
        """Hash a text into a filter just large enough for a false-positive rate.

        Raises SettingError if a setting lies outside its range, and TextError if the text is
        shorter than one stretch.

        Parameters
        ----------
        ids : int ndarray of shape (N,), N >= gram_length
        vocabulary, corpus_sha256 : str, kept as the filter's provenance
        gram_length : int, characters per stretch, at least 1; nothing shorter is ever recognised
        false_positive_rate : float in (0, 1)
            Wanted share of foreign stretches that are taken for the book's. -1.44 log2(rate) bits
            are spent on each stretch.
        """
        if gram_length < 1:
            raise SettingError(f"gram_length must be at least 1, got {gram_length}")
        if not 0 < false_positive_rate < 1:
            raise SettingError(f"false_positive_rate must lie in (0, 1), got {false_positive_rate}")
        if len(ids) < gram_length:
            raise TextError(
                f"a text of at least {gram_length} characters is needed, got {len(ids)}"
            )
        hashes = np.unique(_hashes(ids, gram_length))
        n_hashes = max(1, round(-math.log2(false_positive_rate)))
        # After n stretches a bit is clear with chance exp(-n_hashes n / n_bits) (Bloom 1970).
        n_bits = math.ceil(
            -n_hashes * len(hashes) / math.log1p(-(false_positive_rate ** (1 / n_hashes)))
        )
        flags = np.zeros(n_bits, bool)
        for place in _places(hashes, n_hashes, n_bits):
            flags[place] = True
        meta = FilterMeta(vocabulary, corpus_sha256, gram_length, len(hashes), n_bits, n_hashes)
        return cls(meta, np.packbits(flags, bitorder="little"))

    @cached_property
    def false_positive_rate(self) -> float:
        """Chance that a stretch that is not in the text is taken for one: all its bits set by others."""
        share_set = int(np.bitwise_count(self.bits).sum()) / self.meta.n_bits
        return share_set**self.meta.n_hashes

    def contains(self, ids: np.ndarray) -> np.ndarray:
        """Return, for each stretch of a text, whether it is taken to be in the book.

        The result: bool ndarray of shape (max(0, T - gram_length + 1),).
        """
        meta = self.meta
        if len(ids) < meta.gram_length:
            return np.zeros(0, bool)
        hit = np.ones(len(ids) - meta.gram_length + 1, bool)
        for place in _places(_hashes(ids, meta.gram_length), meta.n_hashes, meta.n_bits):
            hit &= (self.bits[place >> 3] >> (place & 7).astype(np.uint8) & 1).astype(bool)
        return hit

    def memorised_spans(self, ids: np.ndarray, minimum_length: int) -> tuple[MemorisedSpan, ...]:
        """Return the runs of recognised stretches of at least `minimum_length` characters.

        Every copied passage of that length lies within one of them. Each end of a span is a
        character too long with a chance of the false-positive rate. Raises SettingError if
        `minimum_length` is shorter than one stretch.
        """
        gram_length = self.meta.gram_length
        if minimum_length < gram_length:
            raise SettingError(
                f"minimum_length must be at least {gram_length}, got {minimum_length}"
            )
        edges = np.diff(self.contains(ids).astype(np.int8), prepend=0, append=0)
        runs = zip(np.flatnonzero(edges == 1), np.flatnonzero(edges == -1), strict=True)
        spans = (MemorisedSpan(int(a), int(b - a) + gram_length - 1) for a, b in runs)
        return tuple(span for span in spans if span.length >= minimum_length)


def _hashes(ids: np.ndarray, length: int) -> np.ndarray:
    """Return a 64-bit number for each stretch: its letters as digits, modulo 2^64."""
    hashes = np.zeros(len(ids) - length + 1, np.uint64)
    letters = ids.astype(np.uint64) + np.uint64(1)
    for offset in range(length):
        hashes = hashes * np.uint64(0x9E3779B97F4A7C15) + letters[offset : offset + len(hashes)]
    return hashes


def _places(hashes: np.ndarray, n_hashes: int, n_bits: int) -> list[np.ndarray]:
    """Return the bits of each hash, as `n_hashes` int64 arrays of the same shape."""
    first, step = _mix(hashes), _mix(~hashes) | np.uint64(1)
    return [((first + np.uint64(i) * step) % np.uint64(n_bits)).astype(np.int64) for i in range(n_hashes)]  # fmt: skip


def _mix(numbers: np.ndarray) -> np.ndarray:
    """Scatter 64-bit numbers so that each bit of the result depends on all (SplitMix64)."""
    numbers = (numbers ^ (numbers >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    numbers = (numbers ^ (numbers >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return numbers ^ (numbers >> np.uint64(31))


# Files ----------------------------------------------------------------------------------------


def save_filter(folder: Path, passages: NgramFilter) -> None:
    """Write a filter as ``meta.json`` and ``filter.safetensors``.

    Raises ResultError if the folder cannot be written.
    """
    payload = safetensors.numpy.save({"bits": passages.bits})
    record = {
        "schema": SCHEMA,
        **asdict(passages.meta),
        "false_positive_rate": passages.false_positive_rate,
        "sha256": hashlib.sha256(payload).hexdigest(),
    }
    try:
        write_whole(folder / BITS_FILE, payload)
        write_whole(folder / META_FILE, (json.dumps(record, indent=2) + "\n").encode())
    except OSError as error:
        raise ResultError(f"filter {folder} could not be written: {error}") from error


def load_filter(folder: Path) -> NgramFilter:
    """Read what `save_filter` wrote.

    Raises ResultError if a file is missing, altered or of another version.
    """
    try:
        record = json.loads((folder / META_FILE).read_text(encoding="utf-8"))
        payload = (folder / BITS_FILE).read_bytes()
    except (OSError, ValueError, RecursionError) as error:
        raise ResultError(f"no readable filter in {shown(folder)}: {error}") from error
    if not isinstance(record, dict) or record.get("schema") != SCHEMA:
        raise ResultError(f"{shown(folder / META_FILE)} is not of schema {SCHEMA}")
    digest = hashlib.sha256(payload).hexdigest()
    if digest != record.get("sha256"):
        raise ResultError(
            f"{shown(folder / BITS_FILE)} has sha256 {digest}, {META_FILE} says {record.get('sha256')}:"
            " the file was altered or cut off"
        )
    try:
        fields = {name: record[name] for name in FilterMeta.__dataclass_fields__}
        return NgramFilter(
            parse_record(FilterMeta, fields), safetensors.numpy.load(payload)["bits"]
        )
    except (KeyError, SettingError, SafetensorError) as error:
        raise ResultError(f"filter {shown(folder)} is damaged: {error}") from error
