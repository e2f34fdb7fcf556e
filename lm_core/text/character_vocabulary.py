"""Character vocabularies: which characters a model knows, and how a raw text is reduced to them.

Two vocabularies serve the book. `SOURCE` repeats the published tokenizer (everything but
letters, digits and `` -.;,!?`` is deleted, runs of line breaks and of spaces become one space) and
is the yardstick on which all losses are compared. `FULL` keeps what makes prose read well: quotes,
apostrophes, accents folded to their base letter, and line breaks.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from lm_core.text.normalisation import Normaliser, Rule

UNKNOWN = "<unk>"
"""Has id 0 in every vocabulary, for a character that the vocabulary does not hold."""

_SOURCE_CHARACTERS = " !,-.0123456789;?ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
_FULL_CHARACTERS = "\n" + "".join(sorted(_SOURCE_CHARACTERS + "\"'():"))
_PLAIN = {
    "“": '"',
    "”": '"',
    "‘": "'",
    "’": "'",
    "—": "--",
    "–": "-",
    "œ": "oe",
    "æ": "ae",
    "\t": " ",
}


def _plain(match: re.Match[str]) -> str:
    """Return a character in plain type, or the letter and the accents that it is made of."""
    return _PLAIN.get(match[0]) or unicodedata.normalize("NFKD", match[0])


def _rule(pattern: str, replacement: str | Callable[[re.Match[str]], str]) -> Rule:
    return Rule(re.compile(pattern), replacement)


normalise_source = Normaliser(
    _rule(r"[^A-Za-z0-9 \-.;,\n?!]", ""), _rule(r"\n+", " "), _rule(" {2,}", " ")
)
"""Reduce a text as the published tokenizer does."""

normalise_full = Normaliser(
    _rule(r"[^\x00-\x08\x0a-\x7f]", _plain),
    _rule(r" *\r?\n *", "\n"),
    _rule(r"\n{2,}", "\0"),
    _rule(r"\n", " "),
    _rule(r"\0", "\n"),
    _rule(f"[^{re.escape(_FULL_CHARACTERS)}]", ""),
    _rule(" {2,}", " "),
)
r"""Keep quotes, apostrophes and paragraphs; unwrap lines; fold accents to the base letter.

A single line break is only the printer's, and becomes a space; an empty line stays as one
``\n``, the end of a paragraph.
"""


@dataclass(frozen=True)
class CharacterVocabulary:
    """An ordered set of characters, and the normalisation that goes with it."""

    name: str
    """Unique; written into every checkpoint."""
    symbols: tuple[str, ...]
    """Symbol of each id; id 0 is `UNKNOWN`, all others are single characters here, and parts of
    words too in a `lm_core.text.vocabularies.SubwordVocabulary`."""
    normalise: Callable[[str], str]
    """Callable from str to str. Reduces a raw text before it is encoded."""

    def __len__(self) -> int:
        return len(self.symbols)

    @cached_property
    def _id_of_code_point(self) -> np.ndarray:
        """Id by code point; the last entry stands for all that lies beyond the vocabulary."""
        code_points = [ord(symbol) for symbol in self.symbols[1:]]
        table = np.zeros(max(code_points, default=-1) + 2, np.int64)
        table[code_points] = range(1, len(self))
        return table

    @cached_property
    def lengths(self) -> np.ndarray:
        """Characters of each symbol, int64 of shape (V,); 1 for `UNKNOWN`."""
        return np.array([1, *map(len, self.symbols[1:])])

    @property
    def unit(self) -> str:
        """What one symbol is called: ``character``, or ``token`` where some have several."""
        return "character" if self.lengths.max() == 1 else "token"

    @property
    def start_token(self) -> int | None:
        """The token that a model has read before every text, if it has one: the book's models have none."""
        return None

    def __contains__(self, character: str) -> bool:
        return character in self.symbols[1:]

    def known(self, ids: np.ndarray) -> np.ndarray:
        """Return for each id of shape (N,) whether it stands for a symbol, and not for `UNKNOWN`."""
        return ids != 0

    def encode(self, text: str) -> np.ndarray:
        """Return the ids of a text that is already normalised; unknown characters become 0.

        Returns
        -------
        ndarray of int64, shape (number of symbols,)
            One a character, unless the vocabulary has symbols of several.
        """
        code_points = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), "<u4")
        table = self._id_of_code_point
        return table[np.minimum(code_points, len(table) - 1)]

    def spell(self, ids: np.ndarray | Sequence[int]) -> list[str]:
        """Return the text of each id; id 0 is shown as the replacement character."""
        return [self.symbols[i] if i else "\N{REPLACEMENT CHARACTER}" for i in map(int, ids)]

    def decode(self, ids: np.ndarray | Sequence[int]) -> str:
        """Return the text of some ids; id 0 is shown as the replacement character."""
        return "".join(self.spell(ids))

    def prepare(self, text: str) -> "PreparedText":
        """Normalise and encode a visitor's text, and report what was lost on the way."""
        normalised = self.normalise(text)
        counts = Counter(unicodedata.normalize("NFC", text))
        dropped = {c: n for c, n in counts.items() if c not in self and not c.isspace()}
        return PreparedText(normalised, self.encode(normalised), dropped)


@dataclass(frozen=True)
class PreparedText:
    """What a vocabulary made of a raw text."""

    text: str
    """The text as the model reads it."""
    ids: np.ndarray
    """Ndarray of int64, shape (number of symbols,)."""
    dropped: dict[str, int]
    """Characters of the raw text that the vocabulary does not hold, with how often each was
    there. Most are deleted; an accented letter may have left its base letter behind, and an
    vocabulary made from a visitor's text reads them as `UNKNOWN`."""


SOURCE = CharacterVocabulary("source", (UNKNOWN, *_SOURCE_CHARACTERS), normalise_source)
FULL = CharacterVocabulary("full", (UNKNOWN, *_FULL_CHARACTERS), normalise_full)
