"""The lab's fonts: Streamlit's, cut down to the letters and icons that are used.

`tests/make_fonts.py` makes them. A face lies in several files: one with the letters that every page shows,
and others for signs and for other languages. Each is declared for the letters that it holds, and Streamlit's for
those alone that it has beside them: a browser asks for a file only where one of its letters comes, and for
none where a sign comes that no font has.
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

    # file and original: the lab's file that comes first, and the beginning of the name of Streamlit's
    file: str
    original: str
    # family and style: as Streamlit's style sheet calls it
    family: str
    style: str = "normal"
    is_preloaded: bool = False  # whether every page needs that file for its first sight
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


@dataclass(frozen=True)
class Held:
    """What the lab's files of a face hold, and what only Streamlit's font has beside it."""

    letters: dict[str, str]  # by file; of icons, the signs that spell their names
    others: str = ""
    icons: tuple[str, ...] = ()


def held() -> dict[str, Held]:
    """Return what each face holds, by its first file."""
    known = json.loads(INDEX.read_text(encoding="utf-8"))
    return {file: Held(**found) for file, found in known.items()}


def files() -> tuple[str, ...]:
    """Return the names of all files."""
    return tuple(file for found in held().values() for file in found.letters)


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
            continue
        letters_at = {addresses[file]: own for file, own in known[face.file].letters.items()}
        for address, own in ({originals[face.file]: known[face.file].others} | letters_at).items():
            letters = f"unicode-range:{unicode_range(own)};"
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
