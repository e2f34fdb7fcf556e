"""What if we leave a part out? The same transformer trained again and again, each time without one."""

import streamlit as st

from lm_core.attention.blocks import Block
from lm_core.attention.masks import causal_mask
from lm_core.attention.without.training import judged, train_variant
from lm_core.errors import LMCoreError
from pages.attention.left_out.choices import choose
from pages.attention.left_out.learning import after_step
from pages.attention.left_out.mask import why_it_is_worth_nothing, write_anew
from pages.attention.left_out.measured import UNMASKED, moments, results
from pages.attention.left_out.worth import what_each_part_gives
from pages.shared.lesson import page_header, predict_then_reveal, show_source, try_this
from pages.shared.stepper import stepper

page_header(
    "What if we leave a part out?",
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
    ("It falls to zero", "It stays as it was", "It stays near chance, 4.25"),
)
if not prediction.revealed:
    choice = choice._replace(names=tuple(name for name in choice.names if name != UNMASKED))

# Picture --------------------------------------------------------------------------------------
stepper(
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
try_this(
    [
        "Leave out the mask, and step through the moments: at which step does the loss leave that of"
        " the whole model, and does the text get better from there on?",
        "Compare residual and norm in 4 layers and in 8. Which of the two is a matter of depth?",
        "Look at the gradient of each block at the first moment: which models can hear at all what was"
        " wrong with their prediction?",
        "Judge by held-out text. Is there a model that has learned its text by heart?",
        "Take the positions away. How can a model without them still tell what came just before?",
    ]
)
