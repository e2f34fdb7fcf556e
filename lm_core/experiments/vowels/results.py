"""Vowels by the letters before them, as they are shipped, and Markov's own."""

from dataclasses import dataclass
from typing import Annotated

from lm_core.analysis.vowels import ALPHABET, ChainCounts, runs
from lm_core.results import NOT_EMPTY, Count, Recorded

MARKOV = {(): 0.432, (True,): 0.128, (False,): 0.663, (True, True): 0.104, (False, False): 0.868}
"""Markov's shares of vowels in the first 20,000 letters of *Eugene Onegin*, by the letters before; he published of
two letters back how often a vowel follows two vowels (.104) and a consonant two consonants (.132)."""


@dataclass(frozen=True)
class CountedText:
    """One text."""

    name: str
    title: str
    letters: Annotated[tuple[Count, ...], NOT_EMPTY]  # how often each of the alphabet came
    after: Annotated[tuple[tuple[Count, Count], ...], NOT_EMPTY]  # consonants and vowels, by `runs`

    def __post_init__(self) -> None:
        if len(self.letters) != len(ALPHABET) or len(self.after) != len(runs()):
            raise ValueError("a text has a count of each letter and of what follows each run")

    @property
    def counts(self) -> ChainCounts:
        """What came after which letters."""
        return ChainCounts(dict(zip(runs(), self.after, strict=True)))


@dataclass(frozen=True)
class VowelResults(Recorded, name="vowels"):
    """All texts."""

    texts: Annotated[tuple[CountedText, ...], NOT_EMPTY]
