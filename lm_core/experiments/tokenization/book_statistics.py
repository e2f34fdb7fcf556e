"""The words and subwords of the book, counted once and shipped, so that a page needs no book.

    python -m lm_core experiment tokenization

makes the results again, and the byte-pair encoding. They hold counts, words and subwords; nothing
tells which word was beside which.
"""

from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any

import numpy as np

from lm_core.assets import TOKENIZERS
from lm_core.errors import ResultError
from lm_core.experiments.tokenization.integer_inputs import InputLosses
from lm_core.results import Results, results_path
from lm_core.text.character_vocabulary import FULL, SOURCE, UNKNOWN
from lm_core.text.tokenizers.byte_pair import BytePairTokenizer
from lm_core.text.tokenizers.byte_pair_training import VocabularySize
from lm_core.text.tokenizers.tokenizer_json import shipped_tokenizer
from lm_core.text.tokenizers.words import PRE_TOKENIZERS, WordTokenizer
from lm_core.text.word_counts import by_frequency, ranked_words

EXPERIMENT = "tokenization"
SHIPPED = results_path(EXPERIMENT)
BOOK_SUBWORDS = TOKENIZERS / "book-subwords.json"
MOST_MERGES = 8_192
KNOWN_WORDS = 10_000
"""Symbols of a vocabulary of words, ``<unk>`` included, and words that are shipped by name."""


@dataclass(frozen=True)
class BookStatistics:
    """What was counted in the book, without Project Gutenberg's header and licence.

    Attributes
    ----------
    provenance : dict
        As `lm_core.results.provenance` makes it, with ``corpus`` and ``corpus_sha256``.
    n_characters, n_words : int
        Of the book; words are what lies between white space.
    sizes : tuple of VocabularySize
        Of byte-pair encodings, by the number of merges.
    units : mapping of str to (int, int)
        Symbols and tokens of the book, by the name of another tokenizer.
    words : tuple of str
        The `KNOWN_WORDS` most frequent, in small letters, the most frequent first.
    counts : tuple of int
        Of all words, by rank.
    vocabularies : mapping of str to tuple of str
        The most frequent words by the pre-tokenizer that splits them.
    inputs : InputLosses
        Of the vocabulary `SOURCE`; the first numbering is the vocabulary's own, the others are shuffled.
    """

    provenance: dict[str, Any]
    n_characters: int
    n_words: int
    sizes: tuple[VocabularySize, ...]
    units: dict[str, tuple[int, int]]
    words: tuple[str, ...]
    counts: tuple[int, ...]
    vocabularies: dict[str, tuple[str, ...]]
    inputs: InputLosses

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


def save_results(path: Path, book: BookStatistics) -> None:
    """Write a file of results, whole or not at all."""
    data = {
        "book": {"n_characters": book.n_characters, "n_words": book.n_words},
        "sizes": [list(size) for size in book.sizes],
        "units": {name: list(unit) for name, unit in book.units.items()},
        "ranked": {
            "words": book.words,
            "counts": [[count, len(list(same))] for count, same in groupby(book.counts)],
        },
        "vocabularies": book.vocabularies,
        "inputs": book.inputs._asdict(),
    }
    Results(EXPERIMENT, book.provenance, data).save(path)


def load_results(path: Path = SHIPPED) -> BookStatistics:
    """Read a file that `save_results` wrote.

    Raises
    ------
    ResultError
        If it is missing, or is another file.
    """
    results = Results.load(path, EXPERIMENT)
    try:
        data, inputs = results.data, results.data["inputs"]
        runs = np.array(data["ranked"]["counts"])
        return BookStatistics(
            provenance=results.provenance,
            **data["book"],
            sizes=tuple(VocabularySize(*size) for size in data["sizes"]),
            units={name: tuple(unit) for name, unit in data["units"].items()},
            words=tuple(data["ranked"]["words"]),
            counts=tuple(np.repeat(runs[:, 0], runs[:, 1]).tolist()),
            vocabularies={name: tuple(words) for name, words in data["vocabularies"].items()},
            inputs=InputLosses(inputs["nothing"], tuple(inputs["integer"]), inputs["one_hot"]),
        )
    except (ValueError, KeyError, TypeError, IndexError) as error:
        raise ResultError(
            f"{path.name} must hold what the tokenization page shows: {error}"
        ) from error


def load_book_tokenizer(path: Path = BOOK_SUBWORDS) -> BytePairTokenizer:
    """Read the shipped byte-pair encoding of the book.

    Raises
    ------
    TextError
        If the file is missing or damaged.
    """
    return shipped_tokenizer(path)
