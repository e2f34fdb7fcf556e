"""A page is a table of parts: what each draws, and the code behind it."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple

import streamlit as st

from lm_core.errors import LMCoreError
from lm_core.training.checkpoints import CheckpointMeta
from pages.shared.ui.controls import choose_part, is_presenting
from pages.shared.ui.first_screen import FirstScreen, first_screen
from pages.shared.ui.folds import draw_when_open
from pages.shared.ui.lesson import Sources, page_header, provenance, show_source, try_this
from pages.shared.ui.messages import show_error


class Part(NamedTuple):
    """A part of a page: one picture with its controls."""

    name: str  # as it is chosen and as links call it; a page of one part needs none
    draw: Callable[[FirstScreen], None]  # its controls, its picture and what is said of it
    code: Sources = ()  # the functions and classes to be read as the code behind it
    model: Callable[[], CheckpointMeta] | None = None  # whose provenance stands under it


def draw(
    address: str, lead: str, parts: Sequence[Part], *, picture: float = 2.6, beside: float = 1.0
) -> None:
    """Draw a page: title, choice of the part, that part, its code and what to try.

    An error raised on purpose, such as results that are missing, is said in place of the picture.

    Parameters
    ----------
    address : str, of the page, as the registry has it
    lead : str, one sentence under the title
    parts : sequence of Part, the first one is what the page opens on
    picture, beside : float, how the width of the first screen is shared out
    """
    page_header(address, lead)
    screen, shown = first_screen(picture, beside), parts[0]
    if len(parts) > 1:
        with screen.controls:
            chosen = choose_part([part.name for part in parts])
        shown = next(part for part in parts if part.name == chosen)
    try:
        meta = shown.model() if shown.model else None  # without its model nothing can be drawn
        shown.draw(screen)
        if meta:
            provenance(meta)
    except LMCoreError as error:
        with screen.picture:
            show_error(error)
    show_source(*shown.code)
    try_this(shown.name)


def below(
    title: str, key: str, draw: Callable[..., None], *given: object, icon: str = "functions"
) -> None:
    """Fold away under the first screen what is drawn once it is opened; nothing in the presenter view.

    Parameters
    ----------
    *given
        What it is called with.
    icon : str, one of Material's
    """
    if is_presenting():
        return
    fold = st.expander(title, icon=f":material/{icon}:", key=key, on_change="rerun")
    draw_when_open(fold, partial(draw, *given))
