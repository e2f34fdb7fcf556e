"""Colours and labels that mean the same on every page."""

from collections.abc import Sequence

import numpy as np

BLUE, VERMILLION, GREEN, PURPLE, ORANGE = "#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00"
GREY = "#808080"
"""Of marks, seen on the light and on the dark background; too pale to write in, on either."""

SKY = "#56B4E9"
GROUPS = (BLUE, VERMILLION, GREEN, PURPLE, ORANGE, SKY, "#7F7F7F", "#B07AA1")
"""Of groups in their order; the first seven as in `.streamlit/config.toml`."""

GUESS = "your guess"  # what a visitor's guess is called, wherever it is drawn beside the truth

SIGNED = ("#08519c", "#6baed6", "#f4f4f4", "#f79646", "#a04a05")
"""From negative through zero to positive, as in `.streamlit/config.toml`."""

VIRIDIS = (
    "#440154", "#482878", "#3e4989", "#31688e", "#26828e", "#1f9e89", "#35b779", "#6ece58", "#b5de2b", "#fde725",
)  # fmt: skip
"""From nothing to the largest, as in `.streamlit/config.toml`."""

_VISIBLE = str.maketrans({" ": "·", "\n": "↵", "\t": "⇥"})


def inks_on(places: np.ndarray, colours: Sequence[str]) -> np.ndarray:
    """Return black or white for what is written on a colour, whichever is legible: a contrast of 4.5 at least.

    Parameters
    ----------
    places : ndarray, 0 to 1, where the colours lie on their scale
    colours : sequence of str
        The scale's, evenly from 0 to 1, with what lies between mixed in RGB (Vega does not by itself).

    Examples
    --------
    >>> inks_on(np.array([0.0, 0.5, 1.0]), SIGNED).tolist()
    ['#ffffff', '#000000', '#ffffff']
    """
    parts = np.array([[int(colour[i : i + 2], 16) for i in (1, 3, 5)] for colour in colours]) / 255
    stops = np.linspace(0.0, 1.0, len(colours))
    rgb = np.stack([np.interp(places, stops, part) for part in parts.T], axis=-1)
    linear = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
    luminance = linear @ np.array([0.2126, 0.7152, 0.0722])
    return np.where((luminance + 0.05) ** 2 > 1.05 * 0.05, "#000000", "#ffffff")


def is_dark(value: str, colours: Sequence[str], lowest: float = 0.0) -> str:
    """Return Vega's test of whether a value from `lowest` to 1 has a colour on which white is legible.

    Examples
    --------
    >>> is_dark("datum.share", ("#ffffff", "#000000"))
    '(datum.share >= 0.54 && datum.share <= 1)'
    >>> is_dark("datum.share", ("#ffffff", "#eeeeee"))
    'false'
    """
    places = np.linspace(0.0, 1.0, 501)
    is_white = inks_on(places, colours) == "#ffffff"
    edges = np.flatnonzero(np.diff(is_white, prepend=False, append=False))
    values = lowest + (1.0 - lowest) * places
    stretches = zip(values[edges[::2]], values[edges[1::2] - 1], strict=True)
    tests = [f"({value} >= {low:.4g} && {value} <= {high:.4g})" for low, high in stretches]
    return " || ".join(tests) or "false"  # of an empty test Vega draws nothing, without an error


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
