"""The model: words with their counts, and two vectors for each."""

from dataclasses import dataclass
from functools import cached_property

import torch
from torch import Tensor, nn

from lm_core.errors import SettingError
from lm_core.text.word_vocabulary import WordVocabulary

_BETWEEN = "\n"


@dataclass(frozen=True)
class WordVectorsConfig:
    """Shape of a table of word vectors.

    Attributes
    ----------
    size, width : int
        V words, D numbers a vector.
    spelling_bytes : int
        Length of all words in UTF-8, with a line break between two.
    """

    size: int
    width: int
    spelling_bytes: int

    def __post_init__(self) -> None:
        for name in ("size", "width", "spelling_bytes"):
            if getattr(self, name) < 1:
                raise SettingError(f"{name} must be at least 1, got {getattr(self, name)}")


class WordVectors(nn.Module):
    """Two vectors for each word; the words travel with them, so that one file is a whole model.

    Attributes
    ----------
    read : Tensor of shape (V, D)
        The vector of a word that is read: of the word in the middle in skip-gram, of a neighbour in
        CBOW (the source's *context* embedding).
    asked : Tensor of shape (V, D)
        Its vector when it is to be told: of a neighbour in skip-gram, of the word in the middle in
        CBOW (the source's *centre* embedding).
    """

    def __init__(self, config: WordVectorsConfig) -> None:
        super().__init__()
        self.config = config
        self.read = nn.Parameter(torch.zeros(config.size, config.width), requires_grad=False)
        self.asked = nn.Parameter(torch.zeros(config.size, config.width), requires_grad=False)
        self.register_buffer("counts", torch.zeros(config.size, dtype=torch.int64))
        self.register_buffer("spelling", torch.zeros(config.spelling_bytes, dtype=torch.uint8))

    @classmethod
    def of(cls, vocabulary: WordVocabulary, read: Tensor, asked: Tensor) -> "WordVectors":
        """Return vectors, both (V, D), with their words; the tensors are shared, not copied."""
        spelling = torch.tensor(list(_BETWEEN.join(vocabulary.words).encode()), dtype=torch.uint8)
        model = cls(WordVectorsConfig(len(vocabulary), read.shape[1], len(spelling)))
        model.read.data, model.asked.data = read, asked
        model.counts.copy_(torch.tensor(vocabulary.counts))
        model.spelling.copy_(spelling)
        return model

    @property
    def parameter_count(self) -> int:
        """Number of trained numbers."""
        return self.read.numel() + self.asked.numel()

    @cached_property
    def vocabulary(self) -> WordVocabulary:
        """The words, in the order of the rows."""
        words = bytes(self.spelling.tolist()).decode().split(_BETWEEN)
        return WordVocabulary(tuple(words), tuple(self.counts.tolist()))

    def most_frequent(self, n: int) -> "WordVectors":
        """Return the first `n` words with copies of their vectors."""
        words = self.vocabulary.most_frequent(n)
        return WordVectors.of(words, self.read[:n].clone(), self.asked[:n].clone())
