"""A visitor's own documents: asked for, read, kept for the visit, and forgotten."""

from collections.abc import Sequence
from typing import Any

import streamlit as st

from lm_core.errors import LMCoreError
from lm_core.experiments.n_grams.documents import (
    MOST_CHARACTERS,
    MOST_DOCUMENTS,
    Document,
    Documents,
)
from lm_core.text.file_limits import LIMITS
from lm_core.text.own_text import ENCODINGS, read_own_text
from pages.shared.ui.encodings import encoding_titles
from pages.shared.ui.kept import FOR_YOU_ALONE, forget, keep_state, kept_state
from pages.shared.ui.messages import show_error
from pages.shared.ui.most_megabytes import most_megabytes
from pages.shared.ui.what_was_read import (
    ABOUT_INVISIBLE,
    INVISIBLE,
)

_STATE, _KEPT = "n_grams_documents", "n-grams.documents"


def state_of_visit() -> dict[str, Any]:
    """Return the visitor's documents and what was noted about them."""
    return kept_state(_STATE, _KEPT, lambda: {"documents": [], "notes": []})


def ask_for_documents(*, has_own: bool) -> None:
    """Draw the form for own documents, behind a button."""
    with st.popover("Your own documents", icon=":material/upload_file:", key="documents_panel"):
        st.caption(
            f"1 to {MOST_DOCUMENTS} texts or lists of names in any alphabet, {MOST_CHARACTERS:,}"
            f" characters in all. {FOR_YOU_ALONE}"
        )
        with st.form("documents", border=False):
            files = st.file_uploader(
                "Text files", accept_multiple_files=True,
                max_upload_size=most_megabytes(LIMITS.document),
                key="documents_files",
            )  # fmt: skip
            pasted = st.text_area("or paste a text", key="documents_pasted", height=100)
            titles = encoding_titles(*(file.getvalue() for file in files))
            encoding = st.selectbox(
                "Encoding of the files",
                ["", *titles],
                format_func=lambda codec: titles.get(codec, "found out"),
                key="documents_encoding",
            )
            drops = st.checkbox(INVISIBLE, key="documents_drop_invisible", help=ABOUT_INVISIBLE)
            is_sent = st.form_submit_button("Count them", type="primary", key="documents_use")
        if is_sent:
            named = [(file.name, file.getvalue()) for file in files]
            _use([*named, *([("pasted", pasted)] if pasted.strip() else [])], encoding, drops)
        if has_own:
            st.button("Forget them", key="documents_forget", on_click=_forget)


def _use(brought: Sequence[tuple[str, bytes | str]], encoding: str, drop_invisible: bool) -> None:
    """Count documents and keep them, or say which of them cannot be read; then nothing changes."""
    documents, notes = [], []
    name = "Your documents"
    try:
        for name, content in brought:
            own = read_own_text(
                content,
                encoding=encoding or None,
                largest_bytes=LIMITS.document,
                shortest=1,
                drop_invisible=drop_invisible,
            )
            documents.append(Document(name[:40], own.text))
            read_as = (
                []
                if own.encoding == "none"
                else [f"{name[:40]} is in {ENCODINGS.get(own.encoding, own.encoding)}."]
            )
            changes = [f"In {name[:40]} {change}." for change in own.changes]
            notes += [*read_as, *changes, *own.doubts]
        name = "Your documents"
        Documents.read(documents, of_words=False)
    except LMCoreError as error:
        show_error(f"{name[:40]}: {error}")
        return
    st.session_state[_STATE] = {"documents": list(map(list, documents)), "notes": notes}
    keep_state(_KEPT, st.session_state[_STATE])
    st.rerun()


def _forget() -> None:
    st.session_state.pop(_STATE, None)
    forget(_KEPT)
