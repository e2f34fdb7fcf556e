"""Which text is read, letter by letter, and by a reservoir of which radius."""

from typing import NamedTuple

from lm_core.analysis.surprisal import readable_text
from lm_core.errors import TextError
from lm_core.experiments.reservoir_computing.study import RADII
from lm_core.text.character_vocabulary import SOURCE
from lm_core.text.what_was_read import WhatWasRead, sentence_as_read
from pages.shared import page

_TEXT = (
    "The prince looked at the countess and said nothing. She took off her gloves, sat down by the window, and"
    " began to weep. At that moment her telephone rang."
)
_FIELD, _LONGEST = "letters_text", 500
FIRST_RADIUS = 0.3


class Read(NamedTuple):
    """A spectral radius and a text."""

    radius: float
    text: str


def choose_letters(screen: page.FirstScreen) -> Read:
    """Draw the choice of a spectral radius and the field for a text, and return them."""
    with screen.controls:
        radius = page.pick(
            "letters_radius",
            "Spectral radius λ",
            RADII,
            FIRST_RADIUS,
            format_func=lambda value: f"{value:g}",
            width=190 if page.is_presenting() else 150,  # its name in one line
        )
        typed = page.text(_FIELD, "Your text", _TEXT, max_chars=_LONGEST, width=300)
        page.say_limits({_FIELD: _LONGEST})
    with screen.beside:
        return Read(float(radius), page.read_and_say(_FIELD, str(typed), _read, _TEXT))


def _read(raw: str) -> tuple[str, WhatWasRead]:
    text = _checked(raw)
    return text, sentence_as_read(raw, text, SOURCE)


def _checked(raw: str) -> str:
    text = readable_text(page.checked_text(raw, most=_LONGEST), SOURCE).strip()
    if len(text) < 2:
        raise TextError(
            f"the networks read {len(text)} of these {len(raw):,} characters: type some English words"
        )
    return text
