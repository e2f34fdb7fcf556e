"""Vowels and consonants as a chain: the first language model, counted by hand in 1913.

Letters are a to z without their accents; spaces and all else are left out, as Markov left them out. Vowels are
a, e, i, o, u and y.

References
----------
Markov 1913, "An example of statistical investigation of the text Eugene Onegin concerning the connection of samples
in chains". English translation: Science in Context 19 (2006), 591-600. https://doi.org/10.1017/S0269889706001074
"""

import unicodedata
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import torch

ALPHABET = "abcdefghijklmnopqrstuvwxyz"
VOWELS = frozenset("aeiouy")
_ORDERS = (0, 1, 2)


class ChainCounts(NamedTuple):
    """How often a vowel came, by the letters before it; False is a consonant, True a vowel."""

    letters: dict[tuple[bool, ...], tuple[int, int]]
    """For each run of up to two letters, earliest first: consonants and vowels that came after it."""

    def seen(self, before: tuple[bool, ...] = ()) -> int:
        """Return how many letters came after this run."""
        return sum(self.letters[before])

    def share(self, before: tuple[bool, ...] = ()) -> float | None:
        """Return the share of vowels among the letters after a run; None where there were none."""
        consonants, vowels = self.letters[before]
        return vowels / (consonants + vowels) if consonants + vowels else None

    def __add__(self, other: object) -> "ChainCounts":
        """Return the counts of both; runs across the two texts are in neither."""
        if not isinstance(other, ChainCounts):
            return NotImplemented
        return ChainCounts(
            {
                before: (counts[0] + other.letters[before][0], counts[1] + other.letters[before][1])
                for before, counts in self.letters.items()
            }
        )


def letters_of(text: str) -> str:
    """Return the letters a to z of a text, in lower case and without their accents.

    Examples
    --------
    >>> letters_of("Où est l'été ?")
    'ouestlete'
    """
    plain = unicodedata.normalize("NFKD", text.lower())
    return "".join(letter for letter in plain if letter in ALPHABET)


def are_vowels(letters: str) -> tuple[bool, ...]:
    """Return which letters are vowels."""
    return tuple(letter in VOWELS for letter in letters)


def runs() -> list[tuple[bool, ...]]:
    """Return every run of at most two letters, the shortest first, vowels before consonants."""
    kinds = (True, False)
    return [(), *((one,) for one in kinds), *((one, two) for one in kinds for two in kinds)]


def count_chain(are_vowel: Sequence[bool]) -> ChainCounts:
    """Count which letters came after which.

    Examples
    --------
    >>> count_chain(are_vowels("onegin")).share((True,))
    0.0
    """
    now = np.asarray(are_vowel, dtype=np.int64)
    found: dict[tuple[bool, ...], tuple[int, int]] = {}
    for before in runs():
        n = len(before)
        fits = np.ones(max(len(now) - n, 0), dtype=bool)
        for back, kind in enumerate(before):
            fits &= now[back : back + len(fits)] == kind
        vowels = int(now[n:][fits].sum())
        found[before] = (int(fits.sum()) - vowels, vowels)
    return ChainCounts(found)


def write_chain(counts: ChainCounts, order: int, n: int, rng: torch.Generator) -> tuple[bool, ...]:
    """Draw vowels and consonants, each by the last `order` ones; a run that was never counted by a shorter one.

    `order`: int, 0, 1 or 2.
    """
    written: list[bool] = []
    for drawn in torch.rand(n, generator=rng).tolist():
        share = None
        for length in range(min(order, len(written)), -1, -1):
            share = counts.share(tuple(written[len(written) - length :]))
            if share is not None:
                break
        written.append(drawn < (share or 0.0))
    return tuple(written)


def spell(are_vowel: Sequence[bool], frequencies: Sequence[int], rng: torch.Generator) -> str:
    """Put a letter in the place of each vowel and consonant, as frequent as in a text.

    Parameters
    ----------
    are_vowel : sequence of bool
    frequencies : sequence of 26 int, how often each letter of `ALPHABET` came
    """
    weights = torch.tensor([float(count) for count in frequencies])
    of_kind = torch.tensor(are_vowels(ALPHABET))
    drawn = {
        kind: torch.multinomial(
            weights * (of_kind == kind), len(are_vowel), replacement=True, generator=rng
        ).tolist()
        for kind in (False, True)
    }
    return "".join(ALPHABET[drawn[kind][i]] for i, kind in enumerate(are_vowel))
