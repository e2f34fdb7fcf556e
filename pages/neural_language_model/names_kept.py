"""A visitor's own list of names: asked for, read, kept for the visit, and forgotten."""

from typing import Any

import streamlit as st

from lm_core.errors import LMCoreError
from lm_core.experiments.neural_language_model.own_names import (
    FEWEST_NAMES,
    MOST_NAMES,
    read_names,
)
from lm_core.text.file_limits import LIMITS
from lm_core.text.own_text import ENCODINGS, read_own_text
from pages.shared.turns import page_turns
from pages.shared.ui.encodings import encoding_titles
from pages.shared.ui.kept import FOR_YOU_ALONE, forget, keep_state, kept_state
from pages.shared.ui.messages import show_error
from pages.shared.ui.most_megabytes import most_megabytes
from pages.shared.ui.what_was_read import ABOUT_INVISIBLE, INVISIBLE

_STATE, _KEPT = "own_names_list", "neural-language-model.own_names"


def state_of_visit() -> dict[str, Any]:
    """Return the visitor's list of names and what was noted about it; empty without one."""
    return kept_state(_STATE, _KEPT, lambda: {"text": "", "notes": []})


def ask_for_names(*, has_own: bool) -> None:
    """Draw the form for an own list, behind a button."""
    with st.popover("Your own names", icon=":material/upload_file:", key="own_names_panel"):
        st.caption(
            f"{FEWEST_NAMES} to {MOST_NAMES:,} names in any script: one a line, parted by commas, or in the first"
            f" column of a table. {FOR_YOU_ALONE}"
        )
        with st.form("own_names", border=False):
            file = st.file_uploader(
                "A list",
                max_upload_size=most_megabytes(LIMITS.names),
                key="own_names_file",
            )
            pasted = st.text_area("or paste it", key="own_names_pasted", height=100)
            titles = encoding_titles(*([file.getvalue()] if file else []))
            encoding = st.selectbox(
                "Encoding of the file",
                ["", *titles],
                format_func=lambda codec: titles.get(codec, "found out"),
                key="own_names_encoding",
            )
            drops = st.checkbox(INVISIBLE, key="own_names_drop_invisible", help=ABOUT_INVISIBLE)
            if st.form_submit_button("Learn them", type="primary", key="own_names_use"):
                _use(file.getvalue() if file else pasted, str(encoding), drops)
        if has_own:
            st.button("Forget them", key="own_names_forget", on_click=_forget)


def _use(content: bytes | str, encoding: str, drop_invisible: bool) -> None:
    """Keep a list and learn it, or say why it cannot be read; then nothing changes."""
    try:
        own = read_own_text(
            content,
            encoding=encoding or None,
            largest_bytes=LIMITS.names,
            shortest=1,
            drop_invisible=drop_invisible,
        )
        named = "" if own.encoding == "none" else ENCODINGS.get(own.encoding, own.encoding)
        notes = [*([f"The file is in {named}."] if named else []), *own.doubts]
        with page_turns.lent():
            read_names(own.text)
    except LMCoreError as error:
        show_error(error)
        return
    st.session_state[_STATE] = {"text": own.text, "notes": notes}
    keep_state(_KEPT, st.session_state[_STATE])
    st.rerun()


def _forget() -> None:
    st.session_state.pop(_STATE, None)
    forget(_KEPT)
