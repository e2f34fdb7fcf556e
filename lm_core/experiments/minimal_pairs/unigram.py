"""A model that counts single words: it knows which word is frequent, and nothing of what stands before."""

import math
from dataclasses import dataclass
from functools import cached_property

from lm_core.experiments.neural_language_model.words import UNKNOWN
from lm_core.text.word_vocabulary import WordVocabulary, words_of

UNIGRAM, UNIGRAM_TITLE = "unigram", "unigram of words"


@dataclass(frozen=True)
class WordUnigram:
    """How often each word was counted; every word that is too rare counts as the one for all of them.

    Examples
    --------
    >>> counted = WordUnigram(WordVocabulary(("<unk>", "the", "dog"), (1, 2, 1)))
    >>> counted.bits_by_word("The dog, the cat.")
    (1.0, 2.0, 1.0, 2.0)
    """

    vocabulary: WordVocabulary

    def bits_by_word(self, text: str) -> tuple[float, ...]:
        """Return the surprisal of what stands between spaces, its punctuation left out, in bits."""
        rare = self._bits[UNKNOWN]
        return tuple(
            round(sum(self._bits.get(word, rare) for word in words_of(run)), 4)
            for run in text.split()
        )

    @cached_property
    def _bits(self) -> dict[str, float]:
        """Of each word; one that was never counted counts as one that was counted once."""
        total = sum(self.vocabulary.counts)
        counted = zip(self.vocabulary.words, self.vocabulary.counts, strict=True)
        return {word: math.log2(total / max(1, n)) for word, n in counted}
