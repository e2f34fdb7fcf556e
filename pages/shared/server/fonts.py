"""The lab's fonts: Streamlit's, cut down to the letters and icons that are used.

`tests/make_fonts.py` makes them. Each is declared for the letters that it holds, and Streamlit's for those
alone that it has beside them: a browser asks for that one only where such a letter comes, and for neither
where a sign comes that no font has.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby

from lm_core.assets import ASSETS

FOLDER = ASSETS / "fonts"
INDEX = FOLDER / "fonts.json"
_DECLARATION = re.compile(r"@font-face\{[^}]*\}")


@dataclass(frozen=True)
class Face:
    """One font of a family."""

    # file and original: the lab's file, and the beginning of the name of Streamlit's
    file: str
    original: str
    # family and style: as Streamlit's style sheet calls it
    family: str
    style: str = "normal"
    is_preloaded: bool = False  # whether every page needs it for its first sight
    holds_icons: bool = False  # each icon is drawn where its name is written


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
    """Return the icons, or the letters and those that Streamlit's font has beside them, of each file."""
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


def style_sheet(addresses: Mapping[str, str], originals: Mapping[str, str]) -> str:
    """Return the faces' declarations, with the addresses of the lab's files and of Streamlit's."""
    return "".join(_declarations(addresses, originals))


def _declarations(addresses: Mapping[str, str], originals: Mapping[str, str]) -> Iterator[str]:
    known = held()
    for face in FACES:
        if face.holds_icons:
            yield _declaration(face, addresses[face.file], "400", "block")
        else:
            files = {"others": originals[face.file], "letters": addresses[face.file]}
            for kind, address in files.items():
                letters = f"unicode-range:{unicode_range(known[face.file][kind])};"
                yield _declaration(face, address, "100 900", "swap", letters)


def _declaration(face: Face, address: str, weight: str, display: str, letters: str = "") -> str:
    return (
        f"@font-face{{font-family:{face.family};font-style:{face.style};font-weight:{weight};"
        f"font-display:{display};src:url({address})format('woff2');{letters}}}"
    )


def without_replaced(styles: str) -> str:
    """Return Streamlit's style sheet without the declarations of the fonts that ours take the place of."""
    originals = tuple(f"/{face.original}." for face in FACES)
    return _DECLARATION.sub(
        lambda rule: "" if any(name in rule[0] for name in originals) else rule[0], styles
    )
