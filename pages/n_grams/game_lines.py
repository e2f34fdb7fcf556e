"""The lines of Shannon's game: the book's, or a secret one."""

from dataclasses import dataclass, field

from lm_core.errors import TextError
from lm_core.text.what_was_read import WhatWasRead, sentence_as_read
from pages.shared import page

ALPHABET = " abcdefghijklmnopqrstuvwxyz"
LINES = (
    "the old bridge was closed because the river had risen in the night",
    "nobody in the village could remember so cold a spring",
    "he wrote three letters before breakfast and burned two of them",
    "she counted the stars until the lamp in the window went out",
    "the train was late again so we talked about the harvest",
    "my sister keeps a button from every coat that she has worn",
)
"""Ours: no model has read them, and none has written them."""
OWN = "Your own"
LONGEST_LINE = 120
_SHORTEST_LINE = 12


def choose_game_line() -> str:
    """Draw which line is guessed, and return it; ours where an own one cannot be used."""
    number = page.choice(
        "game_line",
        "Line",
        [*range(1, len(LINES) + 1), OWN],
        format_func=lambda choice: choice if choice == OWN else f"Line {choice}",
        width=130,
    )
    if number != OWN:
        return LINES[int(number) - 1]
    typed = page.text(
        "game_own",
        "Your own line, for others to guess",
        LINES[0],
        type="password",
        max_chars=LONGEST_LINE,
        in_link=False,
        width=260,
        help="It may have letters and spaces. The link does not carry it, so it stays a secret.",
    )
    page.say_limits({"game_own": LONGEST_LINE})
    return page.read_and_say("game_own", typed, _read_secret, LINES[0])


def _read_secret(typed: str) -> tuple[str, WhatWasRead]:
    """Return a line, and what became of it in words that do not tell it."""
    line = readable_line(typed)
    notes = sentence_as_read(typed, line).notes
    return line, WhatWasRead((f"a line of {len(line)} letters and spaces",), notes)


def readable_line(raw: str) -> str:
    """Return a line in the game's 27 symbols.

    Raises TextError if it is too long, too short, or has other letters.
    """
    page.checked_text(raw, most=LONGEST_LINE, name="the line")
    line = " ".join("".join(c for c in raw.lower() if c.isalpha() or c.isspace()).split())
    foreign = sorted(set(line) - set(ALPHABET))
    if foreign:
        raise TextError(f"a line may have the letters a to z and spaces, got {' '.join(foreign)}")
    if len(line) < _SHORTEST_LINE:
        raise TextError(f"a line must have at least {_SHORTEST_LINE} letters, got {len(line)}")
    return line


GIVEN = 8  # letters at the beginning that need not be guessed


@dataclass
class Game:
    """How far a line has been guessed."""

    line: str
    tried: list[str] = field(default_factory=list)  # wrong guesses of the letter that is asked for
    guesses: list[int] = field(default_factory=list)  # guesses that each letter took

    @property
    def place(self) -> int:
        """Of the letter that is asked for."""
        return GIVEN + len(self.guesses)

    @property
    def is_over(self) -> bool:
        """Whether the line is known to its end."""
        return self.place == len(self.line)

    def guess(self, letter: str) -> None:
        """Take a guess; one that was tried before, or after the end, counts for nothing."""
        if self.is_over or letter in self.tried or letter not in ALPHABET:
            return
        if letter == self.line[self.place]:
            self.guesses.append(len(self.tried) + 1)
            self.tried = []
        else:
            self.tried.append(letter)
