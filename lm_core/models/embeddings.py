"""Word vectors: an input and an output embedding for each word, and the files that other programs read.

References
----------
Mikolov et al. 2013, "Distributed Representations of Words and Phrases and their Compositionality":
input and output vectors. https://arxiv.org/abs/1310.4546
word2vec's text format, as `gensim.models.KeyedVectors.load_word2vec_format` reads it.
The Embedding Projector: https://projector.tensorflow.org, "Load data".
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import torch
from torch import Tensor, nn

from lm_core.errors import require_at_least_1
from lm_core.text.word_vocabulary import WordVocabulary

_BETWEEN = "\n"
_DIGITS = ".5g"


@dataclass(frozen=True)
class WordVectorsConfig:
    """Shape of a table of word vectors."""

    size: int
    width: int
    """`size` and `width`: V words, D numbers a vector."""
    spelling_bytes: int
    """Length of all words in UTF-8, with a line break between two."""

    def __post_init__(self) -> None:
        require_at_least_1(size=self.size, width=self.width, spelling_bytes=self.spelling_bytes)


class WordVectors(nn.Module):
    """Two vectors for each word, saved together with the words, so that one file is a whole model.

    Attributes
    ----------
    input : Tensor of shape (V, D)
        The input embedding: of the centre word in skip-gram, of a context word in CBOW.
    output : Tensor of shape (V, D)
        The output embedding, of the word to be predicted: a context word in skip-gram, the centre
        word in CBOW.
    """

    counts: Tensor
    spelling: Tensor

    def __init__(self, config: WordVectorsConfig) -> None:
        super().__init__()
        self.config = config
        self.input = nn.Parameter(torch.zeros(config.size, config.width), requires_grad=False)
        self.output = nn.Parameter(torch.zeros(config.size, config.width), requires_grad=False)
        self.register_buffer("counts", torch.zeros(config.size, dtype=torch.int64))
        self.register_buffer("spelling", torch.zeros(config.spelling_bytes, dtype=torch.uint8))

    @classmethod
    def of(cls, vocabulary: WordVocabulary, input: Tensor, output: Tensor) -> "WordVectors":
        """Return vectors, both (V, D), with their words; the tensors are shared, not copied."""
        spelling = torch.tensor(list(_BETWEEN.join(vocabulary.words).encode()), dtype=torch.uint8)
        model = cls(WordVectorsConfig(len(vocabulary), input.shape[1], len(spelling)))
        model.input.data, model.output.data = input, output
        model.counts.copy_(torch.tensor(vocabulary.counts))
        model.spelling.copy_(spelling)
        return model

    @property
    def parameter_count(self) -> int:
        """Number of trained numbers."""
        return self.input.numel() + self.output.numel()

    @cached_property
    def vocabulary(self) -> WordVocabulary:
        """The words, in the order of the rows."""
        words = bytes(self.spelling.tolist()).decode().split(_BETWEEN)
        return WordVocabulary(tuple(words), tuple(self.counts.tolist()))

    def most_frequent(self, n: int) -> "WordVectors":
        """Return the first `n` words with copies of their vectors."""
        words = self.vocabulary.most_frequent(n)
        input, output = (table.detach()[:n].clone() for table in (self.input, self.output))
        return WordVectors.of(words, input, output)


# As files for other programs ------------------------------------------------------------------


def _row(vector: Tensor, between: str) -> str:
    return between.join(format(number, _DIGITS) for number in vector.tolist())


def word2vec_text(words: Sequence[str], vectors: Tensor) -> str:
    """Return words and their vectors (V, D) in word2vec's text format: V and D, then a word a line."""
    rows = (f"{word} {_row(v, ' ')}" for word, v in zip(words, vectors, strict=True))
    return _lines([f"{vectors.shape[0]} {vectors.shape[1]}", *rows])


def projector_vectors(vectors: Tensor) -> str:
    """Return vectors (V, D) for the Embedding Projector: numbers with tabs between, no heading."""
    return _lines(_row(vector, "\t") for vector in vectors)


def projector_metadata(words: Sequence[str], counts: Sequence[int]) -> str:
    """Return the Embedding Projector's second file: a word a line, with its count."""
    rows = (f"{word}\t{count}" for word, count in zip(words, counts, strict=True))
    return _lines(["word\tcount", *rows])


def vectors_csv(words: Sequence[str], vectors: Tensor) -> str:
    """Return words and their vectors (V, D) as a table: word, then a column for each number."""
    heading = ",".join(["word", *(f"x{i}" for i in range(vectors.shape[1]))])
    return _lines([heading, *(f"{w},{_row(v, ',')}" for w, v in zip(words, vectors, strict=True))])


def _lines(lines: Iterable[str]) -> str:
    return "\n".join(lines) + "\n"
