"""From which step to which other one a gradient comes, as a matrix."""

import numpy as np
import pyarrow as pa

from pages.shared.charts import vega_lite as vl
from pages.shared.charts.drawing import Drawing, with_columns


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
    axis: vl.Spec = {"labelOverlap": "greedy", **vl.UPRIGHT}
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
