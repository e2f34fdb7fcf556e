"""What if we leave a part out? One transformer, trained again and again without one of its parts."""

from lm_core.experiments.ablations.training import evaluate, train_variant
from lm_core.experiments.ablations.variants import COMPARISONS
from lm_core.models.attention import causal_mask
from lm_core.models.transformer_blocks import Block
from pages.ablations.comparison import compared
from pages.ablations.every_part import every_part, take_clicked_model
from pages.ablations.training_curves import results
from pages.shared.ui.controls import choose_part
from pages.shared.ui.first_screen import first_screen
from pages.shared.ui.lesson import page_header, show_source, try_this

EVERY_PART = "Every part"
SUGGESTIONS = {
    EVERY_PART: (
        "Which bars end inside the grey band? What may be said of these models?",
        "Tap the bar of *no positions*. When does its curve leave the full model's?",
        "One head or eight, at the same width: by how much do the two losses differ, and by how much do"
        " those of three seeds?",
        "Choose *Mask*. Why does the model without the mask have no bar here?",
    ),
    "Mask": (
        "Step through the snapshots. At which step does the loss without the mask leave that of the"
        " full model? Does the text improve from there on?",
        "Switch to the loss on held-out text. Would it have revealed the error?",
        "Generate text from several seeds. Does the model without mask ever form a sentence?",
    ),
    "Residual and norm": (
        "Look at the gradient of each block at the first snapshot. Does the model with the smallest"
        " gradient also end with the highest loss?",
        "Without residual the loss stops falling early. What does the text of such a model look like?",
    ),
    "8 layers": (
        "Compare with 4 layers. What does leaving out residual, norm or both cost at each depth?",
        "Does the gradient norm shrink by the same factor from block to block?",
    ),
    "Positions, heads, layers": (
        "Remove the positions. How can the model still tell which character came just before?",
        "One head or eight: is the difference larger than that between two seeds?",
    ),
}
page_header(
    "ablations",
    "An *ablation* removes one part of a model and trains it again. Here, a small transformer learns"
    " *War and Peace*, each time without another part.",
)
trained = results().trainings

# Controls -------------------------------------------------------------------------------------
offered = {part: [n for n in names if n in trained] for part, names in COMPARISONS.items()}
parts = [EVERY_PART, *(part for part, names in offered.items() if len(names) > 1)]
take_clicked_model()
screen = first_screen()
with screen.controls:
    comparison = choose_part(parts, "ablation")

# Picture and explanation ----------------------------------------------------------------------
if comparison == EVERY_PART:
    every_part(screen)
else:
    compared(screen, comparison, offered[comparison])

# Code and suggestions -------------------------------------------------------------------------
show_source(Block, causal_mask, train_variant, evaluate)
try_this(SUGGESTIONS[comparison])
