"""One block, end to end: every stage between a sentence and the next token, and what each one is good for."""

from lm_core.analysis.feed_forward_units import HoldingTransformer, read_units
from lm_core.analysis.patching import Patching, telling_answers
from lm_core.analysis.residual_stream import Removed, contributions, logit_lens, mean_cosine, trace
from lm_core.analysis.unit_search import chance_correlations
from lm_core.analysis.unit_search import find_units as find_units_by_score
from lm_core.analysis.worked_number import worked_number
from lm_core.models import gpt
from pages.shared import page
from pages.transformer_block.attribution import who_says_it
from pages.transformer_block.lens import what_it_would_say
from pages.transformer_block.patching import patch_cells
from pages.transformer_block.picture import picture
from pages.transformer_block.taken_out import take_a_part_out
from pages.transformer_block.units import find_units

PARTS = [
    page.Part("Picture", picture, (gpt, trace, worked_number)),
    page.Part("What it would say", what_it_would_say, (logit_lens, trace, gpt)),
    page.Part("Who says it", who_says_it, (contributions,)),
    page.Part("Take a part out", take_a_part_out, (trace, Removed, mean_cosine)),
    page.Part(
        "Units",
        find_units,
        (read_units, HoldingTransformer, find_units_by_score, chance_correlations),
    ),
    page.Part("Patching", patch_cells, (Patching, telling_answers)),
]

page.draw(
    "transformer-block",
    "In each *block* attention and a small network read a sentence's *residual stream* and add to it, so"
    " the prediction is made from the sum of what all of them have added.",
    PARTS,
    picture=3.0,
)
