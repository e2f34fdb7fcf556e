"""A few sentences, learned live: what counts and a network expect after a context that none of them has."""

import copy
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from lm_core.errors import TextError
from lm_core.experiments.neural_language_model.training import (
    ADAMW,
    Examples,
    MLPTrainingConfig,
    start_network,
    train_network,
)
from lm_core.models.mlp import MLPLanguageModel, MLPLanguageModelConfig
from lm_core.models.ngram_counts import CountTable, count_ngrams, evidence_after, maximum_likelihood
from lm_core.text.doubts import invisible_characters, without_invisible
from lm_core.text.what_was_read import WhatWasRead

END = "."
"""Ends every sentence, and stands before its first word; it has id 0."""

CONTEXT_SIZE = 4
_PREVIEWED = 5
_INSIDE = "'’-"  # what may stand within a word

MOST_CHARACTERS, MOST_SENTENCES, MOST_WORDS, MOST_DIFFERENT = 2_000, 50, 12, 60

SENTENCES = """\
the dog sleeps on the sofa
the cat sleeps on the sofa
the dog eats meat
the cat eats meat
the dog drinks water
the cat drinks water
a dog is hungry
a cat is hungry
my dog likes the child
my cat likes the child
the dog goes through the kitchen
the dog goes through the garden
the dog goes through the door
the car stops at the bridge
the bus stops at the bridge
the car needs petrol
the bus needs petrol
the car is full
the bus is full
my car has four wheels
my bus has four wheels
the car goes through the tunnel
the car goes through the city
the car goes through the street"""
"""Ours. Neither a cat nor a bus goes through anything in them."""


@dataclass(frozen=True)
class SentenceCorpus:
    """Some sentences, ready to be counted and learned from."""

    words: tuple[str, ...]
    """Of each id; the first is `END`."""
    sentences: tuple[tuple[int, ...], ...]
    """Without their ends."""

    def encode(self, text: str) -> tuple[int, ...]:
        """Return the ids of a text's words; raises TextError if a word is in none of the sentences."""
        known = {word: i for i, word in enumerate(self.words)}
        spelled = split_words(text)
        unknown = [word for word in spelled if word not in known]
        if unknown:
            raise TextError(
                f"every word must be in the sentences; {', '.join(unknown[:3])} is in none of them"
            )
        return tuple(known[word] for word in spelled)

    @property
    def ids(self) -> np.ndarray:
        """All sentences in one row, with gaps of `END` as long as the context."""
        gap = (0,) * CONTEXT_SIZE
        return np.array([*gap, *(i for s in self.sentences for i in (*s, *gap))], np.int64)

    @property
    def is_predicted(self) -> np.ndarray:
        """Which ids of that row are to be predicted: the words, and the first end after them."""
        ids = self.ids
        is_word = ids > 0
        return is_word | np.concatenate([[False], is_word[:-1]])


def split_words(text: str) -> list[str]:
    """Return the words of a text in lower case: runs of letters and their marks, of any alphabet.

    Examples
    --------
    >>> split_words("The dog's sofa, 2 cats!")
    ['the', "dog's", 'sofa', 'cats']
    """
    lower = unicodedata.normalize("NFC", text.lower())
    kept = (c if _is_letter(c) or c in _INSIDE else " " for c in lower)
    return [word for run in "".join(kept).split() if (word := run.strip(_INSIDE))]


def read_sentences(text: str) -> SentenceCorpus:
    """Return the sentences of a text, one a line.

    Raises TextError if there are too many or too few of them, or too many words.
    """
    if len(text) > MOST_CHARACTERS:
        raise TextError(
            f"the sentences may have at most {MOST_CHARACTERS:,} characters, got {len(text):,}"
        )
    lines = [words for line in without_invisible(text).splitlines() if (words := split_words(line))]
    if not 2 <= len(lines) <= MOST_SENTENCES:
        raise TextError(
            f"there must be 2 to {MOST_SENTENCES} sentences, each in its own line, got {len(lines)}:"
            f" {'leave some out' if len(lines) > MOST_SENTENCES else 'begin a new line for each'}"
        )
    longest = max(map(len, lines))
    if longest > MOST_WORDS:
        raise TextError(
            f"a sentence may have at most {MOST_WORDS} words, got {longest}: shorten it, or divide it into two lines"
        )
    different = (END, *dict.fromkeys(word for line in lines for word in line))
    if len(different) - 1 > MOST_DIFFERENT:
        raise TextError(
            f"there may be at most {MOST_DIFFERENT} different words, got {len(different) - 1}: use the same words"
            " in several sentences, or fewer sentences"
        )
    known = {word: i for i, word in enumerate(different)}
    return SentenceCorpus(different, tuple(tuple(known[word] for word in line) for line in lines))


def what_was_read(text: str) -> WhatWasRead:
    """Return what was read of some sentences, for the visitor.

    Raises
    ------
    TextError
        As `read_sentences`.
    """
    corpus = read_sentences(text)
    facts = (
        f"{len(corpus.sentences)} sentences, one a line",
        f"{len(corpus.words) - 1} different words, capitals as small letters",
    )
    left_out = [
        (number, signs)
        for number, line in enumerate(without_invisible(text).splitlines(), 1)
        if (
            signs := [c for c in line if not c.isspace() and c not in _INSIDE and not _is_letter(c)]
        )
    ]
    rows = ((" ".join(corpus.words[i] for i in s),) for s in corpus.sentences[:_PREVIEWED])
    n = sum(len(signs) for _, signs in left_out)
    hidden = invisible_characters(text).total()
    notes = (
        f"{hidden} {'character that cannot be seen was' if hidden == 1 else 'characters that cannot be seen were'} left out."
        if hidden
        else "",
        f"{n} {'sign' if n == 1 else 'signs'} and numbers between words were left out; the first is"
        f" “{left_out[0][1][0]}” in line {left_out[0][0]}."
        if left_out
        else "",
    )
    return WhatWasRead(facts, tuple(filter(None, notes)), (("sentence",), *rows))


def _is_letter(character: str) -> bool:
    return unicodedata.category(character)[0] in "LM"


# Counts ---------------------------------------------------------------------------------------


def count_tables(corpus: SentenceCorpus) -> tuple[CountTable, ...]:
    """Return the n-grams of n = 1 up to the network's context and the word after it."""
    ids, is_predicted = corpus.ids, corpus.is_predicted
    return tuple(
        count_ngrams(ids, len(corpus.words), n, is_predicted) for n in range(1, CONTEXT_SIZE + 2)
    )


def counted_after(
    tables: Sequence[CountTable], context: Sequence[int]
) -> tuple[np.ndarray, np.ndarray, int]:
    """Return what counts expect after a context: with all of its words, and with as many as were seen.

    Returns
    -------
    whole, seen : ndarrays of shape (V,), the first is all 0 if the context was never seen
    n_words : int, words of the context that the second looks back at
    """
    evidence = evidence_after(tables, whole_context(context))
    seen = next(n for n in range(len(tables), 0, -1) if evidence.totals[n - 1].sum())
    return maximum_likelihood(evidence), maximum_likelihood(evidence.upto(seen)), seen - 1


def whole_context(words: Sequence[int]) -> tuple[int, ...]:
    """Return the last words that a network reads, with `END` before a sentence's beginning."""
    return (*[0] * CONTEXT_SIZE, *words)[-CONTEXT_SIZE:]


def words_after(corpus: SentenceCorpus, word: int) -> frozenset[int]:
    """Return which words follow a word in the sentences."""
    return frozenset(b for s in corpus.sentences for a, b in pairwise(s) if a == word)


# Network --------------------------------------------------------------------------------------


class SentenceSnapshot(NamedTuple):
    """The network at one step of its training."""

    step: int
    loss: float
    """Nats a word, over all sentences."""
    model: MLPLanguageModel
    """A copy: read it, never change it."""

    @torch.no_grad()
    def after(self, words: Sequence[int]) -> np.ndarray:
        """Return the probability of every word after some, shape (V,)."""
        logits = self.model.trace(torch.tensor([whole_context(words)])).logits
        return logits[0].double().softmax(0).numpy()

    @property
    def embedding(self) -> Tensor:
        """Of all words, shape (V, m)."""
        return self.model.embedding.weight

    def distance(self, word: int, other: int) -> float:
        """Return how far apart the embeddings of two words are."""
        return float((self.embedding[word] - self.embedding[other]).norm())


FRAMES = (0, 3, 6, 9, 12, 15, 18, 21, 25, 30, 35, 40, 50, 60, 80, 100)
"""Steps that are kept of a training."""


def training_config(n_words: int, seed: int) -> MLPTrainingConfig:
    """Return how the network learns some sentences."""
    network = MLPLanguageModelConfig(
        n_words, CONTEXT_SIZE, embedding_size=2, hidden_size=24, embedding_scale=0.1
    )
    return MLPTrainingConfig(
        network, steps=FRAMES[-1], optimizer=ADAMW, learning_rate=0.1, weight_decay=0.1, seed=seed
    )


def learn_sentences(corpus: SentenceCorpus, seed: int) -> tuple[SentenceSnapshot, ...]:
    """Train a network on all sentences at once, and return it at each of `FRAMES`."""
    config = training_config(len(corpus.words), seed)
    model, rng = start_network(config)
    examples = examples_of_sentences(corpus)
    snapshots = [_snapshot(model, examples, 0)]
    for step in train_network(model, examples, config, rng):
        if step.step in FRAMES:
            snapshots.append(_snapshot(model, examples, step.step))
    return tuple(snapshots)


def examples_of_sentences(corpus: SentenceCorpus) -> Examples:
    """Return every word of the sentences, and the end of each, with the words before it."""
    ids, places = corpus.ids, np.flatnonzero(corpus.is_predicted)
    windows = np.lib.stride_tricks.sliding_window_view(ids, CONTEXT_SIZE)
    contexts = windows[places - CONTEXT_SIZE].copy()
    return Examples(torch.from_numpy(contexts), torch.from_numpy(ids[places]))


@torch.no_grad()
def _snapshot(model: MLPLanguageModel, examples: Examples, step: int) -> SentenceSnapshot:
    loss = functional.cross_entropy(model.trace(examples.contexts).logits, examples.targets)
    kept = copy.deepcopy(model).eval().requires_grad_(False)
    return SentenceSnapshot(step, loss.item(), kept)
