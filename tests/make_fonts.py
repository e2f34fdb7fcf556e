"""Make the fonts of `assets/fonts` from those that Streamlit brings: `python -m tests.make_fonts`.

Streamlit's fonts hold every letter and icon that anybody's app might want: 1.1 MB of a first visit. The
lab's hold the letters of its own texts and the icons that it or Streamlit's front end names; what most
pages show lies in a file of its own. A browser asks for Streamlit's file only where a letter comes that the
lab's lack.

Run it after a new icon, a new letter or a new version of Streamlit; `tests/pages/shared/test_fonts.py`
says when.
"""

import io
import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from pathlib import Path

import streamlit
from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont
from fontTools.varLib.instancer import instantiateVariableFont

from pages.shared.server.fonts import FACES, FOLDER, INDEX, Face, Held

ROOT = Path(__file__).parents[1]
STATIC = Path(streamlit.__file__).with_name("static") / "static"
TEXTS = {".css", ".html", ".js", ".md", ".py", ".toml", ".txt"}
ALWAYS = "".join(map(chr, [*range(0x20, 0x7F), *range(0xA0, 0x100), *range(0x391, 0x3CA)]))
"""English, the languages of Western Europe, and Greek."""
EVERYWHERE = "".join(map(chr, range(0x20, 0x7F))) + "\u00a0\u202f·−×“”‘’…±²–—→←"
"""What most pages show at first sight."""
OF_FORMULAS = "αβγδεζηθικλμνξοπρςστυφχψω"
"""Letters that stand beside signs; all others are those of other languages."""
ICON = re.compile(r":material/([a-z0-9_]+):")
ASSEMBLED = re.compile(r":material/\{|page\.(button|below)\(")
"""In a program that builds the names of icons from words, each word that names one counts as used."""
WORD = re.compile(r'"([a-z0-9_]+)"')
NOT_IN_THE_FONT = frozenset({"star_filled", "name"})
"""What Streamlit draws as a picture, and what a docstring names in place of any."""
PINNED: dict[str, dict[str, float]] = {"Source Serif": {"wght": 600, "opsz": 28}}
"""Headings alone are in serif, all of one weight and of about one size."""


def texts() -> Iterator[str]:
    """Yield every text from which a page may show a letter or an icon."""
    for place in ("app.py", "pages", "lm_core", "assets/lessons", ".streamlit"):
        path = ROOT / place
        for file in [path] if path.is_file() else sorted(path.rglob("*")):
            if file.suffix in TEXTS and file.is_file():
                yield file.read_text(encoding="utf-8")


def letters_used() -> set[str]:
    """Return the letters that the lab's texts use."""
    return set(ALWAYS).union(*texts())


def icons_used() -> set[str]:
    """Return the icons that the lab's texts and Streamlit's front end name."""
    scripts = (file.read_text(encoding="utf-8") for file in sorted((STATIC / "js").glob("*.js")))
    named = {icon for text in (*texts(), *scripts) for icon in ICON.findall(text)}
    words = {word for text in texts() if ASSEMBLED.search(text) for word in WORD.findall(text)}
    (icons,) = (face for face in FACES if face.holds_icons)
    return named | (words & icon_glyphs(original(icons)).keys())


def original(face: Face) -> TTFont:
    """Return Streamlit's font of a face."""
    (file,) = (STATIC / "media").glob(f"{face.original}.*.woff2")
    return TTFont(file, recalcTimestamp=False)


def icon_glyphs(font: TTFont) -> dict[str, str]:
    """Return the glyph of each icon of a font, by its name."""
    letters = {glyph: chr(code).lower() for code, glyph in font.getBestCmap().items()}
    found = {}
    for lookup in font["GSUB"].table.LookupList.Lookup:
        for table in lookup.SubTable:
            for first, ligatures in getattr(table, "ExtSubTable", table).ligatures.items():
                for ligature in ligatures:
                    word = "".join(letters.get(part, "?") for part in (first, *ligature.Component))
                    found[word] = ligature.LigGlyph
    return found


def _reduced(font: TTFont, letters: Iterable[str], glyphs: Iterable[str] = ()) -> TTFont:
    options = Options()
    options.layout_features = ["kern", "liga", "rlig", "mark", "ccmp", "locl", "tnum"]
    options.layout_closure = not glyphs  # else letters that spell an icon would bring it along
    options.hinting = False
    options.name_IDs = [0, 13, 14]  # whose it is, and its licence; not its name, which is reserved
    subsetter = Subsetter(options)
    subsetter.populate(unicodes=map(ord, letters), glyphs=glyphs)
    subsetter.subset(font)
    whole = io.BytesIO()
    font.flavor = None
    font.save(whole)  # what was left out is gone only from a font that is read again
    whole.seek(0)
    return TTFont(whole, recalcTimestamp=False)


def _save(font: TTFont, file: str) -> None:
    font.flavor = "woff2"
    font.save(FOLDER / file)


def make_icons(face: Face) -> Held:
    """Write the font of icons, and return what it holds."""
    font = original(face)
    glyphs = icon_glyphs(font)
    icons = sorted(icons_used() & glyphs.keys())
    letters = sorted({" ", *"".join(icons)})
    _save(_reduced(font, letters, [glyphs[icon] for icon in icons]), face.file)
    return Held({face.file: "".join(letters)}, icons=tuple(icons))


def make_letters(face: Face) -> Held:
    """Write the fonts of a face of letters, and return what they hold."""
    whole = {chr(code) for code in original(face).getBestCmap()}
    used = letters_used() & whole
    first = used & set(EVERYWHERE)
    languages = {c for c in used - first if c.isalpha() and c not in OF_FORMULAS}
    parts = {"": first, "-signs": used - first - languages, "-languages": languages}
    stem = face.file.removesuffix(".woff2")
    letters = {f"{stem}{end}.woff2": "".join(sorted(part)) for end, part in parts.items()}
    for file, part in letters.items():
        reduced = _reduced(original(face), part)
        if pinned := PINNED.get(face.family):
            reduced = instantiateVariableFont(reduced, pinned)
        _save(reduced, file)
    return Held(letters, "".join(sorted(whole - used)))


def main() -> None:
    """Make all of them, and the list of what they hold."""
    FOLDER.mkdir(exist_ok=True)
    held = {f.file: make_icons(f) if f.holds_icons else make_letters(f) for f in FACES}
    told = {file: asdict(found) for file, found in held.items()}
    INDEX.write_text(json.dumps(told, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    for found in held.values():
        for file in found.letters:
            print(f"{file}: {(FOLDER / file).stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
