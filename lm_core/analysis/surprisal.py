"""How surprised a language model is by a text: what it expected at each token, and what came.

The surprisal of a token is −log₂ of the probability that the model gave to it, in bits (Shannon 1948;
Hale 2001 relates it to how long people read). Its rank is its place among all tokens, the most probable
first: Gehrmann et al. 2019 (GLTR, https://arxiv.org/abs/1906.04043) tell human from generated text by it.
"""

import math
import re
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor

from lm_core.errors import TextError
from lm_core.models.language_model import LanguageModel
from lm_core.rng import generator
from lm_core.text.character_vocabulary import CharacterVocabulary

CANDIDATES = 8
"""Most probable tokens that are kept for each place."""

_SUBWORD_RANKS, _CHARACTER_RANKS = (1, 10, 100), (1, 3, 10)
_CHUNK = 500  # tokens a call: at most so many rows of logits are in memory
_WORD = re.compile(r"\s*\S+(?:\s+$)?")


@dataclass(frozen=True)
class TextScores:
    """What a model expected at each of the N tokens of a text, and what came."""

    ids: np.ndarray
    """int64, of shape (N,)."""
    surprisal: np.ndarray
    """float64, of shape (N,). Bits; at least 0."""
    entropy: np.ndarray
    """float64, of shape (N,). Bits that the model expected to be surprised by."""
    ranks: np.ndarray
    """int64, of shape (N,). Place of the token that came, from 1 for the most probable to V."""
    candidates: np.ndarray
    """int64, of shape (N, K). The most probable tokens of each place, the most probable first."""
    probabilities: np.ndarray
    """float32, of shape (N, K). Of the candidates."""
    lengths: np.ndarray
    """int64, of shape (N,). Characters of each token; a character in several tokens belongs to
    the one in which it begins."""

    @property
    def n_characters(self) -> int:
        """Characters of the text."""
        return int(self.lengths.sum())

    @property
    def bits_per_character(self) -> float:
        """Mean surprisal of a character, which compares models with tokens of any length."""
        return float(self.surprisal.sum() / self.n_characters)

    @property
    def by_character(self) -> np.ndarray:
        """Bits of each character: a token's, spread evenly over its own.

        Those of a token in which none begins are added to the one before it.
        """
        bits = np.bincount((self.lengths > 0).cumsum(), self.surprisal)[1:]
        lengths = self.lengths[self.lengths > 0]
        return np.repeat(bits / lengths, lengths)

    def prediction(self, i: int, vocabulary_size: int) -> np.ndarray:
        """Return what the model expected at place i, float64 of shape (V,).

        Exact for the candidates and for the token that came; what is left is spread evenly over the others.
        """
        known = dict(zip(self.candidates[i].tolist(), self.probabilities[i].tolist(), strict=True))
        known[int(self.ids[i])] = 2.0 ** -float(self.surprisal[i])
        left = max(0.0, 1.0 - sum(known.values())) / max(1, vocabulary_size - len(known))
        expected = np.full(vocabulary_size, left)
        expected[list(known)] = list(known.values())
        return expected

    def rank_classes(self, limits: Sequence[int]) -> np.ndarray:
        """Return for each token how many of the rising limits its rank exceeds, int64 of shape (N,)."""
        return np.searchsorted(limits, self.ranks, side="left")

    def rank_shares(self, limits: Sequence[int]) -> tuple[float, ...]:
        """Return which share of the tokens is in each class of ranks: up to each limit, and beyond the last."""
        counts = np.bincount(self.rank_classes(limits), minlength=len(limits) + 1)
        return tuple((counts / len(self.ids)).tolist())


def rank_limits(vocabulary: CharacterVocabulary) -> tuple[int, ...]:
    """Return the ranks that part the expected from the unexpected: GLTR's tens, or less among few characters."""
    return _CHARACTER_RANKS if vocabulary.unit == "character" else _SUBWORD_RANKS


def readable_text(text: str, *vocabularies: CharacterVocabulary) -> str:
    """Return what all these vocabularies can read of a text, so that their models score the same characters.

    Examples
    --------
    >>> from lm_core.text.character_vocabulary import FULL, SOURCE
    >>> readable_text("“Well, Prince”", FULL), readable_text("“Well, Prince”", FULL, SOURCE)
    ('"Well, Prince"', 'Well, Prince')
    """
    for vocabulary in vocabularies:
        text = vocabulary.normalise(text)
    known = {c for c in set(text) if all(c in vocabulary for vocabulary in vocabularies)}
    return "".join(c for c in text if c in known)


@torch.no_grad()
def score_text(
    model: LanguageModel,
    text: str,
    vocabulary: CharacterVocabulary,
    *,
    model_turn: Callable[[], AbstractContextManager[object]] = nullcontext,
    on_progress: Callable[[float], object] | None = None,
) -> TextScores:
    """Read a text once and return what the model expected at each token.

    The model has read the end of a paragraph before it, or a space where its vocabulary has none, so
    the first token is predicted as well. Raises TextError if the text is empty, or has characters
    that the vocabulary does not hold.

    Parameters
    ----------
    model : LanguageModel, in evaluation mode
    text : str, as `readable_text` returns it
    vocabulary : CharacterVocabulary, of the model
    model_turn : callable that returns a context manager, entered for each call of the model
    on_progress : callable, receives the share that is done, from 0 to 1
    """
    ids = torch.from_numpy(vocabulary.encode(text))
    is_known = vocabulary.known(ids.numpy())
    if not len(ids) or not is_known.all():
        raise TextError(
            "the text must have at least one character, and only characters of the model's"
            f" vocabulary, got {len(ids)} tokens, {int((~is_known).sum())} of them unknown"
        )
    read = torch.cat([torch.from_numpy(context_before(vocabulary)), ids[:-1]])
    state, parts = model.initial_state(1), []
    for start in range(0, len(ids), _CHUNK):
        chunk = slice(start, start + _CHUNK)
        with model_turn():
            logits, state = model(read[None, chunk], state)
            parts.append(_scores(logits[0], ids[chunk]))
        if on_progress:
            on_progress(min(1.0, (start + _CHUNK) / len(ids)))
    surprisal, entropy, ranks, candidates, probabilities = (
        torch.cat(column).numpy() for column in zip(*parts, strict=True)
    )
    return TextScores(
        ids.numpy(),
        surprisal,
        entropy,
        ranks,
        candidates,
        probabilities,
        vocabulary.lengths[ids.numpy()],
    )


def context_before(vocabulary: CharacterVocabulary) -> np.ndarray:
    """Return what a model has read before a text: its start token, or the end of a paragraph, or a space."""
    if vocabulary.start_token is not None:
        return np.array([vocabulary.start_token])
    return vocabulary.encode("\n" if "\n" in vocabulary else " ")


def _scores(logits: Tensor, ids: Tensor) -> tuple[Tensor, ...]:
    """Return surprisal, entropy, ranks, candidates and their probabilities of T tokens from (T, V) logits."""
    logs = logits.double().log_softmax(-1)
    own = logs.gather(1, ids[:, None])
    bits = logs / -math.log(2.0)
    entropy = torch.special.entr(logs.exp()).sum(1) / math.log(2.0)
    best = logs.topk(min(CANDIDATES, logs.shape[1]))
    ranks = 1 + (logs > own).sum(1)
    return (
        bits.gather(1, ids[:, None])[:, 0].clamp(min=0.0),
        entropy,
        ranks,
        best.indices,
        best.values.exp().float(),
    )


class WordSurprisal(NamedTuple):
    """A word of a text with the white space before it."""

    word: str
    """Without the white space."""
    start: int
    end: int
    """`start` and `end`: its characters in the text, the white space included."""
    bits: float
    """Sum over its characters: the surprisal of the word, given all before it."""


def surprisal_by_word(text: str, bits: np.ndarray) -> list[WordSurprisal]:
    """Return the surprisal of each word: what lies between white space, punctuation included.

    `bits`: ndarray of shape (len(text),), as `TextScores.by_character`.

    Examples
    --------
    >>> surprisal_by_word("So it", np.ones(5))
    [WordSurprisal(word='So', start=0, end=2, bits=2.0), WordSurprisal(word='it', start=2, end=5, bits=3.0)]
    """
    if len(bits) != len(text):
        raise ValueError(f"one number a character: {len(text)} characters, {len(bits)} numbers")
    sums = np.concatenate([[0.0], np.cumsum(bits)])
    return [
        WordSurprisal(
            match[0].strip(), *match.span(), float(sums[match.end()] - sums[match.start()])
        )
        for match in _WORD.finditer(text)
    ]


def shuffled_words(text: str, seed: int) -> str:
    """Return the words of a text in an order drawn at random, with single spaces between them."""
    words = text.split()
    order = torch.randperm(len(words), generator=generator(seed)).tolist()
    return " ".join(words[i] for i in order)


def shuffled_characters(text: str, seed: int) -> str:
    """Return the characters of a text in an order drawn at random."""
    order = torch.randperm(len(text), generator=generator(seed)).tolist()
    return "".join(text[i] for i in order)
