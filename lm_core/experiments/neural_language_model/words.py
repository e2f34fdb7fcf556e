"""Words of War and Peace as Bengio's model reads them, its training, and the counts beside it."""

import re
import time
from collections import Counter
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor

from lm_core.models.language_model import LanguageModel
from lm_core.models.mlp import MLPLanguageModel, MLPLanguageModelConfig
from lm_core.models.ngram import KneserNey, estimate
from lm_core.models.ngram_pruning import prune
from lm_core.text.training_text import TRAIN_SHARE
from lm_core.text.word_vocabulary import WordVocabulary, words_of
from lm_core.training.evaluation import Score, carried_losses, mixed_losses, score
from lm_core.training.language_modelling import Training, TrainingConfig

END, UNKNOWN = ".", "<unk>"
"""What ends a sentence, and what stands for every word that is too rare to have an id: ids 0 and 1."""

N_WORDS = 4_000
NETWORK = MLPLanguageModelConfig(
    N_WORDS, context_size=4, embedding_size=40, hidden_size=80, embedding_scale=0.1
)
TRAINING = TrainingConfig(
    steps=2_500,
    batch=32,
    window=64,
    learning_rate=3e-3,
    weight_decay=0.3,
    held_out=0.05,
    held_out_until=0.8,
)
COUNTED_CONTEXT, MINIMUM_GAIN = 2, 4.0
"""Words that the shipped counts look back at, and nats that an n-gram must save to be shipped."""

MIXED_EQUALLY = 0.5
"""Of the network in a mixture with the counts, as in Bengio's paper."""

_BLOCK = 500  # words that count as one observation in a standard error

_SENTENCE_END = re.compile(r"[.!?]+")


def tokens_of(text: str) -> list[str]:
    """Return the words of a text as `words_of` reads them, and `END` after each sentence that is ended.

    Examples
    --------
    >>> tokens_of("He laughed. Why?! No one")
    ['he', 'laughed', '.', 'why', '.', 'no', 'one']
    """
    *ended, rest = _SENTENCE_END.split(text)
    sentences = (words for sentence in ended if (words := words_of(sentence)))
    return [token for words in sentences for token in (*words, END)] + words_of(rest)


def most_frequent_words(tokens: list[str], size: int) -> WordVocabulary:
    """Return `END`, `UNKNOWN` and the most frequent words, together so many; of equals, the first met."""
    counts = Counter(tokens)
    n_ends = counts.pop(END, 0)
    frequent = counts.most_common(size - 2)
    n_rare = counts.total() - sum(n for _, n in frequent)
    words, numbers = zip((END, n_ends), (UNKNOWN, n_rare), *frequent, strict=True)
    return WordVocabulary(words, numbers)


def encode_tokens(vocabulary: WordVocabulary, tokens: list[str]) -> np.ndarray:
    """Return the ids of some tokens, int64 (N,), with `UNKNOWN` for rare words."""
    known, unknown = vocabulary.ids, vocabulary.ids[UNKNOWN]
    return np.array([known.get(token, unknown) for token in tokens], np.int64)


def context_of(vocabulary: WordVocabulary, text: str, size: int) -> list[int]:
    """Return the last ids of a text; a short one is preceded by the end of a sentence of unknown words."""
    before = [*[UNKNOWN] * size, END]
    return encode_tokens(vocabulary, [*before, *tokens_of(text)])[-size:].tolist()


class DividedWords(NamedTuple):
    """The book in words."""

    vocabulary: WordVocabulary
    """Of the training part."""
    train: np.ndarray
    held_out: np.ndarray
    """`train` and `held_out`: int64, of shape (N,). The first nine tenths of the book's
    characters, and the last."""


def divided_words(book: str, size: int = N_WORDS) -> DividedWords:
    """Return a book in words: the vocabulary is made of its first nine tenths alone."""
    split = int(TRAIN_SHARE * len(book))
    parts = tokens_of(book[:split]), tokens_of(book[split:])
    vocabulary = most_frequent_words(parts[0], size)
    return DividedWords(vocabulary, *(encode_tokens(vocabulary, part) for part in parts))


class TrainedOnWords(NamedTuple):
    """A network after its training, and the processor time that it took, in seconds."""

    network: MLPLanguageModel
    seconds: float


def train_on_words(
    train: np.ndarray, config: MLPLanguageModelConfig = NETWORK, training: TrainingConfig = TRAINING
) -> TrainedOnWords:
    """Train Bengio's model on words."""
    network, began = MLPLanguageModel(config), time.process_time()
    for _ in Training(network, torch.from_numpy(train), training):
        pass
    return TrainedOnWords(network.eval(), round(time.process_time() - began, 1))


def count_words(divided: DividedWords, minimum_gain: float = MINIMUM_GAIN) -> KneserNey:
    """Return the counts that are small enough to be shipped."""
    counted = estimate(divided.train, len(divided.vocabulary), COUNTED_CONTEXT)
    return prune(counted, divided.train, minimum_gain)


class WordLosses(NamedTuple):
    """What held-out words and ends of sentences cost, in nats each."""

    network: float
    kneser_ney: tuple[float, ...]  # looking back at 0, 1, ... words, at last as many as the network
    mixture: float  # of the network and the last of these, equally weighted
    shipped_counts: float  # of those counts that are shipped
    difference: float
    """Of the network less the last of the counts, block by block of the same words."""
    standard_error: float  # of the difference


def score_words(
    divided: DividedWords, network: MLPLanguageModel, shipped_counts: KneserNey
) -> WordLosses:
    """Return the losses of network and counts on the same held-out words."""
    tokens = torch.from_numpy(divided.held_out)
    ours, shipped = _losses(network, tokens), _losses(shipped_counts, tokens)
    counted = [
        _losses(estimate(divided.train, network.vocabulary_size, k), tokens)
        for k in range(network.config.context_size + 1)
    ]
    apart = score(ours - counted[-1], _BLOCK)
    return WordLosses(
        _mean(ours),
        tuple(map(_mean, counted)),
        _mean(mixed_losses(ours, counted[-1], MIXED_EQUALLY)),
        _mean(shipped),
        *_rounded(apart),
    )


def _losses(model: LanguageModel, tokens: Tensor) -> np.ndarray:
    return carried_losses(model, tokens, chunk=500)


def _mean(losses: np.ndarray) -> float:
    return round(float(losses.mean()), 5)


def _rounded(found: Score) -> tuple[float, float]:
    return round(found.nats, 5), round(found.standard_error, 5)
