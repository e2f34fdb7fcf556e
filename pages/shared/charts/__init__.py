"""Charts as pure functions from tidy numbers: fixed axes, units, no state, no torch.

What a page draws again and again is a `Drawing`, what it draws once an Altair chart.

Colours say the same thing on every page, and never say it alone: what is blocked is dashed, what
is a reference is grey and named, what is chosen carries a mark.
"""

from pages.shared.charts.attention import (
    heads_chart,
    heads_table,
    vectors_chart,
    vectors_table,
    weights_chart,
    weights_frame,
)
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
    share_pairs,
    trade_off,
    training_curve,
    training_frame,
)
from pages.shared.charts.counting import (
    generated_chart,
    generated_table,
)
from pages.shared.charts.drawing import TABLE, Drawing
from pages.shared.charts.estimates import estimate_chart, estimate_table
from pages.shared.charts.generation import (
    counts_frame,
    counts_over_theory,
    surprisal_line,
    surprisal_table,
)
from pages.shared.charts.lines import Axis, LineStyle, line_chart
from pages.shared.charts.matrices import matrix_frame, matrix_panels
from pages.shared.charts.mixture_curves import histogram_frame, mixture_curves
from pages.shared.charts.palette import numbered, visible
from pages.shared.charts.positions import (
    bucket_frame,
    bucket_map,
    clock_chart,
    clock_frame,
    code_frame,
    code_map,
)
from pages.shared.charts.predictions import (
    REST,
    percentage,
    picked_id,
    prediction_bars,
    prediction_table,
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
from pages.shared.charts.surprisal import bits_by_kind, rank_bars
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
from pages.shared.charts.units import Mark, activation_chart, activation_frame, unit_bars
from pages.shared.charts.word_maps import map_frame, word_map
from pages.shared.charts.word_network import OutputWord, network_chart, network_frame
from pages.shared.charts.word_space import space_figure
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
    "Axis",
    "Drawing",
    "LineStyle",
    "Mark",
    "OutputWord",
    "Unrolled",
    "activation_chart",
    "activation_frame",
    "analogy_frame",
    "analogy_plane",
    "bits_by_kind",
    "bucket_frame",
    "bucket_map",
    "clock_chart",
    "clock_frame",
    "code_frame",
    "code_map",
    "context_chart",
    "context_frame",
    "cost_chart",
    "cost_frame",
    "counts_frame",
    "counts_over_theory",
    "criterion_frame",
    "criterion_lines",
    "difference_bars",
    "estimate_chart",
    "estimate_table",
    "generated_chart",
    "generated_table",
    "gradient_bars",
    "gradient_matrix",
    "gradient_matrix_table",
    "gradient_table",
    "heads_chart",
    "heads_table",
    "histogram_frame",
    "input_loss_chart",
    "input_loss_frame",
    "learning_curve",
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
    "neighbour_bars",
    "neighbour_frame",
    "network_chart",
    "network_frame",
    "numbered",
    "objective_frame",
    "objective_lines",
    "pair_chart",
    "pair_frame",
    "percentage",
    "picked_id",
    "picked_restart",
    "picked_word",
    "prediction_bars",
    "prediction_table",
    "probability_lines",
    "rank_bars",
    "restart_frame",
    "restart_histogram",
    "share_pairs",
    "similarity_frame",
    "similarity_matrix",
    "space_figure",
    "state_map",
    "state_table",
    "surprisal_line",
    "surprisal_table",
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
    "word_map",
]
