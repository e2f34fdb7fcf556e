"""Charts as pure functions from tidy numbers: fixed axes, units, no state, no torch.

What a page draws again and again is a `Drawing`, what it draws once an Altair chart.

Colours say the same thing on every page, and never say it alone: what is blocked is dashed, what
is a reference is grey and named, what is chosen carries a mark.
"""

from pages.shared.charts.activations import response_histogram, response_table
from pages.shared.charts.attention import (
    heads_chart,
    heads_table,
    vectors_chart,
    vectors_table,
    weights_chart,
    weights_frame,
)
from pages.shared.charts.beam_tree import beam_frame, beam_tree_chart
from pages.shared.charts.clustering import (
    criterion_frame,
    criterion_lines,
    objective_frame,
    objective_lines,
    picked_restart,
    restart_frame,
    restart_histogram,
)
from pages.shared.charts.comparisons import (
    difference_bars,
    learning_curve,
    loss_comparison,
    picked_model,
    share_pairs,
    trade_off,
    training_curve,
    training_frame,
)
from pages.shared.charts.computation_graph import Box, computation_graph, graph_table
from pages.shared.charts.count_matrix import count_frame, count_matrix, count_picture
from pages.shared.charts.counting import (
    generated_chart,
    generated_table,
)
from pages.shared.charts.drawing import TABLE, Drawing
from pages.shared.charts.estimates import estimate_chart, estimate_table
from pages.shared.charts.failures import failure_matrix, failure_table
from pages.shared.charts.generation import (
    counts_frame,
    counts_over_theory,
    surprisal_line,
    surprisal_table,
)
from pages.shared.charts.grouped_columns import column_table, grouped_columns
from pages.shared.charts.lines import Axis, Guesses, LineStyle, Waiting, line_chart
from pages.shared.charts.loss_surface import surface_figure
from pages.shared.charts.matrices import matrix_frame, matrix_panels
from pages.shared.charts.mixture_curves import histogram_frame, mixture_curves
from pages.shared.charts.model_ladder import LadderPoint, model_ladder
from pages.shared.charts.names import name_bars, name_table
from pages.shared.charts.network_diagram import Edge, Node, diagram_table, network_diagram
from pages.shared.charts.palette import numbered, visible
from pages.shared.charts.planes import contour_picture, surface_picture
from pages.shared.charts.positions import (
    AskedPair,
    bucket_frame,
    bucket_map,
    clock_chart,
    clock_frame,
    code_frame,
    code_map,
)
from pages.shared.charts.predictions import (
    REST,
    bars_in_words,
    candidate_table,
    drawn_shares,
    percentage,
    picked_id,
    prediction_bars,
    prediction_table,
    with_stage_that_waits,
)
from pages.shared.charts.recurrent import (
    gradient_bars,
    gradient_matrix,
    gradient_matrix_table,
    gradient_table,
    state_map,
    state_table,
)
from pages.shared.charts.sequences import (
    Unrolled,
    letters_chart,
    letters_table,
    probability_lines,
    unrolled_chart,
    unrolled_table,
)
from pages.shared.charts.support import (
    certainty_bars,
    certainty_table,
    kept_bars,
    kept_in_words,
    kept_table,
    support_map,
    support_table,
)
from pages.shared.charts.surprisal import bits_by_kind, rank_bars
from pages.shared.charts.tagging import (
    confusion_matrix,
    confusion_table,
    picked_column,
    tag_map,
    tag_table,
)
from pages.shared.charts.task_heads import HeadPanel, heads_diagram
from pages.shared.charts.tokens import (
    cost_chart,
    cost_frame,
    input_loss_chart,
    input_loss_frame,
    masked_pair_frame,
    pair_chart,
    pair_frame,
)
from pages.shared.charts.unit_matrix import matrix_picture, unit_matrix
from pages.shared.charts.units import Mark, activation_chart, activation_table, unit_bars
from pages.shared.charts.word_maps import map_frame, word_map
from pages.shared.charts.word_network import OutputWord, network_chart, network_frame
from pages.shared.charts.word_space import least_crowded_view, space_figure
from pages.shared.charts.word_vectors import (
    analogy_frame,
    analogy_plane,
    context_chart,
    context_frame,
    neighbour_bars,
    neighbour_frame,
    picked_word,
    similarity_frame,
    similarity_matrix,
    vector_frame,
    vector_strips,
)

__all__ = [
    "REST",
    "TABLE",
    "AskedPair",
    "Axis",
    "Box",
    "Drawing",
    "Edge",
    "Guesses",
    "HeadPanel",
    "LadderPoint",
    "LineStyle",
    "Mark",
    "Node",
    "OutputWord",
    "Unrolled",
    "Waiting",
    "activation_chart",
    "activation_table",
    "analogy_frame",
    "analogy_plane",
    "bars_in_words",
    "beam_frame",
    "beam_tree_chart",
    "bits_by_kind",
    "bucket_frame",
    "bucket_map",
    "candidate_table",
    "certainty_bars",
    "certainty_table",
    "clock_chart",
    "clock_frame",
    "code_frame",
    "code_map",
    "column_table",
    "computation_graph",
    "confusion_matrix",
    "confusion_table",
    "context_chart",
    "context_frame",
    "contour_picture",
    "cost_chart",
    "cost_frame",
    "count_frame",
    "count_matrix",
    "count_picture",
    "counts_frame",
    "counts_over_theory",
    "criterion_frame",
    "criterion_lines",
    "diagram_table",
    "difference_bars",
    "drawn_shares",
    "estimate_chart",
    "estimate_table",
    "failure_matrix",
    "failure_table",
    "generated_chart",
    "generated_table",
    "gradient_bars",
    "gradient_matrix",
    "gradient_matrix_table",
    "gradient_table",
    "graph_table",
    "grouped_columns",
    "heads_chart",
    "heads_diagram",
    "heads_table",
    "histogram_frame",
    "input_loss_chart",
    "input_loss_frame",
    "kept_bars",
    "kept_in_words",
    "kept_table",
    "learning_curve",
    "least_crowded_view",
    "letters_chart",
    "letters_table",
    "line_chart",
    "loss_comparison",
    "map_frame",
    "masked_pair_frame",
    "matrix_frame",
    "matrix_panels",
    "matrix_picture",
    "mixture_curves",
    "model_ladder",
    "name_bars",
    "name_table",
    "neighbour_bars",
    "neighbour_frame",
    "network_chart",
    "network_diagram",
    "network_frame",
    "numbered",
    "objective_frame",
    "objective_lines",
    "pair_chart",
    "pair_frame",
    "percentage",
    "picked_column",
    "picked_id",
    "picked_model",
    "picked_restart",
    "picked_word",
    "prediction_bars",
    "prediction_table",
    "probability_lines",
    "rank_bars",
    "response_histogram",
    "response_table",
    "restart_frame",
    "restart_histogram",
    "share_pairs",
    "similarity_frame",
    "similarity_matrix",
    "space_figure",
    "state_map",
    "state_table",
    "support_map",
    "support_table",
    "surface_figure",
    "surface_picture",
    "surprisal_line",
    "surprisal_table",
    "tag_map",
    "tag_table",
    "trade_off",
    "training_curve",
    "training_frame",
    "unit_bars",
    "unit_matrix",
    "unrolled_chart",
    "unrolled_table",
    "vector_frame",
    "vector_strips",
    "vectors_chart",
    "vectors_table",
    "visible",
    "weights_chart",
    "weights_frame",
    "with_stage_that_waits",
    "word_map",
]
