"""How often networks fail to learn XOR: measured for every size, and nine starts to be watched."""

import streamlit as st

from lm_core.experiments.perceptron.study import DEPTHS, WIDTHS, PerceptronResults
from lm_core.experiments.perceptron.training import Training
from lm_core.models.activations import ACTIVATIONS
from pages.perceptron.failures_chart import failure_matrix, failure_table
from pages.perceptron.network_choice import choose_more
from pages.perceptron.nine_starts import HEIGHT, Measured, draw_nine, nine_trainings
from pages.shared import page
from pages.shared.numbers import percent

_ASKED = "tanh", 2, 1
_CELL, _TAKEN = "failure_matrix", "failure_matrix_taken"


def _choose_measured(screen: page.FirstScreen) -> Measured:
    """Draw the choice of a network; a click in the matrix chooses as well."""
    _take_click()
    with screen.controls:
        units = page.pick("units", "Hidden units", WIDTHS, 2, width=160)
    with page.more(screen):
        activation, layers, seed = choose_more(DEPTHS[-1])
    return Measured(activation, units, layers, seed)


def _clicked() -> tuple[str, str] | None:
    """Return the cell of the matrix that was clicked, if that has not been taken up yet."""
    clicked = st.session_state.get(_CELL, {}).get("selection", {}).get("cell") or [{}]
    cell = clicked[0].get("row"), clicked[0].get("column")
    return cell if all(cell) and st.session_state.get(_TAKEN) != cell else None


def _take_click() -> None:
    """Choose what was clicked in the matrix."""
    cell = _clicked()
    if cell is not None:
        by_title = {activation.title: name for name, activation in ACTIVATIONS.items()}
        st.session_state["activation"] = by_title[cell[0]]
        st.session_state["units"] = int(cell[1])
        st.session_state[_TAKEN] = cell


def starts(screen: page.FirstScreen) -> None:
    """Draw the measured shares beside nine starts of the chosen network."""
    measured, results = _choose_measured(screen), page.shipped(PerceptronResults)
    found, fewer = results.of(*_ASKED), results.of("tanh", 4, 1)
    asked = page.ask(
        screen,
        "starts",
        "Two hidden units suffice for XOR, as the network made by hand shows. How many of 500 random starts"
        " with two tanh units fail to learn it?",
        {"None": 0.0, "About one in seven": 0.14, "Nearly half": 0.46, "Nearly all": 0.95},
        right=found.share,
        reason=f"**{found.failed} of {found.starts}**. With four units {fewer.failed} fail. Two units can"
        " already say XOR, so more are not needed to say it; probably they add ways downhill, which is not tested here.",
        when=(measured.activation, measured.units, measured.layers) == _ASKED,
    )
    training = nine_trainings(measured)
    with screen.picture:
        st.markdown(f"**{_finding(results, measured, is_masked=asked.masks)}**")
        page.playback_bar(
            "start_frame",
            len(training.steps),
            lambda i: _draw(results, measured, training, i, asked),
            label="Snapshot of nine starts",
        )
    page.note_beside(screen, _explained(results, measured))
    if not page.is_presenting():
        when = results.provenance
        st.caption(
            f"Measured {when['date'][:10]}: {results.failures[0].starts} starts each, weights drawn by"
            f" Glorot's uniform law, biases 0, {when['steps']:,} steps of gradient descent on the four"
            f" points at a rate of {when['learning_rate']:g}; a start fails if one point is on the wrong"
            f" side at the end. {when['seconds']:.0f} s on one core."
        )


def _finding(results: PerceptronResults, measured: Measured, *, is_masked: bool) -> str:
    title = ACTIVATIONS[measured.activation].title
    if is_masked:
        return f"How often does XOR fail with {measured.units} hidden units?"
    found = results.of(measured.activation, measured.units, measured.layers)
    return f"{title}, {measured.units} units: {found.failed} of {found.starts} starts fail to learn XOR"


def _draw(
    results: PerceptronResults,
    measured: Measured,
    training: Training,
    i: int,
    asked: page.Asked[float],
) -> None:
    if _clicked() is not None:
        st.rerun()  # all of the page follows, not only what the playback bar draws
    left, right = st.columns([1.1, 1], gap="small")
    with left:
        _matrix(results, measured, asked)
    with right:
        draw_nine(measured, training, i, is_masked=asked.masks)


def _matrix(results: PerceptronResults, measured: Measured, asked: page.Asked[float]) -> None:
    shares = {
        (activation.title, str(width)): results.of(name, width, measured.layers).share
        for name, activation in ACTIVATIONS.items()
        for width in WIDTHS
    }
    chosen = ACTIVATIONS[measured.activation].title, str(measured.units)
    guess = None if asked.guess is None else (chosen, asked.answers[asked.guess])
    masked = [cell for cell in shares if cell[1] in asked.hides("2", "3")]
    table = failure_table(shares, masked=masked, chosen=chosen, guess=guess)
    layers = f"{measured.layers} hidden layer{'s' if measured.layers > 1 else ''}"
    page.show_chart(
        failure_matrix(table, row_title="", column_title=f"units in {layers}", height=HEIGHT - 30),
        table.select(["row", "column", "share"]),
        key=_CELL,
        alt="; ".join(
            f"{row}, {column}: {'?' if (row, column) in masked else f'{percent(share)}'}"
            for (row, column), share in shares.items()
            if row == chosen[0]
        ),
        name="failed-starts",
        selectable=True,
        is_small=True,
    )


def _explained(results: PerceptronResults, measured: Measured) -> str:
    widest = results.of(measured.activation, WIDTHS[-1], measured.layers)
    return (
        "A network may be able to compute something and still not learn it, because gradient descent"
        f" stops wherever the slope is 0. Each number is the share of {widest.starts} starts that fail."
        " Functions that fall and rise again need only one unit, because one such unit has two borders."
        " **Click a cell**, and play its starts."
    )
