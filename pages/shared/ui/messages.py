"""What went wrong, where it went wrong: errors raised on purpose, as visitors see them."""

import contextlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import streamlit as st

from lm_core.assets import ASSETS
from lm_core.errors import LMCoreError, SettingError
from lm_core.jobs.run_folder import home
from lm_core.settings import settings
from pages.shared.ui.markdown import escaped


@contextlib.contextmanager
def errors_in_place() -> Iterator[None]:
    """Show an error raised on purpose in place of what is left of the block; the page goes on after it."""
    try:
        yield
    except LMCoreError as error:
        show_error(error)


@contextlib.contextmanager
def errors_end_page() -> Iterator[None]:
    """Show an error raised on purpose, and end the page there: nothing below could be drawn without it."""
    try:
        yield
    except LMCoreError as error:
        show_error(error)
        st.stop()


def show_error(
    error: LMCoreError | str, draw: Callable[..., Any] = st.error, *, icon: str | None = None
) -> None:
    """Draw the message of an error, with nothing of it read as Markdown.

    Parameters
    ----------
    error : LMCoreError or str, or a message that was kept from an earlier run
    draw : callable, ``st.error``, ``st.warning``, ``st.info`` or ``st.caption``
    icon : str, not of a caption, which has none
    """
    settings = {} if icon is None else {"icon": icon}
    draw(escaped(without_folders(str(error))), **settings)


def without_folders(message: str) -> str:
    """Return a message that names files without where this server keeps them."""
    for folder, name in _folders().items():
        message = message.replace(str(folder.absolute()), name).replace(str(folder), name)
    return message


def _folders() -> dict[Path, str]:
    """Return how visitors know this server's folders, those within others first."""
    named = {ASSETS: ASSETS.name}
    with contextlib.suppress(SettingError):  # which is the message then, and names no folder
        environment = settings()
        named |= {home() / "runs": "runs", home(): "LM_LAB_HOME", environment.cache: "LM_LAB_CACHE"}
        if environment.data:
            named[environment.data] = "LM_LAB_DATA"
        if environment.pretrained:
            named[environment.pretrained] = "LM_LAB_PRETRAINED"
    return {**named, ASSETS.parent: "."}
