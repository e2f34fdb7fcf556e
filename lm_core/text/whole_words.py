"""Which subwords make up a word, and where sentences and paragraphs end, told from the subwords alone."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from lm_core.errors import TextError
from lm_core.text.character_vocabulary import CharacterVocabulary

_ENDS_SENTENCE = frozenset(".!?")


def word_starts(ids: np.ndarray, symbols: Sequence[str]) -> np.ndarray:
    """Return where a word begins: everywhere but at letters or digits that follow on such.

    The result: ndarray of bool, shape (N,).

    Parameters
    ----------
    ids : ndarray of int64, shape (N,)
    symbols : sequence of str, spelling of each id

    Examples
    --------
    >>> word_starts(np.array([0, 1, 2, 1]), [" Ros", "tov", ","]).tolist()
    [True, False, True, True]
    """
    begins = np.array([symbol[:1].isalnum() for symbol in symbols])
    ends = np.array([symbol[-1:].isalnum() for symbol in symbols])
    starts = np.ones(len(ids), bool)
    starts[1:] = ~(begins[ids[1:]] & ends[ids[:-1]])
    return starts


def words_of(starts: np.ndarray) -> list[range]:
    """Return the places of each word's tokens, from where words begin, bool of shape (N,).

    Examples
    --------
    >>> words_of(np.array([True, False, True]))
    [range(0, 2), range(2, 3)]
    """
    bounds = [*np.flatnonzero(starts).tolist(), len(starts)]
    return [range(start, stop) for start, stop in pairwise(bounds)]


def sentence_ends(ids: np.ndarray, symbols: Sequence[str]) -> np.ndarray:
    """Return which tokens are the last of a sentence: they have a full stop, and white space follows.

    The result: ndarray of bool, shape (N,).
    """
    stops = np.array([bool(_ENDS_SENTENCE & set(symbol)) for symbol in symbols])
    spaces = np.array([symbol[:1].isspace() for symbol in symbols])
    ends = stops[ids]
    ends[:-1] &= spaces[ids[1:]]
    return ends


@dataclass(frozen=True)
class SubwordText:
    """A text in subwords, after the end of a paragraph."""

    ids: np.ndarray
    """Ndarray of int64, shape (N,). The line break that ends the paragraph before is the first."""
    spelled: tuple[str, ...]
    """Tuple of N str. Text of each subword."""
    words: tuple[range, ...]
    """Places of each word's subwords, from 1 on; a punctuation mark is a word, too."""

    @property
    def spellings(self) -> tuple[str, ...]:
        """Text of each word, without the space before it."""
        return tuple("".join(self.spelled[i] for i in word).strip() for word in self.words)

    def word_at(self, place: int) -> int:
        """Return the number of the word that a subword belongs to."""
        return next(i for i, word in enumerate(self.words) if place in word)


def read_subwords(text: str, vocabulary: CharacterVocabulary, most: int) -> SubwordText:
    """Return what a model reads of a text on one line.

    Raises TextError if nothing of it can be read, or it is too long.

    Parameters
    ----------
    vocabulary : CharacterVocabulary, of subwords, with a line break
    most : int, subwords that the text may have
    """
    line = " ".join(vocabulary.normalise(text).split())
    ids = vocabulary.encode(line)
    if not len(ids):
        raise TextError("the sentence is empty: write at least one English word")
    if len(ids) > most:
        raise TextError(
            f"a sentence may have at most {most} subwords here, got {len(ids)}: shorten it"
        )
    return as_subword_text(np.concatenate([vocabulary.encode("\n"), ids]), vocabulary)


def as_subword_text(ids: np.ndarray, vocabulary: CharacterVocabulary) -> SubwordText:
    """Return ids of shape (N,), the first one a line break, with their spellings and words."""
    words = words_of(word_starts(ids[1:], vocabulary.symbols))
    spelled = tuple(vocabulary.spell(ids))
    shifted = tuple(range(word.start + 1, word.stop + 1) for word in words)
    return SubwordText(ids, spelled, shifted)


def backwards(text: str) -> str:
    """Return the words of a text, with the marks at them, in the opposite order.

    Examples
    --------
    >>> backwards("He said nothing.")
    'nothing. said He'
    """
    return " ".join(reversed(text.split()))
