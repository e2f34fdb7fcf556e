"""The glossary: every term of the lab, by chapter, and a search over names and meanings."""

import re

import streamlit as st

from pages.shared import page
from pages.shared.glossary import Term, terms
from pages.shared.registry import PAGES, chapters
from pages.shared.ui.lesson import page_header
from pages.shared.ui.terms import meanings

_USED = {term.page.chapter for term in terms()}
_CHAPTERS = tuple(name for name in chapters(PAGES) if name in _USED)  # in the order of the menu


def matches(term: Term, wanted: str) -> bool:
    """Return whether a word of a term's names or of its meaning begins with what is looked for."""
    begins = re.compile(rf"(?<!\w){re.escape(wanted)}", re.IGNORECASE)
    return any(begins.search(text) for text in (*term.forms, term.means))


page_header(
    "glossary",
    "Each term is explained in a few sentences, because no page can explain every word that it"
    " uses. The link behind it leads to the page that shows it best. On every page the button"
    " *Terms* opens those that the page uses.",
)
wanted = page.text(
    "term", "Find a term", "", placeholder="for instance perplexity", max_chars=60
).strip()
if wanted:
    found = [term for term in terms() if matches(term, wanted)]
    # A name that begins so is what was meant; others only mention it.
    found.sort(
        key=lambda term: (
            not any(form.casefold().startswith(wanted.casefold()) for form in term.forms)
        )
    )
else:
    chapter = page.segments("chapter", "Chapter", _CHAPTERS)
    found = [term for term in terms() if term.page.chapter == chapter]
if found:
    st.markdown(meanings(found, elsewhere=True))
else:
    st.info("No term has this name or mentions it. Try another word, or look through the chapters.")
