"""Train small translators that differ in how they look back at the sentence, from several seeds."""

from itertools import product

from lm_core.experiments.attention_scores import results
from lm_core.experiments.attention_scores.results import AttentionScoreResults
from lm_core.experiments.attention_scores.training import train_scored
from lm_core.experiments.commands import Report, experiment
from lm_core.experiments.translation.batches import encode_pairs
from lm_core.text.sentence_pairs import NAME, TRAIN, VALIDATION, load_pairs, pairs_sha256
from lm_core.text.translation_vocabulary import shipped_vocabulary


@experiment(
    "train translators without attention, with additive scores and with dot products",
    AttentionScoreResults,
)
def run(report: Report) -> AttentionScoreResults:
    """Train each kind from each seed."""
    vocabulary = shipped_vocabulary()
    pairs, validation = (encode_pairs(load_pairs(name), vocabulary) for name in (TRAIN, VALIDATION))

    found = report.each(
        train_scored(attention, seed, pairs, validation)
        for seed, attention in product(results.SEEDS, results.SCORES)
    )
    made = report.provenance(corpus=NAME, corpus_sha256=pairs_sha256(), seeds=results.SEEDS)
    return AttentionScoreResults(made, found)
