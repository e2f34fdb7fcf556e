"""What the lines say: how time and memory grow, and what is out of proportion."""

import streamlit as st

from lm_core.experiments.attention_cost.measurement import DEFAULT_SIZES as _SIZES
from lm_core.experiments.attention_cost.measurement import METHODS, AttentionCost
from pages.attention_cost.measurements import LINEAR, LOCAL, Measurements

_PROPORTION = 2.5
"""Times the time of half the length, from which on it is said that this is more than the work doubled."""


def explain(measurements: Measurements, shipped: Measurements) -> None:
    """Explain the chart with the numbers of the longest text at which all methods were measured."""
    costs = {(cost.method, cost.length): cost for cost in measurements.costs}
    lengths = {length for _, length in costs}
    common = [n for n in lengths if all((method, n) in costs for method in METHODS)]
    if not common:
        return explain(shipped, shipped) if measurements is not shipped else None
    length = max(common)
    naive, fused, local, linear = (costs[method, length] for method in METHODS)
    st.markdown(
        f"The *naive matrix* stores all scores. At {length:,} tokens these are {_SIZES.heads} heads"
        f" x {length:,} x {length:,} numbers, and the computation needs"
        f" {naive.peak_bytes / 2**20:,.0f} MiB. PyTorch's *fused kernel* computes the same output"
        f" tile by tile and never stores the matrix: {fused.peak_bytes / 2**20:.1f} MiB, and"
        f" **{naive.seconds / fused.seconds:.0f} times** as fast. Its memory grows only with the"
        " length, but its time still grows with the square, because each query still meets each"
        " key."
    )
    st.markdown(
        f"The work of a *local window* of {_SIZES.window} tokens and of a *linear kernel* with"
        f" {_SIZES.n_features} features grows in proportion to the length. Here they take"
        f" {1e3 * local.seconds:.1f} ms and {1e3 * linear.seconds:.1f} ms, the fused kernel"
        f" {1e3 * fused.seconds:.1f} ms.{_out_of_proportion(costs)} For short texts they save"
        f" nothing beside the fused kernel, because there the whole matrix is small as well. Each head has {_SIZES.width}"
        " numbers; queries, keys and values are random, which does not change the time."
    )
    return None


def _out_of_proportion(costs: dict[tuple[str, int], AttentionCost]) -> str:
    """Say where twice as long a text took clearly more than twice as long although its work is doubled."""
    said = []
    for method in (LOCAL, LINEAR):
        last = max(length for name, length in costs if name == method)
        before = costs.get((method, last // 2))
        if before and (ratio := costs[method, last].seconds / before.seconds) > _PROPORTION:
            said.append(
                f" Measured time is not work alone: from {last // 2:,} to {last:,} tokens the"
                f" *{method}* took {ratio:.1f} times as long, for twice the computation and twice"
                " the memory. Why was not measured; memory that no longer fits the processor's"
                " cache is a likely reason."
            )
    return "".join(said)
