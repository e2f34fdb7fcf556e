"""What if we leave a part out? One transformer, trained again and again without one of its parts."""

from lm_core.experiments.ablations.training import evaluate, train_variant
from lm_core.experiments.ablations.variants import COMPARISONS, MODERN
from lm_core.models.attention import causal_mask
from lm_core.models.multi_head_attention import MultiHeadAttention, share_heads
from lm_core.models.transformer_blocks import Block, RMSNorm
from pages.ablations.comparison import compared
from pages.ablations.curve_choice import results
from pages.ablations.every_part import every_part, take_clicked_model
from pages.ablations.modern_parts import MODERN_PARTS, modern_parts
from pages.shared.ui.controls import choose_part
from pages.shared.ui.first_screen import first_screen
from pages.shared.ui.lesson import page_header, show_source, try_this

EVERY_PART = "Every part"
page_header(
    "ablations",
    "An *ablation* removes one part of a model and trains it again. Here, a small transformer"
    " learns *War and Peace*, each time without another part, so that a difference in the loss"
    " beyond chance is due to that part.",
)
trained = results().trainings

# Controls -------------------------------------------------------------------------------------
offered = {part: [n for n in names if n in trained] for part, names in COMPARISONS.items()}
parts = [EVERY_PART, *(part for part, names in offered.items() if len(names) > 1)]
if set(MODERN) <= set(trained):
    parts.append(MODERN_PARTS)
take_clicked_model()
screen = first_screen()
with screen.controls:
    comparison = choose_part(parts, "ablation")

# Picture and explanation ----------------------------------------------------------------------
if comparison == EVERY_PART:
    every_part(screen)
elif comparison == MODERN_PARTS:
    modern_parts(screen)
else:
    compared(screen, comparison, offered[comparison])

# Code and suggestions -------------------------------------------------------------------------
if comparison == MODERN_PARTS:
    show_source(RMSNorm, Block, MultiHeadAttention, share_heads, train_variant)
else:
    show_source(Block, causal_mask, train_variant, evaluate)
try_this(comparison)
