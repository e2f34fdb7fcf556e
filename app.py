"""LM Lab's entry: page settings and the menu. `streamlit run app.py` serves it."""

import streamlit as st
from streamlit import runtime

from pages.shared import navigation, server
from pages.shared.turns import page_turns

server.boot()
with page_turns.taken():
    st.set_page_config(page_icon=":material/auto_stories:", layout="wide")
    page = st.navigation(navigation.menu(), position="top")
    if runtime.exists():
        page.run()
    else:
        # Not a visit but the server's start, when it looks for `app` here. The menu declared above
        # then stands before the first visitor comes: a link deep into the lab opens its page, where
        # Streamlit would still be reading the folder `pages` as a menu of its own.
        app = st.App(__file__)
