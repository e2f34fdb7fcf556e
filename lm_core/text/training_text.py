"""Texts as a model is trained on them: the book, and a visitor's own."""

import re
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np

from lm_core.errors import TextError
from lm_core.text.catalogue import WAR_AND_PEACE
from lm_core.text.character_vocabulary import FULL, SOURCE, CharacterVocabulary
from lm_core.text.corpora import load_text, require, sha256_of
from lm_core.text.own_text import OwnText
from lm_core.text.vocabularies import MOST_UNKNOWN, characters_of, own_vocabulary

TRAIN_SHARE = 0.9
"""The first nine tenths of the characters are for training, the rest for validation, as published."""

OWN_TEXT = "own-text"
"""What a text is called in the provenance of a model that was trained on it."""

_START = re.compile(r"\*\*\* ?START OF TH(?:IS|E) PROJECT GUTENBERG EBOOK[^*]*\*\*\*[^\n]*\n")
_TAIL = re.compile(r"End of (?:the )?Project Gutenberg|\*\*\* ?END OF TH(?:IS|E) PROJECT GUTENBERG")


@dataclass(frozen=True)
class TrainingText:
    """A text in one vocabulary."""

    ids: np.ndarray
    """Ndarray of int64, shape (N,)."""
    vocabulary: CharacterVocabulary
    corpus: str
    """What the text is, for the provenance of a model that is trained on it."""
    sha256: str
    """Of the file or the text that the ids were made from."""

    @cached_property
    def split(self) -> int:
        """Index of the first id for validation: the one with the first character of that part."""
        ends = self.vocabulary.lengths[self.ids].cumsum()
        n_learned = int(TRAIN_SHARE * ends[-1]) if len(ends) else 0
        return int(np.searchsorted(ends, n_learned, side="right"))

    @property
    def characters_per_token(self) -> float:
        """Mean number of characters that one id stands for; 1 in a vocabulary of characters."""
        return float(self.vocabulary.lengths[self.ids].mean())

    @property
    def train(self) -> np.ndarray:
        """Ids of the training part, a view of shape (split,)."""
        return self.ids[: self.split]

    @property
    def validation(self) -> np.ndarray:
        """Ids of the validation part, a view of shape (N - split,)."""
        return self.ids[self.split :]


@dataclass(frozen=True)
class Book(TrainingText):
    """War and Peace in one vocabulary.

    For `FULL` and its subwords without Project Gutenberg's header and licence.
    """

    licence_start: int
    """Where in `ids` the licence begins; N where it was left out."""


def load_book(vocabulary: CharacterVocabulary = SOURCE) -> Book:
    """Read, normalise and encode the book; about a second of work, nothing is downloaded.

    Raises CorpusUnavailableError if the book is not on this machine, and CorpusError if the file
    found is not the book.
    """
    path = require(WAR_AND_PEACE.name)
    body, licence = split_licence(load_text(WAR_AND_PEACE.name))
    if characters_of(vocabulary) is FULL:
        body, licence = _without_header(body), ""
    text, n_body = vocabulary.normalise(body + licence), len(vocabulary.normalise(body))
    # Split first: a symbol of several characters must not reach from one part into the next.
    bounds = (0, *sorted((int(TRAIN_SHARE * len(text)), n_body)), len(text))
    parts = {start: vocabulary.encode(text[start:end]) for start, end in pairwise(bounds)}
    licence_start = sum(len(ids) for start, ids in parts.items() if start < n_body)
    ids = np.concatenate(list(parts.values()))
    return Book(ids, vocabulary, WAR_AND_PEACE.name, sha256_of(path), licence_start)


def load_body() -> str:
    """Return the book as it was printed, without Project Gutenberg's header and licence.

    Raises CorpusUnavailableError if the book is not on this machine, and CorpusError if the file
    found is not the book.
    """
    return printed_body(load_text(WAR_AND_PEACE.name))


def printed_body(text: str) -> str:
    """Return a file of Project Gutenberg without its header and its closing notice."""
    return _without_header(split_licence(text)[0])


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


def own_training_text(own: OwnText, vocabulary: CharacterVocabulary | None = None) -> TrainingText:
    """Return a visitor's text as a model reads it.

    Raises TextError if the vocabulary does not hold enough of the text.

    Parameters
    ----------
    vocabulary : CharacterVocabulary, optional
        That of the model which is to go on learning; by default the text's own.
    """
    if vocabulary is None:
        vocabulary = own_vocabulary(own.text)
    prepared = vocabulary.prepare(own.text)
    n_lost = sum(prepared.dropped.values())
    if n_lost > MOST_UNKNOWN * len(own.text):
        raise TextError(
            f"the vocabulary {vocabulary.name!r} does not hold {n_lost / len(own.text):.0%} of the text:"
            " train a new model on it, which gets the text's own vocabulary"
        )
    return TrainingText(prepared.ids, vocabulary, OWN_TEXT, own.sha256)
