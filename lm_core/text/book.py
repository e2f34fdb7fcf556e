"""The book as every model reads it: ids of one alphabet, split into training and validation."""

import re
from dataclasses import dataclass

import numpy as np

from lm_core.text.alphabets import FULL, Alphabet
from lm_core.text.catalogue import WAR_AND_PEACE
from lm_core.text.corpora import load_text, require, sha256_of

TRAIN_SHARE = 0.9
"""The first nine tenths are for training, the rest for validation, as in the source documents."""

_START = re.compile(r"\*\*\* ?START OF TH(?:IS|E) PROJECT GUTENBERG EBOOK[^\n]*\n")
_TAIL = re.compile(r"End of (?:the )?Project Gutenberg|\*\*\* ?END OF TH(?:IS|E) PROJECT GUTENBERG")


@dataclass(frozen=True)
class Book:
    """War and Peace in one alphabet.

    Attributes
    ----------
    ids : ndarray of int64, shape (N,)
        The whole text, for `FULL` without Project Gutenberg's header and licence.
    alphabet : Alphabet
    licence_start : int
        Where in `ids` the licence begins; N where it was left out.
    sha256 : str
        Of the file that it was read from.
    """

    ids: np.ndarray
    alphabet: Alphabet
    licence_start: int
    sha256: str

    @property
    def split(self) -> int:
        """Index of the first id for validation."""
        return int(TRAIN_SHARE * len(self.ids))

    @property
    def train(self) -> np.ndarray:
        """Ids of the training part, a view of shape (split,)."""
        return self.ids[: self.split]

    @property
    def validation(self) -> np.ndarray:
        """Ids of the validation part, a view of shape (N - split,)."""
        return self.ids[self.split :]


def load_book(alphabet: Alphabet) -> Book:
    """Read, normalise and encode the book; about a second of work, nothing is downloaded.

    Raises
    ------
    CorpusUnavailableError
        If the book is not on this machine.
    CorpusError
        If the file found is not the book.
    """
    path = require(WAR_AND_PEACE.name)
    body, licence = split_licence(load_text(WAR_AND_PEACE.name))
    if alphabet is FULL:
        body, licence = _without_header(body), ""
    ids = alphabet.encode(alphabet.normalise(body + licence))
    return Book(ids, alphabet, len(alphabet.normalise(body)), sha256_of(path))


def split_licence(text: str) -> tuple[str, str]:
    """Return what precedes Project Gutenberg's closing notice, and the notice itself.

    Examples
    --------
    >>> split_licence("Finis. End of the Project Gutenberg EBook")
    ('Finis. ', 'End of the Project Gutenberg EBook')
    """
    found = _TAIL.search(text)
    end = found.start() if found else len(text)
    return text[:end], text[end:]


def _without_header(text: str) -> str:
    found = _START.search(text)
    return text[found.end() :] if found else text
