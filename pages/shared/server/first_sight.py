"""What every page is told to load before it finds out by itself: the lab's fonts, and what most pages draw with.

Streamlit's front end learns from the first run's messages which parts it needs, and only then asks for
them: on a slow network that is a second in which nothing came, after which all comes at once.
"""

import hashlib
import json
import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache, partial
from pathlib import Path, PurePosixPath
from typing import Any

import streamlit

from pages.shared.server import fonts

PARTS = ("BidiComponent", "Html", "Button", "Selectbox", "Slider", "Radio", "ArrowVegaLiteChart")
"""Streamlit's names of what most pages draw with, in the order in which they come into sight."""

OWN_FOLDER = "lab-files"
_STATIC = Path(streamlit.__file__).with_name("static")
_SCRIPTS = tuple(
    Path(__file__).with_name(f"{name}.js") for name in ("front_end", "charts_in_sight")
)
_STREAMLITS_FONT = re.compile(r'<link\s+rel="preload"[^>]*\bas="font"[^>]*>')


def _named(name: str, content: bytes) -> str:
    """Return a name that changes with what the file holds, so that browsers may keep it for ever."""
    path = PurePosixPath(name)
    mark = hashlib.sha256(content).hexdigest()[:12]
    return f"{OWN_FOLDER}/{path.stem}.{mark}{path.suffix}"


def _style_sheet() -> Path:
    (path,) = (_STATIC / "static" / "css").glob("index.*.css")
    return path


@cache
def own_files() -> Mapping[str, tuple[str, bytes]]:
    """Return under which name each of the lab's own files is served, and what it holds."""
    paths = (*_SCRIPTS, *(fonts.FOLDER / face.file for face in fonts.FACES))
    contents = {path.name: path.read_bytes() for path in paths}
    return {name: (_named(name, content), content) for name, content in contents.items()}


def styles() -> bytes:
    """Return Streamlit's style sheet without the fonts that ours take the place of.

    A browser would fetch one of them whole for a single sign that neither has. The sheet keeps its name,
    by which Streamlit's scripts ask for it, too.
    """
    return fonts.without_replaced(_style_sheet().read_text(encoding="utf-8")).encode()


def served_files() -> dict[str, Callable[[], bytes]]:
    """Return what reads the files of every first visit: Streamlit's, whose names bear marks, and ours."""
    folders = (_STATIC / "static" / kind for kind in ("css", "js", "media"))
    theirs = (path for folder in folders for path in sorted(folder.iterdir()))
    return {
        **{_name(path): path.read_bytes for path in theirs},
        **{name: partial(bytes, content) for name, content in own_files().values()},
        _name(_style_sheet()): styles,
    }


def _name(path: Path) -> str:
    return path.relative_to(_STATIC).as_posix()


def _manifest() -> dict[str, Any]:
    known: dict[str, Any] = json.loads((_STATIC / "manifest.json").read_text(encoding="utf-8"))
    return known


def _with_imports(manifest: dict[str, Any], key: str, found: dict[str, None]) -> None:
    for imported in manifest[key].get("imports", []):
        if manifest[imported]["file"] not in found:
            found[manifest[imported]["file"]] = None
            _with_imports(manifest, imported, found)
    found[manifest[key]["file"]] = None


@cache
def early_scripts() -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the scripts that Streamlit's page names itself, and those that its parts need beside them."""
    manifest = _manifest()
    named: dict[str, None] = {}
    _with_imports(manifest, "index.html", named)
    found = dict(named)
    for part in PARTS:
        (key,) = (key for key in manifest if key.endswith(f"/{part}.tsx"))
        _with_imports(manifest, key, found)
    return tuple(named), tuple(name for name in found if name not in named)


def ahead() -> tuple[str, ...]:
    """Return the names of the files whose copies are made before anybody asks."""
    first, parts = early_scripts()
    return (*_served_scripts(), _name(_style_sheet()), *first, *parts)


def _served_scripts() -> tuple[str, ...]:
    return tuple(own_files()[path.name][0] for path in _SCRIPTS)


@cache
def script_tags() -> str:
    """Return the tags of our own scripts, which run before all others."""
    return "".join(f'<script src="./{name}"></script>' for name in _served_scripts())


def _original(face: fonts.Face) -> str:
    (path,) = (_STATIC / "static" / "media").glob(f"{face.original}.*.woff2")
    return _name(path)


@cache
def _head() -> str:
    return "".join(_head_lines())


def _head_lines() -> Iterator[str]:
    names = {name: f"./{served}" for name, (served, _) in own_files().items()}
    for face in fonts.FACES:
        if face.is_preloaded:
            yield (
                f'<link rel="preload" href="{names[face.file]}" as="font" type="font/woff2" crossorigin>'
            )
    originals = {face.file: f"./{_original(face)}" for face in fonts.FACES}
    yield f"<style>{fonts.style_sheet(names, originals)}</style>"
    for name in early_scripts()[1]:
        yield f'<link rel="modulepreload" crossorigin href="./{name}" fetchpriority="low">'


def with_first_sight(page: str) -> str:
    """Return Streamlit's page with our scripts before its own, our fonts for its own, and the parts to load."""
    page = _STREAMLITS_FONT.sub("", page, count=1)
    page = page.replace("<title>", f"{script_tags()}<title>", 1)
    return page.replace("</head>", f"{_head()}</head>", 1)
