"""What was found among the pairs of prompts that were tried, and the pairs that the page offers."""

from dataclasses import dataclass
from typing import Annotated

from lm_core.experiments.patching.prompts import KINDS
from lm_core.results import NOT_EMPTY, Count, Positive, Recorded, one_of

MODELS = ("book-subword-transformer", "library-transformer")
"""The writer that the page opens on, and the best one."""


@dataclass(frozen=True)
class PairMap:
    """A pair whose answer changes with the word, and where in the model it is decided."""

    kind: Annotated[str, one_of(KINDS)]
    a: str
    b: str
    answers: tuple[str, str]
    tokens: Positive  # of each prompt
    lead_of_a: float  # logit of A's answer minus that of B's, after A: above 0
    lead_of_b: float  # ... after B: below 0
    own_word: tuple[float, ...]
    """Effect of the word's own cell in the stream, at the embedding and after each block."""
    last_token: tuple[float, ...]  # ... of the last token's cell
    between: tuple[float, ...]  # ... the largest of any other token's

    @property
    def clearness(self) -> float:
        """How far both prompts are from undecided: the smaller of the two leads."""
        return min(self.lead_of_a, -self.lead_of_b)

    @property
    def is_one_token(self) -> bool:
        """Whether the changed word is a single token: at the embedding, its cell is then all that differs."""
        return abs(self.own_word[0] - 1.0) < 1e-3

    @property
    def handed_over(self) -> int:
        """After how many blocks the last token's cell decides more than the word's own."""
        both = zip(self.own_word, self.last_token, strict=True)
        return next(blocks for blocks, (own, last) in enumerate(both) if last > own)


@dataclass(frozen=True)
class KindCount:
    """What became of the pairs of one kind."""

    kind: Annotated[str, one_of(KINDS)]
    tried: Count
    equally_long: Count  # of these, both prompts have equally many tokens, and each answer is one
    flipped: Count  # of these, each prompt prefers its own answer


@dataclass(frozen=True)
class Search:
    """All pairs, read by one model."""

    model: str
    counts: tuple[KindCount, ...]
    maps: tuple[PairMap, ...]  # of the pairs that flip, the clearest of each kind first

    def best(self, most: int) -> tuple[PairMap, ...]:
        """Return the clearest pairs of each kind, up to `most`, no exchanged word in two of them.

        Only pairs whose exchanged word is a single token, so that one cell can carry all that differs.
        """
        chosen: list[PairMap] = []
        for kind in KINDS:
            taken: set[str] = set()
            for pair in (p for p in self.maps if p.kind == kind and p.is_one_token):
                words = set(pair.a.split()) ^ set(pair.b.split())
                if words.isdisjoint(taken):
                    taken |= words
                    chosen.append(pair)
                if len(taken) >= 2 * most:
                    break
        return tuple(chosen)


@dataclass(frozen=True)
class PatchingResults(Recorded, name="patching"):
    """What each model made of the pairs."""

    searches: Annotated[tuple[Search, ...], NOT_EMPTY]

    def of(self, model: str) -> Search:
        """Return the search with a model; with the first one for a model that was not asked."""
        return next((search for search in self.searches if search.model == model), self.searches[0])
