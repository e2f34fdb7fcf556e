"""Texts of a visitor's own, asked for behind a button: handed in, read, kept for the visit, and forgotten."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import streamlit as st

from lm_core.errors import LMCoreError
from lm_core.text.own_text import ENCODINGS, OwnText, read_own_text
from pages.shared.ui.encodings import encoding_titles
from pages.shared.ui.kept import FOR_YOU_ALONE, forget, keep_state, kept_state
from pages.shared.ui.messages import show_error
from pages.shared.ui.most_megabytes import most_megabytes
from pages.shared.ui.what_was_read import ABOUT_INVISIBLE, INVISIBLE

_LONGEST_NAME = 40


class Handed(NamedTuple):
    """A text as it was read, and what its file is called."""

    name: str
    own: OwnText

    def read_as(self, said: str) -> list[str]:
        """Return the sentence that this is in an encoding; none of a text that was pasted."""
        codec = self.own.encoding
        return [] if codec == "none" else [f"{said} is in {ENCODINGS.get(codec, codec)}."]


class OwnTexts(NamedTuple):
    """A form for texts, and what is kept of them."""

    key: str  # begins the names of all that is drawn
    kept: str  # under which they are kept, unique among all pages
    title: str  # of the button that opens the form
    about: str  # what may be handed in
    files: str  # what the place for files is called
    paste: str  # what the place for a text is called
    use: str  # what the form's own button is called
    most_bytes: int  # of a file
    understood: Callable[[Sequence[Handed]], dict[str, Any]]
    """Returns what is kept of texts, plain values that JSON can hold; raises LMCoreError."""
    nothing: dict[str, Any]  # what is kept of no texts
    together: str = ""  # what several texts are called; empty where only one is taken

    def state(self) -> dict[str, Any]:
        """Return what is kept of this visitor's texts."""
        return kept_state(f"{self.key}_state", self.kept, lambda: dict(self.nothing))

    def ask(self, *, has_own: bool) -> None:
        """Draw the form behind its button; what cannot be read changes nothing, and it is said why."""
        key, several = self.key, bool(self.together)
        with st.popover(self.title, icon=":material/upload_file:", key=f"{key}_panel"):
            st.caption(f"{self.about} {FOR_YOU_ALONE}")
            with st.form(key, border=False):
                most_mb = most_megabytes(self.most_bytes)
                chosen: Any = st.file_uploader(
                    self.files, key=f"{key}_files", max_upload_size=most_mb, accept_multiple_files=several
                )  # fmt: skip
                files = chosen if several else [chosen] if chosen else []
                pasted = st.text_area(self.paste, key=f"{key}_pasted", height=100)
                titles = encoding_titles(*(file.getvalue() for file in files))
                encoding = st.selectbox(
                    f"Encoding of the file{'s' if several else ''}",
                    ["", *titles],
                    format_func=lambda codec: titles.get(codec, "found out"),
                    key=f"{key}_encoding",
                )
                drops = st.checkbox(INVISIBLE, key=f"{key}_drop_invisible", help=ABOUT_INVISIBLE)
                is_sent = st.form_submit_button(self.use, type="primary", key=f"{key}_use")
            if is_sent:
                brought = [(file.name[:_LONGEST_NAME], file.getvalue()) for file in files]
                if pasted.strip() or not (files or several):
                    brought.append(("pasted", pasted))
                self._use(brought if several else brought[:1], encoding, drops)
            if has_own:
                st.button("Forget them", key=f"{key}_forget", on_click=self._forget)

    def _use(
        self, brought: Sequence[tuple[str, bytes | str]], encoding: str, drop_invisible: bool
    ) -> None:
        handed, name = [], ""
        try:
            for name, content in brought:
                own = read_own_text(
                    content,
                    encoding=encoding or None,
                    largest_bytes=self.most_bytes,
                    shortest=1,
                    drop_invisible=drop_invisible,
                )
                handed.append(Handed(name, own))
            name = self.together
            state = self.understood(handed)
        except LMCoreError as error:
            show_error(f"{name}: {error}" if self.together else error)
            return
        st.session_state[f"{self.key}_state"] = state
        keep_state(self.kept, state)
        st.rerun()

    def _forget(self) -> None:
        st.session_state.pop(f"{self.key}_state", None)
        forget(self.kept)
