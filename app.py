"""LM Lab's entry: page settings and the menu. `streamlit run app.py` serves it."""

import streamlit as st
from starlette.middleware import Middleware

from lm_core.assets import ICON
from pages.shared import navigation
from pages.shared.classroom import following
from pages.shared.lessons.bar import lesson_bar
from pages.shared.reconnects import run_again_after_reconnect
from pages.shared.server import start
from pages.shared.server.component_scripts import ComponentScripts
from pages.shared.server.front_end import front_end
from pages.shared.server.guards import server_guards
from pages.shared.server.streamlit_inside.visit import is_visit
from pages.shared.serving import serving
from pages.shared.turns import page_turns
from pages.shared.ui.controls import arrive_by_link, is_presenting
from pages.shared.ui.messages import errors_in_place

start.boot()

if is_visit():
    with page_turns.taken(), errors_in_place():
        st.set_page_config(page_icon=ICON, layout="wide")
        run_again_after_reconnect()
        page = st.navigation(navigation.menu(), position="top")
        arrive_by_link()
        if not is_presenting():  # then it lies in the line of the title
            with errors_in_place():
                lesson_bar()
        page.run()
        following.end()
else:
    # Not a visit but the server's start, when it looks for `app` here.
    guards = server_guards(start.open_files())
    app = st.App(
        __file__, middleware=[*guards, *front_end(), Middleware(ComponentScripts)], lifespan=serving
    )
