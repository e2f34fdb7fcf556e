"""What a reader made of something that a visitor has brought, and what can be changed about it."""

from collections.abc import Callable

import pandas as pd
import streamlit as st

from lm_core.text.what_was_read import WhatWasRead
from pages.shared.ui.folds import is_open
from pages.shared.ui.markdown import escaped
from pages.shared.ui.text_input import Read, read_or_keep

INVISIBLE = "Leave out characters that cannot be seen"  # label of what asks for it
ABOUT_INVISIBLE = (
    "Soft hyphens, spaces without width, marks of direction: web pages and office programs hide them in"
    " texts. They are better left out, because a model would have to learn them. Spaces at which a line must"
    " not break become plain ones."
)


def show_what_was_read(
    read: WhatWasRead,
    name: str,
    change: Callable[[], None] | None = None,
    *,
    is_folded: bool = True,
) -> None:
    """Draw one line of what was understood and what was left out; the first rows lie folded under it.

    Parameters
    ----------
    name : str, unique on the page
    change : callable, draws the controls by which a visitor says what was assumed wrongly
    is_folded : bool, not inside a popover, which cannot hold another: there the rows are drawn at once
    """
    with st.container(key=f"{name}_was_read", gap="small"):
        st.caption(escaped(" ".join([read.line, *read.notes])))
        if read.preview and not is_folded:
            _preview(read.preview)
        if not is_folded or not (read.preview or change):
            return
        fold = st.popover(
            "What was read", icon=":material/fact_check:", key=f"{name}_preview", on_change="rerun"
        )
    if is_open(fold):
        with fold:
            if read.preview:
                _preview(read.preview)
            if change is not None:
                change()


def show_what_was_changed(read: WhatWasRead, name: str) -> None:
    """Draw the line of a typed text if something was left out or changed: a plain one needs no words."""
    if read.notes:
        show_what_was_read(read, name)


def read_and_say(
    name: str, typed: str, read: Callable[[str], tuple[Read, WhatWasRead]], start: str
) -> Read:
    """Read what was typed, as `read_or_keep` does, and say what of it was left out or changed.

    Of the text that the page begins with nothing is said, because the page speaks of it anyway.

    Parameters
    ----------
    name, typed, start : str, as for `read_or_keep`
    read : callable, returns what it read, and what became of the text
    """
    found, was_read = read_or_keep(name, typed, read, start)
    if typed != start:
        show_what_was_changed(was_read, name)
    return found


def _preview(rows: tuple[tuple[str, ...], ...]) -> None:
    names, *first = rows
    st.caption("The first rows, as they were read:")
    st.dataframe(pd.DataFrame(first, columns=list(names)), hide_index=True, height="content")
