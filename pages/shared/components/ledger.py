"""Published figures as a list of rows that open: theirs, ours with its spread, and the verdict."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import streamlit as st

from pages.shared.server.component import component

REACH = 0.3
"""The ends of the line on which ours is drawn: so far from theirs, as a share of theirs."""
_LEDGER = component("ledger")


class LedgerRow(NamedTuple):
    """A published figure as it is drawn."""

    name: str  # unique
    # measured, unit, theirs, ours and spread: the last two are empty where there is nothing, or it
    # waits for a guess
    measured: str
    unit: str
    theirs: str
    ours: str
    spread: str
    # kind and word: the verdict: the class of its style, and what is said
    kind: str
    word: str
    has_line: bool  # whether theirs is a number from which ours can be so many per cent away
    # ours_at, low_at and high_at: how far ours, its lowest and its highest are from theirs, as a
    # share of theirs
    ours_at: float | None = None
    low_at: float | None = None
    high_at: float | None = None


class OpenedRow(NamedTuple):
    """What is said of the row that is open."""

    name: str
    facts: tuple[tuple[str, str], ...]  # tuple of (str, str): labels and texts
    link: str  # where its experiment is, from this page
    link_text: str


def ledger(
    groups: Sequence[tuple[str, Sequence[LedgerRow]]],
    opened: OpenedRow | None,
    *,
    key: str,
    label: str,
    none: str,
    on_open: Callable[[str], None],
    fills_place: bool = False,
) -> str | None:
    """Draw the rows, and return the name of that whose link was just followed, if one was.

    Parameters
    ----------
    groups : sequence of (title, rows)
    label : str, names the list for screen readers
    none : str, is said where there are no rows
    on_open : callable
        Takes the name of a row that was tapped, empty where the open one was; called before the page
        is run again.
    fills_place : bool, whether the list takes the height of its place, as in the presenter view
    """

    def tapped() -> None:
        name = st.session_state[key].opened
        if name is not None:
            on_open(str(name))

    result = _LEDGER(
        key=key,
        data={
            "groups": [
                {"title": title, "rows": [row._asdict() for row in rows]} for title, rows in groups
            ],
            "opened": opened and opened._asdict(),
            "reach": REACH,
            "label": label,
            "none": none,
            "fills_place": fills_place,
        },
        on_opened_change=tapped,
        on_followed_change=lambda: None,
    )
    return None if result.followed is None else str(result.followed)
