"""The lab's fonts: Streamlit's, cut down to the letters and icons that are used.

`tests/make_fonts.py` makes them. A face is declared again under Streamlit's own name, after it: a browser
takes the later one for the letters that it names, and asks for Streamlit's only where another comes.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby

from lm_core.assets import ASSETS

FOLDER = ASSETS / "fonts"
INDEX = FOLDER / "fonts.json"


@dataclass(frozen=True)
class Face:
    """One font of a family.

    Attributes
    ----------
    file, original : str
        The lab's file, and the beginning of the name of Streamlit's.
    family, style : str
        As Streamlit's style sheet calls it.
    is_preloaded : bool
        Whether every page needs it for its first sight.
    holds_icons : bool
        Each icon is drawn where its name is written.
    """

    file: str
    original: str
    family: str
    style: str = "normal"
    is_preloaded: bool = False
    holds_icons: bool = False


FACES = (
    Face("sans.woff2", "SourceSansVF-Upright.ttf", "Source Sans", is_preloaded=True),
    Face("headings.woff2", "SourceSerifVariable-Roman.ttf", "Source Serif", is_preloaded=True),
    Face(
        "icons.woff2",
        "MaterialSymbols-Rounded",
        "Material Symbols Rounded",
        is_preloaded=True,
        holds_icons=True,
    ),
    Face("sans-italic.woff2", "SourceSansVF-Italic.ttf", "Source Sans", "italic"),
    Face("code.woff2", "SourceCodeVF-Upright.ttf", "Source Code Pro"),
)


def held() -> dict[str, dict[str, str | list[str]]]:
    """Return the letters, or the icons, of each file."""
    known: dict[str, dict[str, str | list[str]]] = json.loads(INDEX.read_text(encoding="utf-8"))
    return known


def unicode_range(letters: Iterable[str]) -> str:
    """Return how a style sheet names letters.

    Examples
    --------
    >>> unicode_range("abcz")
    'U+61-63,U+7A'
    """
    codes = enumerate(sorted(map(ord, letters)))
    runs = ([code for _, code in run] for _, run in groupby(codes, lambda pair: pair[1] - pair[0]))
    return ",".join(
        f"U+{run[0]:X}" if len(run) == 1 else f"U+{run[0]:X}-{run[-1]:X}" for run in runs
    )


def style_sheet(addresses: Mapping[str, str]) -> str:
    """Return the faces' declarations, with the address of each file."""
    return "".join(_declarations(addresses))


def _declarations(addresses: Mapping[str, str]) -> Iterator[str]:
    known = held()
    for face in FACES:
        # Of the icons, nothing is left to Streamlit's file: their letters are everywhere.
        weight = "400" if face.holds_icons else "100 900"
        display = "block" if face.holds_icons else "swap"
        letters = known[face.file].get("letters")
        covered = f"unicode-range:{unicode_range(letters)};" if letters else ""
        yield (
            f"@font-face{{font-family:{face.family};font-style:{face.style};font-weight:{weight};"
            f"font-display:{display};src:url({addresses[face.file]})format('woff2');{covered}}}"
        )
