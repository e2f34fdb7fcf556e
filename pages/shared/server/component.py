"""Components of our own: what Streamlit does not draw. Each is three small files, no build step.

Streamlit sends a component's script and style sheet with each of its messages, ten thousand characters
and two thousand with every move. Ours lie together at an address of their own, from which a browser
fetches each once (`component_scripts`).
"""

import hashlib
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import streamlit as st

_FOLDER = Path(__file__).parents[1] / "components"
SCRIPTS: dict[str, bytes] = {}
"""What each registered component runs in the browser, by the name of its file."""
SCRIPT_PREFIX = "lab-component-"
"""Begins the name of each such file."""
_FETCHED = """
const script = new URL("./{file}?v={digest}", document.baseURI)
const {{ default: draw }} = await import(script)
export default draw
"""
"""The script that travels instead: the digest has a browser fetch each version anew, and keep it."""
_UNDRESSED = "export default function"
"""Begins the function by which each script draws."""
_DRESSED = """
{script}
const dressed = new WeakSet()

export default function (component) {{
  const root = component.parentElement
  if (!dressed.has(root)) {{
    const style = document.createElement("style")
    style.textContent = {style}
    root.append(style)
    dressed.add(root)
  }}
  return drawUndressed(component)
}}
"""
"""The script as it is fetched: what it draws into has its style sheet first."""


def component(name: str, *shared: str) -> Any:
    """Register the component whose files in `components` are ``NAME.html``, ``NAME.css`` and ``NAME.js``.

    Call it once per process, at the level of a module. Texts of visitors go in as data only, and
    its script sets them as ``textContent``.

    Parameters
    ----------
    *shared : str
        Names of style sheets and scripts of which its own make use; they are put before them. A
        part may have only one of the two.
    """
    html = _read(name, "html")
    css, js = ("\n".join(_parts(kind, (*shared, name))) for kind in ("css", "js"))
    fetched = _fetched(f"{SCRIPT_PREFIX}{name}.js", _dressed(js, css).encode())
    mount = st.components.v2.component(f"lm_lab_{name}", html=html, js=fetched)

    def draw(*, data: dict[str, Any], **settings: Any) -> Any:
        return mount(data={key: _as_sent(value) for key, value in data.items()}, **settings)

    return draw


def _dressed(script: str, style: str) -> str:
    """Return a script that brings its style sheet along."""
    undressed = script.replace(_UNDRESSED, "function drawUndressed")
    return _DRESSED.format(script=undressed, style=json.dumps(style))


def _fetched(file: str, script: bytes) -> str:
    """Offer a script to browsers under the name of a file, and return the one that fetches it."""
    SCRIPTS[file] = script
    return _FETCHED.format(file=file, digest=digest(script))


def digest(script: bytes) -> str:
    """Return what tells one version of a script from another."""
    return hashlib.sha256(script).hexdigest()[:16]


def _as_sent(value: Any) -> Any:
    """Return a list as a tuple: Streamlit looks for a table in each list, which takes longer than to send it."""
    return tuple(value) if isinstance(value, list) else value


def _parts(kind: str, names: Iterable[str]) -> list[str]:
    return [_read(name, kind) for name in names if (_FOLDER / f"{name}.{kind}").exists()]


def _read(name: str, ending: str) -> str:
    return (_FOLDER / f"{name}.{ending}").read_text(encoding="utf-8")
