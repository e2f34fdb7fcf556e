"""The list of figures, the guess how many of them hold, and the table to take away."""

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from lm_core.experiments.published_figures.ledger import Entry, tally
from lm_core.experiments.published_figures.record import Verdict
from pages.published_figures.entries import chapter_of
from pages.published_figures.filters import Filters, open_row
from pages.shared import page
from pages.shared.components.ledger import LedgerRow, OpenedRow, ledger
from pages.shared.registry import page_at
from pages.shared.ui.addresses import link_to
from pages.shared.ui.controls import follow_link
from pages.shared.ui.figures import download_csv

_ANSWERS = {
    "nearly all": page.Answer(0.85, 0.95),
    "about three quarters": page.Answer(0.65, 0.75),
    "about half": page.Answer(0.4, 0.5),
    "fewer": page.Answer(0.0, 0.2),
}
"""Of all figures, which share holds."""
_WAITS = "waits", "waits"
_SAID = {Verdict.HOLDS: "hold", Verdict.DOES_NOT_HOLD: "do not hold"}


def ask(screen: page.FirstScreen, found: Sequence[Entry]) -> page.Asked[page.Answer]:
    """Ask how many of the figures hold, and once guessed, say it."""
    counts = tally(found)
    holds, fails = counts[Verdict.HOLDS], counts[Verdict.DOES_NOT_HOLD]
    return page.ask(
        screen,
        "published",
        f"{len(found)} published figures: how many hold when they are measured here?",
        _ANSWERS,
        right=holds / len(found),
        reason=f"**{holds} of {len(found)}** hold, {fails} do not. The other"
        f" {len(found) - holds - fails} cannot be told, because text or training differ, or there"
        " is no means to repeat them here, or only their own weights were scored again.",
    )


def picture(
    screen: page.FirstScreen,
    found: tuple[Entry, ...],
    filters: Filters,
    opened: Entry | None,
    *,
    is_masked: bool,
) -> None:
    """Draw the figures that pass the filters, beside ours; by how much they differ, and the verdicts, wait for a guess."""
    shown = [entry for entry in found if filters.pass_(entry)]
    titles = {entry.figure.name: entry.figure.measured for entry in found}
    with screen.picture:
        title = _finding(shown, len(found), is_masked=is_masked)
        st.markdown(f"**{title}**")
        followed = ledger(
            _groups(shown, is_masked=is_masked),
            None if opened is None else _opened(opened, is_masked=is_masked),
            key="published_ledger",
            label=title,
            none="No figure is like that: choose another verdict or chapter, or empty the search.",
            on_open=lambda name: open_row(titles.get(name, "")),
            fills_place=page.is_presenting(),
        )
    if followed is not None:
        figure = next(entry.figure for entry in found if entry.figure.name == followed)
        follow_link(link_to(figure.page, figure.settings))


def _finding(shown: Sequence[Entry], n: int, *, is_masked: bool) -> str:
    listed = f"All {n} published figures" if len(shown) == n else f"{len(shown)} of {n} figures"
    if is_masked:
        return f"{listed} beside ours. Which of them hold waits for your guess"
    counts = ", ".join(
        f"{count} {_SAID.get(verdict, verdict) if count > 1 else verdict}"
        for verdict, count in tally(shown).items()
        if count
    )
    return f"{listed}: {counts}" if counts else listed


def _groups(shown: Sequence[Entry], *, is_masked: bool) -> list[tuple[str, list[LedgerRow]]]:
    groups: dict[str, list[LedgerRow]] = {}
    for entry in shown:
        groups.setdefault(chapter_of(entry), []).append(_row(entry, is_masked=is_masked))
    return list(groups.items())


def _row(entry: Entry, *, is_masked: bool) -> LedgerRow:
    figure, ours = entry.figure, entry.ours
    known = (figure.name, figure.measured, figure.unit, entry.theirs)
    if is_masked:
        return LedgerRow(*known, entry.shown, "", *_WAITS, has_line=bool(figure.value))
    return LedgerRow(
        *known,
        entry.shown,
        entry.spread,
        entry.verdict.replace(" ", "-"),
        entry.verdict,
        entry.deviation is not None,
        entry.deviation,
        entry.relative(ours.low),
        entry.relative(ours.high),
    )


def _opened(entry: Entry, *, is_masked: bool) -> OpenedRow:
    figure, term = entry.figure, page_at(entry.figure.page).term
    facts = [("Reported in", figure.document), ("Protocol", figure.protocol)]
    if figure.written != entry.theirs:
        facts.append(("In full", figure.written))
    if not is_masked:
        facts.append(("Here", entry.ours.reason))
        facts.append(("Rule", figure.rule.text))
    link = link_to(figure.page, figure.settings)
    return OpenedRow(figure.name, tuple(facts), link, f"Open this experiment: {term}")


def download(found: Sequence[Entry]) -> None:
    """Offer all figures as one table."""
    download_csv(_table(found), "published-figures", key="published_csv")


def _table(found: Sequence[Entry]) -> pd.DataFrame:
    return pd.DataFrame(
        {
            "chapter": chapter_of(entry),
            "figure": entry.figure.measured,
            "unit": entry.figure.unit,
            "document": entry.figure.document,
            "protocol": entry.figure.protocol,
            "theirs": entry.figure.written,
            "ours": entry.shown,
            "lowest": entry.ours.low,
            "highest": entry.ours.high,
            "seeds": entry.ours.seeds,
            "verdict": str(entry.verdict),
            "reason": entry.ours.reason,
            "rule": entry.figure.rule.text,
            "page": entry.figure.page,
        }
        for entry in found
    )
