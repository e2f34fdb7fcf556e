"""A visitor's own table: pasted or uploaded, read at once, kept for the visit."""

import streamlit as st

from lm_core.errors import LMCoreError
from lm_core.experiments.clustering.tables import LARGEST_BYTES, MOST_ROWS, Table, read_table

_KEPT = "clusters_own_table"
_EXAMPLE = "length,width\n1.2,3.4\n1.0,3.1\n4.8,0.9"


def own_table() -> Table:
    """Return the table that the visitor has handed in; while there is none, ask for it and stop."""
    kept: Table | None = st.session_state.get(_KEPT)
    with st.expander("Your table", expanded=kept is None, icon=":material/table:"):
        _ask()
    kept = st.session_state.get(_KEPT)
    if kept is None:
        st.info("Paste or upload a table, and its points appear here.")
        st.stop()
    for note in kept.notes:
        st.caption(note)
    return kept


def _ask() -> None:
    """Draw the two ways in; a table that cannot be read changes nothing but for a message."""
    st.caption(
        f"A line for each point, its numbers separated by commas, semicolons or tabs; up to"
        f" {MOST_ROWS:,} lines and {LARGEST_BYTES / 1e6:g} MB. A column of words with at most ten"
        " different ones counts as the true groups. Nothing leaves this server."
    )
    with st.form("own_table", border=False):
        pasted = st.text_area("Table", key="own_table_text", placeholder=_EXAMPLE, height=130)
        uploaded = st.file_uploader(
            "or a file", type=["csv", "tsv", "txt"], key="own_table_file", max_upload_size=1
        )
        if not st.form_submit_button("Use this table", type="primary"):
            return
    try:
        st.session_state[_KEPT] = read_table(uploaded.getvalue() if uploaded else pasted)
    except LMCoreError as error:
        st.error(str(error))
    else:
        st.rerun()  # the fold closes, and the points appear under it
