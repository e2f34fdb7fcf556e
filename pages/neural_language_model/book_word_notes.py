"""How the network of words was trained, and what others report."""

import math

from lm_core.experiments.neural_language_model.word_results import WordResults
from pages.shared.numbers import percent
from pages.shared.ui.times import duration

RARE = "(rare word)"


def explain_words(found: WordResults) -> str:
    """Say why the network and counts differ."""
    network = found.network.config
    return (
        f"Of {network.context_size} words there are {network.vocabulary_size:,} to the power of"
        f" {network.context_size} contexts, so most of the held-out ones are new. Counting drops words until"
        f" what is left was seen before. The network reads all of them as {network.context_size} ×"
        f" {network.embedding_size} numbers, so a new context may be near to some that it has read."
    )


def note_words(found: WordResults, *, is_revealed: bool) -> str:
    """Say how both were trained, and on what."""
    made, losses, network = found.provenance, found.losses, found.network
    difference = (
        f": the network's loss minus the counts' is {losses.difference:+.3f} ±"
        f" {losses.standard_error:.3f} nats"
        if is_revealed
        else ""
    )
    return (
        f"The {network.vocabulary_size - 2:,} most frequent words of the book have"
        f" {network.config.embedding_size} numbers each; all others count as one, *{RARE}*"
        f" ({percent(made['unknown'])} of what is held out). The network has"
        f" {network.parameter_count:,} weights and learned from {made['learned_from']:,} words and"
        f" ends of sentences, in {duration(made['seconds'])} of one core. So that they can be"
        f" compared, both are scored on the same {made['held_out']:,} words and ends{difference}. The bars of the"
        f" counts are of a smaller table, with {found.counts.config.context_size} words of context"
        f" (perplexity {math.exp(losses.shipped_counts):.0f}). Sentences end with a full stop here,"
        " and there is no other punctuation."
    )
