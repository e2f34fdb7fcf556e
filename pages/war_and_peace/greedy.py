"""What the model writes at temperature 0: does it repeat itself? It is written while the page is read."""

import streamlit as st

from pages.shared import page
from pages.shared.counts import counted
from pages.shared.numbers import percent, significant
from pages.shared.ui.markdown import as_code
from pages.war_and_peace.greedy_writing import greedy_text, greedy_writing
from pages.war_and_peace.opening import Opening

_REPEATS = ("Never: the book does not either", "Yes, word for word, over and over")
"""The answers to choose from: does it repeat itself?"""
_AT_A_TIME_S, _EVERY_S = 0.3, 0.6
"""Seconds of writing at a time, and from one such time to the next: meanwhile every control answers."""


def is_asked() -> bool:
    """Return whether the question about the text at temperature 0 is still open."""
    return "revealed_greedy" not in st.session_state


def ask_whether_it_repeats(opening: Opening) -> page.Asked[str]:
    """Ask whether a text that is not drawn at random repeats itself, and judge the guess once it is written."""
    unit = opening.vocabulary.unit
    kind = "" if unit == "character" else ", here a part of a word,"
    question = (
        f"At temperature 0 the most probable {unit}{kind} is always taken."
        " Will the text ever repeat itself?"
    )
    asked = page.ask(None, "greedy", question, _REPEATS)
    if not asked.masks:
        is_done = greedy_writing(opening).is_done
        with st.container(key="live_greedy"):
            page.fragment(_watch, run_every=None if is_done else _EVERY_S)(opening, asked, is_done)
    return asked


def _watch(opening: Opening, asked: page.Asked[str], was_done: bool) -> None:
    writing, unit = greedy_writing(opening), opening.vocabulary.unit
    if not was_done:
        writing.write(_AT_A_TIME_S)
        if writing.is_done:
            st.rerun()
        st.progress(
            writing.n_written / writing.length,
            f"At temperature 0 it has written {writing.n_written:,} of {writing.length:,} {unit}s.",
        )
        return
    greedy = greedy_text(opening)
    reason = f"Not within {writing.length:,} {unit}s, for this prompt and this model."
    if greedy.loop is not None:
        start, period, repeats = greedy.loop.start, greedy.loop.period, greedy.loop.repeats
        phrase = "".join(greedy.tokens[start : start + period])
        reason = (
            f"From {unit} {start - greedy.n_prompt:,} on, {as_code(phrase)} ({counted(period, unit)})"
            f" comes {counted(repeats, 'time')} in a row"
        )
    asked.judge(right=_REPEATS[greedy.loop is not None], reason=reason)


def explain_greedy(opening: Opening) -> None:
    """Explain the circle of the text at temperature 0, once it is written, and fold the whole text away."""
    if not greedy_writing(opening).is_done:
        return
    greedy = greedy_text(opening)
    if greedy.loop is not None:
        st.markdown(_why(greedy.distances))
    with st.expander("The whole text at temperature 0"):
        st.text("".join(greedy.tokens))


def _why(distances: tuple[float, ...]) -> str:
    if not distances:
        return (
            "Nothing is drawn at temperature 0, so the text depends on the tokens alone that the model"
            " reads: those of its window. In a circle the same phrase fills more and more of them. A"
            " single random choice can break it, because all that follows reads another token."
        )
    text = "Nothing is drawn at temperature 0, so the text depends on the model's state alone."
    if distances[-1] == 0.0:
        return (
            f"{text} Here the state is the same to the last digit after each round, so it can"
            " never leave the circle."
        )
    return (
        f"{text} The first round led the state to within {percent(distances[0], 1)} of where it had"
        f" been, the last one to within {significant(distances[-1], 2)} of it (as a share of its"
        " length). A loop to which the state comes back closer and closer is an *attractor*. A single"
        " random choice can break it, because it leads the state elsewhere."
    )
