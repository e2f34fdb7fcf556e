"""Find the units of the LSTM that keep track of quotations, names, words, sentences and paragraphs."""

from lm_core.errors import SettingError
from lm_core.experiments.commands import Report, experiment, option
from lm_core.experiments.inside_a_writer.measuring import SHIFTS, measure_units
from lm_core.experiments.inside_a_writer.results import MODEL, UnitResults
from lm_core.models.recurrent_language_model import LSTMLanguageModel
from lm_core.text.training_text import load_book
from lm_core.training.checkpoints import SHIPPED, load_checkpoint
from lm_core.training.model_vocabulary import vocabulary_of


@experiment(
    "find what the units of the LSTM of the book keep track of",
    UnitResults,
    option("--model", SHIPPED / MODEL, "checkpoint folder"),
    option("--characters", 120_000, "of the held-out tenth that are read"),
)
def run(report: Report) -> UnitResults:
    """Score the units of each kind beside controls, and hold the one that follows quotations."""
    model, meta = load_checkpoint(report.options.model)
    if not isinstance(model, LSTMLanguageModel):
        raise SettingError(f"the model must be an LSTM, got {meta.title}")
    vocabulary = vocabulary_of(meta)
    ids = load_book(vocabulary).validation[: report.options.characters]
    found = measure_units(model, vocabulary, ids, report)
    n, weights = len(vocabulary.decode(ids)), meta.weights_sha256
    made = report.provenance(weights_of=weights, characters=n, shifts=SHIFTS)
    return UnitResults(made, meta.name, **found)
