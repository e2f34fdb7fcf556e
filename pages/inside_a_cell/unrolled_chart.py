"""A recurrent network unrolled in time: a node a step, and on each edge the gradient that passes back."""

from collections.abc import Mapping, Sequence

import numpy as np
import pyarrow as pa

from pages.shared.charts import vega_lite as vl
from pages.shared.charts.drawing import Drawing, with_columns
from pages.shared.charts.palette import GREY
from pages.shared.numbers import significant

_LOWEST, _HIGHEST = -8, 1  # powers of ten where the colours end
_LABELS = 5  # edges of a network that are labelled, at most: they fit on a phone


def unrolled_table(sides: Mapping[str, np.ndarray], symbols: Sequence[str]) -> pa.Table:
    """Return one row for each network and step: network, step (from 1), symbol, norm.

    The norms are those of the last output's gradient with respect to each state.
    """
    steps = np.arange(len(symbols))
    return pa.table(
        {
            "network": np.repeat(list(sides), len(symbols)),
            "step": np.tile(steps + 1, len(sides)),
            "symbol": np.tile(list(symbols), len(sides)),
            "norm": np.concatenate(list(sides.values())).astype(float),
        }
    )


def unrolled_graph(table: pa.Table, *, height: int = 190) -> Drawing:
    """Draw an `unrolled_table`: a row a network, and at its end the output; an exact zero is a cross."""
    norm, step = table["norm"].to_numpy(), table["step"].to_numpy()
    steps = int(step.max())
    every = -(-steps // _LABELS)
    with np.errstate(divide="ignore"):
        power = np.log10(norm).clip(_LOWEST, _HIGHEST)
    named = np.where(
        (step - 1) % every == 0, [significant(value, 1) for value in norm.tolist()], ""
    )
    data = with_columns(
        table,
        next=step + 1.0,
        middle=step + 0.5,
        power=power,
        width=2.0 + 0.9 * (power - _LOWEST),
        label=np.where(norm == 0, "×", named),
        end=np.where(step == steps, "output", ""),
    )
    description = (
        "Graph: a network's states from step to step; edges by the gradient of the output."
    )
    return Drawing(_spec(steps, height), data, description)


def _spec(steps: int, height: int) -> vl.Spec:
    across = vl.scale(0.5, steps + 1.8)
    row = {"y": vl.field("network:N", sort=None, axis=None)}
    at, along = (
        {"x": vl.field(f"{name}:Q", scale=across, axis=None)} for name in ("step", "middle")
    )
    after = {"x": vl.field("next:Q", scale=across, axis=None)}
    shades = {"domain": [_LOWEST, _HIGHEST], "scheme": "viridis"}
    edge = {
        "x2": "next",
        "color": vl.field("power:Q", scale=shades, legend=None),
        "strokeWidth": {"field": "width", "type": "quantitative", "scale": None},
        "tooltip": ["network:N", "step:O", "symbol:N", "norm:Q .3e"],
    }
    size = vl.expression(f"pow(clamp(0.55 * width / {steps + 1}, 11, 30), 2)")
    fonts = vl.expression(f"clamp(0.4 * width / {steps + 1}, 9, 16)")
    circle: vl.Spec = {"shape": "circle", "filled": True, "color": "#dbe9f4", "stroke": GREY}
    first = "datum.step == 1"
    return vl.layered(
        vl.mark("rule", at, row, edge),
        vl.mark("point", at, row, size=size, opacity=1, **circle),
        vl.mark("text", at, row, {"text": "symbol:N"}, fontSize=fonts, color="#1a1a1a"),
        vl.mark("text", along, row, {"text": "label:N"}, dy=-22),
        vl.mark(
            "text",
            at,
            row,
            {"text": "network:N"},
            when=first,
            dy=-44,
            align="left",
            fontWeight="bold",
        ),
        vl.mark("text", after, row, {"text": "end:N"}, when="datum.end != ''", align="left"),
        height=height,
    )
