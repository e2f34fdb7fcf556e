"""Which figures are listed, by verdict, chapter and words; and which row is open."""

from typing import NamedTuple

import streamlit as st

from lm_core.experiments.published_figures.ledger import Entry
from lm_core.experiments.published_figures.record import Verdict
from pages.published_figures.entries import chapter_of
from pages.shared import page

OPENED = "figure"  # name of the control that says which row is open
ALL, EVERY, NONE = "all", "every chapter", "none"
_LONGEST = 80
_OFFERED = (
    ALL,
    Verdict.HOLDS,
    Verdict.DOES_NOT_HOLD,
    Verdict.SCORED_AGAIN,
    Verdict.NOT_COMPARABLE,
    Verdict.NOT_REPRODUCED,
)


class Filters(NamedTuple):
    """What is listed."""

    # verdict and chapter: `ALL` and `EVERY`, or one of them
    verdict: str
    chapter: str
    words: tuple[str, ...]  # all have to occur in what is said of a figure, whatever their case

    def pass_(self, entry: Entry) -> bool:
        """Return whether a figure is listed."""
        figure = entry.figure
        text = f"{figure.measured} {figure.document} {figure.protocol} {figure.written}".lower()
        return (
            self.verdict in (ALL, entry.verdict)
            and self.chapter in (EVERY, chapter_of(entry))
            and all(word in text for word in self.words)
        )


def choose_filters(found: tuple[Entry, ...], *, is_masked: bool) -> Filters:
    """Draw the controls; while a guess is awaited, no verdict can be asked for."""
    verdict = _choose_verdict(is_masked)
    chapters = list(dict.fromkeys(map(chapter_of, found)))
    chapter = page.choice(
        "chapter", "Chapter", [EVERY, *chapters], label_visibility="collapsed", width=250
    )
    typed = page.text(
        "find",
        "Find",
        "",
        max_chars=_LONGEST,
        placeholder="Find a word",
        label_visibility="collapsed",
        width=180,
    )
    return Filters(
        ALL if is_masked else str(verdict), str(chapter), tuple(str(typed).lower().split())
    )


def _choose_verdict(is_masked: bool) -> str:
    """Draw the verdicts in a row; in the presenter view's large type they are a list."""
    options = list(map(str, _OFFERED))
    if page.is_presenting():
        return page.choice(
            "verdict",
            "Verdict",
            options,
            disabled=is_masked,
            label_visibility="collapsed",
            width=200,
        )
    return page.segments(
        "verdict", "Verdict", options, ALL, disabled=is_masked, label_visibility="collapsed"
    )


def choose_opened(found: tuple[Entry, ...]) -> Entry | None:
    """Draw which row is open, which tapping a row sets as well, and return its entry."""
    by_title = {entry.figure.measured: entry for entry in found}
    return by_title.get(page.choice(OPENED, "Open row", [NONE, *by_title]))


def open_row(measured: str) -> None:
    """Open the row of what was measured, or with an empty text close the one that is open."""
    st.session_state[OPENED] = measured or NONE
