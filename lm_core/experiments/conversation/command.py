"""Measure whether replies of the model that read 33 books depend on what was said."""

from lm_core.experiments.commands import Report, experiment
from lm_core.experiments.conversation.dialogues import held_out_dialogues
from lm_core.experiments.conversation.results import ConversationResults
from lm_core.experiments.conversation.study import SEED, WRITER, exchanges_of, score_replies
from lm_core.text.library import FILES, LIBRARY
from lm_core.text.word_corpora import sha256_of_parts
from lm_core.training.checkpoints import load_shipped
from lm_core.training.model_vocabulary import vocabulary_of


@experiment("see whether replies depend on what was said", ConversationResults)
def run(report: Report) -> ConversationResults:
    """Read the dialogues that no model has read, and print how their replies are expected."""
    model, meta = load_shipped(WRITER)
    vocabulary = vocabulary_of(meta)
    exchanges = exchanges_of(held_out_dialogues(vocabulary), SEED)
    scores = report(score_replies(model, vocabulary, exchanges))
    made = report.provenance(
        corpus=LIBRARY,
        corpus_sha256=sha256_of_parts(FILES[LIBRARY]),
        seed=SEED,
        model=WRITER,
        model_sha256=meta.weights_sha256,
    )
    return ConversationResults(made, scores)
