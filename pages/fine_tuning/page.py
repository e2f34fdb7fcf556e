"""Fine-tuning: what an encoder that has read first gives four tasks, with few labels and with many."""

from lm_core.experiments.fine_tuning.asking import class_probabilities, find_speaker
from lm_core.experiments.fine_tuning.auxiliary_loss import (
    AuxiliaryTuning,
    CausalClassifier,
    language_loss,
)
from lm_core.experiments.fine_tuning.learning_curves import labels_needed
from lm_core.experiments.fine_tuning.own_tuning import OwnTuning
from lm_core.experiments.fine_tuning.settings import CAUSAL
from lm_core.experiments.fine_tuning.training import FineTuning, prepared_model
from lm_core.models.low_rank import LowRankUpdate
from lm_core.models.task_heads import TaskModel, best_labels, second_text, task_loss
from pages.fine_tuning.curves import curves
from pages.fine_tuning.heads import heads
from pages.fine_tuning.own_labels import own_labels
from pages.fine_tuning.recipe import recipe
from pages.fine_tuning.subject import encoder_meta, results
from pages.shared.models.language_models import model_named
from pages.shared.ui.controls import choose_part
from pages.shared.ui.first_screen import first_screen
from pages.shared.ui.lesson import Sources, page_header, provenance, show_source, try_this
from pages.shared.ui.messages import errors_end_page

OWN, CURVES, HEADS, RECIPE = "Your labels", "Learning curves", "Four heads", "GPT's recipe"
CODE: dict[str, Sources] = {
    OWN: (OwnTuning,),
    CURVES: (prepared_model, FineTuning, LowRankUpdate, task_loss, labels_needed),
    HEADS: (TaskModel, second_text, best_labels, class_probabilities, find_speaker),
    RECIPE: (CausalClassifier, AuxiliaryTuning, language_loss),
}

page_header(
    "fine-tuning",
    "A model that has read a book learns a new task from *labelled* examples, texts with their answers."
    " It knows the language already, so a few of them may suffice.",
)

# Controls -------------------------------------------------------------------------------------
screen = first_screen(picture=2.8)
with screen.controls:
    part = choose_part((OWN, CURVES, HEADS, RECIPE))
with errors_end_page():
    meta = encoder_meta()
    results()

# Picture and explanation ----------------------------------------------------------------------
if part == OWN:
    own_labels(screen)
elif part == CURVES:
    curves(screen)
elif part == HEADS:
    heads(screen)
else:
    recipe(screen)
provenance(model_named(CAUSAL).meta if part == RECIPE else meta)

# Code and suggestions -------------------------------------------------------------------------
show_source(*CODE[part])
try_this(part)
