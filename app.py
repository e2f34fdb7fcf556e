"""LM Lab's entry: page settings and the menu. `streamlit run app.py` serves it."""

import streamlit as st
from streamlit import runtime

from pages.shared import registry, server

st.set_page_config(page_icon=":material/auto_stories:", layout="wide")

page = st.navigation(
    {
        chapter: [
            st.Page(
                spec.path,
                title=spec.title,
                icon=spec.icon,
                url_path=spec.address,
                default=not spec.address,
                help=spec.help,
            )
            for spec in specs
        ]
        for chapter, specs in registry.chapters(registry.PAGES).items()
    },
    position="top",
)
server.boot()

if runtime.exists():
    page.run()
else:
    # Not a visit but the server's start, when it looks for `app` here. The menu declared above
    # then stands before the first visitor comes: a link deep into the lab opens its page, where
    # Streamlit would still be reading the folder `pages` as a menu of its own.
    app = st.App(__file__)
