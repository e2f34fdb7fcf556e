"""Sentence pairs as batches: of about equal length, so that little is padding, in an order drawn anew each pass."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import torch
from torch import Tensor

from lm_core.rng import generator
from lm_core.text.sentence_pairs import SentencePair
from lm_core.text.translation_vocabulary import END, START, Rows, TranslationVocabulary, padded
from lm_core.training.batching import batches_of_length

_JITTER = 2.0
"""Tokens by which lengths are blurred before pairs are sorted, so that passes mix them differently."""


class EncodedPair(NamedTuple):
    """The ids of a sentence and of its translation, both with their end."""

    source: list[int]
    target: list[int]


class PairBatch(NamedTuple):
    """Some pairs side by side."""

    source: Rows
    """Ids (B, S), the end included."""
    read: Tensor
    """int64, of shape (B, T). What the decoder reads: the start, then the translation."""
    targets: Rows
    """What it is to predict, (B, T): the translation, then its end; padding behind."""


def encode_pairs(
    pairs: Sequence[SentencePair], vocabulary: TranslationVocabulary
) -> list[EncodedPair]:
    """Return the ids of sentence pairs."""
    return [
        EncodedPair([*vocabulary.encode(source), END], [*vocabulary.encode(target), END])
        for source, target in pairs
    ]


def pair_batch(pairs: Sequence[EncodedPair]) -> PairBatch:
    """Lay pairs side by side."""
    targets = padded([pair.target for pair in pairs])
    starts = torch.full((len(pairs), 1), START)
    read = torch.cat([starts, targets.ids[:, :-1]], 1)
    return PairBatch(padded([pair.source for pair in pairs]), read, targets)


def in_batches(pairs: Sequence[EncodedPair], tokens: int) -> list[list[int]]:
    """Return the places of all pairs, sorted by length, in batches of at most `tokens` padded targets."""
    lengths = _target_lengths(pairs)
    return batches_of_length(sorted(range(len(pairs)), key=lengths.__getitem__), lengths, tokens)


def _target_lengths(pairs: Sequence[EncodedPair]) -> list[int]:
    return [len(pair.target) for pair in pairs]


class BucketedBatches:
    """Goes over pairs again and again; which batches a pass has depends on the seed and its number alone.

    `tokens`: int, most target tokens of a batch, padding included.
    """

    def __init__(self, pairs: Sequence[EncodedPair], tokens: int, seed: int) -> None:
        self._pairs, self._tokens, self._seed = pairs, tokens, seed
        self._pass, self._next = 0, 0
        self._batches = self._drawn()

    def next_batch(self) -> PairBatch:
        """Return the next batch, if need be the first of a new pass."""
        if self._next == len(self._batches):
            self._pass, self._next = self._pass + 1, 0
            self._batches = self._drawn()
        places = self._batches[self._next]
        self._next += 1
        return pair_batch([self._pairs[place] for place in places])

    def state_dict(self) -> dict[str, Any]:
        """Return the position of the reading."""
        return {"pass": self._pass, "next": self._next}

    def load_state_dict(self, saved: dict[str, Any]) -> None:
        """Go on from `state_dict`'s record."""
        self._pass, self._next = int(saved["pass"]), int(saved["next"])
        self._batches = self._drawn()

    def _drawn(self) -> list[list[int]]:
        rng = generator(1_000_003 * self._seed + self._pass)
        lengths = _target_lengths(self._pairs)
        blurred = torch.tensor(lengths) + _JITTER * torch.rand(len(lengths), generator=rng)
        batches = batches_of_length(blurred.argsort().tolist(), lengths, self._tokens)
        return [batches[i] for i in torch.randperm(len(batches), generator=rng).tolist()]
