"""Markov's count of 1913: whether the next letter is a vowel, by those before it."""

from typing import NamedTuple

import streamlit as st

from lm_core.analysis.vowels import ChainCounts, count_chain, runs
from lm_core.experiments.vowels.results import MARKOV, CountedText, VowelResults
from pages.n_grams.vowel_class import counts_of_class
from pages.n_grams.vowel_line import LETTERS, choose_line
from pages.n_grams.vowel_taps import NAMES, draw_buttons, draw_line, taps_of
from pages.n_grams.vowel_writing import written_chain
from pages.shared import page
from pages.shared.charts.palette import BLUE, GREY, ORANGE
from pages.shared.numbers import percent

_AFTER = {"any letter": (), "after a vowel": (True,), "after a consonant": (False,)}
_STYLES = {
    name: page.LineStyle(colour, dash)
    for dash, (name, colour) in enumerate(zip(_AFTER, (GREY, BLUE, ORANGE), strict=True))
}


class Chosen(NamedTuple):
    """The text that the line is compared with, and how many letters back one looks."""

    compared: str
    order: int


@st.cache_data(max_entries=1, show_spinner=False)
def _texts() -> dict[str, CountedText]:
    return {text.name: text for text in VowelResults.load().texts}


def vowels(screen: page.FirstScreen) -> None:
    """Draw the line, the table that fills, and what the whole text has instead."""
    texts = _texts()
    with screen.controls:
        line = choose_line()
        named = {name: text.title for name, text in texts.items()}
        compared = page.choice("vowels_in", "Compared with", named, width=230)
        order = page.segments(
            "letters_back", "Letters back", (0, 1, 2), 1, help="The number of earlier letters that a count looks at is a chain's *order*.")  # fmt: skip
    chosen = Chosen(compared, order)
    text = texts[compared]
    asked = _ask(screen, text)
    _counting(screen, line, chosen, asked)
    if not asked.masks:
        page.below("Let the chain write", "vowel_writing", written_chain, text, icon="edit_note")


def _ask(screen: page.FirstScreen, text: CountedText) -> page.Asked[float]:
    counts = text.counts
    here, after = counts.share() or 0.0, counts.share((True,)) or 0.0
    return page.ask(
        screen,
        "markov",
        f"In *War and Peace* {percent(here)} of all letters are vowels. And of the letters after a vowel?",
        {"About 40 %, as everywhere": 0.4, "About 65 %": 0.65, "About 15 %": 0.15},
        right=after,
        reason=f"**{percent(after, 1)}**, and after a consonant"
        f" {percent(counts.share((False,)) or 0.0, 1)}: vowels and consonants take turns, because"
        " most syllables are a vowel with consonants around it. So letters are not independent, and a model that looks one letter back"
        " knows more than the frequencies alone.",
        when=text.name == "book",
    )


@page.fragment
def _counting(
    screen: page.FirstScreen, line: str, chosen: Chosen, asked: page.Asked[float]
) -> None:
    taps = taps_of(line)
    counts, text = count_chain(taps), _texts()[chosen.compared]
    with screen.picture:
        draw_line(line, taps)
    with screen.beside if page.is_presenting() else screen.picture:
        draw_buttons(line, taps)
    with screen.picture:
        _draw(taps, text, asked)
    with screen.beside:
        of_class = counts_of_class(counts, is_whole=len(taps) == len(line))
        _table(counts, of_class, text, chosen, asked)


def _draw(taps: tuple[bool, ...], text: CountedText, asked: page.Asked[float]) -> None:
    lines: dict[str, list[tuple[float, float]]] = {name: [] for name in _AFTER}
    for n in range(1, len(taps) + 1):
        counts = count_chain(taps[:n])
        for name, before in _AFTER.items():
            if (share := counts.share(before)) is not None:
                lines[name].append((n, share))
    hidden = asked.hides(*(name for name in _AFTER if "after" in name))
    st.markdown(f"**{_finding(taps)}**")
    page.show_lines(
        "vowel_shares",
        lines,
        _STYLES,
        page.Axis(f"letters counted; rings: all of {text.title}", (0, LETTERS)),
        page.Axis("share of vowels", (0.0, 1.0), form=".0%"),
        rings={
            name: [(LETTERS, share)]
            for name, before in _AFTER.items()
            if (share := text.counts.share(before)) is not None and name not in hidden
        },
        guess=asked.at(lambda share: (LETTERS, share)),
        height=260,
    )


def _finding(taps: tuple[bool, ...]) -> str:
    counts = count_chain(taps)
    said = [
        f"{name} {percent(share)}"
        for name, before in _AFTER.items()
        if (share := counts.share(before)) is not None
    ]
    return f"Vowels among {len(taps)} letters: {', '.join(said)}"


def _table(
    counts: ChainCounts,
    of_class: ChainCounts | None,
    text: CountedText,
    chosen: Chosen,
    asked: page.Asked[float],
) -> None:
    shown = [before for before in runs() if len(before) == chosen.order]
    rows: dict[str, list[str]] = {
        "after": [" ".join(NAMES[one] for one in before) or "anything" for before in shown],
        "vowels": [f"{counts.letters[before][1]}" for before in shown],
        "consonants": [f"{counts.letters[before][0]}" for before in shown],
        "P(vowel)": [_share(counts, before) for before in shown],
    }
    if of_class is not None:
        rows[f"class, {of_class.seen():,} letters"] = [_share(of_class, b) for b in shown]
    if not asked.masks:
        rows[text.title] = [_share(text.counts, before) for before in shown]
        rows["Onegin"] = [f"{MARKOV[b]:.3f}" if b in MARKOV else "–" for b in shown]
    # Title and verdict have these numbers as well, and on a projector the picture needs the room.
    if of_class is None and page.is_presenting():
        return
    st.dataframe(rows, hide_index=True)
    if not page.is_presenting():
        st.caption(
            "*Onegin* is Markov's own count: 20,000 letters of *Eugene Onegin*, in Russian,"
            " published in 1913: a language model made with pen and paper, and the first use of his"
            " *chain* on data. So that the counts can be compared, we leave out spaces, as he"
            " did; y counts as a vowel."
        )


def _share(counts: ChainCounts, before: tuple[bool, ...]) -> str:
    share = counts.share(before)
    return "–" if share is None else f"{share:.3f}"
