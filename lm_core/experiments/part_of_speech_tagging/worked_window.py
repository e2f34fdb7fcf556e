"""A window that is multiplied by hand: five words of three numbers each, one matrix, four tags.

The word vectors are those of a lecture on contextualised words; the lecture leaves its matrix open, so
here it is drawn, in small whole numbers.
"""

from collections.abc import Sequence
from typing import NamedTuple

import torch
from torch import Tensor

from lm_core.rng import generator

VECTORS = {
    "please": (7, 9, 1),
    "increase": (0, 1, 5),
    "the": (1, 1, 2),
    "music": (-1, 0, 5),
    "volume": (2, -1, -7),
}
TAGS = ("determiner", "noun", "verb", "other")
PAD, WIDTH, LONGEST = "PAD", 3, 8
"""What stands beyond the sentence, as zeros; numbers a word; the longest window to either side."""


class WorkedWindow(NamedTuple):
    """The window of one word, and its product with the matrix."""

    words: tuple[str, ...]  # of all places, the farthest before the word first
    vectors: Tensor  # (places, 3)
    weights: Tensor  # (places, 3, 4): other weights at each place
    scores: Tensor  # (4,), one for each tag

    @property
    def n_weights(self) -> int:
        """How many numbers the matrix has."""
        return self.weights.numel()


def worked_window(words: Sequence[str], place: int, n: int) -> WorkedWindow:
    """Multiply the window of the word at a place, n words to either side, with the matrix."""
    places = range(place - n, place + n + 1)
    found = tuple(words[i] if 0 <= i < len(words) else PAD for i in places)
    vectors = torch.tensor([VECTORS.get(word, (0,) * WIDTH) for word in found])
    every = torch.randint(-2, 3, (2 * LONGEST + 1, WIDTH, len(TAGS)), generator=generator(1))
    weights = every[LONGEST - n : LONGEST + n + 1]  # a place keeps its weights when others join it
    return WorkedWindow(found, vectors, weights, vectors.flatten() @ weights.flatten(0, 1))


def padding_share(words: Sequence[str], n: int) -> float:
    """Return which share of the places of all windows lies beyond the sentence."""
    read = [worked_window(words, place, n).words for place in range(len(words))]
    return sum(found.count(PAD) for found in read) / (len(words) * (2 * n + 1))
