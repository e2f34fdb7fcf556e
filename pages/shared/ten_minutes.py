"""How each page is taught in ten minutes: `ten_minutes.toml` beside it, three steps for those who teach.

A step is a suggestion of the page, whose answer is what to say, with what is likely to be said wrongly::

    ["Move the spectral radius to 1.1. What becomes of a gradient?"]
    wrong = "It shrinks."
    why = "Each step multiplies it by 1.1, so ..."
"""

import tomllib
from functools import cache
from pathlib import Path
from typing import NamedTuple

from pages.shared.registry import page_at
from pages.shared.suggestions import suggestions_of

_ROOT = Path(__file__).parents[2]
MINUTES = (3, 4, 3)
"""Of the steps."""


class TeachingStep(NamedTuple):
    """A step of ten minutes, all of it in Markdown."""

    part: str  # of the page; empty where it has one alone
    question: str
    say: str
    wrong: str  # an answer that is likely to be given
    why: str  # it is wrong


@cache
def teaching_steps(address: str) -> tuple[TeachingStep, ...]:
    """Return the steps of a page; none where it is no page to learn from."""
    file = (_ROOT / page_at(address).path).with_name("ten_minutes.toml")
    steps = tomllib.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
    suggested = {
        suggestion.text: (part, *suggestion)
        for part, suggestions in suggestions_of(address).items()
        for suggestion in suggestions
    }
    return tuple(TeachingStep(*suggested[text], **step) for text, step in steps.items())
