"""Ten real names and ten that a network made up, to be told apart."""

import streamlit as st

from lm_core.errors import CorpusUnavailableError
from lm_core.experiments.neural_language_model.study import CONTEXT_SIZES, PUBLISHED
from pages.neural_language_model.names_chart import HIDDEN, REAL, SAMPLED, name_bars, name_table
from pages.neural_language_model.round_of_names import N_EACH, Asked, Round, round_of
from pages.shared import page
from pages.shared.numbers import percent
from pages.shared.ui.first_screen import above_and_below

_MOST_BITS, _HEIGHT = 7.0, 300
_PICKED, _SCORES = "real_or_not_picked", "real_or_not_scores"
_COPY, _REINVENTED, _RIGHT, _WRONG = "copy", "real too", "✓", "✗"
_ROUNDS = 999


def _choose_round() -> Asked:
    """Draw which names are asked for, and return it."""
    number = page.number("names_round", "Round", 1, _ROUNDS, 1, width=130)
    with st.popover("More", icon=":material/tune:"):
        context_size = page.segments(
            "names_context", "Letters the network looks back", CONTEXT_SIZES, PUBLISHED.context_size
        )
        temperature = page.slider("names_temperature", "Temperature", 0.5, 1.5, 1.0, 0.1, width=260)
    return Asked(int(number), int(context_size), float(temperature))


def real_or_not(screen: page.FirstScreen) -> None:
    """Let the visitor pick the names that the network made up, then tell."""
    with screen.controls:
        asked = _choose_round()
    try:
        this = round_of(asked)
    except CorpusUnavailableError as error:
        with screen.picture:
            page.show_error(error, st.info)
        return
    scores = st.session_state.setdefault(_SCORES, {})
    is_revealed = asked in scores
    key = f"{_PICKED}_{asked.number}_{asked.context_size}_{asked.temperature:g}"
    with screen.picture:
        names, bars = above_and_below(1.0, 1.6)
        with names:
            picked = st.pills(
                f"Which {N_EACH} of these {2 * N_EACH} names did the network make up?",
                this.names,
                selection_mode="multi",
                key=key,
                disabled=is_revealed,
            )
        with bars:
            _bars(this, list(picked), is_revealed)
    with screen.beside:
        _answer(this, list(picked), asked, is_revealed)


def _answer(this: Round, picked: list[str], asked: Asked, is_revealed: bool) -> None:
    if not is_revealed:
        st.markdown(
            f"**{len(picked)} of {N_EACH}** are picked. The network has not learned from the real"
            " names on this list, so it cannot have copied them."
        )
        st.button(
            "Reveal",
            type="primary",
            key="real_or_not_reveal",
            shortcut="A",
            on_click=_reveal,
            args=(asked, sum(this.right(picked)) if picked else None),
        )
        return
    _verdict(this, asked)
    st.button(
        "Next round",
        icon=":material/casino:",
        key="real_or_not_next",
        on_click=_next,
        args=(asked.number,),
        disabled=asked.number == _ROUNDS,
    )


def _reveal(asked: Asked, n_right: int | None) -> None:
    st.session_state[_SCORES][asked] = n_right


def _next(number: int) -> None:
    st.session_state["names_round"] = number + 1


def _verdict(this: Round, asked: Asked) -> None:
    scores = st.session_state[_SCORES]
    n = len(this.names)
    if scores[asked] is not None:
        st.markdown(f"**{scores[asked]} of {n}** sorted rightly; a coin gets {n // 2}.")
    played = [score for score in scores.values() if score is not None]
    if len(played) > 1:
        st.markdown(
            f"In {len(played)} rounds: {sum(played)} of {n * len(played)},"
            f" **{percent(sum(played) / n / len(played))}**."
        )
    n_reinvented = sum(this.is_reinvented)
    reinvented = (
        f" {n_reinvented} more {'is a real name' if n_reinvented == 1 else 'are real names'} that it"
        " never saw."
    )
    st.markdown(
        f"**{sum(this.is_copy)} of {N_EACH}** sampled names are *copies*: the network has learned from the"
        f" very name.{reinvented if n_reinvented else ''}"
    )
    if not page.is_presenting():
        st.markdown(
            f"Each letter is drawn from its probabilities after the last {asked.context_size}, so the"
            " network's own names have few bits; real ones may surprise it."
        )


def _origin(is_copy: bool, is_reinvented: bool) -> str:
    return f" {_COPY}" if is_copy else f" {_REINVENTED}" if is_reinvented else ""


def _bars(this: Round, picked: list[str], is_revealed: bool) -> None:
    """Draw the bits of each name; what is sampled waits for the picks."""
    kinds = [SAMPLED if s else REAL for s in this.is_sampled]
    marks = ["" for _ in this.names]
    if is_revealed:
        right = this.right(picked)
        marks = [
            (_RIGHT if ok else _WRONG) * bool(picked) + _origin(is_copy, is_reinvented)
            for ok, is_copy, is_reinvented in zip(
                right, this.is_copy, this.is_reinvented, strict=True
            )
        ]
    else:
        kinds = [HIDDEN] * len(this.names)
        marks = ["picked" if name in picked else "" for name in this.names]
    table = name_table(this.names, kinds, this.bits, marks)
    means = {
        kind: sum(b for b, k in zip(this.bits, kinds, strict=True) if k == kind)
        / max(kinds.count(kind), 1)
        for kind in (REAL, SAMPLED)
    }
    title = (
        f"Bits a letter: real names {means[REAL]:.2f} on average, sampled ones {means[SAMPLED]:.2f}"
        if is_revealed
        else "Bits a letter of each name, for the network"
    )
    st.markdown(f"**{title}**")
    page.show_chart(
        name_bars(table, most=_MOST_BITS, height=_HEIGHT),
        key="real_or_not_bits",
        alt=title,
        name="real-or-not",
        is_small=True,
    )
