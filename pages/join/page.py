"""Join: come into a class with its four letters."""

import streamlit as st

from lm_core.classroom.names import CODE_LENGTH
from lm_core.errors import LMCoreError
from pages.join.lobby import draw_lobby
from pages.shared.classroom.door import come_in
from pages.shared.classroom.panel import alias_form, leave_button
from pages.shared.rooms.membership import Membership, membership
from pages.shared.ui.addresses import link_to
from pages.shared.ui.controls import ROOM, follow_link, is_presenting
from pages.shared.ui.lesson import page_header
from pages.shared.ui.markdown import escaped
from pages.shared.ui.messages import show_error
from pages.shared.ui.visitor import confirmed_visitor

_ASKED = "code"
"""Of this page's address: the room of a short link."""


def draw_door() -> None:
    """Draw the field for a code, and let this visit come in."""
    visitor = confirmed_visitor("join_visitor_id")
    with st.form("join", width=420):
        code = st.text_input("The class's code", max_chars=3 * CODE_LENGTH, placeholder="KRTP")
        joins = st.form_submit_button("Join", type="primary", disabled=visitor is None)
    if joins and visitor is not None:
        try:
            come_in(code, visitor)
        except LMCoreError as error:
            show_error(error)
            return
        st.rerun()


def draw_waiting(here: Membership) -> None:
    """Say who one is in the class, and what comes next."""
    with st.container(border=True, key="class_waiting"):
        st.markdown(f"## You are {escaped(here.member.alias)}, waiting")
        st.markdown(
            f"You are in class **{here.code}**. Keep this page open, because each question that"
            " your teacher asks appears at the top, and while your teacher leads, your screen"
            " follows."
        )
        alias_form(here)
        leave_button()
    st.page_link("pages/home/page.py", label="Look around until then", icon=":material/home:")


here = membership()
page_header(
    "join",
    "Your teacher's screen shows four letters. You need no account and no name, because the class"
    " knows you as an animal until you choose otherwise."
    if here is None
    else "",
    shareable=False,
)
if asked := st.query_params.get(_ASKED):
    follow_link(link_to("join", {ROOM: asked}))
if here is None:
    draw_door()
elif here.member.is_presenter and here.state.is_open:
    draw_lobby(here)
else:
    draw_waiting(here)
if not is_presenting():
    st.caption(
        "The name you choose and your answers are kept under a random number, so they do not"
        " say who you are unless the name does, and are deleted nine days after the class was opened. A"
        " training that you start shows the name you had then, to everybody on this server, until it is deleted. Nobody else sees what a training on a text of your own"
        " writes, unless you share it with your class."
    )
