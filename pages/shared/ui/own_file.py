"""A file of a visitor's: checked when it is dropped, packed for this visit, found again after a reload."""

import hashlib
import zlib
from collections.abc import Callable
from typing import NamedTuple

import streamlit as st

from lm_core.errors import LMCoreError
from pages.shared.turns import page_turns
from pages.shared.ui.kept import KeptFile, forget, keep_file, uploaded_before
from pages.shared.ui.messages import show_error
from pages.shared.ui.visitor import is_known


class PackedFile(NamedTuple):
    """A file that takes a part of its room."""

    name: str
    sha256: str
    packed: bytes

    @property
    def content(self) -> bytes:
        """The file as it was dropped."""
        return zlib.decompress(self.packed)


class OwnFile:
    """The one file of its kind that a visitor has dropped; one that cannot be read changes nothing.

    Parameters
    ----------
    name : str, unique among all pages
    read : callable, reads a file, whatever it returns; raises LMCoreError for one that is not taken
    """

    def __init__(self, name: str, read: Callable[[PackedFile], object]) -> None:
        self._kept, self._file, self._refused = name, f"{name}_file", f"{name}_refused"
        self._read = read

    def kept(self) -> PackedFile | None:
        """Return the visitor's file, also if they dropped it before a reload; None without one."""
        if self._kept not in st.session_state and is_known():
            file = uploaded_before(self._file)
            st.session_state[self._kept] = None if file is None else _packed(file)
        kept: PackedFile | None = st.session_state.get(self._kept)
        return kept

    def draw(self, label: str, most_mb: int) -> PackedFile | None:
        """Draw the place to drop it, why the last one was not taken, and how to forget it; return it.

        A file of another type is taken in, too: what reads it says what it is, and what to do.
        """
        st.file_uploader(label, key=self._file, max_upload_size=most_mb, on_change=self._take)
        if refused := st.session_state.get(self._refused):
            show_error(refused)
        kept = self.kept()
        if kept is not None:
            st.button("Forget it", on_click=self._forget, key=f"{self._kept}_forget")
        return kept

    def _take(self) -> None:
        uploaded = st.session_state[self._file]
        if uploaded is None:
            return
        st.session_state.pop(self._refused, None)
        file = KeptFile(uploaded.name, uploaded.getvalue())
        packed = _packed(file)
        try:
            self._read(packed)
        except LMCoreError as error:
            st.session_state[self._refused] = f"{file.name[:80]} was not taken: {error}"
            return
        st.session_state[self._kept] = packed
        keep_file(self._file, file)

    def _forget(self) -> None:
        st.session_state[self._kept] = None
        forget(self._file)


def _packed(file: KeptFile) -> PackedFile:
    sha256 = hashlib.sha256(file.content).hexdigest()
    with page_turns.lent():  # of 160 MB of vectors it takes seconds
        return PackedFile(file.name, sha256, zlib.compress(file.content, level=1))
