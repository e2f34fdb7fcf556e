"""How often networks fail to learn XOR: measured for every size, and nine starts to be watched."""

from typing import NamedTuple

import streamlit as st

from lm_core.errors import ResultError
from lm_core.experiments.perceptron.study import DEPTHS, WIDTHS, PerceptronResults
from lm_core.experiments.perceptron.tasks import BOUNDS, TASKS, XOR
from lm_core.experiments.perceptron.training import (
    NetworkSettings,
    Training,
    hidden_units,
    network_of,
    surfaces,
    train,
)
from lm_core.models.activations import ACTIVATIONS
from pages.perceptron.own_points import LEGEND, marks_of
from pages.perceptron.planes import borders
from pages.perceptron.trained import choose_more
from pages.shared import charts
from pages.shared.components.plane_panels import Plane, plane_panels
from pages.shared.numbers import percent
from pages.shared.turns import model_calls
from pages.shared.ui.controls import control, is_presenting
from pages.shared.ui.figures import show_chart
from pages.shared.ui.first_screen import FirstScreen, note_beside
from pages.shared.ui.lesson import (
    Prediction,
    answer_is_masked,
    nearest_answer,
    predict_then_reveal,
    show_verdict,
)
from pages.shared.ui.messages import show_error
from pages.shared.ui.playback import playback_bar

_SHOWN = 9
_ASKED = "tanh", 2, 1
_ANSWERS = {"None": 0.0, "About one in seven": 0.14, "Nearly half": 0.46, "Nearly all": 0.95}
_HEIGHT = 300
_SIZE = 32
"""Places of a small picture in each direction."""
_CELL, _TAKEN = "failure_matrix", "failure_matrix_taken"


class Measured(NamedTuple):
    """What is watched: the network, and the seed of its nine starts."""

    activation: str
    units: int
    layers: int
    seed: int


@st.cache_resource(max_entries=1, show_spinner=False)
def _results() -> PerceptronResults:
    return PerceptronResults.load()


def choose_measured(screen: FirstScreen) -> Measured:
    """Draw the choice of a network, and return it; a click in the matrix chooses as well."""
    _take_click()
    with screen.controls:
        units = control(st.select_slider, "units", "Hidden units", WIDTHS, 2, width=160)
        with st.popover("More", icon=":material/tune:"):
            activation, layers, seed = choose_more(DEPTHS[-1])
    return Measured(activation, int(units), layers, seed)


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


def starts(screen: FirstScreen, measured: Measured) -> None:
    """Draw the measured shares beside nine starts of the chosen network."""
    try:
        results = _results()
    except ResultError as error:
        show_error(error)
        return
    with screen.beside:
        prediction = _ask(results, measured)
    training = _nine(measured)
    is_masked = answer_is_masked(prediction)
    with screen.picture:
        st.markdown(f"**{_finding(results, measured, is_masked=is_masked)}**")
        playback_bar(
            "start_frame",
            len(training.steps),
            lambda i: _draw(results, measured, training, i, prediction),
            label="Snapshot of nine starts",
            start=len(training.steps) - 1,
            seconds_per_step=0.5,
        )
    note_beside(screen, _explained(results, measured))
    if not is_presenting():
        when = results.provenance
        st.caption(
            f"Measured {when['date'][:10]}: {results.failures[0].starts} starts each, weights drawn by"
            f" Glorot's uniform law, biases 0, {when['steps']:,} steps of gradient descent on the four"
            f" points at a rate of {when['learning_rate']:g}; a start fails if one point is on the wrong"
            f" side at the end. {when['seconds']:.0f} s on one core."
        )


def _ask(results: PerceptronResults, measured: Measured) -> Prediction | None:
    """Ask how often two units fail; None where something else is on screen."""
    if (measured.activation, measured.units, measured.layers) != _ASKED:
        return None
    prediction = predict_then_reveal(
        "starts",
        "Two hidden units suffice for XOR, as the network made by hand shows. How many of 500 random starts"
        " with two tanh units fail to learn it?",
        list(_ANSWERS),
    )
    if prediction.revealed:
        found = results.of(*_ASKED)
        fewer = results.of("tanh", 4, 1)
        show_verdict(
            prediction,
            right=nearest_answer(found.share, _ANSWERS),
            reason=f"**{found.failed} of {found.starts}**. With four units {fewer.failed} fail: what more"
            " units add is not what they can say, but ways downhill.",
        )
    return prediction


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
    prediction: Prediction | None,
) -> None:
    if _clicked() is not None:
        st.rerun()  # all of the page follows, not only what the playback bar draws
    left, right = st.columns([1.1, 1], gap="small")
    with left:
        _matrix(results, measured, prediction)
    with right:
        _nine_planes(measured, training, i, is_masked=answer_is_masked(prediction))


def _matrix(results: PerceptronResults, measured: Measured, prediction: Prediction | None) -> None:
    shares = {
        (activation.title, str(width)): results.of(name, width, measured.layers).share
        for name, activation in ACTIVATIONS.items()
        for width in WIDTHS
    }
    chosen = ACTIVATIONS[measured.activation].title, str(measured.units)
    is_masked = answer_is_masked(prediction)
    guess = None
    if prediction is not None and prediction.revealed and prediction.guess is not None:
        guess = chosen, _ANSWERS[prediction.guess]
    masked = [cell for cell in shares if cell[1] in ("2", "3")] if is_masked else []
    table = charts.failure_table(shares, masked=masked, chosen=chosen, guess=guess)
    layers = f"{measured.layers} hidden layer{'s' if measured.layers > 1 else ''}"
    show_chart(
        charts.failure_matrix(
            table, row_title="", column_title=f"units in {layers}", height=_HEIGHT - 30
        ),
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


@st.cache_data(max_entries=32, show_spinner="Training")
def _nine(measured: Measured) -> Training:
    """Return nine starts, trained side by side once for all visitors."""
    settings = NetworkSettings(
        (measured.units,) * measured.layers,
        measured.activation,
        seed=measured.seed,
        networks=_SHOWN,
    )
    with model_calls:
        return train(TASKS[XOR], settings)


def _nine_planes(measured: Measured, training: Training, i: int, *, is_masked: bool) -> None:
    layers = training.layers[i]
    shares = surfaces(layers, measured.activation, BOUNDS, _SIZE).numpy()
    marks = [mark._replace(radius=4.0) for mark in marks_of(TASKS[XOR])]
    planes = []
    for start in range(_SHOWN):
        said = f"Start {start + 1} at step {training.steps[i]}."
        if is_masked:
            planes.append(Plane("?", "", BOUNDS, said, marks=marks, is_asked=True))
            continue
        n_right = int(training.n_right[i, start])
        units = hidden_units(network_of(layers, start), 0)
        planes.append(
            Plane(
                f"{n_right} of 4" + (" ✓" if n_right == 4 else ""),
                "",
                BOUNDS,
                said,
                charts.surface_picture(shares[start]),
                borders(units, width=1.5, has_arrows=False),
                marks,
            )
        )
    plane_panels(
        planes, key="nine_planes", name="nine-starts", columns=3, height=_HEIGHT, hint=LEGEND
    )


def _explained(results: PerceptronResults, measured: Measured) -> str:
    widest = results.of(measured.activation, WIDTHS[-1], measured.layers)
    return (
        "A network may be able to say something and still not learn it: gradient descent stops where the"
        f" slope does. Each number is the share of {widest.starts} starts that fail. Functions that fall and"
        " rise need only one unit. **Click a cell**, and play its starts."
    )
