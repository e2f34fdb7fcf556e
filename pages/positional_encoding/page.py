"""Positional encoding: how attention, which ignores order, learns each word's position."""

from lm_core.experiments.positional_encoding.beyond_length import read_beyond, with_context
from lm_core.experiments.positional_encoding.equal_words import attend_to_words, compare_equal_words
from lm_core.experiments.positional_encoding.scores_by_distance import position_scores
from lm_core.models.positional_encoding.absolute import (
    binary_positions,
    equal_tokens_differ,
    shift_rotation,
    sinusoidal_positions,
    wave_frequencies,
)
from lm_core.models.positional_encoding.relative import alibi_bias, rotate, t5_buckets
from pages.positional_encoding.beyond import beyond
from pages.positional_encoding.buckets_of_distances import buckets_of_distances
from pages.positional_encoding.encodings import encoding_vectors
from pages.positional_encoding.equal_words import equal_words
from pages.positional_encoding.scores import by_distance
from pages.positional_encoding.shift_as_rotation import shift_as_rotation
from pages.positional_encoding.waves import waves
from pages.shared import page

PARTS = [
    page.Part(
        "Equal words", equal_words, (attend_to_words, compare_equal_words, equal_tokens_differ)
    ),
    page.Part("Shift as rotation", shift_as_rotation, (shift_rotation, sinusoidal_positions)),
    page.Part("Encoding vectors", encoding_vectors, (sinusoidal_positions, binary_positions)),
    page.Part("Waves", waves, (sinusoidal_positions, wave_frequencies)),
    page.Part("Scores by distance", by_distance, (position_scores, rotate, alibi_bias)),
    page.Part("T5 buckets", buckets_of_distances, (t5_buckets,)),
    page.Part("Beyond the trained length", beyond, (with_context, read_beyond)),
]

page.draw(
    "positional-encoding",
    "Attention alone ignores the order of the words, because a weighted mean has none. A *positional"
    " encoding* adds it, in one of several ways.",
    PARTS,
)
