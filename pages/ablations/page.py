"""What if we leave a part out? The same transformer trained again and again, each time without one."""

import streamlit as st

from lm_core.errors import LMCoreError
from lm_core.experiments.ablations.training import judged, train_variant
from lm_core.models.attention import causal_mask
from lm_core.models.transformer_blocks import Block
from pages.ablations.choices import choose
from pages.ablations.learning import after_step
from pages.ablations.mask import why_it_is_worth_nothing, write_anew
from pages.ablations.measured import CHANCE, UNMASKED, moments, results
from pages.ablations.worth import what_each_part_gives
from pages.shared.ui.lesson import page_header, predict_then_reveal, show_source, try_this
from pages.shared.ui.playback import playback_bar

SUGGESTIONS = {
    "The mask": (
        "Step through the moments: at which step does the loss without the mask leave that of the whole"
        " model, and does the text get better from there on?",
        "Judge by held-out text. Would it have told you that something is wrong?",
        "Give both models the same prompt and other seeds. Is there a seed for which the model without"
        " mask writes a sentence?",
    ),
    "Residual and norm": (
        "Look at the gradient of each block at the first moment: which models can hear what was wrong"
        " with their prediction?",
        "Without residual the loss stops falling early. What does the text look like of a model that"
        " knows nothing but how often each letter stands?",
    ),
    "The same in 8 layers": (
        "Compare with 4 layers. Which of the two, residual or norm, is a matter of depth?",
        "Does the gradient of the first block fall by the same factor from block to block?",
    ),
    "Positions, heads, layers": (
        "Take the positions away. How can a model without them still tell what came just before?",
        "One head or eight: is the difference larger than that between two seeds?",
    ),
}

page_header(
    "ablations",
    "The same small transformer learned from *War and Peace* again and again, each time with one of"
    " its parts left out.",
)
try:
    results()
except LMCoreError as error:
    st.error(str(error))
    st.stop()

# Controls -------------------------------------------------------------------------------------
choice = choose()

# Predict --------------------------------------------------------------------------------------
prediction = predict_then_reveal(
    "mask",
    "trained without the causal mask, each place may look at what comes after it. What becomes of its"
    " training loss?",
    ("It falls to zero", "It stays as it was", f"It stays near chance, {CHANCE}"),
)
if not prediction.revealed:
    choice = choice._replace(names=tuple(name for name in choice.names if name != UNMASKED))

# Picture --------------------------------------------------------------------------------------
playback_bar(
    "moment",
    len(moments()),
    lambda moment: after_step(choice, moment),
    label="Moment of the training",
    start=len(moments()) - 1,
)

# Explanation ----------------------------------------------------------------------------------
if prediction.revealed:
    why_it_is_worth_nothing()
    write_anew()
what_each_part_gives()

# Code and suggestions -------------------------------------------------------------------------
show_source(Block, causal_mask, train_variant, judged)
try_this(SUGGESTIONS[choice.group])
