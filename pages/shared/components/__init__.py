"""Components of our own: what Streamlit does not draw. Each is three small files, no build step."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import streamlit as st

_FOLDER = Path(__file__).parent


def component(name: str, *shared: str) -> Any:
    """Register the component whose files are ``NAME.html``, ``NAME.css`` and ``NAME.js`` here.

    Call it once per process, at the level of a module. Texts of visitors go in as data only, and
    its script sets them as ``textContent``.

    Parameters
    ----------
    name : str
    *shared : str
        Names of style sheets and scripts of which its own make use; they are put before them. A
        part may have only one of the two.
    """
    html = _read(name, "html")
    css, js = ("\n".join(_parts(kind, (*shared, name))) for kind in ("css", "js"))
    mount = st.components.v2.component(f"lm_lab_{name}", html=html, css=css, js=js)

    def draw(*, data: dict[str, Any], **settings: Any) -> Any:
        return mount(data={key: _as_sent(value) for key, value in data.items()}, **settings)

    return draw


def _as_sent(value: Any) -> Any:
    """Return a list as a tuple: Streamlit looks for a table in each list, which takes longer than to send it."""
    return tuple(value) if isinstance(value, list) else value


def _parts(kind: str, names: Iterable[str]) -> list[str]:
    return [_read(name, kind) for name in names if (_FOLDER / f"{name}.{kind}").exists()]


def _read(name: str, ending: str) -> str:
    return (_FOLDER / f"{name}.{ending}").read_text(encoding="utf-8")
