"""The words and word parts of the book, counted once and shipped, so that a page needs no book.

    python -m lm_core words

makes the results again, and the tokenizer of byte pairs. They hold counts, words and word parts;
nothing tells which word stood beside which.
"""

import json
from dataclasses import asdict, dataclass
from itertools import groupby
from pathlib import Path

import numpy as np

from lm_core.assets import RESULTS, TOKENIZERS
from lm_core.errors import ResultError
from lm_core.experiments.tokenization.integer_inputs import InputLosses
from lm_core.files import write_whole
from lm_core.text.character_vocabulary import FULL, SOURCE, UNKNOWN
from lm_core.text.tokenizers.byte_pair import BytePairTokenizer
from lm_core.text.tokenizers.byte_pair_training import SizedCut
from lm_core.text.tokenizers.tokenizer_json import from_tokenizer_json
from lm_core.text.tokenizers.words import SPLITTERS, WordTokenizer
from lm_core.text.word_counts import by_frequency, ranked_words

SCHEMA = 1
SHIPPED = RESULTS / "tokenization.json"
BOOK_SUBWORDS = TOKENIZERS / "book-subwords.json"
MOST_MERGES = 8_192
KNOWN_WORDS = 10_000
"""Symbols of a vocabulary of words, ``<unk>`` included, and words that are shipped by name."""


@dataclass(frozen=True)
class BookWords:
    """What was counted in the book, without Project Gutenberg's header and licence.

    Attributes
    ----------
    corpus, corpus_sha256, date : str
    n_characters, n_words : int
        Of the book; words are what stands between white space.
    sizes : tuple of SizedCut
        Of byte pairs, by the number of merges.
    units : mapping of str to (int, int)
        Symbols and tokens of the book, by the name of another way to cut it.
    words : tuple of str
        The `KNOWN_WORDS` most frequent, in small letters, the most frequent first.
    counts : tuple of int
        Of all words, by rank.
    vocabularies : mapping of str to tuple of str
        The most frequent words by the splitter that cuts them.
    inputs : InputLosses
        Of the vocabulary `SOURCE`; the first numbering is the vocabulary's own, the others are shuffled.
    """

    corpus: str
    corpus_sha256: str
    date: str
    n_characters: int
    n_words: int
    sizes: tuple[SizedCut, ...]
    units: dict[str, tuple[int, int]]
    words: tuple[str, ...]
    counts: tuple[int, ...]
    vocabularies: dict[str, tuple[str, ...]]
    inputs: InputLosses

    def tokenizer(self, splitter: str) -> WordTokenizer:
        """Return the tokenizer whose vocabulary are the book's most frequent words."""
        return WordTokenizer(splitter, (UNKNOWN, *self.vocabularies[splitter]))

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
        """Words that stand in the book once."""
        return sum(count == 1 for count in self.counts)


def count_units(text: str) -> dict[str, tuple[int, int]]:
    """Return symbols and tokens of a text as characters and as words."""
    counted = {
        f"characters, {vocabulary.name}": (len(vocabulary), len(vocabulary.normalise(text)))
        for vocabulary in (SOURCE, FULL)
    }
    read = FULL.normalise(text)
    for name, splitter in SPLITTERS.items():
        words = [word for word, _, _ in splitter(read)]
        counted[name] = (len(set(words)), len(words))
    return counted


def count_words(text: str) -> tuple[list[tuple[str, int]], dict[str, tuple[str, ...]]]:
    """Return the ranked words of a text, and its most frequent words by each splitter.

    All stand in the order of frequency, not in that of the text: the order in which words first
    appear in a book gives its first pages away.
    """
    read = FULL.normalise(text)
    vocabularies = {}
    for name, splitter in SPLITTERS.items():
        ranked = by_frequency(word for word, _, _ in splitter(read))
        vocabularies[name] = tuple(word for word, _ in ranked[: KNOWN_WORDS - 1])
    return ranked_words(text), vocabularies


def save_results(path: Path, results: BookWords) -> None:
    """Write a file of results, whole or not at all.

    Raises
    ------
    OSError
        If it cannot be written.
    """
    runs = [[count, len(list(same))] for count, same in groupby(results.counts)]
    document = {"schema": SCHEMA, **asdict(results), "counts": runs}
    document["inputs"] = results.inputs._asdict()
    text = json.dumps(document, ensure_ascii=False, separators=(",", ":"))
    write_whole(path, (text + "\n").encode())


def load_results(path: Path = SHIPPED) -> BookWords:
    """Read a file that `save_results` wrote.

    Raises
    ------
    ResultError
        If it is missing or of another schema.
    """
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
        if document.pop("schema") != SCHEMA:
            raise ResultError(f"{path} is of another schema than {SCHEMA}: count again")
        runs = np.array(document["counts"])
        document |= {
            "sizes": tuple(SizedCut(*size) for size in document["sizes"]),
            "units": {name: tuple(pair) for name, pair in document["units"].items()},
            "words": tuple(document["words"]),
            "counts": tuple(np.repeat(runs[:, 0], runs[:, 1]).tolist()),
            "vocabularies": {name: tuple(w) for name, w in document["vocabularies"].items()},
            "inputs": InputLosses(
                document["inputs"]["nothing"],
                tuple(document["inputs"]["integer"]),
                document["inputs"]["one_hot"],
            ),
        }
        return BookWords(**document)
    except (OSError, ValueError, KeyError, TypeError, IndexError) as error:
        raise ResultError(f"no readable results in {path}: {error}") from error


def load_book_tokenizer(path: Path = BOOK_SUBWORDS) -> BytePairTokenizer:
    """Read the shipped byte pairs of the book.

    Raises
    ------
    ResultError
        If the file is missing.
    """
    try:
        return from_tokenizer_json(path.read_bytes())
    except OSError as error:
        raise ResultError(f"no byte pairs of the book: {error}") from error
