"""How often networks are wrong, by the size of their batches and by what normalises them."""

from collections.abc import Callable
from statistics import mean

from lm_core.experiments.gradients import normalisation as norms
from lm_core.experiments.gradients.normalisation import BATCH_NORM, BATCH_SIZES, LAYER_NORM, NONE
from lm_core.experiments.gradients.study import GradientResults
from pages.shared import page
from pages.shared.charts.palette import BLUE, GREY, ORANGE, VERMILLION

FIRST_SIZE = 4
HEIGHT = 285
_EVALUATED, _OWN = "batch norm", "in batches"
_STYLES = {
    _EVALUATED: page.LineStyle(VERMILLION),
    _OWN: page.LineStyle(ORANGE, 1),
    LAYER_NORM: page.LineStyle(BLUE),
    NONE: page.LineStyle(GREY, 2),
}


def draw_errors(results: GradientResults, size: int, asked: page.Asked[float]) -> None:
    """Draw how often networks are wrong against the size of a batch."""

    def by_size(
        layers: str, value: Callable[[norms.NormalisationRun], float]
    ) -> list[tuple[float, float]]:
        return [(float(n), mean(map(value, results.of(layers, n)))) for n in BATCH_SIZES]

    sizes = tuple(map(float, BATCH_SIZES))
    evaluated = by_size(BATCH_NORM, lambda run: run.evaluated)
    spread = [(n, [run.evaluated for run in results.of(BATCH_NORM, int(n))]) for n in sizes]
    page.show_lines(
        "normalisation_errors",
        {
            _EVALUATED: evaluated[-1:] if asked.masks else evaluated,
            _OWN: by_size(BATCH_NORM, lambda run: run.in_batches),
            LAYER_NORM: by_size(LAYER_NORM, lambda run: run.evaluated),
            NONE: by_size(NONE, lambda run: run.evaluated),
        },
        _STYLES,
        page.Axis("examples in a batch, B", (sizes[0], sizes[-1]), True, sizes),
        page.Axis("new points that are wrong", (0.0, 0.5), form=".0%"),
        hidden=asked.hides(_OWN),
        bands=None
        if asked.masks
        else {_EVALUATED: [(n, min(wrong), max(wrong)) for n, wrong in spread]},
        guess=asked.at(lambda share: (float(FIRST_SIZE), share)),
        now=float(size),
        has_points=True,
        is_small=True,
        height=HEIGHT,
    )
