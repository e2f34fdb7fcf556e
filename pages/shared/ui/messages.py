"""What went wrong, where it went wrong: errors raised on purpose, as visitors see them."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import streamlit as st

from lm_core.assets import ASSETS
from lm_core.errors import LMCoreError
from lm_core.jobs.run_folder import home
from lm_core.settings import settings
from pages.shared.ui.markdown import escaped


@contextmanager
def errors_in_place() -> Iterator[None]:
    """Show an error raised on purpose in place of what is left of the block; the page goes on after it."""
    try:
        yield
    except LMCoreError as error:
        show_error(error)


def show_error(
    error: LMCoreError | str, draw: Callable[..., Any] = st.error, *, icon: str | None = None
) -> None:
    """Draw the message of an error, with nothing of it read as Markdown.

    Parameters
    ----------
    error : LMCoreError or str
        Or a message that was kept from an earlier run.
    draw : callable
        ``st.error``, ``st.warning`` or ``st.info``.
    icon : str, optional
    """
    draw(escaped(without_folders(str(error))), icon=icon)


def without_folders(message: str) -> str:
    """Return a message that names files without where this server keeps them."""
    named = {ASSETS: ASSETS.name, home() / "runs": "runs", home(): "LM_LAB_HOME"}
    named |= {settings().cache: "LM_LAB_CACHE"}
    if data := settings().data:
        named[data] = "LM_LAB_DATA"
    named[ASSETS.parent] = "."
    for folder, name in named.items():
        message = message.replace(str(folder.absolute()), name).replace(str(folder), name)
    return message
