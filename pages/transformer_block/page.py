"""One block, end to end: every stage between a sentence and the next token, and what each one is good for."""

from lm_core.analysis.residual_stream import logit_lens, trace
from lm_core.models import gpt
from pages.shared import page
from pages.transformer_block.lens import what_it_would_say

PARTS = [
    page.Part(
        "What it would say",
        what_it_would_say,
        (logit_lens, trace, gpt),
        [
            "Go to an earlier token of the sentence. Is its answer found in the same block?",
            "Type *Prince Andrew and Pierre looked at each*: why is *other* there after one block?",
            "Follow a token that was likely in the middle and is not in the end. What drove it out?",
        ],
    ),
]

page.draw(
    "transformer-block",
    "A sentence goes in, the next token comes out. In between each *block* reads the *residual stream* and"
    " adds to it: here is every number on the way.",
    PARTS,
    picture=3.0,
)
