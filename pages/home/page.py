"""Home: the way through the lab, and what this server can do."""

import platform

import pandas as pd
import streamlit as st
import torch

from lm_core.text.corpora import CORPORA, locate
from lm_core.training.checkpoints import list_checkpoints
from pages.shared import server
from pages.shared.models import name_damaged
from pages.shared.registry import PAGES, PageSpec, chapters
from pages.shared.ui.lesson import page_header, provenance_text

LEAD = """
How does a machine come to write? Everything here is learned from one book, *War and Peace*: its
characters, its words, who looks at whom. Every model on these pages was really trained; each says
on what, for how long, and how well it does. Change anything, and take the link home.
"""


def draw_card(spec: PageSpec) -> None:
    """Draw a page as a card: its question, which is the way in, and what to do there."""
    with st.container(border=True, height="stretch"):
        st.page_link(spec.path, label=f"**{spec.title}**", icon=spec.icon)
        st.markdown(spec.help)


def megabytes(n_bytes: int | None) -> str:
    """Return a number of bytes for people."""
    if n_bytes is None:
        return "not known"
    return f"{n_bytes / 2**30:.1f} GB" if n_bytes >= 2**30 else f"{n_bytes / 2**20:.0f} MB"


page_header("", LEAD, shareable=False)

# The way through the lab ----------------------------------------------------------------------
for chapter, specs in chapters(PAGES[1:]).items():
    st.subheader(chapter, anchor=False)
    for first in range(0, len(specs), 3):  # row by row, so that a phone keeps the order
        for column, spec in zip(st.columns(3), specs[first : first + 3], strict=False):
            with column:
                draw_card(spec)

# This server ----------------------------------------------------------------------------------
st.subheader("This server", anchor=False)
facts = {
    "Device": server.device(),
    "Memory in use": f"{megabytes(server.memory_used())} of {megabytes(server.memory_total())}",
    "PyTorch": torch.__version__,
    "Python": platform.python_version(),
}
with st.container(horizontal=True):
    for name, value in facts.items():
        with st.container(width="content", gap=None):
            st.caption(name)
            st.markdown(f"**{value}**")

metas = list_checkpoints()
st.markdown("**Models**" if metas else "**Models:** none has been trained here yet.")
if metas:
    shown = [meta for meta in metas if meta.snapshot_of is None]
    st.dataframe(
        pd.DataFrame(
            {
                "Model": [meta.title for meta in shown],
                "Provenance": [provenance_text(meta) for meta in shown],
                "Parameters": [meta.parameter_count for meta in shown],
                "Trained": [meta.date[:10] for meta in shown],
            }
        ),
        hide_index=True,
    )
name_damaged()

st.markdown("**Texts**")
corpora = list(CORPORA.values())
st.dataframe(
    pd.DataFrame(
        {
            "Text": [corpus.title for corpus in corpora],
            "Edition": [corpus.edition for corpus in corpora],
            "On this server": ["yes" if locate(corpus.name) else "no" for corpus in corpora],
            "Licence": [corpus.licence for corpus in corpora],
        }
    ),
    hide_index=True,
)
st.caption(
    "A page that needs a text which is not here works from the trained models, and says so."
    " What you type is sent nowhere else by this app, and only a text that you train on is kept: until"
    " its training has ended. The model that learned it stays, for all visitors."
)
