"""The book as every model reads it."""

import re
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from lm_core.text.catalogue import WAR_AND_PEACE
from lm_core.text.character_vocabulary import FULL, CharacterVocabulary
from lm_core.text.corpora import load_text, require, sha256_of
from lm_core.text.training_text import TRAIN_SHARE, TrainingText

_START = re.compile(r"\*\*\* ?START OF TH(?:IS|E) PROJECT GUTENBERG EBOOK[^\n]*\n")
_TAIL = re.compile(r"End of (?:the )?Project Gutenberg|\*\*\* ?END OF TH(?:IS|E) PROJECT GUTENBERG")


@dataclass(frozen=True)
class Book(TrainingText):
    """War and Peace in one vocabulary; for `FULL` without Project Gutenberg's header and licence.

    Attributes
    ----------
    licence_start : int
        Where in `ids` the licence begins; N where it was left out.
    """

    licence_start: int


def load_book(vocabulary: CharacterVocabulary) -> Book:
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
    if vocabulary is FULL:
        body, licence = _without_header(body), ""
    text, n_body = vocabulary.normalise(body + licence), len(vocabulary.normalise(body))
    # Cut first: a symbol of several characters must not reach from one part into the next.
    cuts = (0, *sorted((int(TRAIN_SHARE * len(text)), n_body)), len(text))
    parts = {start: vocabulary.encode(text[start:end]) for start, end in pairwise(cuts)}
    licence_start = sum(len(ids) for start, ids in parts.items() if start < n_body)
    ids = np.concatenate(list(parts.values()))
    return Book(ids, vocabulary, WAR_AND_PEACE.name, sha256_of(path), licence_start)


def load_body() -> str:
    """Return the book as it was printed, without Project Gutenberg's header and licence.

    Raises
    ------
    CorpusUnavailableError
        If the book is not on this machine.
    CorpusError
        If the file found is not the book.
    """
    return _without_header(split_licence(load_text(WAR_AND_PEACE.name))[0])


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
