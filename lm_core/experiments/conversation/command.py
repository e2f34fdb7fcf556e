"""Tune the model that read 33 books on their dialogues, and measure whether its replies depend on what was said."""

from lm_core.experiments.commands import Report, experiment, option
from lm_core.experiments.conversation.dialogues import held_out_dialogues, learned_dialogues
from lm_core.experiments.conversation.results import ConversationResults
from lm_core.experiments.conversation.study import SEED, WRITER, exchanges_of, score_replies
from lm_core.experiments.conversation.tuning import TuningSettings, learned_updates
from lm_core.models.low_rank import tuned_copy
from lm_core.text.library import FILES, LIBRARY
from lm_core.text.word_corpora import sha256_of_parts
from lm_core.training.checkpoints import load_shipped
from lm_core.training.model_vocabulary import vocabulary_of


@experiment(
    "tune a model on dialogues, and see whether its replies depend on what was said",
    ConversationResults,
    option("--steps", TuningSettings.steps, "of the tuning"),
)
def run(report: Report) -> ConversationResults:
    """Read the dialogues that no model has read, before and after; stopped, the tuning goes on where it was."""
    model, meta = load_shipped(WRITER)
    vocabulary, settings = vocabulary_of(meta), TuningSettings(report.options.steps)
    exchanges = exchanges_of(held_out_dialogues(vocabulary), SEED)
    dialogues = learned_dialogues(vocabulary)
    updates, seconds = learned_updates(dialogues, vocabulary, settings)
    untuned, tuned = (
        report(score_replies(each, vocabulary, exchanges))
        for each in (model, tuned_copy(model, updates))
    )
    made = report.provenance(
        corpus=LIBRARY,
        corpus_sha256=sha256_of_parts(FILES[LIBRARY]),
        seed=SEED,
        model=WRITER,
        model_sha256=meta.weights_sha256,
        tuning=settings,
    )
    replies = sum(len(dialogue) - 1 for dialogue in dialogues)
    return ConversationResults(made, len(dialogues), replies, seconds, untuned, tuned, updates)
