"""Word vectors as the files that other programs read.

References
----------
word2vec's text format, as `gensim.models.KeyedVectors.load_word2vec_format` reads it.
The Embedding Projector: https://projector.tensorflow.org, "Load data".
"""

from collections.abc import Iterable, Sequence

from torch import Tensor

_DIGITS = ".5g"


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
    """Return the Embedding Projector's second file: a word a line, with how often it stood."""
    rows = (f"{word}\t{count}" for word, count in zip(words, counts, strict=True))
    return _lines(["word\tcount", *rows])


def vectors_csv(words: Sequence[str], vectors: Tensor) -> str:
    """Return words and their vectors (V, D) as a table: word, then a column for each number."""
    heading = ",".join(["word", *(f"x{i}" for i in range(vectors.shape[1]))])
    return _lines([heading, *(f"{w},{_row(v, ',')}" for w, v in zip(words, vectors, strict=True))])


def _lines(lines: Iterable[str]) -> str:
    return "\n".join(lines) + "\n"
