"""States and gates of a recurrent network, step by step."""

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from pages.shared.charts import vega_lite as vl
from pages.shared.charts.drawing import Drawing, with_columns
from pages.shared.charts.palette import GREY, SIGNED

_GAP = 2  # units between two panels


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
    units, panel = int(unit.max()), places_of(table["part"], ranges)
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


def places_of(names: pa.ChunkedArray, order: Iterable[str]) -> np.ndarray:
    """Return each name's place in an order, from 0."""
    return pc.index_in(names, pa.array(order)).to_numpy()


def _state_spec(ranges: Mapping[str, float], units: int, steps: int, height: int) -> vl.Spec:
    bottom = len(ranges) * (units + _GAP) - _GAP
    above = 0.12 * bottom  # for the symbols that are read
    upright = vl.scale(-above, bottom, reverse=True, zero=False)
    step = {"x": vl.field("step:O", axis={"title": None, "labelOverlap": "greedy", **vl.UPRIGHT})}
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
    return {"grid": False, "title": None, **words, **vl.UPRIGHT}
