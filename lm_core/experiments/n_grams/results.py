"""How many n-grams are seen and how well they predict: what is shipped, and how it is read."""

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated

from lm_core.models.ngram_counts import CountTable
from lm_core.results import Count, NonNegative, Positive, Recorded, Share, StoredArray, one_of
from lm_core.text.character_vocabulary import SOURCE
from lm_core.text.names import SYMBOLS
from lm_core.whole_numbers import compressed, expanded

NAMES, BOOK = "names", "book"
SYMBOLS_OF = {NAMES: SYMBOLS, BOOK: SOURCE.symbols}
"""The symbol of each id, by text."""

TEXTS = tuple(SYMBOLS_OF)
LONGEST = 6
"""Largest n."""

KS = (0.001, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0)
"""What add-k was tried with."""


@dataclass(frozen=True)
class NGramScore:
    """What n-grams of one length know about one text; losses in nats per symbol."""

    text: Annotated[str, one_of(TEXTS)]
    n: Positive
    possible: Count  # contexts of n - 1 symbols that could be
    seen: Count  # ... that the training text has
    unseen_share: Share  # of the held-out symbols whose context the training text does not have
    impossible_share: Share  # of the held-out symbols to which the plain counts give no probability
    training_loss: NonNegative  # of the plain counts on the text that they were counted from
    add_k: tuple[NonNegative, ...]  # held-out loss with each of `KS`
    interpolation: NonNegative  # held-out loss
    kneser_ney: NonNegative  # likewise
    weights: tuple[Share, ...]  # of the interpolation, the shortest context's first

    def __post_init__(self) -> None:
        if len(self.add_k) != len(KS) or len(self.weights) != self.n:
            raise ValueError(f"there must be {len(KS)} losses of add-k and n weights, got {self}")

    def perplexity_with(self, k: float) -> float:
        """Return the held-out perplexity of add-k; k is one of `KS`."""
        return math.exp(self.add_k[KS.index(k)])


@dataclass(frozen=True)
class StoredTable:
    """A table of counts, `compressed`."""

    keys: StoredArray
    counts: StoredArray

    @classmethod
    def of(cls, table: CountTable) -> "StoredTable":
        """Return a table as it is stored."""
        return cls(compressed(table.keys), compressed(table.counts))


@dataclass(frozen=True)
class NGramResults(Recorded, name="n-grams"):
    """Scores, and the counts that the page reads."""

    scores: tuple[NGramScore, ...]
    bigrams_of_all_names: NonNegative  # nats per symbol of their plain counts, as in the notebooks
    minimum: dict[str, tuple[Count, ...]]  # by text and n: contexts seen less often have no row
    stored: dict[str, tuple[StoredTable, ...]]  # by text, for n = 1, 2, ...

    def __post_init__(self) -> None:
        if not set(self.stored) == set(self.minimum) == set(TEXTS):
            raise ValueError(f"there must be counts of {TEXTS}, got {tuple(self.stored)}")

    @cached_property
    def tables(self) -> dict[str, tuple[CountTable, ...]]:
        """The counts by text, for n = 1, 2, ..."""
        return {
            text: tuple(
                CountTable(len(SYMBOLS_OF[text]), expanded(t.keys), expanded(t.counts))
                for t in stored
            )
            for text, stored in self.stored.items()
        }

    def of_text(self, text: str) -> tuple[NGramScore, ...]:
        """Return a text's scores by rising n."""
        return tuple(score for score in self.scores if score.text == text)
