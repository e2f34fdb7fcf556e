"""Colours and labels that mean the same on every page."""

from collections.abc import Sequence

BLUE, VERMILLION, GREEN, PURPLE, ORANGE = "#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00"
GREY = "#808080"
"""Legible on the light and on the dark background."""

SKY = "#56B4E9"
GROUPS = (BLUE, VERMILLION, GREEN, PURPLE, ORANGE, SKY, "#7F7F7F", "#B07AA1")
"""Of groups in their order; the first seven as in `.streamlit/config.toml`."""

GUESS = "your guess"
"""What a visitor's guess is called, wherever it is drawn beside the truth."""

SIGNED = ("#08519c", "#6baed6", "#f4f4f4", "#f79646", "#a04a05")
"""From negative through zero to positive, as in `.streamlit/config.toml`."""

_VISIBLE = str.maketrans({" ": "·", "\n": "↵", "\t": "⇥"})


def visible(text: str) -> str:
    r"""Return a text with its spaces and line breaks made visible.

    Examples
    --------
    >>> visible("a b\n")
    'a·b↵'
    """
    return text.translate(_VISIBLE)


def numbered(tokens: Sequence[str]) -> list[str]:
    """Return tokens with their position, so that repeated ones stay apart on an axis.

    Examples
    --------
    >>> numbered(["the", "cat", "the"])
    ['00 the', '01 cat', '02 the']
    """
    width = max(2, len(str(len(tokens) - 1)))
    return [f"{i:0{width}d} {visible(token)}" for i, token in enumerate(tokens)]
