"""How soon a forecast of a series is wrong."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import pyarrow as pa

from lm_core.experiments.reservoir_computing.results import LearnedSeries
from lm_core.experiments.reservoir_computing.series import MACKEY_GLASS, Forecasts, SeriesTask
from lm_core.experiments.reservoir_computing.study import CHOSEN, DENSITY, HORIZON, UNITS
from lm_core.models.reservoir import SPARSE, ReservoirSettings
from pages.reservoir_computing.reservoirs import LEARNED, RESERVOIR, SOLVED, STYLES, Chosen
from pages.shared import page
from pages.shared.numbers import significant

_FLOOR, _CEILING = 1e-5, 10.0
HEIGHT = 180
ANSWERS = ("The reservoir's", "The RNN's", "Both alike, within a factor of 2")


class Picture(NamedTuple):
    """What is drawn: the series, a reservoir, and how a reservoir of these settings does."""

    task: SeriesTask
    chosen: Chosen
    found: Forecasts
    learned: list[LearnedSeries]

    @property
    def is_asked(self) -> bool:
        """Whether the page asks whose error is smaller."""
        return self.task.name == MACKEY_GLASS and self.chosen == first_of(MACKEY_GLASS)

    def error_of_rnn(self, *, solved: bool = False) -> float:
        """Return its NRMSE at the published horizon, in the geometric mean over seeds."""
        errors = [row.forecasts(solved=solved).errors[HORIZON - 1] for row in self.learned]
        return float(np.exp(np.log(errors).mean()))


def first_of(name: str) -> Chosen:
    """Return the reservoir that is shown first on a series: its settings were chosen on the training part."""
    leak, scale, penalty = CHOSEN[name]
    return Chosen(UNITS, SPARSE, DENSITY, 1, ReservoirSettings(1.0, leak, scale), penalty)


def pairs_of(values: Sequence[float]) -> list[tuple[float, float]]:
    """Return values by their step, from 1 on."""
    return [(float(step), value) for step, value in enumerate(values, 1)]


def draw_errors(picture: Picture, asked: page.Asked) -> None:
    """Draw how the error of both forecasts grows with the steps."""
    horizon = picture.task.horizon
    is_masked = asked.masks
    lines = {
        name: pairs_of(_mean(picture.learned, solved=solved))
        for name, solved in ((LEARNED, False), (SOLVED, True))
    }
    if not is_masked:
        lines[RESERVOIR] = pairs_of(picture.found.errors.tolist())
    shown = {name: [(x, max(y, _FLOOR)) for x, y in pairs] for name, pairs in lines.items()}
    ratios = dict(zip(ANSWERS, (0.2, 5.0, 1.0), strict=True))
    guess = asked.at(lambda said: (float(HORIZON), ratios[said] * picture.error_of_rnn()))
    page.show_chart(
        page.line_chart(
            shown,
            STYLES,
            page.Axis("steps ahead", (0, horizon)),
            page.Axis("NRMSE", (_FLOOR, _CEILING), True, (1e-5, 1e-4, 1e-3, 1e-2, 0.1, 1.0, 10.0)),
            references={"saying the mean": [(0.0, 1.0), (float(horizon), 1.0)]},
            guess=guess,
            waiting=page.Waiting(RESERVOIR, float(HORIZON)) if is_masked else None,
            now=None if is_masked else float(HORIZON),
            height=HEIGHT,
        ),
        pa.table(
            {
                "steps ahead": list(range(1, horizon + 1)),
                **{name: [y for _, y in pairs] for name, pairs in lines.items()},
            }
        ),
        key="errors_by_horizon",
        alt=f"{HORIZON} steps ahead: "
        + ", ".join(
            f"{name} {significant(pairs[HORIZON - 1][1], 3)}" for name, pairs in lines.items()
        ),
        is_small=True,
    )


def _mean(learned: list[LearnedSeries], *, solved: bool) -> list[float]:
    """Return the errors by horizon, in the geometric mean over seeds."""
    errors = np.array([row.forecasts(solved=solved).errors for row in learned])
    return np.exp(np.log(np.maximum(errors, 1e-12)).mean(0)).tolist()
