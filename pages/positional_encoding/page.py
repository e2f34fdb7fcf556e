"""Positional encoding: how attention, which ignores order, learns each word's position."""

from lm_core.experiments.positional_encoding.equal_words import attend_to_words, compare_equal_words
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
    "Attention alone ignores the order of the words, because a weighted mean has none. A *positional"
    " encoding* adds it, in one of several ways.",
)

# Controls, picture, explanation ---------------------------------------------------------------
screen = first_screen()
with screen.controls:
    part = choose_part(PARTS)
if part == "Encoding vectors":
    encoding_vectors(screen)
    code: Sources = (sinusoidal_positions, binary_positions)
elif part == "Shift as rotation":
    shift_as_rotation(screen)
    code = (shift_rotation, sinusoidal_positions)
elif part == "Scores by distance":
    by_distance(screen)
    code = (position_scores, rotate, alibi_bias)
elif part == "T5 buckets":
    buckets_of_distances(screen)
    code = (t5_buckets,)
else:
    equal_words(screen)
    code = (attend_to_words, compare_equal_words, equal_tokens_differ)

# Code and suggestions -------------------------------------------------------------------------
show_source(*code)
try_this(part)
