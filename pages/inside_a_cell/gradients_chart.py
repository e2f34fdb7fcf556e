"""What is left of a gradient on its way back through the steps of a recurrent network, as bars."""

from collections.abc import Mapping, Sequence

import numpy as np
import pyarrow as pa

from pages.inside_a_cell.states_chart import places_of
from pages.shared.charts import vega_lite as vl
from pages.shared.charts.drawing import POWER_OF_TEN, Drawing, with_columns

GRADIENT_AXES = ((1e-10, 1e4), (1e-10, 1e8))
"""The usual one, and one for gradients that explode. Above the bars is room for the names."""


def gradient_table(sides: Mapping[str, np.ndarray], symbols: Sequence[str], now: int) -> pa.Table:
    """Return one row per network and step up to the output's: step, symbol, network, norm.

    Parameters
    ----------
    sides : mapping of str to ndarray of shape (T,)
        Norms of the gradient of the output of step `now`, by the network's name.
    symbols : sequence of T str
    now : int, from 0
    """
    step = np.repeat(np.arange(now + 1), len(sides))
    norms = np.stack([values[: now + 1] for values in sides.values()], axis=1)
    return pa.table(
        {
            "step": step + 1,
            "symbol": np.array(list(symbols))[step],
            "network": np.tile(list(sides), now + 1),
            "norm": norms.ravel().astype(float),
        }
    )


def gradient_bars(
    table: pa.Table, colours: Mapping[str, str], *, steps: int, height: int = 300
) -> Drawing:
    """Draw a `gradient_table`: bars on one of two logarithmic axes, the second network's outlined.

    What lies outside the axis is drawn at its end; an exact zero has a cross instead of a bar.

    Parameters
    ----------
    colours : mapping of str to str, by the network's name, in the order of the bars
    steps : int, T, the end of the axis
    """
    norm = table["norm"].to_numpy()
    axis = GRADIENT_AXES[bool((norm > 100.0).any())]
    low, high = axis
    place = places_of(table["network"], colours)
    # Names and colours are columns: the specification stays whichever networks are compared.
    names = "\n".join(f"{mark} {name}" for mark, name in zip("■□", colours, strict=True))
    data = with_columns(
        table,
        shown=norm.clip(1.3 * low, high),
        floor=np.full(len(norm), low),
        is_zero=norm == 0,
        place=place,
        colour=np.array(list(colours.values()))[place],
        heading=np.where(np.arange(len(norm)) == 0, names, ""),
    )
    description = "Bars on a logarithmic axis: the gradient of the output by step, two networks."
    return Drawing(_gradient_spec(steps, axis, height), data, description)


def _gradient_spec(steps: int, axis: tuple[float, float], height: int) -> vl.Spec:
    step = {
        "x": vl.field(
            "step:O",
            scale={"domain": list(range(1, steps + 1))},
            axis={"title": "step", "labelOverlap": "greedy", **vl.UPRIGHT},
        ),
        "xOffset": vl.field("place:O", scale={"domain": [0, 1]}),
    }
    upright = vl.scale(*axis, type="log")
    powers = {
        "values": [10.0**power for power in range(-10, 9, 2)],
        "labelExpr": POWER_OF_TEN,
        "title": "gradient norm (log)",
        "domain": False,
    }
    bar = {
        "y": vl.field("shown:Q", scale=upright, axis=powers),
        "y2": "floor",
        "color": vl.literal("colour:N"),
        "stroke": vl.literal("colour:N"),
        "fillOpacity": vl.either("datum.place == 0", 1, 0.25),
        "opacity": vl.either("datum.is_zero", 0, 1),
        "tooltip": ["network:N", "step:O", "symbol:N", "norm:Q .3e"],
    }
    foot = {"y": vl.field("floor:Q", scale=upright)}
    corner = {"x": vl.value(6), "y": vl.value(0), "text": "heading:N"}
    heading: vl.Spec = {"align": "left", "baseline": "top", "lineBreak": "\n"}
    return vl.layered(
        vl.mark("bar", step, bar, strokeWidth=1.5),
        vl.mark("text", step, foot, when="datum.is_zero", text="×", dy=-8),
        vl.mark("text", corner, when="datum.heading != ''", **heading),
        height=height,
    )
