"""Attention by hand: a misprinted example, small matrices, a query to drag, scale, heads."""

from lm_core.analysis.attention_trace import softmax_slopes
from lm_core.experiments.attention_by_hand.head_parameters import count_heads
from lm_core.experiments.attention_by_hand.printed_example import single_edits, weights_of
from lm_core.experiments.attention_by_hand.scaling import scale_effects
from lm_core.models.attention import attend, masked_softmax
from lm_core.models.multi_head_attention import MultiHeadAttention, head_by_head
from pages.attention_by_hand.printed_example import printed_example
from pages.attention_by_hand.random_layers import heads_at_constant_width, scale_by_width
from pages.attention_by_hand.small_matrices import dragged_query, small_matrices
from pages.shared.ui.controls import choose_part
from pages.shared.ui.first_screen import first_screen
from pages.shared.ui.lesson import Sources, page_header, show_source, try_this

PARTS = ("Drag a query", "A printed example", "Small matrices", "Division by √d", "Heads")

page_header(
    "attention-by-hand",
    "Attention takes three steps: *scores* say how well each key fits a query, the *softmax*"
    " makes weights of them, and the output is a weighted mean, so the value of a key that fits"
    " well counts most. Here all is small enough to check every number.",
)

# Controls, picture, explanation ---------------------------------------------------------------
screen = first_screen()
with screen.controls:
    part = choose_part(PARTS)
if part == "Small matrices":
    small_matrices(screen)
    code: Sources = (attend, masked_softmax)
elif part == "Drag a query":
    dragged_query(screen)
    code = (attend,)
elif part == "Division by √d":
    scale_by_width(screen)
    code = (scale_effects, softmax_slopes)
elif part == "Heads":
    heads_at_constant_width(screen)
    code = (count_heads, MultiHeadAttention, head_by_head)
else:
    printed_example(screen)
    code = (weights_of, single_edits, attend)

# Code and suggestions -------------------------------------------------------------------------
show_source(*code)
try_this(part)
