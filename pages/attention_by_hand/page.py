"""Attention by hand: a misprinted example, small matrices, a query to drag, scale, heads and their shapes."""

from lm_core.analysis.attention_trace import softmax_slopes
from lm_core.experiments.attention_by_hand.head_parameters import count_heads
from lm_core.experiments.attention_by_hand.head_shapes import (
    printed_output,
    share_of_own_token,
    split_into_heads,
)
from lm_core.experiments.attention_by_hand.head_times import measure_heads
from lm_core.experiments.attention_by_hand.printed_example import single_edits, weights_of
from lm_core.experiments.attention_by_hand.scaling import scale_effects
from lm_core.experiments.attention_by_hand.typed_projections import project
from lm_core.models.attention import attend, masked_softmax
from lm_core.models.multi_head_attention import MultiHeadAttention, head_by_head
from pages.attention_by_hand.dragged_query import dragged_query
from pages.attention_by_hand.heads_at_constant_width import heads_at_constant_width
from pages.attention_by_hand.heads_by_shape import heads_by_shape
from pages.attention_by_hand.printed_example import printed_example
from pages.attention_by_hand.scale_by_width import scale_by_width
from pages.attention_by_hand.small_matrices import small_matrices
from pages.shared import page

PARTS = [
    page.Part("Drag a query", dragged_query, (attend,)),
    page.Part("A printed example", printed_example, (weights_of, single_edits, attend)),
    page.Part("Small matrices", small_matrices, (attend, masked_softmax, project)),
    page.Part("Division by √d", scale_by_width, (scale_effects, softmax_slopes)),
    page.Part("Heads", heads_at_constant_width, (count_heads, MultiHeadAttention, head_by_head)),
    page.Part(
        "Shapes",
        heads_by_shape,
        (split_into_heads, share_of_own_token, printed_output, measure_heads),
    ),
]

page.draw(
    "attention-by-hand",
    "Attention takes three steps: *scores* say how well each key fits a query, the *softmax*"
    " makes weights of them, and the output is a weighted mean, so the value of a key that fits"
    " well counts most. Here all is small enough to check every number.",
    PARTS,
)
