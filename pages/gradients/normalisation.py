"""Batch norm in training and at evaluation, and what becomes of it when batches are small."""

from functools import partial
from statistics import mean
from typing import NamedTuple

import pyarrow as pa
import streamlit as st

from lm_core.errors import ResultError
from lm_core.experiments.gradients.normalisation import (
    BATCH_NORM,
    BATCH_SIZES,
    LAYER_NORM,
    MOMENTUM,
    NONE,
    RunningStatistics,
    running_statistics,
    unit_values,
)
from lm_core.experiments.gradients.study import GradientResults
from lm_core.rng import generator
from pages.shared import charts
from pages.shared.charts.palette import BLUE, GREY, ORANGE, VERMILLION
from pages.shared.numbers import percent
from pages.shared.turns import model_calls
from pages.shared.ui.controls import control, is_presenting
from pages.shared.ui.figures import show_chart
from pages.shared.ui.first_screen import FirstScreen, note_beside
from pages.shared.ui.folds import draw_when_open
from pages.shared.ui.lesson import (
    Prediction,
    answer_is_masked,
    guesses_in_picture,
    nearest_answer,
    predict_then_reveal,
    show_verdict,
)
from pages.shared.ui.messages import show_error
from pages.shared.ui.playback import playback_bar

_FIRST_SIZE = 4
_BATCHES = 60
_HEIGHT = 285
_ANSWERS = {"About 1 %": 0.01, "About 10 %": 0.1, "More than 20 %": 0.25}
_EVALUATED, _OWN = "batch norm", "in batches"
_STYLES = {
    _EVALUATED: charts.LineStyle(VERMILLION),
    _OWN: charts.LineStyle(ORANGE, 1),
    LAYER_NORM: charts.LineStyle(BLUE),
    NONE: charts.LineStyle(GREY, 2),
}
_RUNNING, _ALL = "running", "all points"
_STATISTICS = {_RUNNING: charts.LineStyle(BLUE), _ALL: charts.LineStyle(GREY, 1)}


class Chosen(NamedTuple):
    """Examples in a batch, and the seed of the batches."""

    size: int
    seed: int


def choose_size(screen: FirstScreen) -> Chosen:
    """Draw the choice of the batch size, and return it."""
    with screen.controls:
        size = control(
            st.select_slider,
            "examples",
            "Examples in a batch, B",
            BATCH_SIZES,
            _FIRST_SIZE,
            width=220,
        )
        with st.popover("More", icon=":material/tune:"):
            seed = control(st.number_input, "batch_seed", "Seed of the batches", 0, 999, 1)
    return Chosen(int(size), int(seed))


@st.cache_data(max_entries=64, show_spinner=False)
def _statistics(chosen: Chosen) -> RunningStatistics:
    with model_calls:
        return running_statistics(unit_values(), chosen.size, _BATCHES, generator(chosen.seed))


@st.cache_resource(max_entries=1, show_spinner=False)
def _results() -> GradientResults:
    return GradientResults.load()


def normalisation(screen: FirstScreen, chosen: Chosen) -> None:
    """Draw what batch norm estimates batch by batch, beside how often its networks are wrong."""
    try:
        results = _results()
    except ResultError as error:
        show_error(error)
        return
    found = _statistics(chosen)
    with screen.beside:
        prediction = _ask(results, chosen)
    with screen.picture:
        st.markdown(f"**{_finding(results, found, chosen, prediction)}**")
        playback_bar(
            "batch",
            _BATCHES + 1,
            lambda step: _draw(results, found, chosen, step, prediction),
            label="Batches seen",
            start=_BATCHES,
            seconds_per_step=0.5,
        )
    note_beside(
        screen,
        "In training, batch norm uses the mean and variance of the batch itself; *at evaluation* running"
        " averages of both. **Make the batches smaller**: what one batch says of the mean scatters like 1/√B.",
    )
    if not is_presenting():
        rule = st.expander(
            "The formulas, and what was measured",
            icon=":material/functions:",
            key="normalisation_rule",
            on_change="rerun",
        )
        draw_when_open(rule, partial(_formulas, results, found, chosen))


def _wrong(results: GradientResults, layers: str, size: int) -> float:
    return mean(run.evaluated for run in results.of(layers, size))


def _ask(results: GradientResults, chosen: Chosen) -> Prediction | None:
    if chosen.size != _FIRST_SIZE:
        return None
    without, largest = (
        _wrong(results, NONE, _FIRST_SIZE),
        _wrong(results, BATCH_NORM, BATCH_SIZES[-1]),
    )
    prediction = predict_then_reveal(
        "normalisation",
        f"With batches of {BATCH_SIZES[-1]}, a network with batch norm gets {percent(largest, 1)} of new points wrong."
        f" With batches of {_FIRST_SIZE}?",
        list(_ANSWERS),
    )
    if prediction.revealed:
        share = _wrong(results, BATCH_NORM, _FIRST_SIZE)
        show_verdict(
            prediction,
            right=nearest_answer(share, _ANSWERS),
            reason=f"**{percent(share)}**, without normalisation {percent(without, 1)}. Mean and variance of"
            f" {_FIRST_SIZE} examples are poor estimates: the same point is normalised differently each time.",
        )
    return prediction


def _finding(
    results: GradientResults,
    found: RunningStatistics,
    chosen: Chosen,
    prediction: Prediction | None,
) -> str:
    spread = float(found.batch_means.std())
    said = f"Batches of {chosen.size}: their means scatter by {spread:.2f}"
    if answer_is_masked(prediction):
        return f"{said}. How well does a network learn?"
    wrong = _wrong(results, BATCH_NORM, chosen.size)
    return f"{said}, and batch norm gets {percent(wrong, 1)} of new points wrong"


def _draw(
    results: GradientResults,
    found: RunningStatistics,
    chosen: Chosen,
    step: int,
    prediction: Prediction | None,
) -> None:
    left, right = st.columns(2, gap="small")
    with left:
        _means(found, chosen, step)
    with right:
        _errors(results, chosen, prediction)


def _means(found: RunningStatistics, chosen: Chosen, step: int) -> None:
    true = float(unit_values().mean())
    running = [(float(i), m) for i, m in enumerate(found.means.tolist()[: step + 1])]
    batches = [(float(i), m) for i, m in enumerate(found.batch_means.tolist()[:step], start=1)]
    show_chart(
        charts.line_chart(
            {_RUNNING: running, _ALL: [(0.0, true), (float(_BATCHES), true)]},
            _STATISTICS,
            charts.Axis("batches seen", (0, _BATCHES)),
            charts.Axis("mean of one unit", (0.0, 2.5)),
            dots={f"mean of a batch of {chosen.size}": batches} if batches else None,
            height=_HEIGHT,
        ),
        pa.table(
            {
                "batch": list(range(1, step + 1)),
                "mean": found.batch_means.tolist()[:step],
                "running mean": found.means.tolist()[1 : step + 1],
                "variance": found.batch_variances.tolist()[:step],
                "running variance": found.variances.tolist()[1 : step + 1],
            }
        ),
        key="running_mean",
        alt=f"After {step} batches of {chosen.size} the running mean is {running[-1][1]:.3f}; that of all"
        f" points is {true:.3f}.",
        name="running-mean",
        is_small=True,
    )


def _errors(results: GradientResults, chosen: Chosen, prediction: Prediction | None) -> None:
    is_masked = answer_is_masked(prediction)
    by_size = {
        name: [
            (float(size), mean(value(run) for run in results.of(layers, size)))
            for size in BATCH_SIZES
        ]
        for name, layers, value in (
            (_EVALUATED, BATCH_NORM, lambda run: run.evaluated),
            (_OWN, BATCH_NORM, lambda run: run.in_batches),
            (LAYER_NORM, LAYER_NORM, lambda run: run.evaluated),
            (NONE, NONE, lambda run: run.evaluated),
        )
    }
    shown = dict(by_size)
    if is_masked:
        shown[_EVALUATED] = by_size[_EVALUATED][-1:]
        del shown[_OWN]
    bands = {
        _EVALUATED: [
            (float(size), min(wrong), max(wrong))
            for size in BATCH_SIZES
            for wrong in [[run.evaluated for run in results.of(BATCH_NORM, size)]]
        ]
    }
    guess = guesses_in_picture(prediction, lambda said: (float(_FIRST_SIZE), _ANSWERS[said]))
    show_chart(
        charts.line_chart(
            shown,
            _STYLES,
            charts.Axis(
                "examples in a batch, B",
                (float(BATCH_SIZES[0]), float(BATCH_SIZES[-1])),
                True,
                tuple(map(float, BATCH_SIZES)),
            ),
            charts.Axis("new points that are wrong", (0.0, 0.5), form=".0%"),
            bands=None if is_masked else bands,
            guess=guess,
            now=float(chosen.size),
            has_points=True,
            height=_HEIGHT,
        ),
        pa.table(
            {"batch size": list(BATCH_SIZES)}
            | {
                name: [share for _, share in pairs]
                for name, pairs in by_size.items()
                if not (is_masked and name in (_EVALUATED, _OWN))
            }
        ),
        key="normalisation_errors",
        alt=f"Batches of {chosen.size}: "
        + "; ".join(
            f"{name} {percent(dict(pairs)[float(chosen.size)], 1)}"
            for name, pairs in shown.items()
            if float(chosen.size) in dict(pairs)
        ),
        name="normalisation-errors",
        is_small=True,
    )


def _formulas(results: GradientResults, found: RunningStatistics, chosen: Chosen) -> None:
    """Show both ways of normalising with the numbers on screen, and the protocol of what was measured."""
    batch_mean, running = float(found.batch_means[-1]), float(found.means[-1])
    batch_variance, average = float(found.batch_variances[-1]), float(found.variances[-1])
    st.markdown(
        r"In training $\hat a = (a - \mu_B) / \sqrt{\sigma_B^2 + \varepsilon}$ with mean and variance of the batch,"
        r" at evaluation $\hat a = (a - \mu) / \sqrt{\sigma^2 + \varepsilon}$ with their running averages,"
        rf" $\mu \leftarrow {1 - MOMENTUM:g}\,\mu + {MOMENTUM:g}\,\mu_B$. The value 1 became"
        f" {(1 - batch_mean) / (batch_variance + 1e-5) ** 0.5:.2f} in the last batch of {chosen.size}; at"
        f" evaluation it is {(1 - running) / (average + 1e-5) ** 0.5:.2f}.".replace("-", "−")
    )
    st.markdown(
        "*Layer norm* takes mean and variance over the units of one example instead: it needs no batch, and is the"
        " same in training and at evaluation. A batch of one has no variance: batch norm would make 0 of"
        " every value."
    )
    when = results.provenance
    st.caption(
        f"Right: points of two spirals, a network of 3 layers of 32 ReLU units, Adam at 0.003, 30 passes over 512"
        f" points, means of {len(when['seeds'])} seeds on 512 new ones (the band: lowest and highest). *Batch norm* is"
        " evaluated with its running averages, *in batches* with those of batches of the training's size."
        f" Measured {when['date'][:10]}."
    )
