"""How much of the server one visitor may use. Checked here, in Python, never only in a widget."""

from lm_core.errors import TextError

PROMPT_CHARACTERS = 2_000
"""Longest text a visitor may ask a model to continue."""

TEXT_CHARACTERS = 5_000
"""Longest text that a page shows character by character, prompt included."""

DRAWN_CHARACTERS = 1_000
"""So much of a text is drawn token by token for several tokenizers at once; all of it is counted."""

DRAWS = 10_000
"""Most draws from one distribution at a time."""


def checked_text(text: str, *, most: int, name: str = "the text") -> str:
    """Return the text if it is not longer than `most` characters.

    Raises
    ------
    TextError
        If it is longer; the message says by how much.
    """
    if len(text) > most:
        raise TextError(
            f"{name} may have at most {most:,} characters, got {len(text):,}: shorten it by"
            f" {len(text) - most:,}"
        )
    return text
