"""What experiments have measured, read once for all visitors."""

from typing import TypeVar, cast

import streamlit as st

from lm_core.results import Recorded

Found = TypeVar("Found", bound=Recorded)
_MOST = 40  # experiments


def shipped(kind: type[Found]) -> Found:
    """Return the shipped results of an experiment; raises ResultError if they cannot be read.

    All visitors have the same ones: never change them. Where a part of a page does not catch the error,
    `draw` says it in place of the picture.
    """
    return cast(Found, _read(kind.NAME, kind))


@st.cache_resource(max_entries=_MOST, show_spinner=False)
def _read(name: str, _kind: type[Recorded]) -> Recorded:
    return _kind.load()
