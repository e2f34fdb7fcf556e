"""Sentences of film reviews with their sentiment: positive or negative, in words, divided into tenths.

References
----------
Pang & Lee 2005, "Seeing stars": the sentence polarity data set, version 1.0.
https://www.cs.cornell.edu/people/pabo/movie-review-data
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import torch
from torch import Tensor
from torch.nn.utils.rnn import pad_sequence

from lm_core.errors import CorpusUnavailableError
from lm_core.models.text_classifiers import PADDING
from lm_core.rng import generator
from lm_core.text.corpora import search_folders
from lm_core.text.word_vocabulary import WordVocabulary, words_of

SENTIMENTS = {"negative": "neg", "positive": "pos"}
"""The classes 0 and 1, and how their files end."""
TENTHS = 10
MINIMUM_COUNT, MOST_WORDS = 3, 5_000
"""Of the vocabulary: how often a word must be read to belong to it, and how many words may."""
_FOLDER = "sentence-polarity"


class Reviews(NamedTuple):
    """Sentences, and whether each is positive."""

    texts: tuple[str, ...]
    is_positive: Tensor
    """float32, of shape (N,): 0 or 1."""

    def take(self, chosen: Tensor) -> "Reviews":
        """Return some of them by number, int64 (M,)."""
        return Reviews(tuple(self.texts[i] for i in chosen.tolist()), self.is_positive[chosen])


class Divided(NamedTuple):
    """Sentences to learn from, and the tenth that is held out."""

    training: Reviews
    held_out: Reviews


def load_reviews() -> Reviews:
    """Return all sentences, the negative ones first.

    Raises CorpusUnavailableError if they are on none of the data folders.
    """
    lines = [_read(f"{_FOLDER}/rt-polarity.{end}") for end in SENTIMENTS.values()]
    labels = [torch.full((len(found),), float(label)) for label, found in enumerate(lines)]
    return Reviews((*lines[0], *lines[1]), torch.cat(labels))


def _read(path: str) -> tuple[str, ...]:
    for folder in search_folders():
        if (folder / path).is_file():
            text = (folder / path).read_text(encoding="cp1252")
            return tuple(line.strip() for line in text.splitlines() if line.strip())
    raise CorpusUnavailableError(
        f"{path} is in none of the data folders: unpack rt-polaritydata.tar.gz of"
        " https://www.cs.cornell.edu/people/pabo/movie-review-data there"
    )


def divide(reviews: Reviews, tenth: int) -> Divided:
    """Return sentences in random order, always the same, without one of its tenths, and that tenth."""
    order = torch.randperm(len(reviews.texts), generator=generator(0))
    tenths = order.tensor_split(TENTHS)
    rest = torch.cat([part for number, part in enumerate(tenths) if number != tenth])
    return Divided(reviews.take(rest), reviews.take(tenths[tenth]))


def encode(vocabulary: WordVocabulary, texts: Iterable[str]) -> list[list[int]]:
    """Return the ids of each text's words, counted from 1; words that are not known are left out."""
    return [(vocabulary.encode(words_of(text)) + 1).tolist() for text in texts]


def side_by_side(rows: Sequence[Sequence[int]]) -> tuple[Tensor, Tensor]:
    """Return texts of ids as a tensor (N, T) with their lengths (N,); a text without a word is one padding."""
    filled = [torch.tensor(list(row) or [PADDING]) for row in rows]
    lengths = torch.tensor([len(row) for row in filled])
    return pad_sequence(filled, batch_first=True, padding_value=PADDING), lengths


def with_shuffled_words(reviews: Reviews, seed: int) -> Reviews:
    """Return reviews with the words of each in random order."""
    rng = generator(seed)
    return reviews._replace(texts=tuple(shuffled_words(text, rng) for text in reviews.texts))


def shuffled_words(text: str, rng: torch.Generator) -> str:
    """Return a text with what stands between its spaces in random order."""
    words = text.split()
    return " ".join(words[i] for i in torch.randperm(len(words), generator=rng).tolist())
