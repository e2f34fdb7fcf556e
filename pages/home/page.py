"""Home: the way through the lab, as a path of pictures, with two routes and a search over terms."""

from collections.abc import Sequence

import streamlit as st

from pages.home.pictured import PICTURED, picture
from pages.home.terms import leads_to, terms
from pages.shared.classroom.panel import start_with_class
from pages.shared.navigation import page_of
from pages.shared.registry import LESSONS, PAGES, ROUTES, PageSpec, chapters, page_at
from pages.shared.server.short_links import PARAMETER, short_links
from pages.shared.ui.addresses import link_to
from pages.shared.ui.controls import control, follow_link
from pages.shared.ui.lesson import page_header

_EVERYTHING = "every page"
_ROUTES = {f"{minutes} minutes": pages for minutes, pages in ROUTES.items()}
_IN_A_ROW = 4


def follow_short_link() -> None:
    """Lead on to where a short link points, if this server knows it."""
    found = short_links().resolve(st.query_params.get(PARAMETER, ""))
    if found is not None:
        follow_link(link_to(*found))


def search() -> None:
    """Draw the field that finds a term, and lead to the page that explains it."""
    term = st.selectbox(
        "Find a term",
        list(terms()),
        format_func=leads_to,
        index=None,
        key="term",
        placeholder="LSTM, perplexity, softmax ...",
    )
    if term is not None:
        del st.session_state["term"]
        follow_link(terms()[term].page.address)


def draw_path(specs: Sequence[PageSpec]) -> None:
    """Draw pages as cards, row by row, so that a phone keeps the order."""
    for first in range(0, len(specs), _IN_A_ROW):
        row = specs[first : first + _IN_A_ROW]
        for column, spec in zip(st.columns(_IN_A_ROW), row, strict=False):
            with column, st.container(border=True, height="stretch", gap="xsmall"):
                st.image(picture(spec.address), width="stretch", alt=PICTURED[spec.address])
                st.page_link(page_of(spec), label=f"**{spec.term}**")
                question = spec.question[:1].upper() + spec.question[1:]
                st.caption(f"{question} · {spec.minutes} min")


follow_short_link()
page_header(
    "",
    "How does a machine learn to write? Here you train, open and change models that have learned"
    " it, most of them from one book, *War and Peace*, so that they can be compared.",
    shareable=False,
)
if PARAMETER in st.query_params:
    st.warning(
        "This short link is not known here, because it was made on another server or long ago, or has a slip.",
        icon=":material/link_off:",
    )

# The way through the lab ----------------------------------------------------------------------
left, middle, right = st.columns([1.5, 0.7, 1.5], vertical_alignment="bottom")
with left:
    route = control(
        st.segmented_control,
        "route",
        "Route",
        [_EVERYTHING, *_ROUTES],
        default=_EVERYTHING,
        required=True,
    )
with middle:
    if st.button("Start here", type="primary", icon=":material/play_arrow:", key="start"):
        follow_link(_ROUTES.get(route, ROUTES[min(ROUTES)])[0])
with right:
    search()

with st.container(horizontal=True, vertical_alignment="center"):
    start_with_class()
    for spec in map(page_at, ("lessons", "join", "glossary")):
        st.page_link(spec.path, label=f"**{spec.term}**", icon=spec.icon, help=spec.help)
if route == _EVERYTHING:
    by_chapter = chapters(LESSONS)
    about_the_lab = by_chapter.pop(PAGES[0].chapter)
    for chapter, specs in by_chapter.items():
        st.header(chapter, anchor=False)
        draw_path(specs)
    st.header("About this lab", anchor=False)
    draw_path(about_the_lab)
    st.page_link(page_at("about").path, label=f"**{page_at('about').title}**")
else:
    draw_path([page_at(address) for address in _ROUTES[route]])
