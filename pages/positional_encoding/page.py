"""Positions: how attention, which sees a heap of words, is told where each of them stands."""

from lm_core.experiments.positional_encoding.equal_words import look_at_words, tell
from lm_core.experiments.positional_encoding.scores_by_distance import position_scores
from lm_core.models.positional_encoding.absolute import (
    binary_positions,
    shift_rotation,
    sinusoidal_positions,
    told_apart,
)
from lm_core.models.positional_encoding.relative import alibi_bias, rotate, t5_buckets
from pages.positional_encoding.buckets import buckets_of_distances
from pages.positional_encoding.clock import clock_hands
from pages.positional_encoding.distance import by_distance
from pages.positional_encoding.equal_words import equal_words
from pages.positional_encoding.fingerprints import fingerprints
from pages.shared.ui.controls import choose_part
from pages.shared.ui.lesson import page_header, show_source, try_this

PARTS = ("Equal words", "Fingerprints", "Clock hands", "By distance", "T5's buckets")

page_header(
    "positional-encoding",
    "Attention mixes a heap of words. Their order has to be told, and there are several ways.",
)

# Controls, picture, explanation ---------------------------------------------------------------
part = choose_part(PARTS)
if part == "Fingerprints":
    fingerprints()
    code = (sinusoidal_positions, binary_positions)
    suggestions = [
        "Compare 31 with 32, then 32 with 33, in binary digits and in waves.",
        "Set C to 2: which columns still tell position 0 from position 60?",
        "Take 64 coordinates: what do the rightmost columns have to say about 60 positions?",
    ]
elif part == "Clock hands":
    clock_hands()
    code = (shift_rotation, sinusoidal_positions)
    suggestions = [
        "Press play: does the angle between the two hands of a clock ever change?",
        "Find a shift after which the hand of pair 0 is nearly where it was.",
        "Set C to 10: how many positions does the slowest hand take to go round?",
    ]
elif part == "By distance":
    by_distance()
    code = (position_scores, rotate, alibi_bias)
    suggestions = [
        "Walk through the heads of ALiBi: which of them can still see the first word?",
        "Change the seed of the rotary vector until nearest is not best. Is that a fault?",
        "In T5's buckets, find where two neighbouring distances begin to share a bias.",
    ]
elif part == "T5's buckets":
    buckets_of_distances()
    code = (t5_buckets,)
    suggestions = [
        "Switch the source's rule on and off: in which corners do the two differ?",
        "Raise the maximum distance until the two rules agree everywhere in the picture.",
        "Leave out the keys ahead: why does the slip do no harm then?",
    ]
else:
    equal_words()
    code = (look_at_words, tell, told_apart)
    suggestions = [
        "Without positions, switch the causal mask on: what has changed?",
        "Type *ha ha ha ha* with the causal mask and no positions. Why are they alike again?",
        "Type *no can no* with ALiBi and no mask: which two are alike, and why?",
        "Shuffle on: is there a kind of position for which a word's output never changes?",
    ]

# Code and suggestions -------------------------------------------------------------------------
show_source(*code)
try_this(suggestions)
