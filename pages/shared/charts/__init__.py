"""Charts as pure functions from tidy numbers: fixed axes, units, no state, no torch.

Each is a `Drawing`: a specification in the words of `vega_lite`, and the rows that it draws. A chart that
one page draws lives with that page.

Colours say the same thing on every page, and never say it alone: what is blocked is dashed, what
is a reference is grey and named, what is chosen carries a mark.
"""

from pages.shared.charts.clustering import (
    objective_frame,
    objective_lines,
    picked_restart,
    restart_frame,
    restart_histogram,
)
from pages.shared.charts.failures import failure_matrix, failure_table
from pages.shared.charts.lines import Axis, LineStyle, line_chart
from pages.shared.charts.network_diagram import Edge, Node, diagram_table, network_diagram
from pages.shared.charts.planes import surface_picture

__all__ = [
    "Axis",
    "Edge",
    "LineStyle",
    "Node",
    "diagram_table",
    "failure_matrix",
    "failure_table",
    "line_chart",
    "network_diagram",
    "objective_frame",
    "objective_lines",
    "picked_restart",
    "restart_frame",
    "restart_histogram",
    "surface_picture",
]
