"""A series goes on: a reservoir whose read-out is solved at once, beside a network that learned every weight."""

import numpy as np
import pyarrow as pa
import streamlit as st

from lm_core.experiments.reservoir_computing.results import ReservoirResults
from lm_core.experiments.reservoir_computing.series import (
    FIVE_SINES,
    MACKEY_GLASS,
    SERIES,
    TWO_SINES,
    Forecasts,
    series_task,
    study_series,
)
from lm_core.experiments.reservoir_computing.study import HORIZON
from pages.reservoir_computing.reservoirs import (
    LEARNED,
    RESERVOIR,
    STYLES,
    Chosen,
    Offer,
    choose_reservoir,
)
from pages.reservoir_computing.series_errors import (
    ANSWERS,
    HEIGHT,
    Picture,
    draw_errors,
    first_of,
    pairs_of,
)
from pages.shared import page
from pages.shared.charts.palette import GREY
from pages.shared.numbers import significant

_NAMES = {MACKEY_GLASS: "chaos", TWO_SINES: "two", FIVE_SINES: "five"}
_PAST = 40  # true values that are drawn before the forecast
_TRUE = "true"


def _choose_series(screen: page.FirstScreen) -> tuple[str, Chosen]:
    """Draw the choice of a series and a reservoir, and return them."""
    with screen.controls:
        name = page.choice("series", "Series", SERIES, width=150)
    return name, choose_reservoir(screen, Offer(_NAMES[name], first_of(name), ()))


@st.cache_data(max_entries=128, show_spinner=False)
def _forecasts(name: str, chosen: Chosen) -> Forecasts:
    reservoir, task = chosen.reservoir(), series_task(name)
    with page.model_calls:
        return study_series(reservoir, task, chosen.penalty)


def series(screen: page.FirstScreen) -> None:
    """Draw a series' continuation by a reservoir and a trained network, and their errors by horizon."""
    name, chosen = _choose_series(screen)
    results = page.shipped(ReservoirResults)
    found = _forecasts(name, chosen)
    picture = Picture(series_task(name), chosen, found, results.on_series(name))
    asked = _ask(screen, picture)
    with screen.picture:
        st.markdown(f"**{_finding(picture, asked)}**")
        _continuation(picture, asked)
        draw_errors(picture, asked)
    page.note_beside(
        screen,
        "*Reservoir computing* draws the recurrent weights W at random, keeps them fixed, and"
        " solves the read-out at once, by *ridge regression*, so no gradient has to be passed"
        " back through time. Both networks then read their own predictions. **Lower λ, the"
        " *spectral radius* of W**, and the reservoir forgets sooner what it has read.",
    )
    if not page.is_presenting():
        _costs(picture, asked)


def _ask(screen: page.FirstScreen, picture: Picture) -> page.Asked:
    if not picture.is_asked:
        return page.Asked()
    ours, theirs = float(picture.found.errors[HORIZON - 1]), picture.error_of_rnn()
    right = 2 if 0.5 < ours / theirs < 2.0 else 0 if ours < theirs else 1
    return page.ask(
        screen,
        "series",
        f"100 units each. The RNN learned all weights in {_seconds(picture):.0f} s. Whose error is smaller"
        f" {HORIZON} steps ahead?",
        ANSWERS,
        right=ANSWERS[right],
        reason=f"**{ours:.3f}** for the reservoir, **{theirs:.3f}** for the RNN. Descent only"
        " approaches the best read-out, while the reservoir's is solved, so part of the"
        " difference lies there: with a solved read-out the RNN has"
        f" {picture.error_of_rnn(solved=True):.3f}.",
    )


def _seconds(picture: Picture) -> float:
    return float(np.mean([row.seconds for row in picture.learned]))


def _learned_radius(picture: Picture) -> float:
    """Return the spectral radius of the trained recurrent matrix, in the mean over seeds."""
    return float(np.mean([np.hypot(*np.array(row.eigenvalues).T).max() for row in picture.learned]))


def _finding(picture: Picture, asked: page.Asked) -> str:
    theirs = picture.error_of_rnn()
    begin = f"{picture.task.name}, {HORIZON} steps ahead: a trained RNN is wrong by {significant(theirs, 2)}"
    if asked.masks:
        return f"{begin}; and {picture.chosen.units} units that never learn?"
    ours = float(picture.found.errors[HORIZON - 1])
    said = "more than 9" if ours > 9 else significant(ours, 2)
    return f"{begin}, {picture.chosen.units} units that never learn by {said}"


def _continuation(picture: Picture, asked: page.Asked) -> None:
    task, horizon = picture.task, picture.task.horizon
    start = int(task.starts[0])
    truth = task.series[start - _PAST : start + horizon]
    low, high = float(task.series.min()), float(task.series.max())
    room = 0.15 * (high - low)
    lines = {_TRUE: [(float(i - _PAST + 1), float(v)) for i, v in enumerate(truth)]}
    lines[LEARNED] = pairs_of(picture.learned[0].own_forecast)
    if not asked.masks:
        lines[RESERVOIR] = pairs_of(picture.found.values[0].tolist())
    styles = {**STYLES, _TRUE: page.LineStyle(GREY)}
    table: dict[str, list[float]] = {"step": [int(x) for x, _ in lines[_TRUE][_PAST:]]}
    table |= {name: [y for _, y in pairs[-horizon:]] for name, pairs in lines.items()}
    page.show_chart(
        page.line_chart(
            lines,
            styles,
            page.Axis("steps ahead", (-_PAST, horizon)),
            page.Axis("value", (low - room, high + room)),
            now=0.0,
            height=HEIGHT,
        ),
        pa.table(table),
        key="continuation",
        alt=f"The true series, {' and '.join(name for name in lines if name != _TRUE)}, {horizon} steps on.",
        is_small=True,
    )


def _costs(picture: Picture, asked: page.Asked) -> None:
    """Say what is compared, and what it cost."""
    if asked.masks:
        return
    task, found = picture.task, picture.found
    horizons = ", ".join(
        f"{significant(found.errors[h - 1], 2)} after {h}" for h in (1, 6, HORIZON, 200)
    )
    st.markdown(
        f"*NRMSE* is the root of the mean squared error over {len(task.starts)} starts, divided by"
        " the series' standard deviation, so always saying the mean has about 1; the reservoir's"
        f" is {horizons} steps. It stays below 0.1 for {found.steps_below(0.1)} steps. Both learned"
        f" from {task.end:,} values; the reservoir solved {picture.chosen.units + 1} weights at"
        f" once, the RNN was trained for {_seconds(picture):.0f} s of one core, and its read-out"
        " then also solved (dashed). Learning left its W with a spectral radius of"
        f" {_learned_radius(picture):.2f}. Jaeger and Haas (2004) published 10⁻⁴·² for Mackey-Glass"
        " 84 steps ahead, with 1,000 units and 3,000 values."
    )
