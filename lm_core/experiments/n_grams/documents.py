"""N-grams of a visitor's own documents, of words or characters: what came after, and in which document.

Nothing is estimated in advance: the places of a context are looked up, one of them is drawn, and what
follows there continues the text. So each n-gram is as probable as it is frequent, and each step knows
from where it comes.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
import regex
import torch

from lm_core.errors import TextError
from lm_core.text.separated_words import require_separated
from lm_core.text.what_was_read import WhatWasRead

MOST_DOCUMENTS, MOST_CHARACTERS = 6, 300_000
"""`MOST_CHARACTERS` of all documents together."""
_FEWEST_TOKENS = 20
_WORD = regex.compile(r"[\p{L}\p{M}\p{N}]+(?:['’-][\p{L}\p{M}\p{N}]+)*|[^\s\p{L}\p{M}\p{N}]|\n+")
"""Words of any script, signs one by one, and ends of lines."""
_WITHOUT_SPACE = regex.compile(r"[^\p{L}\p{M}\p{N}(\[“„«‘–—&]|\n+")


class Document(NamedTuple):
    """A text and what it is called."""

    name: str
    text: str


class Continuation(NamedTuple):
    """One token of a text that was continued."""

    symbol: str
    n: int
    """Length of the n-gram that it ends: less than asked for where nothing came after more tokens, or there were none."""
    documents: tuple[int, ...]
    """Numbers of all documents that hold this n-gram."""
    n_choices: int
    """How many different tokens came after its context."""


@dataclass(frozen=True)
class Documents:
    """Documents as tokens in one row."""

    names: tuple[str, ...]
    symbols: tuple[str, ...]
    ids: np.ndarray
    """Int64 of shape (N,)."""
    owner: np.ndarray
    """Int64 of shape (N,): the number of each token's document."""
    is_of_words: bool

    @classmethod
    def read(cls, documents: Sequence[Document], *, of_words: bool) -> "Documents":
        """Return documents in words of any script, or in characters.

        Raises
        ------
        TextError
            If there are too many or too long ones, too few tokens in them, or words that nobody separated.
        """
        n = sum(len(document.text) for document in documents)
        if not 1 <= len(documents) <= MOST_DOCUMENTS or n > MOST_CHARACTERS:
            raise TextError(
                f"there may be 1 to {MOST_DOCUMENTS} documents of {MOST_CHARACTERS:,} characters in all,"
                f" got {len(documents)} of {n:,}: leave some out or shorten them"
            )
        tokens = [split(document.text, of_words=of_words) for document in documents]
        if of_words:
            require_separated([token for some in tokens for token in some if token[0].isalnum()])
        if sum(map(len, tokens)) < _FEWEST_TOKENS:
            raise TextError(
                f"the documents must have at least {_FEWEST_TOKENS} words or signs to be counted, they"
                f" have {sum(map(len, tokens))}: add more of them"
            )
        symbols = tuple(dict.fromkeys(token for some in tokens for token in some))
        number = {symbol: i for i, symbol in enumerate(symbols)}
        ids = np.array([number[token] for some in tokens for token in some], np.int64)
        owner = np.repeat(np.arange(len(tokens)), [len(some) for some in tokens])
        names = tuple(document.name for document in documents)
        return cls(names, symbols, ids, owner, of_words)

    @cached_property
    def number_of(self) -> dict[str, int]:
        """Id of each symbol."""
        return {symbol: i for i, symbol in enumerate(self.symbols)}

    def places_after(self, context: Sequence[int]) -> np.ndarray:
        """Return the places of the tokens before which a context stands, all in one document.

        Examples
        --------
        >>> text = Documents.read([Document("a", "ab" * 10 + "c")], of_words=False)
        >>> text.places_after([text.number_of["a"], text.number_of["b"]]).tolist()[-1]
        20
        """
        n = len(context)
        found = self.owner[n:] == self.owner[: len(self.owner) - n]
        for k, symbol in enumerate(context):
            found &= self.ids[k : len(self.ids) - n + k] == symbol
        return np.flatnonzero(found) + n

    def continued(
        self, beginning: str, n: int, length: int, generator: torch.Generator
    ) -> Iterator[Continuation]:
        """Yield tokens that continue a text, each drawn from what came after the last n - 1.

        Parameters
        ----------
        beginning : str, only its end that the documents hold is looked at; it may be empty
        n : int, length of the n-grams; a shorter one is taken where nothing came after the context
        """
        before = split(beginning, of_words=self.is_of_words)
        read = [self.number_of.get(token, -1) for token in before]
        for _ in range(length):
            context = read[len(read) - min(n - 1, len(read)) :]
            places = self.places_after(context)
            while not len(places):
                context = context[1:]
                places = self.places_after(context)
            drawn = int(places[int(torch.randint(len(places), (), generator=generator))])
            symbol = int(self.ids[drawn])
            alike = places[self.ids[places] == symbol]
            yield Continuation(
                self.symbols[symbol],
                len(context) + 1,
                tuple(np.unique(self.owner[alike]).tolist()),
                len(np.unique(self.ids[places])),
            )
            read.append(symbol)


def split(text: str, *, of_words: bool) -> list[str]:
    """Return a text in words, signs and ends of lines, or in characters.

    Examples
    --------
    >>> split("Где она? Là-bas.", of_words=True)
    ['Где', 'она', '?', 'Là-bas', '.']
    """
    return _WORD.findall(text) if of_words else list(text)


def spaced(tokens: Sequence[str]) -> list[str]:
    """Return words with the spaces before them that people write.

    Examples
    --------
    >>> "".join(spaced(["Go", ",", "then", ".", "(", "no", ")"]))
    'Go, then. (no)'
    """
    pieces: list[str] = []
    for token in tokens:
        is_first = not pieces or pieces[-1].endswith(("\n", "(", "[", "“", "„", "«", "‘"))
        pieces.append(token if is_first or _WITHOUT_SPACE.fullmatch(token) else f" {token}")
    return pieces


def beginning_as_read(documents: Documents, beginning: str) -> WhatWasRead:
    """Return what a beginning is to these documents: their tokens, and others that nothing was counted after."""
    unit = "word" if documents.is_of_words else "character"
    tokens = split(beginning, of_words=documents.is_of_words)
    unknown = [token for token in tokens if token not in documents.number_of]
    notes: tuple[str, ...] = ()
    if unknown:
        several = f"{len(unknown)} {unit}s are in no document; the first is “{unknown[0]}”."
        one = f"1 {unit} is in no document: “{unknown[0]}”."
        notes = (
            one if len(unknown) == 1 else several,
            f"Nothing was counted after {'it' if len(unknown) == 1 else 'them'}, so only what follows"
            " is looked at.",
        )
    n = len(tokens)
    return WhatWasRead((f"a beginning of {n} {unit}{'' if n == 1 else 's'}",), notes)


def what_was_read(documents: Documents, notes: Sequence[str] = ()) -> WhatWasRead:
    """Return what was read of documents, for the visitor."""
    unit = "words and signs" if documents.is_of_words else "characters"
    n = len(documents.names)
    sizes = np.bincount(documents.owner, minlength=n).tolist()
    facts = (
        "1 document" if n == 1 else f"{n} documents",
        f"{len(documents.ids):,} {unit}, {len(documents.symbols):,} different ones",
    )
    rows = zip(documents.names, (f"{size:,}" for size in sizes), _begins(documents), strict=True)
    return WhatWasRead(facts, tuple(notes), (("document", unit, "begins"), *rows))


def _begins(documents: Documents) -> Iterator[str]:
    for number in range(len(documents.names)):
        tokens = [documents.symbols[i] for i in documents.ids[documents.owner == number][:60]]
        text = "".join(spaced(tokens) if documents.is_of_words else tokens)
        yield " ".join(text.split())[:60]
