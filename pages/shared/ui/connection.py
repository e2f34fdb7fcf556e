"""A page says so while its server cannot be reached."""

import streamlit as st

from pages.shared.server.component import component

_NOTE = component("connection")
_TEXT = (
    "There is no connection to the server at the moment. This page waits for it and goes on by itself as soon"
    " as it answers. What you have typed, chosen or trained is kept."
)


def connection_note() -> None:
    """Say, while there is no connection, what the page waits for; draw it once a page, it takes no room."""
    with st.container(key="floating_connection"):
        _NOTE(key="connection", data={"text": _TEXT})
