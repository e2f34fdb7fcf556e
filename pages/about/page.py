"""About this server: what it runs on, which models are shipped, and which texts are here."""

import platform

import pandas as pd
import streamlit as st
import torch

from lm_core.errors import SettingError
from lm_core.text.catalogue import CONDITIONS
from lm_core.text.corpora import CORPORA, locate
from lm_core.training.checkpoints import list_checkpoints
from pages.shared.models.language_models import name_damaged
from pages.shared.server import start
from pages.shared.server.visitor_store import KEPT_DAYS
from pages.shared.ui.kept import HOW_LONG
from pages.shared.ui.lesson import page_header, provenance_text
from pages.shared.ui.messages import show_error


def megabytes(n_bytes: int | None) -> str:
    """Return a number of bytes for people."""
    if n_bytes is None:
        return "not known"
    return f"{n_bytes / 2**30:.1f} GB" if n_bytes >= 2**30 else f"{n_bytes / 2**20:.0f} MB"


page_header(
    "about",
    "Every model here was trained by the code behind these pages. Each says on what, for how"
    " long, and how well it does, so that you can judge its figures.",
    shareable=False,
)

try:
    trainings = start.training_device()
except SettingError as error:
    trainings = "nothing"
    show_error(error)
facts = {
    "Pages run on": start.processor(),
    "Trainings run on": trainings,
    "Memory in use": f"{megabytes(start.memory_used())} of {megabytes(start.memory_total())}",
    "PyTorch": torch.__version__,
    "Python": platform.python_version(),
}
with st.container(horizontal=True):
    for name, value in facts.items():
        with st.container(width="content", gap=None):
            st.caption(name)
            st.markdown(f"**{value}**")

# Models ---------------------------------------------------------------------------------------
st.header("Models", anchor=False)
metas = [meta for meta in list_checkpoints() if meta.snapshot_of is None]
if metas:
    st.dataframe(
        pd.DataFrame(
            {
                "Model": [meta.title for meta in metas],
                "Provenance": [provenance_text(meta) for meta in metas],
                "Parameters": [meta.parameter_count for meta in metas],
                "Trained": [meta.date[:10] for meta in metas],
            }
        ),
        hide_index=True,
        column_config={"Parameters": st.column_config.NumberColumn(format="localized")},
    )
else:
    st.caption("None has been trained here yet.")
st.caption(
    f"Our licence for these weights is Apache-2.0. However, {' and '.join(CONDITIONS.values())}:"
    " the translation models learned from the first, the taggers and the fine-tuned classifiers"
    " from the second. These conditions allow less than ours, so ask whether they cover what you do"
    " with the weights."
)
name_damaged()

# Texts ----------------------------------------------------------------------------------------
st.header("Texts", anchor=False)
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
    " This app sends what you type nowhere else. Your texts, your files and what you answer on pages are kept"
    f" for you alone, {HOW_LONG}: *My work* deletes them. What you answer in a class is deleted nine days after it"
    " was opened, and your teacher sees it, with the name you chose. A model that was trained on your own text is"
    f" yours alone, unless you share it with your class, and goes {KEPT_DAYS} days after its training."
)
