"""Join: come into a class with its four letters."""

import streamlit as st

from lm_core.classroom.names import CODE_LENGTH
from lm_core.errors import LMCoreError
from pages.shared.classroom.membership import enter_again, membership
from pages.shared.ui.addresses import link_to
from pages.shared.ui.controls import ROOM, follow_link
from pages.shared.ui.lesson import page_header
from pages.shared.ui.markdown import escaped
from pages.shared.ui.messages import show_error
from pages.shared.ui.visitor import confirmed_visitor

_ASKED = "code"
"""Of this page's address: the room of a short link."""


def come_in(code: str, visitor: str) -> None:
    """Enter a room, or say why not."""
    try:
        enter_again(code, visitor)
    except LMCoreError as error:
        show_error(error)
        return
    st.rerun()


page_header(
    "join",
    "Your teacher's screen shows four letters. You need no account and no name: the class knows you as"
    " an animal until you choose otherwise.",
    shareable=False,
)
here = membership()
if asked := st.query_params.get(_ASKED):
    follow_link(link_to("join", {ROOM: asked}))
if here is None:
    visitor = confirmed_visitor("join_visitor_id")
    with st.form("join", width=420):
        code = st.text_input("The class's code", max_chars=3 * CODE_LENGTH, placeholder="KRTP")
        joins = st.form_submit_button("Join", type="primary", disabled=visitor is None)
    if joins and visitor is not None:
        come_in(code, visitor)
else:
    st.markdown(
        f"You are in class **{here.code}** as **{escaped(here.member.alias)}**. When your teacher asks, the"
        " question appears above; when your teacher leads, your screen follows."
    )
    st.page_link("pages/home/page.py", label="Look around until then", icon=":material/home:")
st.caption(
    "Kept for a week: the name you choose and your answers, under a number that says nothing about you."
    " A training that you start shows the name you had then, to everybody on this server, until it is"
    " deleted."
)
