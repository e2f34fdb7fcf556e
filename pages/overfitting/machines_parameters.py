"""The parameter of machines that share a minibatch, beside that of one that has all of it."""

import pyarrow as pa

from lm_core.experiments.overfitting.machines import Descent
from pages.overfitting.machines_choice import Chosen
from pages.overfitting.scene import HEIGHT
from pages.shared import page
from pages.shared.charts.palette import BLUE, VERMILLION

STEPS = 4
_ALONE, _TOGETHER = "alone", "together"
_STYLES = {_ALONE: page.LineStyle(BLUE), _TOGETHER: page.LineStyle(VERMILLION, 1)}


def draw_parameters(chosen: Chosen, found: Descent, done: int, asked: page.Asked) -> None:
    """Draw both parameters step by step."""
    is_masked = asked.masks
    start, one_step = found.alone[0], found.alone[1] - found.alone[0]
    guess = asked.at(lambda value: (1.0, start + value * one_step))
    name = f"{chosen.machines} {_TOGETHER}"
    rows = {_ALONE: found.alone, name: found.together[:1] if is_masked else found.together}
    page.show_chart(
        page.line_chart(
            {key: [(float(s), theta) for s, theta in enumerate(row)] for key, row in rows.items()},
            {_ALONE: _STYLES[_ALONE], name: _STYLES[_TOGETHER]},
            page.Axis("steps", (0, STEPS), values=tuple(range(STEPS + 1))),
            page.Axis("θ", (0.0, 4.0)),
            references={"lowest loss": [(0, found.best), (STEPS, found.best)]},
            now=done,
            guess=guess,
            has_points=True,
            height=HEIGHT,
        ),
        pa.table(
            {"step": list(range(STEPS + 1)), _ALONE: found.alone}
            | ({} if is_masked else {name: found.together})
        ),
        key="machines_parameter",
        alt=f"After {done} steps: one machine {found.alone[done]:.4f}"
        + ("" if is_masked else f", {name} {found.together[done]:.4f}"),
        name="parameter-by-step",
        is_small=True,
    )
