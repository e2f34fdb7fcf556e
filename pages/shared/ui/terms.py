"""The terms of a page with their meanings, within reach of its first screen."""

from collections.abc import Iterable
from functools import partial

import streamlit as st

from pages.shared.glossary import Term, terms_of
from pages.shared.registry import page_at
from pages.shared.ui.folds import draw_when_open


def terms_panel(address: str) -> None:
    """Draw the button that opens the terms which a page uses."""
    fold = st.popover(
        "Terms", icon=":material/menu_book:", type="tertiary", key="terms", on_change="rerun"
    )
    draw_when_open(fold, partial(_terms_of_page, address))


def _terms_of_page(address: str) -> None:
    st.markdown(meanings(terms_of(address)))
    st.page_link(page_at("glossary").path, label="All terms of the lab")


def meanings(found: Iterable[Term], elsewhere: bool = False) -> str:
    """Return terms with their meanings, as a list in Markdown.

    `elsewhere`: bool, whether each names the page that shows it best, as a link.
    """
    return "\n".join(
        f"- **{term.name}**: {term.means}{_shown_on(term) if elsewhere else ''}" for term in found
    )


def _shown_on(term: Term) -> str:
    return f" [{term.page.term}](/{term.link})"
