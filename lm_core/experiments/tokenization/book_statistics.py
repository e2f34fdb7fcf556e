"""The words and subwords of the book, counted once and shipped, so that a page needs no book.

    python -m lm_core experiment tokenization

makes the results again, and the byte-pair encoding. They hold counts, words and subwords; nothing
tells which word was beside which.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from pathlib import Path
from typing import Any

import numpy as np

from lm_core.assets import TOKENIZERS
from lm_core.experiments.tokenization.integer_inputs import InputLosses, input_losses, pair_counts
from lm_core.results import Count, Positive, Recorded
from lm_core.text.character_vocabulary import FULL, SOURCE, UNKNOWN
from lm_core.text.tokenizers.byte_pair import BytePairTokenizer
from lm_core.text.tokenizers.byte_pair_training import VocabularySize
from lm_core.text.tokenizers.tokenizer_json import shipped_tokenizer
from lm_core.text.tokenizers.words import PRE_TOKENIZERS, WordTokenizer
from lm_core.text.training_text import load_book
from lm_core.text.word_counts import by_frequency, ranked_words

BOOK_SUBWORDS = TOKENIZERS / "book-subwords.json"
MOST_MERGES = 8_192
KNOWN_WORDS = 10_000
"""Symbols of a vocabulary of words, ``<unk>`` included, and words that are shipped by name."""

_SHUFFLED = 20  # ways to number the characters, beside their own


@dataclass(frozen=True)
class BookStatistics(Recorded, name="tokenization"):
    """What was counted in the book, without Project Gutenberg's header and licence."""

    n_characters: Count
    n_words: Count  # words are what lies between white space
    sizes: tuple[VocabularySize, ...]  # of byte-pair encodings, by the number of merges
    units: dict[str, tuple[Count, Count]]
    """Symbols and tokens of the book by other tokenizers' names."""
    words: tuple[str, ...]  # the `KNOWN_WORDS` most frequent, in small letters, by frequency
    ranked: tuple[tuple[Positive, Positive], ...]  # as `ranked_counts` makes them
    vocabularies: dict[str, tuple[str, ...]]  # the most frequent words by their pre-tokenizer
    inputs: InputLosses  # of the vocabulary `SOURCE`: its own numbering, then shuffled ones

    @classmethod
    def of(
        cls,
        provenance: dict[str, Any],
        text: str,
        sizes: tuple[VocabularySize, ...],
        inputs: InputLosses,
    ) -> "BookStatistics":
        """Return what there is to count in a text, beside sizes and losses that are known."""
        ranked, vocabularies = count_words(text)
        return cls(
            provenance,
            n_characters=len(text),
            n_words=len(text.split()),
            sizes=sizes,
            units=count_units(text),
            words=tuple(word for word, _ in ranked[:KNOWN_WORDS]),
            ranked=ranked_counts([count for _, count in ranked]),
            vocabularies=vocabularies,
            inputs=inputs,
        )

    @cached_property
    def counts(self) -> tuple[int, ...]:
        """How often each word is there, by rank."""
        return tuple(count for count, n_words in self.ranked for _ in range(n_words))

    def tokenizer(self, pre_tokenizer: str) -> WordTokenizer:
        """Return the tokenizer whose vocabulary are the book's most frequent words."""
        return WordTokenizer(pre_tokenizer, (UNKNOWN, *self.vocabularies[pre_tokenizer]))

    def per_word(self, n_tokens: int) -> float:
        """Return tokens of the book for each of its words."""
        return n_tokens / self.n_words

    def one_hot_per_word(self, vocabulary_size: int, n_tokens: int) -> float:
        """Return the numbers that a word costs, on average, if each token is a one-hot vector."""
        return vocabulary_size * self.per_word(n_tokens)

    def coverage(self, n_words: int) -> float:
        """Return which share of the running words the `n_words` most frequent make up."""
        return sum(self.counts[:n_words]) / sum(self.counts)

    @property
    def n_once(self) -> int:
        """Words that appear in the book once."""
        return sum(count == 1 for count in self.counts)


def count_units(text: str) -> dict[str, tuple[int, int]]:
    """Return symbols and tokens of a text as characters and as words."""
    counted = {
        f"characters, {vocabulary.name}": (len(vocabulary), len(vocabulary.normalise(text)))
        for vocabulary in (SOURCE, FULL)
    }
    read = FULL.normalise(text)
    for name, pre_tokenizer in PRE_TOKENIZERS.items():
        words = [word for word, _, _ in pre_tokenizer(read)]
        counted[name] = (len(set(words)), len(words))
    return counted


def count_words(text: str) -> tuple[list[tuple[str, int]], dict[str, tuple[str, ...]]]:
    """Return the ranked words of a text, and its most frequent words by each pre_tokenizer.

    All are in the order of frequency, not in that of the text: the order in which words first
    appear in a book gives its first pages away.
    """
    read = FULL.normalise(text)
    vocabularies = {}
    for name, pre_tokenizer in PRE_TOKENIZERS.items():
        ranked = by_frequency(word for word, _, _ in pre_tokenizer(read))
        vocabularies[name] = tuple(word for word, _ in ranked[: KNOWN_WORDS - 1])
    return ranked_words(text), vocabularies


def ranked_counts(counts: Sequence[int]) -> tuple[tuple[int, int], ...]:
    """Return falling counts as they are stored: a count, and how many words have it.

    Examples
    --------
    >>> ranked_counts([7, 2, 2, 1])
    ((7, 1), (2, 2), (1, 1))
    """
    return tuple((count, len(list(same))) for count, same in groupby(counts))


def load_book_tokenizer(path: Path = BOOK_SUBWORDS) -> BytePairTokenizer:
    """Read the shipped byte-pair encoding of the book; raises TextError if the file is missing or damaged."""
    return shipped_tokenizer(path)


def losses_by_input() -> InputLosses:
    """Guess the book's next character from the last, numbered as in the vocabulary and shuffled."""
    counts = pair_counts(load_book(SOURCE).train, len(SOURCE))
    rng = np.random.default_rng(0)
    shuffled = [rng.permutation(len(SOURCE)) for _ in range(_SHUFFLED)]
    return input_losses(counts, [np.arange(len(SOURCE)), *shuffled])
