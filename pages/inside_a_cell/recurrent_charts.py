"""Inside a recurrent network: its states and gates step by step, and its gradients through time."""

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from pages.shared.charts import vega_lite as vl
from pages.shared.charts.drawing import POWER_OF_TEN, Drawing, with_columns
from pages.shared.charts.palette import GREY, SIGNED

_GAP = 2  # units between two panels
_PLAIN: vl.Spec = {"labelAngle": 0, **vl.BARE}
GRADIENT_AXES = ((1e-10, 1e4), (1e-10, 1e8))
"""The usual one, and one for gradients that explode. Above the bars is room for the names."""


def state_table(panels: Mapping[str, np.ndarray], symbols: Sequence[str], now: int) -> pa.Table:
    """Return one row per panel, unit and step.

    The result: Table, columns part, unit, step (both from 1), symbol, value, read (whether up to now), now.

    Parameters
    ----------
    panels : mapping of str to ndarray of shape (T, H)
        By name, from top to bottom: a gate, the memory, the hidden state.
    symbols : sequence of T str, what is read at each step
    now : int, the step, from 0, that has just been read
    """
    given = list(panels.values())
    step, unit = np.hstack([np.indices(values.shape).reshape(2, -1) for values in given])
    return pa.table(
        {
            "part": np.repeat(list(panels), [values.size for values in given]),
            "unit": unit + 1,
            "step": step + 1,
            "symbol": np.array(list(symbols))[step],
            "value": np.concatenate([values.ravel() for values in given]).astype(float),
            "read": step <= now,
            "now": step == now,
        }
    )


def state_map(table: pa.Table, ranges: Mapping[str, float], *, height: int = 300) -> Drawing:
    """Draw a `state_table`: steps across, units down, one band a panel; the present step outlined.

    Parameters
    ----------
    ranges : mapping of str to float
        By panel, from top to bottom: its colours run from -range (blue) through 0 (white) to
        +range (orange).
    """
    unit, value = table["unit"].to_numpy(), table["value"].to_numpy()
    units, panel = int(unit.max()), _places(table["part"], ranges)
    top = panel * (units + _GAP) + unit - 1
    data = with_columns(
        table,
        top=top,
        bottom=top + 1,
        shade=value / np.array(list(ranges.values()))[panel],
        head=(panel == 0) & (unit == 1),
    )
    description = "Heat map: each unit's value after each symbol, one band for each gate or state."
    steps = int(table["step"].to_numpy().max())
    return Drawing(_state_spec(ranges, units, steps, height), data, description)


def _places(names: pa.ChunkedArray, order: Iterable[str]) -> np.ndarray:
    """Return each name's place in an order, from 0."""
    return pc.index_in(names, pa.array(order)).to_numpy()


def _state_spec(ranges: Mapping[str, float], units: int, steps: int, height: int) -> vl.Spec:
    bottom = len(ranges) * (units + _GAP) - _GAP
    above = 0.12 * bottom  # for the symbols that are read
    upright = vl.scale(-above, bottom, reverse=True, zero=False)
    step = {"x": vl.field("step:O", axis={"title": None, "labelOverlap": "greedy", **_PLAIN})}
    shades = {"domain": list(vl.AROUND_ZERO), "range": list(SIGNED), "clamp": True}
    cell = {
        "y": vl.field("top:Q", scale=upright, axis=_band_axis(ranges, units)),
        "y2": "bottom",
        "color": vl.field("shade:Q", scale=shades, legend=None),
        "opacity": vl.either("datum.read", 1, 0.15),
        "tooltip": ["part:N", "unit:O", "step:O", "symbol:N", "value:Q .3f"],
    }
    symbol = {
        "y": {"datum": -above / 2, "scale": upright},
        "text": "symbol:N",
        "opacity": vl.either("datum.read", 1, 0.4),
    }
    size = vl.expression(f"clamp(1.35 * width / {steps}, 7, 22)")  # as large as they do not touch
    whole = {"y": {"datum": -above, "scale": upright}, "y2": {"datum": bottom}}
    now = "datum.head && datum.now"
    return vl.layered(
        vl.mark("rect", step, cell),
        vl.mark("text", step, symbol, when="datum.head", baseline="middle", fontSize=size),
        vl.outlined(step, whole, when=now, colour=GREY, strokeWidth=2),
        height=height,
    )


def _band_axis(ranges: Mapping[str, float], units: int) -> vl.Spec:
    """Return an axis that writes each band's name and range at its middle."""
    middles = [index * (units + _GAP) + units / 2 for index in range(len(ranges))]
    labels = "".join(
        f"datum.value == {middle} ? {[name, f'±{limit:g}']!r} : "
        for middle, (name, limit) in zip(middles, ranges.items(), strict=True)
    )
    words: vl.Spec = {"values": middles, "labelExpr": f"{labels}''", "labelLimit": 240}
    return {"grid": False, "title": None, **words, **_PLAIN}


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
    place = _places(table["network"], colours)
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
            axis={"title": "step", "labelOverlap": "greedy", **_PLAIN},
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


def gradient_matrix_table(norms: np.ndarray) -> pa.Table:
    """Return gradients (T, T) as rows: output, step (both from 1), norm; no step after the output."""
    output, step = np.tril_indices(len(norms))
    return pa.table(
        {"output": output + 1, "step": step + 1, "norm": norms[output, step].astype(float)}
    )


def gradient_matrix(table: pa.Table, *, height: int = 320) -> Drawing:
    """Draw a `gradient_matrix_table`: outputs down, steps across; an exact zero is a cross.

    The colours run from 1e-8 to 10, on a logarithmic scale.
    """
    norm = table["norm"].to_numpy()
    data = with_columns(table, power=np.log10(norm.clip(1e-8, 10.0)), is_zero=norm == 0)
    description = "Heat map: the gradient of each output with respect to each step up to it."
    return Drawing(_matrix_spec(int(table["output"].to_numpy().max()), height), data, description)


def _matrix_spec(steps: int, height: int) -> vl.Spec:
    every = {"domain": list(range(1, steps + 1))}
    axis: vl.Spec = {"labelOverlap": "greedy", **_PLAIN}
    pair = {
        "x": vl.field("step:O", scale=every, axis={"title": "step", **axis}),
        "y": vl.field("output:O", scale=every, axis={"title": "output of step", **axis}),
        "tooltip": ["output:O", "step:O", "norm:Q .3e"],
    }
    power = "datum.value == 0 ? '1' : '10⁻' + (datum.value == -4 ? '⁴' : '⁸')"
    legend = vl.GRADIENT | {"direction": "horizontal", "values": [-8, -4, 0], "labelExpr": power}
    shades = {"domain": [-8, 1], "scheme": "viridis"}
    colour = {"color": vl.field("power:Q", scale=shades, legend=legend)}
    cross = vl.expression(f"clamp(0.8 * min(width, height) / {steps}, 9, 20)")
    return vl.layered(
        vl.mark("rect", pair, colour, when="!datum.is_zero"),
        vl.mark("text", pair, when="datum.is_zero", text="×", fontSize=cross),
        height=height,
    )
