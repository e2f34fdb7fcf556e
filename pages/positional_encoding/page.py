"""Positional encoding: how attention, which ignores order, learns each word's position."""

from lm_core.experiments.positional_encoding.equal_words import (
    attend_to_words,
    compare_equal_words,
)
from lm_core.experiments.positional_encoding.scores_by_distance import position_scores
from lm_core.models.positional_encoding.absolute import (
    binary_positions,
    equal_tokens_differ,
    shift_rotation,
    sinusoidal_positions,
)
from lm_core.models.positional_encoding.relative import alibi_bias, rotate, t5_buckets
from pages.positional_encoding.encodings import encoding_vectors, shift_as_rotation
from pages.positional_encoding.equal_words import equal_words
from pages.positional_encoding.scores import buckets_of_distances, by_distance
from pages.shared.ui.controls import choose_part
from pages.shared.ui.first_screen import first_screen
from pages.shared.ui.lesson import Sources, page_header, show_source, try_this

PARTS = ("Equal words", "Shift as rotation", "Encoding vectors", "Scores by distance", "T5 buckets")

page_header(
    "positional-encoding",
    "Attention alone ignores the order of the words. A *positional encoding* adds it, in one of several"
    " ways.",
)

# Controls, picture, explanation ---------------------------------------------------------------
screen = first_screen()
with screen.controls:
    part = choose_part(PARTS)
if part == "Encoding vectors":
    encoding_vectors(screen)
    code: Sources = (sinusoidal_positions, binary_positions)
    suggestions = [
        "Compare 31 with 32, then 32 with 33, in the binary and in the sinusoidal encoding.",
        "Set C to 2. Which columns still distinguish position 0 from position 60?",
        "Set the width to 64. How much do the rightmost columns change over 60 positions?",
    ]
elif part == "Shift as rotation":
    shift_as_rotation(screen)
    code = (shift_rotation, sinusoidal_positions)
    suggestions = [
        "Press play. Does the angle between the two hands of a clock ever change?",
        "Find a shift after which the hand of pair 0 is nearly where it was.",
        "Set C to 10. After how many positions has the slowest hand gone round once?",
    ]
elif part == "Scores by distance":
    by_distance(screen)
    code = (position_scores, rotate, alibi_bias)
    suggestions = [
        "Step through the heads of ALiBi. Which of them still attend to the first word?",
        "Change the seed of the rotary vector until the nearest key does not have the highest score.",
        "Choose T5 buckets, and find two neighbouring distances that share a bias.",
    ]
elif part == "T5 buckets":
    buckets_of_distances(screen)
    code = (t5_buckets,)
    suggestions = [
        "Switch the rule with the error on and off. In which corners do the two differ?",
        "Raise the maximum distance until both rules agree everywhere in the chart.",
        "Switch off the keys ahead. Why is the other rule correct then?",
    ]
else:
    equal_words(screen)
    code = (attend_to_words, compare_equal_words, equal_tokens_differ)
    suggestions = [
        "Choose no encoding and switch the causal mask on. What changes?",
        "Type *ha ha ha ha* with the causal mask and no encoding. Why are the outputs equal again?",
        "Type *no can no* with ALiBi and no mask. Which two outputs are equal, and why?",
        "Shuffle again. Is there an encoding for which a word's output never changes?",
    ]

# Code and suggestions -------------------------------------------------------------------------
show_source(*code)
try_this(suggestions)
