"""Streamlit's front end as files: its page, its style sheet, and the scripts of its parts."""

import base64
import hashlib
import re
from functools import cache
from pathlib import Path

from pages.shared.server.streamlit_inside import reliances

_INLINE_SCRIPT = re.compile(r"<script>(.*?)</script>", re.DOTALL)


def inline_script_hashes() -> list[str]:
    """Return what a Content-Security-Policy calls the scripts within Streamlit's own page."""
    scripts = _INLINE_SCRIPT.findall((reliances.STATIC / "index.html").read_text(encoding="utf-8"))
    digests = (hashlib.sha256(script.encode()).digest() for script in scripts)
    return [f"'sha256-{base64.b64encode(digest).decode()}'" for digest in digests]


def theirs() -> dict[str, Path]:
    """Return the files whose names bear a mark of what they hold, by the names under which pages ask."""
    folders = (reliances.STATIC / "static" / kind for kind in ("css", "js", "media"))
    paths = (path for folder in folders if folder.exists() for path in sorted(folder.iterdir()))
    return {path.relative_to(reliances.STATIC).as_posix(): path for path in paths}


def style_sheet() -> str:
    """Return the name of Streamlit's style sheet."""
    return _only("static/css/index.*.css")


def font(original: str) -> str:
    """Return the name of the font of Streamlit's that begins so."""
    return _only(f"static/media/{original}.*.woff2")


def _only(pattern: str) -> str:
    (path,) = reliances.STATIC.glob(pattern)
    return path.relative_to(reliances.STATIC).as_posix()


@cache
def early_scripts() -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the scripts that Streamlit's page names itself, and those that its parts need beside them."""
    if not reliances.is_on(reliances.EARLY_PARTS):
        return (), ()
    named: dict[str, None] = {}
    _with_imports("index.html", named)
    found = dict(named)
    for part in reliances.PARTS:
        (key,) = (key for key in reliances.manifest() if key.endswith(f"/{part}.tsx"))
        _with_imports(key, found)
    return tuple(named), tuple(name for name in found if name not in named)


def _with_imports(key: str, found: dict[str, None]) -> None:
    part = reliances.manifest()[key]
    for imported in part.get("imports", []):
        if reliances.manifest()[imported]["file"] not in found:
            found[reliances.manifest()[imported]["file"]] = None
            _with_imports(imported, found)
    found[part["file"]] = None
