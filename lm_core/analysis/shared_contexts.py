"""Why two words are close: the places of a text where both have the same neighbours.

Word vectors are learned from windows: two words come to lie together if the same words occur around
them. Here those words are looked up in the text itself.
"""

import re
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from lm_core.errors import TextError
from lm_core.text.word_vocabulary import find_words

_END = re.compile(r"(?<!\bM)(?<!\bMr)(?<!\bMrs)(?<!\bDr)(?<!\bSt)[.!?…]+[”\"’')\]]*(?=\s)|\n\s*\n")
_BESIDE = 14  # words to each side that are shown of a long sentence


class Piece(NamedTuple):
    """A part of a passage: a word, or the characters between two words."""

    text: str
    word: str
    """In small letters; empty between words."""
    distance: int
    """In words from the one in the middle, to the left negative."""


class SharedContext(NamedTuple):
    """A word that occurs near both of two words."""

    word: str
    occurrences: int
    """How often it occurs in the whole text."""
    times: tuple[int, int]
    """How often near the first, and near the second."""
    places: tuple[int, int]
    """Of the first and of the second word, where each has it near for the first time."""


class SharedContexts(NamedTuple):
    """What two words have in common."""

    contexts: tuple[SharedContext, ...]
    """The rarest word first: *the* occurs near every word and says nothing."""
    n_neighbours: tuple[int, int]
    """Different words near the first, and near the second."""


@dataclass(frozen=True, eq=False)
class Concordance:
    """A text whose words can be looked up."""

    text: str
    spans: np.ndarray
    """int32, of shape (N, 2). Where each word begins and ends, in characters."""
    ids: np.ndarray
    """int32, of shape (N,). Which word it is."""
    sentences: np.ndarray
    """int32, of shape (N,). Number of its sentence."""
    words: dict[str, int]
    """Id of each word."""
    names: tuple[str, ...]
    """The words by their ids."""
    order: np.ndarray
    starts: np.ndarray
    """`order` and `starts`: int arrays of shape (N,) and (V + 1,). Places by word: those of word
    i are ``order[starts[i]:starts[i + 1]]``."""

    @classmethod
    def of(cls, text: str) -> "Concordance":
        """Read a text; about a second for a million words; raises TextError if there is no word in it."""
        found = find_words(text)
        if not found:
            raise TextError("there must be at least one word of the letters a to z, got none")
        spans = np.array([(word.begin, word.end) for word in found], np.int32)
        words: dict[str, int] = {}
        ids = np.array([words.setdefault(each.word, len(words)) for each in found], np.int32)
        ends = np.array([end.end() for end in _END.finditer(text)], np.int32)
        sentences = np.searchsorted(ends, spans[:, 0], side="right").astype(np.int32)
        order = np.argsort(ids, kind="stable").astype(np.int32)
        starts = np.concatenate([[0], np.bincount(ids).cumsum()])
        return cls(text, spans, ids, sentences, words, tuple(words), order, starts)

    def places(self, word: str) -> np.ndarray:
        """Return a word's places, rising; none for a word that does not occur."""
        i = self.words.get(word)
        return self.order[:0] if i is None else self.order[self.starts[i] : self.starts[i + 1]]

    def count(self, word: str) -> int:
        """Return how often a word occurs in the text."""
        return len(self.places(word))

    def shared(self, first: str, second: str, window: int, *, most: int = 20) -> SharedContexts:
        """Return the words that occur near both of two words, each time within their sentence.

        Sentences with both words are left out: there they are neighbours, not alike. Raises
        TextError if one of the words does not occur.

        Parameters
        ----------
        window : int, words to each side, at least 1
        most : int, of the rarest shared words, so many are returned
        """
        apart = [
            self._apart_from(word, other) for word, other in ((first, second), (second, first))
        ]
        near = [self._near(places, window) for places in apart]
        found = [np.unique(words, return_index=True, return_counts=True) for words, _ in near]
        both, in_first, in_second = np.intersect1d(found[0][0], found[1][0], return_indices=True)
        is_other = ~np.isin(both, [self.words[first], self.words[second]])
        counts = np.diff(self.starts)[both]
        contexts: list[SharedContext] = []
        for i in np.lexsort((both, counts))[: most + 2]:
            if is_other[i] and len(contexts) < most:
                (_, index_1, n_1), (_, index_2, n_2) = found
                j, k = in_first[i], in_second[i]
                times = int(n_1[j]), int(n_2[k])
                places = int(near[0][1][index_1[j]]), int(near[1][1][index_2[k]])
                contexts.append(SharedContext(self.names[both[i]], int(counts[i]), times, places))
        return SharedContexts(tuple(contexts), (len(found[0][0]), len(found[1][0])))

    def _apart_from(self, word: str, other: str) -> np.ndarray:
        """Return the places of a word but those in a sentence with another."""
        places = self.places(word)
        if not len(places):
            raise TextError(f"{word!r} does not occur in this text: choose another word")
        return places[~np.isin(self.sentences[places], self.sentences[self.places(other)])]

    def _near(self, places: np.ndarray, window: int) -> tuple[np.ndarray, np.ndarray]:
        """Return the words near some places, and beside each the place that it is near."""
        steps = np.concatenate([np.arange(-window, 0), np.arange(1, window + 1)])
        around = places[:, None] + steps
        inside = (around >= 0) & (around < len(self.ids))
        around = around.clip(0, len(self.ids) - 1)
        inside &= self.sentences[around] == self.sentences[places][:, None]
        at = np.broadcast_to(places[:, None], around.shape)
        return self.ids[around[inside]], at[inside]

    def passage(self, place: int) -> list[Piece]:
        """Return the sentence around a place, or of a long one the words nearby."""
        sentence = self.sentences[place]
        first = int(np.searchsorted(self.sentences, sentence))
        last = int(np.searchsorted(self.sentences, sentence, side="right"))
        low, high = max(first, place - _BESIDE), min(last, place + _BESIDE + 1)
        pieces = [Piece("… ", "", low - place)] if low > first else []
        end = int(self.spans[low, 0])
        for i in range(low, high):
            begin, after = self.spans[i].tolist()
            if begin > end:
                pieces.append(Piece(" ".join(self.text[end:begin].split("\n")), "", i - place))
            pieces.append(Piece(self.text[begin:after], self.names[self.ids[i]], i - place))
            end = after
        return [*pieces, Piece(" …", "", high - place)] if high < last else pieces
