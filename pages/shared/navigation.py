"""The menu that Streamlit draws from the registry, and the way from former addresses to today's."""

from collections.abc import Callable
from copy import copy
from functools import lru_cache

import streamlit as st

from pages.shared import registry
from pages.shared.registry import PageSpec, chapters
from pages.shared.ui.addresses import link_to
from pages.shared.ui.controls import follow_link


def menu() -> dict[str, list[st.Page]]:
    """Return the pages by chapter, each followed by a hidden one for every former address."""
    # Each run gets its own: Streamlit marks the one that it is about to run.
    return {chapter: [*map(copy, pages)] for chapter, pages in _menu(registry.PAGES).items()}


@lru_cache(maxsize=1)
def _menu(pages: tuple[PageSpec, ...]) -> dict[str, list[st.Page]]:
    """Return the menu, which takes Streamlit longer to make than some pages to run."""
    return {
        chapter: [page for spec in specs for page in (_page(spec, icon=spec.icon), *_former(spec))]
        for chapter, specs in chapters(pages).items()
    }


@lru_cache(maxsize=len(registry.PAGES))
def page_of(spec: PageSpec) -> st.Page:
    """Return a page to link to, without its icon: given its path, Streamlit looks for the file in each link."""
    return _page(spec, icon=None)


def _page(spec: PageSpec, *, icon: str | None) -> st.Page:
    return st.Page(
        spec.path,
        title=spec.title,
        icon=icon,
        url_path=spec.address,
        default=not spec.address,
        help=spec.help,
    )


def _former(spec: PageSpec) -> list[st.Page]:
    return [
        st.Page(_forward_to(spec), title=spec.title, url_path=address, visibility="hidden")
        for address in spec.former
    ]


def _forward_to(spec: PageSpec) -> Callable[[], None]:
    """Return a page that leads on to another with everything that the link asks for."""

    def forward() -> None:
        asked = {name: st.query_params.get_all(name) for name in st.query_params}
        follow_link(link_to(spec.address, asked))

    return forward
