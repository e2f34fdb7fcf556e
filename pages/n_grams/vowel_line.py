"""The line in which vowels are counted: one of ours, or the visitor's own."""

from dataclasses import replace

from lm_core.analysis.vowels import letters_of
from lm_core.errors import TextError
from lm_core.text.what_was_read import WhatWasRead, sentence_as_read
from pages.n_grams.game_lines import LINES, OWN
from pages.shared import page

LETTERS = 60  # to be counted
_SHORTEST, _LONGEST_LINE = 20, 200


def choose_line() -> str:
    """Draw the choice of a line, and return its letters."""
    number = page.choice(
        "vowel_line", "Line", {**{i + 1: f"Line {i + 1}" for i in range(len(LINES))}, 0: OWN}, width=120)  # fmt: skip
    if number:
        return letters_of(LINES[number - 1] + LINES[number % len(LINES)])[:LETTERS]
    first = LINES[0]
    typed = page.text("vowel_own", "Your own line", first, max_chars=_LONGEST_LINE, width=260)
    return page.read_and_say("vowel_own", typed, _own, first)


def _own(typed: str) -> tuple[str, WhatWasRead]:
    letters = letters_of(page.checked_text(typed, most=_LONGEST_LINE, name="the line"))
    if len(letters) < _SHORTEST:
        raise TextError(
            f"a line to count in has at least {_SHORTEST} letters a to z, this one has {len(letters)}"
        )
    read = sentence_as_read(typed, letters)
    if len(letters) > LETTERS:
        cut = f"Only its first {LETTERS} letters are counted, of {len(letters)}."
        read = replace(read, notes=(*read.notes, cut))
    return letters[:LETTERS], read
