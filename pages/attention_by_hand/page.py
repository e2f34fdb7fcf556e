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
    "Scores, softmax, a weighted mean: small enough here to check every number.",
)

# Controls, picture, explanation ---------------------------------------------------------------
screen = first_screen()
with screen.controls:
    part = choose_part(PARTS)
if part == "Small matrices":
    small_matrices(screen)
    code: Sources = (attend, masked_softmax)
    suggestions = [
        "Multiply Q by ten. Which numbers change, and which hardly do?",
        "Make two rows of K the same. What do their columns of weights have in common?",
        "Switch the mask on. Which row has a single weight of 1, whatever Q and K are?",
        "Give V three columns. Which other matrix gets wider?",
    ]
elif part == "Drag a query":
    dragged_query(screen)
    code = (attend,)
    suggestions = [
        "Find a place where two keys get exactly the same weight. Where are all such places?",
        "Choose *one long, one short*. Can the short key ever get the largest weight?",
        "Make the query longer in the same direction. What happens to the output?",
    ]
elif part == "Division by √d":
    scale_by_width(screen)
    code = (scale_effects, softmax_slopes)
    suggestions = [
        "At which width does the slope without the division fall below a thousandth?",
        "Take 4 keys, then 32. Which of the three quantities depends on the number of keys even"
        " with the division?",
        "Change the seed. Which part of the picture stays?",
    ]
elif part == "Heads":
    heads_at_constant_width(screen)
    code = (count_heads, MultiHeadAttention, head_by_head)
    suggestions = [
        "Put 16 heads on a width of 16. How wide is each head, and what does its score depend on?",
        "Double the width. By which factor do the numbers grow?",
    ]
else:
    printed_example(screen)
    code = (weights_of, single_edits, attend)
    suggestions = [
        "Find the misprinted score: change one score at a time, and restore it.",
        "Add 1 to every score. What happens to the weights?",
        "Divide by √64. How much weight has the best word now?",
        "Switch the causal mask on. Why do the scores of the last five words no longer matter?",
    ]

# Code and suggestions -------------------------------------------------------------------------
show_source(*code)
try_this(suggestions)
