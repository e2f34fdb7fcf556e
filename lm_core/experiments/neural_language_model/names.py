"""Names that a network makes up, and which of them are on the list that it learned from."""

import hashlib
import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
import torch
from torch.nn import functional

from lm_core.experiments.neural_language_model.training import examples_of_names
from lm_core.generation.batch_generation import generate_batch
from lm_core.generation.sampling import SamplingSettings
from lm_core.models.mlp import MLPLanguageModel
from lm_core.results import StoredArray
from lm_core.text.names import SYMBOLS, NameSplit

_MOST_ROUNDS = 40
LONGEST_NAME = 20
"""Letters after which a name is cut off, if it has not ended."""


def sample_names(
    model: MLPLanguageModel,
    n: int,
    rng: torch.Generator,
    temperature: float = 1.0,
    symbols: Sequence[str] = SYMBOLS,
) -> list[str]:
    """Return n different names, each with at least two letters, in the order of their drawing.

    There are fewer if a network that knows a few names by heart makes up no more.

    `symbols`: sequence of str, of the model's ids, the end of a name first.
    """
    settings, found = SamplingSettings(temperature=temperature), dict[str, None]()
    for _ in range(_MOST_ROUNDS):
        if len(found) >= n:
            break
        ids = generate_batch(model, [0], settings, n, LONGEST_NAME + 1, rng)
        names = ("".join(symbols[i] for i in row).split(symbols[0])[0] for row in ids.tolist())
        found |= dict.fromkeys(name for name in names if 2 <= len(name) <= LONGEST_NAME)
    return list(found)[:n]


@torch.no_grad()
def bits_of_names(
    model: MLPLanguageModel, names: Sequence[str], symbols: Sequence[str] = SYMBOLS
) -> list[float]:
    """Return how many bits a letter each name has for a network, its end counted as a letter."""
    bits = []
    for name in names:
        contexts, targets = examples_of_names([name], model.config.context_size, symbols)
        loss = functional.cross_entropy(model.trace(contexts).logits, targets)
        bits.append(loss.item() / math.log(2))
    return bits


class KnownNames(NamedTuple):
    """Which names were learned from and which were held out, as hashes: the list itself is not kept.

    A name that is on neither is taken for one of 25,000 in one case of 160,000.
    """

    trained_on: StoredArray  # int32, ascending, as are the others
    held_out: StoredArray

    @classmethod
    def of(cls, trained_on: Iterable[str], held_out: Iterable[str]) -> "KnownNames":
        """Return the hashes of two lists."""
        return cls(*(np.sort(hashes(names)) for names in (trained_on, held_out)))

    def are_trained_on(self, names: Sequence[str]) -> list[bool]:
        """Return of each name whether it was learned from."""
        return _are_in(self.trained_on, names)

    def are_held_out(self, names: Sequence[str]) -> list[bool]:
        """Return of each name whether it is a real one that was not learned from."""
        return _are_in(self.held_out, names)


def new_names(split: NameSplit) -> tuple[str, ...]:
    """Return the test names that were not learned from under another number: some are listed twice."""
    learned = set(split.train)
    return tuple(dict.fromkeys(name for name in split.test if name not in learned))


def _are_in(known: np.ndarray, names: Sequence[str]) -> list[bool]:
    return [bool(found) for found in np.isin(hashes(names), known)]


def hashes(names: Iterable[str]) -> np.ndarray:
    """Return 32 bits of the BLAKE2 hash of each name, as int32."""
    digests = (hashlib.blake2b(name.encode(), digest_size=4).digest() for name in names)
    return np.frombuffer(b"".join(digests), "<i4").astype(np.int32)
