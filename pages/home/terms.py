"""The terms that the home page finds, each with the page that explains it."""

from functools import cache
from typing import NamedTuple

from pages.shared.registry import LESSONS, PageSpec


class Found(NamedTuple):
    """A term, and the page that explains it."""

    term: str
    page: PageSpec


@cache
def terms() -> dict[str, Found]:
    """Return each term once, however it is written, in their order.

    What several pages explain leads to the one that is called so, or else to the one that is taught first.
    """
    titles = [Found(spec.term, spec) for spec in LESSONS]
    words = [Found(word, spec) for spec in LESSONS for word in spec.words]
    found: dict[str, Found] = {}
    for term in (*titles, *words):
        found.setdefault(term.term.casefold(), term)
    return dict(sorted(found.items()))


def leads_to(term: str) -> str:
    """Return a term with the page that explains it, unless that is called so."""
    found = terms()[term]
    return found.term if found.term == found.page.term else f"{found.term} → {found.page.term}"
