"""The chain rule with the numbers of a word, and what comes after each of its contexts."""

import math

import numpy as np
import streamlit as st

from lm_core.experiments.n_grams.results import NAMES, SYMBOLS_OF
from pages.n_grams.counted import OF, Spelled, choose_counted, choose_word, results
from pages.shared import page
from pages.shared.charts import predictions
from pages.shared.charts.palette import PURPLE
from pages.shared.numbers import percent, significant
from pages.shared.ui import lesson
from pages.shared.ui.figures import show_chart
from pages.shared.ui.markdown import as_code

FIRST_N = 3
_ASKED_AT = 2
"""The place in the first word whose letter is asked for."""

_OFFERED = 4
_FACTORS = 9
_MOST_LETTERS = 8
"""Letters of a word that are drawn at once."""

_HEIGHT = 260
_INSPECTED = "n_grams_inspected"
_HIDDEN = "?"


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
            _letters(spelled, n, place, own, is_masked=is_masked)
        with right:
            _bars(spelled, n, place, rows[place], asked)
    if is_masked:
        return
    if not page.is_presenting():
        st.markdown(_factors(spelled, n, own))
    page.note_beside(screen, _explained(spelled, n, place, rows[place], own))


def _letters(spelled: Spelled, n: int, place: int, own: list[float], *, is_masked: bool) -> None:
    """Draw the probability of each letter of the word; a click chooses one of them."""
    first = min(max(0, place - _MOST_LETTERS // 2), max(0, len(own) - _MOST_LETTERS))
    shown = range(first, min(first + _MOST_LETTERS, len(own)))
    symbols = SYMBOLS_OF[spelled.counted]
    candidates = [
        (
            i,
            spelled.symbols[i] + "|" + "".join(symbols[s] for s in spelled.context(i, n)),
            0.0 if is_masked and i == place else own[i],
        )
        for i in shown
    ]
    table = predictions.candidate_table(candidates, len(candidates), marked=place)
    st.markdown("**Letter by letter:**")
    selected = show_chart(
        predictions.prediction_bars(
            table,
            unit="letter",
            mark="which?" if is_masked else "chosen",
            colour=PURPLE,
            height=_HEIGHT,
        ),
        table,
        key="n_grams_word",
        alt="Each letter after those before it: "
        + "; ".join(
            f"{symbol} {percent(p, 1)}"
            for i, symbol, p in candidates
            if not (is_masked and i == place)
        ),
        name="chain-rule",
        selectable=True,
    )
    if not page.is_presenting():
        st.caption("Tap a letter: what else came after the same ones.")
    clicked = predictions.picked_id(selected)
    if clicked is not None and clicked != place:
        st.session_state[_INSPECTED] = ("".join(spelled.symbols), clicked)
        st.rerun()


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
    word, place = st.session_state.get(_INSPECTED, ("", 0))
    if word == "".join(spelled.symbols):
        return int(place)
    return min(_ASKED_AT, len(spelled.ids) - 1)


def _written(spelled: Spelled, place: int, n: int) -> str:
    """Return the context of a place as inline code."""
    symbols = SYMBOLS_OF[spelled.counted]
    context = "".join(symbols[i] for i in spelled.context(place, n))
    return as_code(context) if context else "nothing"


def _ask(screen: page.FirstScreen, spelled: Spelled, n: int, place: int) -> page.Asked:
    """Ask for the most frequent letter of the first screen; None where something else is on screen."""
    if not (spelled.is_first_word() and n == FIRST_N and place == _ASKED_AT):
        return page.Asked()
    row = _row(spelled, place, n)
    symbols = SYMBOLS_OF[spelled.counted]
    best = np.argsort(-row, kind="stable")[:_OFFERED].tolist()
    offered = {_name(symbols[i]): i for i in sorted(best)}
    counts = ", ".join(f"{as_code(symbols[i])} {row[i]:,}" for i in best)
    return page.ask(
        screen,
        f"n_grams_{spelled.counted}",
        f"Which comes most often after {_written(spelled, place, n)} in {OF[spelled.counted]}?",
        offered,
        right=lesson.answer_meaning(best[0], offered),
        reason=f"Of {int(row.sum()):,} times: {counts}.",
    )


def _name(symbol: str) -> str:
    return {" ": "a space", ".": "the end (.)"}.get(symbol, symbol)


def _bars(spelled: Spelled, n: int, place: int, row: np.ndarray, asked: page.Asked) -> None:
    symbols, total = SYMBOLS_OF[spelled.counted], int(row.sum())
    context = _written(spelled, place, n)
    if not total:
        least = results().minimum[spelled.counted][len(spelled.context(place, n))]
        st.info(
            f"{OF[spelled.counted].capitalize()} never have {context}"
            + (f", or fewer than {least} times" if least > 1 else "")
            + ": plain counts predict nothing here. Lower n."
        )
        return
    is_masked = asked.masks
    marked: int | None = spelled.ids[place]
    mark = "in your word"
    if is_masked:
        symbols, marked = (_HIDDEN,) * len(symbols), None
    elif asked.prediction is not None and asked.guess is not None:
        named = {_name(symbol): i for i, symbol in enumerate(symbols)}
        marked, mark = named[asked.guess], "your guess"
    table = predictions.prediction_table(symbols, {"": row / total}, most=7, marked=marked)
    st.markdown(f"**After {context}, seen {total:,} times:**")
    best = np.argsort(-row, kind="stable")[:4].tolist()
    show_chart(
        predictions.prediction_bars(table, unit="letter", mark=mark, height=_HEIGHT),
        table,
        key="n_grams_next",
        alt="Letters wait for the guess."
        if is_masked
        else "; ".join(f"{_name(symbols[i])} {percent(row[i] / total, 1)}" for i in best),
        name="next-letter",
    )


def _finding(spelled: Spelled, n: int, own: list[float]) -> str:
    word = as_code("".join(spelled.symbols))
    if min(own) == 0:
        first = own.index(0.0)
        context = _written(spelled, first, n)
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
        f"after {_written(spelled, place, n)}, {as_code(symbol)} came **{count:,} of {total:,}** times,"
        f" {percent(own[place], 1)}."
        if total
        else f"{_written(spelled, place, n)} was never counted, so it has no probability for"
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
