"""What the parts share: the results, the encoder and its tuned copies, and how methods are drawn."""

import streamlit as st

from lm_core.errors import ResultError
from lm_core.experiments.fine_tuning.results import Adapter, FineTuningResults
from lm_core.experiments.fine_tuning.settings import (
    AUTHOR,
    ENCODER,
    EXPERIMENT,
    FROZEN,
    LORA,
    PAIR,
    SCRATCH,
    SPEAKER,
    TAG,
    TASKS,
    TUNED,
)
from lm_core.models.masked_language_model import MaskedLanguageModel
from lm_core.models.task_heads import TaskModel
from lm_core.text.character_vocabulary import CharacterVocabulary
from lm_core.text.vocabularies import vocabulary_named
from lm_core.training.checkpoints import CheckpointMeta
from pages.shared.charts.lines import LineStyle
from pages.shared.charts.palette import BLUE, GREEN, PURPLE, VERMILLION
from pages.shared.models.language_models import model_named, provenance_of
from pages.shared.turns import model_calls
from pages.shared.ui.controls import control

STYLES = {
    SCRATCH: LineStyle(VERMILLION, 1),
    FROZEN: LineStyle(BLUE, 2),
    TUNED: LineStyle(PURPLE),
    LORA: LineStyle(GREEN, 1),
}
EXAMPLES = {AUTHOR: "passages", PAIR: "pairs", TAG: "sentences", SPEAKER: "questions"}
"""What a labelled example of each task is."""
HEIGHT = 340


@st.cache_resource(max_entries=1, show_spinner=False)
def results() -> FineTuningResults:
    """Return what was measured, shared by all visitors.

    Raises ResultError if it cannot be read, or the low-rank updates were learned beside another
    encoder.
    """
    found = FineTuningResults.load()
    expected, shipped = found.provenance.get("encoder_sha256"), encoder_meta().weights_sha256
    if expected != shipped:
        raise ResultError(
            f"the results of fine-tuning are of the encoder with sha256 {expected}, the shipped one has"
            f" {shipped}: python -m lm_core experiment {EXPERIMENT} makes them anew"
        )
    return found


def encoder_meta() -> CheckpointMeta:
    """Return the provenance of the pretrained encoder; CheckpointError if it cannot be read."""
    return provenance_of(ENCODER)


def vocabulary() -> CharacterVocabulary:
    """Return the subwords that the encoder reads."""
    return vocabulary_named(encoder_meta().vocabulary)


def encoder() -> MaskedLanguageModel:
    """Return the pretrained encoder, shared by all visitors: never change it."""
    model: MaskedLanguageModel = model_named(ENCODER).model
    return model


def choose_task() -> str:
    """Draw the choice of a task, and return its name."""
    return str(
        control(st.selectbox, "labelled_task", "Task", TASKS, index=TASKS.index(TAG), width=185)
    )


def adapters_of(task: str) -> dict[int, Adapter]:
    """Return the shipped low-rank updates of a task by number of labelled examples, rising."""
    found = {a.n_labelled: a for a in results().adapters if a.task == task}
    return dict(sorted(found.items()))


def tuned_model(task: str, n_labelled: int) -> TaskModel:
    """Return the encoder with a task's low-rank updates and head, shared by all visitors."""
    return _tuned_model(encoder_meta().weights_sha256, task, n_labelled)


@st.cache_resource(max_entries=4, show_spinner=False)
def _tuned_model(weights_sha256: str, task: str, n_labelled: int) -> TaskModel:
    del weights_sha256  # part of the key
    with model_calls:
        n_labels = len(results().tasks[task].labels)
        return adapters_of(task)[n_labelled].model(encoder(), n_labels)
