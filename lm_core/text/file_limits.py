"""How large files may be that visitors bring: one record, for what reads them and for the server that takes them in."""

from dataclasses import dataclass

MEGABYTE = 1 << 20


@dataclass(frozen=True)
class FileLimits:
    """Bytes of a file, by what is in it."""

    text: int = 5_000_000
    """To train a model of characters or subwords on."""
    short_text: int = 300_000
    """To learn word vectors from while a class waits."""
    document: int = 1_000_000
    """Of whose n-grams a text is made; all of them together have fewer characters."""
    names: int = 200_000
    """A list of names."""
    table: int = 1_000_000
    workbook_unpacked: int = 30_000_000
    """All parts of an Excel workbook together."""
    lesson: int = 64_000
    tokenizer: int = 16 * MEGABYTE
    vectors: int = 200 * MEGABYTE
    """Where a server's owner allows as much; elsewhere as much as the server takes."""


LIMITS = FileLimits()


def in_megabytes(most: int, server: int) -> int:
    """Return how many megabytes a place for files says that it takes.

    Parameters
    ----------
    most : int, bytes
    server : int, megabytes that the server takes of any file

    Examples
    --------
    >>> in_megabytes(LIMITS.lesson, 16), in_megabytes(LIMITS.vectors, 16)
    (1, 16)
    """
    return min(-(-most // MEGABYTE), server)
