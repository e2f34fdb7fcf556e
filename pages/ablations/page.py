"""What if we leave a part out? One transformer, trained again and again without one of its parts."""

import streamlit as st

from lm_core.experiments.ablations.training import evaluate, train_variant
from lm_core.experiments.ablations.variants import COMPARISONS, VARIANTS
from lm_core.models.attention import causal_mask
from lm_core.models.transformer_blocks import Block
from pages.ablations.final_losses import final_losses
from pages.ablations.mask import generate_side_by_side, loss_by_position
from pages.ablations.questions import QUESTIONS, ask
from pages.ablations.training_curves import (
    HELD_OUT_TEXT,
    TRAINING_TEXT,
    Choice,
    draw_curves,
    draw_first_lines,
    draw_gradients,
    draw_texts,
    results,
)
from pages.shared.ui.controls import control
from pages.shared.ui.first_screen import first_screen
from pages.shared.ui.lesson import page_header, show_source, try_this
from pages.shared.ui.playback import playback_bar

SUGGESTIONS = {
    "Mask": (
        "Step through the snapshots. At which step does the loss without the mask leave that of the"
        " full model? Does the text improve from there on?",
        "Switch to the loss on held-out text. Would it have revealed the error?",
        "Generate text from several seeds. Does the model without mask ever form a sentence?",
    ),
    "Residual and norm": (
        "Look at the gradient of each block at the first snapshot. In which models does it reach the"
        " first block?",
        "Without residual the loss stops falling early. What does the text of such a model look like?",
    ),
    "8 layers": (
        "Compare with 4 layers. Which of the two matters more with depth, residual or norm?",
        "Does the gradient norm shrink by the same factor from block to block?",
    ),
    "Positions, heads, layers": (
        "Remove the positions. How can the model still tell which character came just before?",
        "One head or eight: is the difference larger than that between two seeds?",
    ),
}
MOST_LINES = 2  # texts of which the picture has the beginnings
LINK_NAMES = dict(zip(COMPARISONS, ("mask", "residual", "depth", "size"), strict=True))

page_header(
    "ablations",
    "An *ablation* removes one part of a model and trains it again. Here, a small transformer learns"
    " *War and Peace*, each time without another part.",
)
trained = results().trainings

# Controls -------------------------------------------------------------------------------------
offered = {part: [n for n in names if n in trained] for part, names in COMPARISONS.items()}
parts = [part for part, names in offered.items() if len(names) > 1]
screen = first_screen()
with screen.controls:
    comparison = control(
        st.segmented_control,
        "ablation",
        "Ablation",
        parts,
        default=parts[0],
        required=True,
        label_visibility="collapsed",
    )
    with st.popover("More", icon=":material/tune:"):
        loss_text = control(
            st.segmented_control,
            "loss",
            "Loss on",
            [TRAINING_TEXT, HELD_OUT_TEXT],
            default=TRAINING_TEXT,
            required=True,
            help="Held-out text is the last twentieth of the training part. No model learned from it.",
        )
        shown = control(
            st.pills,
            f"models_{LINK_NAMES[comparison]}",
            "Models",
            offered[comparison],
            selection_mode="multi",
            default=offered[comparison],
            format_func=lambda name: VARIANTS[name].title,
        )

# Predict --------------------------------------------------------------------------------------
question = QUESTIONS[comparison]
with screen.beside:
    prediction = ask(question)
choice = Choice(
    comparison,
    tuple(name for name in offered[comparison] if name in shown),
    loss_text,
    hidden=() if prediction.revealed else question.hidden,
    guess=question.guesses(prediction),
)

# Picture --------------------------------------------------------------------------------------
steps = results().snapshot_steps
with screen.picture:
    picture = st.container(gap="xsmall")
below = st.container()


def draw(index: int) -> None:
    """Draw a snapshot: curves and the beginnings of the texts, and below the first screen all of them."""
    with picture:
        draw_curves(choice, steps[index])
        if len(choice.names) <= MOST_LINES:
            draw_first_lines(choice, steps[index])
    with below:
        draw_texts(choice, steps[index])
        if prediction.revealed:
            draw_gradients(choice, steps[index])


with screen.picture:
    playback_bar("snapshot", len(steps), draw, label="Snapshot", start=len(steps) - 1)

# Explanation ----------------------------------------------------------------------------------
if prediction.revealed and comparison == "Mask":
    loss_by_position()
    generate_side_by_side()
final_losses()

# Code and suggestions -------------------------------------------------------------------------
show_source(Block, causal_mask, train_variant, evaluate)
try_this(SUGGESTIONS[comparison])
