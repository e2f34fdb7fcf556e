"""A visitor's own table on the page: handed in, told what was read of it, and read again as they say."""

import contextlib
import json
from functools import partial

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from lm_core.errors import LMCoreError
from pages.shared.clustering.separated_cells import MOST_ROWS, SEPARATORS
from pages.shared.clustering.uploaded_table import (
    LARGEST_BYTES,
    NOTHING,
    Assumed,
    Table,
    is_workbook,
    read_table,
)
from pages.shared.clustering.written_numbers import DECIMAL_MARKS
from pages.shared.models.strangers_work import read_bounded
from pages.shared.turns import page_turns
from pages.shared.ui.encodings import encoding_titles
from pages.shared.ui.kept import FOR_YOU_ALONE, forget, keep, recall
from pages.shared.ui.markdown import escaped
from pages.shared.ui.messages import show_error
from pages.shared.ui.most_megabytes import most_megabytes
from pages.shared.ui.what_was_read import show_what_was_read

_TABLE, _KEPT = "clusters_own_table", "clustering.own_table"
_CONTENT = "clusters_own_table_content"
_ASSUMED, _ASSUMED_KEPT = "clusters_own_table_assumed", "clustering.own_table_assumed"
_IS_NEW = "clusters_own_table_is_new"
_FOUND_OUT = "found out"
_MISSING = ("0", "-1", "-9", "99", "999", "9999")
"""What is offered as a mark of missing numbers; others can be typed."""
_EXAMPLE = """length,width
1.2,3.4
1.0,3.1
1.5,3.0
0.8,3.6
1.3,2.7
4.8,0.9
5.1,1.2
4.5,0.7
4.9,1.6
5.4,0.8
3.1,4.9
2.8,5.3
3.4,5.1"""
"""On screen until a visitor hands in a table, to show what one looks like."""


def own_table(place: DeltaGenerator) -> tuple[Table, bool]:
    """Ask for a table; return what the visitor has handed in, or the example and that it is one.

    `place`: DeltaGenerator, where it is asked for until there is one, and where it is told what was read of it.
    """
    kept = _kept_table()
    with place if kept is None else st.container():
        _ask()
        if kept is not None:
            st.button("Forget this table", key="own_table_forget", on_click=_forget_table)
    if kept is None:
        return read_table(_EXAMPLE), True
    with place:
        show_what_was_read(kept.read, "own_table", partial(_change, kept))
    # The form is gone, and the line may lie above the screen.
    if st.session_state.pop(_IS_NEW, False):
        st.toast(escaped(kept.read.line))
    return kept, False


def _kept_table() -> Table | None:
    """Return the visitor's table, also if they handed it in before a reload."""
    if _TABLE not in st.session_state and (content := recall(_KEPT)) is not None:
        if (assumed := recall(_ASSUMED_KEPT)) is not None:
            st.session_state[_ASSUMED] = Assumed(*json.loads(assumed))
        with contextlib.suppress(LMCoreError):  # another version of the lab could read it
            st.session_state[_TABLE] = _read(content, _assumed())
            st.session_state[_CONTENT] = content
    table: Table | None = st.session_state.get(_TABLE)
    return table


def _assumed() -> Assumed:
    """Return what the visitor has said about their table."""
    assumed: Assumed = st.session_state.get(_ASSUMED, NOTHING)
    return assumed


def _read(content: bytes | str, assumed: Assumed) -> Table:
    if is_workbook(content):
        return read_table(content, assumed, read_bounded)
    with page_turns.lent():
        return read_table(content, assumed)


def _forget_table() -> None:
    for name in (_KEPT, _ASSUMED_KEPT):
        forget(name)
    for key in (_TABLE, _CONTENT, _ASSUMED):
        st.session_state.pop(key, None)


def _ask() -> None:
    """Draw the two ways in; a table that cannot be read changes nothing but for a message."""
    st.caption(
        "One line for each point, as Excel and other programs save or copy it: a workbook, or numbers"
        f" separated by tabs, semicolons, commas, bars or spaces. At most {MOST_ROWS:,} lines and"
        f" {LARGEST_BYTES / 1e6:g} MB. A column named *label*, *class*, *species*, *target* or *group*"
        f" holds the true groups. {FOR_YOU_ALONE}"
    )
    with st.form("own_table", border=False):
        pasted = st.text_area("Table", key="own_table_text", placeholder=_EXAMPLE, height=130)
        uploaded = st.file_uploader(
            "or a file", key="own_table_file", max_upload_size=most_megabytes(LARGEST_BYTES)
        )
        titles = encoding_titles(*([uploaded.getvalue()] if uploaded else []))
        encoding = _choice("Encoding of the file", "own_table_encoding", titles, "")
        if not st.form_submit_button("Use this table", type="primary", key="own_table_use"):
            return
    content = uploaded.getvalue() if uploaded else pasted
    _use(content, NOTHING._replace(encoding=encoding))


def _change(table: Table) -> None:
    """Draw what was assumed, to be changed; the table is read again as the visitor says."""
    assumed = _assumed()
    with st.form("own_table_assumed", border=False):
        encoding, separator, sheet = assumed.encoding, assumed.separator, assumed.sheet
        if table.sheets:
            sheet = _choice("Sheet", "own_table_sheet", {s: s for s in table.sheets}, sheet)
        else:
            content = st.session_state[_CONTENT]
            titles = encoding_titles(*([content] if isinstance(content, bytes) else []))
            encoding = _choice("Encoding", "own_table_read_as", titles, encoding)
            separator = _choice("Cells are separated by", "own_table_cells", SEPARATORS, separator)
        decimal = _choice("Decimals follow a", "own_table_decimal", DECIMAL_MARKS, assumed.decimal)
        missing = st.multiselect(
            "Also missing are cells that hold",
            dict.fromkeys([*_MISSING, *assumed.missing.split()]),
            default=assumed.missing.split(),
            accept_new_options=True,
            key="own_table_missing",
        )
        if not st.form_submit_button("Read it again", key="own_table_again"):
            return
    _use(
        st.session_state[_CONTENT], Assumed(encoding, separator, decimal, " ".join(missing), sheet)
    )


def _choice(label: str, key: str, titles: dict[str, str], chosen: str) -> str:
    """Draw a choice between what is found out and some settings, and return the setting or nothing."""
    options = ["", *titles]
    return str(
        st.selectbox(
            label,
            options,
            options.index(chosen) if chosen in options else 0,
            format_func=lambda option: titles.get(option, _FOUND_OUT),
            key=key,
        )
    )


def _use(content: bytes | str, assumed: Assumed) -> None:
    """Read a table and keep it, or say why it cannot be read."""
    try:
        table = _read(content, assumed)
    except LMCoreError as error:
        show_error(error)
        return
    st.session_state.update({_TABLE: table, _CONTENT: content, _ASSUMED: assumed, _IS_NEW: True})
    keep(_KEPT, content if isinstance(content, bytes) else content.encode())
    keep(_ASSUMED_KEPT, json.dumps(assumed).encode())
    st.rerun()  # the fold closes, and the points appear under it
