"""The chain rule with the numbers of a word, and what comes after each of its contexts."""

import math

import numpy as np
import streamlit as st

from lm_core.experiments.n_grams.results import NAMES, SYMBOLS_OF
from pages.n_grams.counted import OF, Spelled, choose_counted, choose_word, results
from pages.n_grams.letter_bars import context_as_code, draw_bars, name_of
from pages.n_grams.word_letters import INSPECTED, draw_word
from pages.shared import page
from pages.shared.numbers import percent, significant
from pages.shared.ui.markdown import as_code

FIRST_N = 3
_ASKED_AT = 2  # the place in the first word whose letter is asked for

_OFFERED = 4
_FACTORS = 9


def _choose_n() -> int:
    """Draw how long the n-grams are, and return it."""
    return page.slider("n", "n: letters together", 1, 6, FIRST_N, width=200)


def next_letter(screen: page.FirstScreen) -> None:
    """Draw a word letter by letter, and what comes after the context of one of them."""
    with screen.controls:
        counted, n = choose_counted(), _choose_n()
    with (
        screen.picture,
        st.container(key="wraps_word", horizontal=True, vertical_alignment="center"),
    ):
        with st.container(width=190):
            spelled = choose_word(counted)
        finding = st.container()
    rows = [_row(spelled, place, n) for place in range(len(spelled.ids))]
    own = [_share(row, symbol) for row, symbol in zip(rows, spelled.ids, strict=True)]
    place = _inspected(spelled)
    asked = _ask(screen, spelled, n, place)
    is_masked = asked.masks
    finding.markdown(f"**{_finding(spelled, n, own)}**")
    with screen.picture:
        left, right = st.columns([1, 1.15], gap="medium")
        with left:
            draw_word(spelled, n, place, own, is_masked=is_masked)
        with right:
            draw_bars(spelled, n, place, rows[place], asked)
    if is_masked:
        return
    if not page.is_presenting():
        st.markdown(_factors(spelled, n, own))
    page.note_beside(screen, _explained(spelled, n, place, rows[place], own))


def _row(spelled: Spelled, place: int, n: int) -> np.ndarray:
    """Return how often each symbol came after what is before a place."""
    context = spelled.context(place, n)
    table = results().tables[spelled.counted][len(context)]
    key = 0
    for symbol in context:
        key = key * len(SYMBOLS_OF[spelled.counted]) + symbol
    return table.row(np.array(key))


def _share(row: np.ndarray, symbol: int) -> float:
    return float(row[symbol] / max(int(row.sum()), 1))


def _inspected(spelled: Spelled) -> int:
    """Return the place that was tapped, if it was in this word; else one in its middle."""
    word, place = st.session_state.get(INSPECTED, ("", 0))
    if word == "".join(spelled.symbols):
        return int(place)
    return min(_ASKED_AT, len(spelled.ids) - 1)


def _ask(screen: page.FirstScreen, spelled: Spelled, n: int, place: int) -> page.Asked:
    """Ask for the most frequent letter of the first screen; None where something else is on screen."""
    if not (spelled.is_first_word() and n == FIRST_N and place == _ASKED_AT):
        return page.Asked()
    row = _row(spelled, place, n)
    symbols = SYMBOLS_OF[spelled.counted]
    best = np.argsort(-row, kind="stable")[:_OFFERED].tolist()
    offered = {name_of(symbols[i]): i for i in sorted(best)}
    counts = ", ".join(f"{as_code(symbols[i])} {row[i]:,}" for i in best)
    return page.ask(
        screen,
        f"n_grams_{spelled.counted}",
        f"Which comes most often after {context_as_code(spelled, place, n)} in {OF[spelled.counted]}?",
        offered,
        right=page.answer_meaning(best[0], offered),
        reason=f"Of {int(row.sum()):,} times: {counts}.",
    )


def _finding(spelled: Spelled, n: int, own: list[float]) -> str:
    word = as_code("".join(spelled.symbols))
    if min(own) == 0:
        first = own.index(0.0)
        context = context_as_code(spelled, first, n)
        least = results().minimum[spelled.counted][len(spelled.context(first, n))]
        if least > 1 and not _row(spelled, first, n).sum():
            return f"No probability for n = {n}: {context} was seen fewer than {least} times"
        return (
            f"P({word}) = 0 for n = {n}: {as_code(spelled.symbols[first])} was never counted after"
            f" {context}"
        )
    bits = -sum(map(math.log2, own))
    return (
        f"P({word}) = {significant(2**-bits, 2)} for n = {n}: {bits / len(own):.2f} bits a letter, as if"
        f" one of {2 ** (bits / len(own)):.1f} each time"
    )


def _factors(spelled: Spelled, n: int, own: list[float]) -> str:
    """Return the product of the chain rule, with its numbers."""
    parts = []
    for place, (symbol, share) in enumerate(zip(spelled.symbols, own, strict=True)):
        context = "".join(SYMBOLS_OF[spelled.counted][i] for i in spelled.context(place, n))
        given = f"|{context}" if context else ""
        parts.append(f"{as_code(symbol + given)} {significant(share, 2)}")
    more = f" × … {len(parts) - _FACTORS} more" if len(parts) > _FACTORS else ""
    return " × ".join(parts[:_FACTORS]) + more


def _explained(spelled: Spelled, n: int, place: int, row: np.ndarray, own: list[float]) -> str:
    symbol, total = spelled.symbols[place], int(row.sum())
    count = int(row[spelled.ids[place]])
    came = (
        f"after {context_as_code(spelled, place, n)}, {as_code(symbol)} came **{count:,} of {total:,}** times,"
        f" {percent(own[place], 1)}."
        if total
        else f"{context_as_code(spelled, place, n)} was never counted, so it has no probability for"
        f" {as_code(symbol)}."
    )
    dots = (
        f" The sign {as_code('.')} is the end of a name and also comes before its first letter, so"
        " beginnings are counted as well."
        if spelled.counted == NAMES
        else ""
    )
    return (
        "The *chain rule*: the probability of a word is the product of its letters' probabilities,"
        " each given all letters before it. Long beginnings come too seldom to be counted, so an"
        f" *n-gram model* looks at the last n − 1 letters only: {came}{dots}"
    )
