"""The shortest way from one word to another over words that are near each other.

The steps are those of a graph: each word is joined with its nearest words, and a step is as long as the
angle between both vectors.

References
----------
Dijkstra 1959, "A note on two problems in connexion with graphs" (Numerische Mathematik 1).
"""

import heapq
import math
from dataclasses import dataclass

import torch
from torch import Tensor

from lm_core.analysis.word_space import WordSpace
from lm_core.errors import SettingError

_ROWS = 512  # at a time: all pairs of 5,000 words would take 100 MB


@dataclass(frozen=True, eq=False)
class NeighbourGraph:
    """Each of some words with its nearest ones."""

    ids: Tensor
    """Int64 of shape (V, n)."""
    cosines: Tensor
    """Of shape (V, n)."""

    @classmethod
    def of(cls, space: WordSpace, n: int) -> "NeighbourGraph":
        """Join each word of a space with its `n` nearest."""
        unit = space.unit(range(len(space.vocabulary)))
        cosines, ids = [], []
        for first in range(0, len(unit), _ROWS):
            found = unit[first : first + _ROWS] @ unit.T
            found.diagonal(first).fill_(-torch.inf)
            best = found.topk(min(n, len(unit) - 1))
            cosines.append(best.values)
            ids.append(best.indices)
        return cls(torch.cat(ids), torch.cat(cosines))

    def path(self, first: int, last: int) -> list[tuple[int, float]]:
        """Return the words of the shortest way and the cosine of each with the one before; none if there is none.

        The first word has 1 there. Two words are joined if one of them is among the nearest of the other.

        Raises SettingError if a word is none of these.
        """
        for word in (first, last):
            if not 0 <= word < len(self.ids):
                raise SettingError(f"words must be in 0..{len(self.ids) - 1}, got {word}")
        steps = self._steps()
        reached: dict[int, tuple[int, float]] = {}
        waiting = [(0.0, first, first, 1.0)]
        while waiting and last not in reached:
            length, word, before, cosine = heapq.heappop(waiting)
            if word in reached:
                continue
            reached[word] = before, cosine
            for other, near in steps[word].items():
                if other not in reached:
                    angle = math.acos(max(-1.0, min(1.0, near)))
                    heapq.heappush(waiting, (length + angle, other, word, near))
        if last not in reached:
            return []
        way, word = [], last
        while word != first:
            way.append((word, reached[word][1]))
            word = reached[word][0]
        return [(first, 1.0), *reversed(way)]

    def _steps(self) -> list[dict[int, float]]:
        """Return the words that each word is joined with, in both directions, and their cosines."""
        steps: list[dict[int, float]] = [{} for _ in range(len(self.ids))]
        for word, (ids, cosines) in enumerate(
            zip(self.ids.tolist(), self.cosines.tolist(), strict=True)
        ):
            for other, cosine in zip(ids, cosines, strict=True):
                steps[word][other] = steps[other][word] = cosine
        return steps
