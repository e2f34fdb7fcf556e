"""Home: the way through the lab, as a path of pictures, with two routes and a search over terms."""

from collections.abc import Sequence
from functools import cache

import streamlit as st

from lm_core.assets import THUMBNAILS
from pages.shared.registry import LESSONS, PAGES, ROUTES, PageSpec, chapters, page_at
from pages.shared.short_links import PARAMETER, short_links
from pages.shared.ui.controls import control
from pages.shared.ui.lesson import page_header

_EVERYTHING = "every page"
_FIRST = ROUTES[min(ROUTES)][0]
_IN_A_ROW = 4


@cache
def terms() -> dict[str, str]:
    """Return the address of the page that explains a term, for all terms in their order."""
    found = {word: spec.address for spec in LESSONS for word in (spec.term, *spec.words)}
    return dict(sorted(found.items(), key=lambda pair: pair[0].lower()))


@cache
def thumbnail(address: str) -> str:
    """Return a page's picture, as SVG."""
    return (THUMBNAILS / f"{address}.svg").read_text(encoding="utf-8")


def follow_short_link() -> None:
    """Lead on to where a short link points; say so where it is not known."""
    if asked := st.query_params.get(PARAMETER):
        if found := short_links().resolve(asked):
            st.switch_page(page_at(found.address).path, query_params=found.parameters)
        st.warning(
            "This short link is not known here: it was made on another server, or long ago.",
            icon=":material/link_off:",
        )


def search() -> None:
    """Draw the field that finds a term, and lead to the page that explains it."""
    term = st.selectbox(
        "Find a term",
        list(terms()),
        index=None,
        key="term",
        placeholder="LSTM, perplexity, softmax ...",
    )
    if term is not None:
        del st.session_state["term"]
        st.switch_page(page_at(terms()[term]).path)


def draw_path(specs: Sequence[PageSpec]) -> None:
    """Draw pages as cards, row by row, so that a phone keeps the order."""
    for first in range(0, len(specs), _IN_A_ROW):
        row = specs[first : first + _IN_A_ROW]
        for column, spec in zip(st.columns(_IN_A_ROW), row, strict=False):
            with column, st.container(border=True, height="stretch", gap="xsmall"):
                st.image(thumbnail(spec.address), width="stretch")
                st.page_link(spec.path, label=f"**{spec.term}**")
                st.caption(f"{spec.question.capitalize()} · {spec.minutes} min")


page_header(
    "",
    "How does a machine come to write? Here you train, open and change the models that learned it,"
    " most of them from one book, *War and Peace*.",
    shareable=False,
)
follow_short_link()

# The way through the lab ----------------------------------------------------------------------
left, middle, right = st.columns([1.5, 0.7, 1.5], vertical_alignment="bottom")
with left:
    route = control(
        st.segmented_control,
        "route",
        "Route",
        [_EVERYTHING, *(f"{minutes} minutes" for minutes in ROUTES)],
        default=_EVERYTHING,
        required=True,
    )
with middle:
    if st.button("Start here", type="primary", icon=":material/play_arrow:", key="start"):
        st.switch_page(page_at(_FIRST).path)
with right:
    search()

if route == _EVERYTHING:
    with st.container(horizontal=True):
        for spec in map(page_at, ("lessons", "join")):
            st.page_link(spec.path, label=f"**{spec.term}**", icon=spec.icon, help=spec.help)
    by_chapter = chapters(LESSONS)
    about_the_lab = by_chapter.pop(PAGES[0].chapter)
    for chapter, specs in by_chapter.items():
        st.subheader(chapter, anchor=False)
        draw_path(specs)
    st.subheader("About this lab", anchor=False)
    draw_path(about_the_lab)
    st.page_link(page_at("about").path, label=f"**{page_at('about').title}**")
else:
    draw_path([page_at(address) for address in ROUTES[int(route.split()[0])]])
