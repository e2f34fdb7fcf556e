"""Training and validation loss against a setting."""

from typing import NamedTuple

import pyarrow as pa

from lm_core.experiments.overfitting import training
from lm_core.experiments.overfitting.results import OverfittingResults
from lm_core.experiments.overfitting.study import LABEL_NOISE, NONE, POINTS, UNITS, VALUES
from pages.overfitting.scene import STYLES, TRAINING, VALIDATION, WITHOUT
from pages.shared import page

_AXES = {
    UNITS: page.Axis("hidden units a layer", (1, 64), True, VALUES[UNITS]),
    POINTS: page.Axis("training points", (10, 320), True, VALUES[POINTS]),
    LABEL_NOISE: page.Axis("wrong labels", (0.0, 0.4), form=".0%"),
}
_TOP = 2.5
HEIGHT = 340
_SEEN = 3  # values whose validation loss is drawn before the guess


class Chosen(NamedTuple):
    """What is varied, against which remedy, and the network that is drawn."""

    varied: str
    remedy: str
    settings: training.NetworkSettings


def draw_losses(
    results: OverfittingResults,
    chosen: Chosen,
    found: training.Training,
    end: int,
    asked: page.Asked,
) -> None:
    """Draw both losses against the setting that is varied."""
    is_masked = asked.masks
    points = results.swept(chosen.varied, chosen.remedy)
    shown = points[:_SEEN] if is_masked else points
    lines = {
        TRAINING: [(p.value, p.training) for p in points],
        VALIDATION: [(p.value, p.validation) for p in shown],
    }
    if chosen.remedy != NONE:
        lines[WITHOUT] = [(p.value, p.validation) for p in results.swept(chosen.varied, NONE)]
    value = float(getattr(chosen.settings, chosen.varied))
    own = {
        TRAINING: float(found.training.losses[end, 0]),
        VALIDATION: float(found.validation.losses[end, 0]),
    }
    rings = {name: [(value, loss)] for name, loss in own.items() if not is_masked}
    last, seen = points[-1].value, points[_SEEN - 1].validation
    guess = asked.at(lambda value: (last, value * seen))
    page.show_chart(
        page.line_chart(
            lines,
            STYLES,
            _AXES[chosen.varied],
            page.Axis("loss (nats)", (0.0, _TOP)),
            bands={VALIDATION: [(p.value, p.low, p.high) for p in shown]},
            rings=rings,
            guess=guess,
            has_points=True,
            height=HEIGHT,
        ),
        pa.table(
            {
                chosen.varied: [p.value for p in points],
                TRAINING: [p.training for p in points],
                VALIDATION: [p.validation for p in shown] + [None] * (len(points) - len(shown)),
            }
        ),
        key="setting_losses",
        alt="; ".join(f"{p.value:g}: {p.training:.2f}, {p.validation:.2f}" for p in shown),
        name=f"loss-by-{chosen.varied}",
        is_small=True,
    )
