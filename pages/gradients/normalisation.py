"""Batch norm in training and at evaluation, and what becomes of it when batches are small."""

from statistics import mean
from typing import NamedTuple

import pyarrow as pa
import streamlit as st

from lm_core.experiments.gradients import normalisation as norms
from lm_core.experiments.gradients.normalisation import BATCH_NORM, BATCH_SIZES, LAYER_NORM, NONE
from lm_core.experiments.gradients.study import GradientResults
from lm_core.rng import generator
from pages.shared import page
from pages.shared.charts.palette import BLUE, GREY, ORANGE, VERMILLION
from pages.shared.numbers import percent

_BATCHES = 60
_FIRST_SIZE = 4
_HEIGHT = 285
_RUNNING, _ALL = "running", "all points"
_EVALUATED, _OWN = "batch norm", "in batches"
_STYLES = {
    _RUNNING: page.LineStyle(BLUE),
    _ALL: page.LineStyle(GREY, 1),
    _EVALUATED: page.LineStyle(VERMILLION),
    _OWN: page.LineStyle(ORANGE, 1),
    LAYER_NORM: page.LineStyle(BLUE),
    NONE: page.LineStyle(GREY, 2),
}


class Chosen(NamedTuple):
    """Examples in a batch, and the seed of the batches."""

    examples: int = page.field(
        page.pick, "Examples in a batch, B", BATCH_SIZES, _FIRST_SIZE, width=220
    )
    batch_seed: int = page.folded(page.number, "Seed of the batches", 0, 999, 1)


@st.cache_data(max_entries=64, show_spinner=False)
def _statistics(chosen: Chosen) -> norms.RunningStatistics:
    rng = generator(chosen.batch_seed)
    with page.model_calls:
        return norms.running_statistics(norms.unit_values(), chosen.examples, _BATCHES, rng)


def normalisation(screen: page.FirstScreen) -> None:
    """Draw what batch norm estimates batch by batch, beside how often its networks are wrong."""
    chosen, results = page.controls(Chosen, screen), page.shipped(GradientResults)
    size, found = chosen.examples, _statistics(chosen)
    without, wrong = _wrong(results, NONE), _wrong(results, BATCH_NORM)
    largest, share = wrong[BATCH_SIZES[-1]], wrong[_FIRST_SIZE]
    asked = page.ask(
        screen,
        "normalisation",
        f"With batches of {BATCH_SIZES[-1]}, a network with batch norm gets {percent(largest, 1)}"
        f" of new points wrong. With batches of {_FIRST_SIZE}?",
        {"About 1 %": 0.01, "About 10 %": 0.1, "More than 20 %": 0.25},
        right=share,
        reason=f"It gets **{percent(share)}** wrong, where it would be"
        f" {percent(without[_FIRST_SIZE], 1)} without normalisation. Mean and variance of"
        f" {_FIRST_SIZE} examples are poor estimates, so the same point is normalised differently"
        " each time.",
        when=size == _FIRST_SIZE,
    )

    def draw(step: int) -> None:
        left, right = st.columns(2, gap="small")
        with left:
            _means(found, size, step)
        with right:
            _errors(results, size, asked)

    with screen.picture:
        said = f"Batches of {size}: their means scatter by {float(found.batch_means.std()):.2f}"
        learned = f", and batch norm gets {percent(wrong[size], 1)} of new points wrong"
        st.markdown(f"**{said}{'. How well does a network learn?' if asked.masks else learned}**")
        page.playback_bar("batch", _BATCHES + 1, draw, label="Batches seen")
    page.note_beside(
        screen,
        "In training, batch norm uses the mean and variance of the batch itself; *at evaluation* running"
        " averages of both. **Make the batches smaller**: what one batch says of the mean scatters like"
        " 1/√B, because chance cancels less among few examples.",
    )
    title = "The formulas, and what was measured"
    page.below(title, "normalisation_rule", _formulas, results, found, size)


def _wrong(results: GradientResults, layers: str, at: str = "evaluated") -> dict[int, float]:
    """Return by the size of a batch which share of new points networks have wrong, on average."""
    return {n: mean(getattr(run, at) for run in results.of(layers, n)) for n in BATCH_SIZES}


def _means(found: norms.RunningStatistics, size: int, step: int) -> None:
    true = float(norms.unit_values().mean())
    running = [(float(i), m) for i, m in enumerate(found.means.tolist()[: step + 1])]
    batches = [(float(i), m) for i, m in enumerate(found.batch_means.tolist()[:step], start=1)]
    page.show_chart(
        page.line_chart(
            {_RUNNING: running, _ALL: [(0.0, true), (float(_BATCHES), true)]},
            _STYLES,
            page.Axis("batches seen", (0, _BATCHES)),
            page.Axis("mean of one unit", (0.0, 2.5)),
            dots={f"mean of a batch of {size}": batches} if batches else None,
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
        alt=f"After {step} batches of {size} the running mean is {running[-1][1]:.3f}; that of all"
        f" points is {true:.3f}.",
        is_small=True,
    )


def _errors(results: GradientResults, size: int, asked: page.Asked[float]) -> None:
    """Draw how often networks are wrong against the size of a batch."""
    lines = {
        _EVALUATED: _wrong(results, BATCH_NORM),
        _OWN: _wrong(results, BATCH_NORM, "in_batches"),
        LAYER_NORM: _wrong(results, LAYER_NORM),
        NONE: _wrong(results, NONE),
    }
    pairs = {name: [(float(n), wrong) for n, wrong in line.items()] for name, line in lines.items()}
    runs = {n: [run.evaluated for run in results.of(BATCH_NORM, n)] for n in BATCH_SIZES}
    band = [(float(n), min(wrong), max(wrong)) for n, wrong in runs.items()]
    if asked.masks:
        pairs[_EVALUATED], band = pairs[_EVALUATED][-1:], []
    sizes = tuple(map(float, BATCH_SIZES))
    page.show_lines(
        "normalisation_errors",
        pairs,
        _STYLES,
        page.Axis("examples in a batch, B", (sizes[0], sizes[-1]), True, sizes),
        page.Axis("new points that are wrong", (0.0, 0.5), form=".0%"),
        hidden=asked.hides(_OWN),
        bands={_EVALUATED: band} if band else None,
        guess=asked.at(lambda share: (float(_FIRST_SIZE), share)),
        now=float(size),
        has_points=True,
        is_small=True,
        height=_HEIGHT,
    )


def _formulas(results: GradientResults, found: norms.RunningStatistics, size: int) -> None:
    """Show both ways of normalising with the numbers on screen, and the protocol of what was measured."""
    batch_mean, running = float(found.batch_means[-1]), float(found.means[-1])
    batch_variance, average = float(found.batch_variances[-1]), float(found.variances[-1])
    st.markdown(
        r"In training $\hat a = (a - \mu_B) / \sqrt{\sigma_B^2 + \varepsilon}$ with mean and"
        r" variance of the batch,"
        r" at evaluation $\hat a = (a - \mu) / \sqrt{\sigma^2 + \varepsilon}$ with their running"
        r" averages, because a single example has no batch:"
        rf" $\mu \leftarrow {1 - norms.MOMENTUM:g}\,\mu + {norms.MOMENTUM:g}\,\mu_B$. The value 1 became"
        f" {(1 - batch_mean) / (batch_variance + 1e-5) ** 0.5:.2f} in the last batch of {size}; at"
        f" evaluation it is {(1 - running) / (average + 1e-5) ** 0.5:.2f}.".replace("-", "−")
    )
    st.markdown(
        "*Layer norm* takes mean and variance over the units of one example instead, so it needs"
        " no batch and is the same in training and at evaluation. A batch of one has no variance:"
        " batch norm would make 0 of every value."
    )
    when = results.provenance
    st.caption(
        "Right: points of two spirals, a network of 3 layers of 32 ReLU units, Adam at 0.003, 30"
        f" passes over 512 points, means of {len(when['seeds'])} seeds on 512 new ones (the band:"
        " lowest and highest). *Batch norm* is evaluated with its running averages, *in batches*"
        f" with those of batches of the training's size. Measured {when['date'][:10]}."
    )
