"""What every page is told to load before it finds out by itself: the lab's fonts, and what most pages draw with.

Streamlit's front end learns from the first run's messages which parts it needs, and only then asks for
them: on a slow network that is a second in which nothing came, after which all comes at once. Asked for
from the start, they would take the network from the scripts without which nothing runs: so the page holds
them in a template, and `front_end.js` asks for them once those scripts have come.
"""

import hashlib
import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache, partial
from pathlib import Path, PurePosixPath

from pages.shared.server import fonts
from pages.shared.server.streamlit_inside import front_end_files
from pages.shared.server.streamlit_inside.reliances import OWN_FONTS, is_on

OWN_FOLDER = "lab-files"
_LATER = "lab-later"  # as front_end.js calls it
_SCRIPTS = tuple(
    Path(__file__).with_name(f"{name}.js")
    for name in ("front_end", "picture_first", "charts_in_sight")
)
_STREAMLITS_FONT = re.compile(r'<link\s+rel="preload"[^>]*\bas="font"[^>]*>')


def _named(name: str, content: bytes) -> str:
    """Return a name that changes with what the file holds, so that browsers may keep it for ever."""
    path = PurePosixPath(name)
    mark = hashlib.sha256(content).hexdigest()[:12]
    return f"{OWN_FOLDER}/{path.stem}.{mark}{path.suffix}"


@cache
def own_files() -> Mapping[str, tuple[str, bytes]]:
    """Return under which name each of the lab's own files is served, and what it holds."""
    paths = (*_SCRIPTS, *(fonts.FOLDER / name for name in fonts.files()))
    contents = {path.name: path.read_bytes() for path in paths}
    return {name: (_named(name, content), content) for name, content in contents.items()}


def styles() -> bytes:
    """Return Streamlit's style sheet without the fonts that ours take the place of.

    A browser would fetch one of them whole for a single sign that neither has. The sheet keeps its name,
    by which Streamlit's scripts ask for it, too.
    """
    theirs = front_end_files.theirs()[front_end_files.style_sheet()]
    return fonts.without_replaced(theirs.read_text(encoding="utf-8")).encode()


def served_files() -> dict[str, Callable[[], bytes]]:
    """Return what reads the files of every first visit: Streamlit's, whose names bear marks, and ours."""
    return {
        **{name: path.read_bytes for name, path in front_end_files.theirs().items()},
        **{name: partial(bytes, content) for name, content in own_files().values()},
        **({front_end_files.style_sheet(): styles} if is_on(OWN_FONTS) else {}),
    }


def ahead() -> tuple[str, ...]:
    """Return the names of the files whose copies are made before anybody asks."""
    first, parts = front_end_files.early_scripts()
    sheet = (front_end_files.style_sheet(),) if is_on(OWN_FONTS) else ()
    return (*_served_scripts(), *sheet, *first, *parts)


def _served_scripts() -> tuple[str, ...]:
    return tuple(own_files()[path.name][0] for path in _SCRIPTS)


@cache
def script_tags() -> str:
    """Return the tags of our own scripts, which run before all others."""
    return "".join(f'<script src="./{name}"></script>' for name in _served_scripts())


@cache
def _head() -> str:
    return "".join(_head_lines())


def _head_lines() -> Iterator[str]:
    if is_on(OWN_FONTS):
        originals = {face.file: f"./{front_end_files.font(face.original)}" for face in fonts.FACES}
        yield f"<style>{fonts.style_sheet(_font_addresses(), originals)}</style>"
    yield f'<template id="{_LATER}">'
    if is_on(OWN_FONTS):
        for face in fonts.FACES:
            if face.is_preloaded:
                address = _font_addresses()[face.file]
                yield f'<link rel="preload" href="{address}" as="font" type="font/woff2" crossorigin>'
    for name in front_end_files.early_scripts()[1]:
        yield f'<link rel="modulepreload" crossorigin href="./{name}" fetchpriority="low">'
    yield "</template>"


def _font_addresses() -> dict[str, str]:
    return {name: f"./{served}" for name, (served, _) in own_files().items()}


def with_first_sight(page: str) -> str:
    """Return Streamlit's page with our scripts before its own, our fonts for its own, and the parts to load."""
    if is_on(OWN_FONTS):
        page = _STREAMLITS_FONT.sub("", page, count=1)
    page = page.replace("<title>", f"{script_tags()}<title>", 1)
    return page.replace("</head>", f"{_head()}</head>", 1)
