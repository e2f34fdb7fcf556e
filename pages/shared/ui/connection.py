"""A page says so while its server cannot be reached."""

import streamlit as st

from pages.shared.components import component

_NOTE = component("connection")
_TEXT = (
    "There is no connection to the server at the moment. What you tap or type now is sent as soon as it is"
    " back; until then it does not count."
)


def connection_note() -> None:
    """Say, while there is no connection, that nothing is sent; draw it once a page, it takes no room."""
    with st.container(key="floating_connection"):
        _NOTE(key="connection", data={"text": _TEXT})
