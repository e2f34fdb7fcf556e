"""Fine-tuning: what an encoder that has read first gives four tasks, with few labels and with many."""

from lm_core.experiments.fine_tuning import auxiliary_loss
from lm_core.experiments.fine_tuning.asking import class_probabilities, find_speaker
from lm_core.experiments.fine_tuning.learning_curves import labels_needed
from lm_core.experiments.fine_tuning.own_tuning import OwnTuning
from lm_core.experiments.fine_tuning.settings import CAUSAL
from lm_core.experiments.fine_tuning.training import FineTuning, prepared_model
from lm_core.models.low_rank import LowRankUpdate
from lm_core.models.task_heads import TaskModel, best_labels, second_text, task_loss
from lm_core.training.checkpoints import CheckpointMeta
from pages.fine_tuning.curves import curves
from pages.fine_tuning.heads import heads
from pages.fine_tuning.own_labels import own_labels
from pages.fine_tuning.recipe import recipe
from pages.fine_tuning.subject import encoder_meta, results
from pages.shared import page
from pages.shared.models.language_models import model_named


def _encoder() -> CheckpointMeta:
    """Return the provenance of the encoder beside which everything was measured."""
    results()
    return encoder_meta()


def _causal() -> CheckpointMeta:
    return model_named(CAUSAL).meta


PARTS = [
    page.Part("Your labels", own_labels, (OwnTuning,), _encoder),
    page.Part(
        "Learning curves",
        curves,
        (prepared_model, FineTuning, LowRankUpdate, task_loss, labels_needed),
        _encoder,
    ),
    page.Part(
        "Four heads",
        heads,
        (TaskModel, second_text, best_labels, class_probabilities, find_speaker),
        _encoder,
    ),
    page.Part(
        "GPT's recipe",
        recipe,
        (
            auxiliary_loss.CausalClassifier,
            auxiliary_loss.AuxiliaryTuning,
            auxiliary_loss.language_loss,
        ),
        _causal,
    ),
]

page.draw(
    "fine-tuning",
    "A model that has read a book learns a new task from *labelled* examples, texts with their answers."
    " It knows the language already, so a few of them may suffice.",
    PARTS,
    picture=2.8,
)
