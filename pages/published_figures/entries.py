"""The entries of the ledger, read once for all visitors, and what of them cannot be read."""

import streamlit as st

from lm_core.experiments.published_figures.ledger import Entry, load_ledger
from lm_core.experiments.published_figures.record import Verdict
from pages.shared.registry import page_at
from pages.shared.ui.messages import show_error


@st.cache_resource(max_entries=1, show_spinner=False)
def entries() -> tuple[Entry, ...]:
    """Return every published figure with its verdict."""
    return load_ledger()


def chapter_of(entry: Entry) -> str:
    """Return the chapter of the page that shows a figure's experiment."""
    return page_at(entry.figure.page).chapter


def name_unreadable(found: tuple[Entry, ...]) -> None:
    """Say which files cannot be read, each once, and how many figures wait for it."""
    missing: dict[str, int] = {}
    for entry in found:
        if entry.verdict is Verdict.NOT_READ:
            missing[entry.ours.reason] = missing.get(entry.ours.reason, 0) + 1
    for message, n in missing.items():
        show_error(f"{message} ({n} of {len(found)} figures need it)", st.warning)
