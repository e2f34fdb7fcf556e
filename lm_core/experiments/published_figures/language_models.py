"""What is reported of n-grams, of Bengio's model on names, of taggers, and of a unit that computes XOR."""

import torch

from lm_core.experiments.part_of_speech_tagging.settings import RECURRENT
from lm_core.experiments.published_figures.record import Ours, of_seeds, reads
from lm_core.experiments.published_figures.sources import Sources
from lm_core.models.perceptron import XOR_NETWORK


@reads("contexts_of_names")
def _contexts_of_names(sources: Sources) -> Ours:
    score = sources.n_grams_of_names(4)
    return Ours(
        score.possible,
        f"{score.possible:,} contexts of three symbols could be, and {score.seen:,} occur in the names.",
    )


@reads("bigrams_of_names")
def _bigrams_of_names(sources: Sources) -> Ours:
    loss = sources.bigrams_of_all_names
    return Ours(
        loss,
        f"Counting gives {loss:.4f}, below which no bigram model can go on these names. Theirs is of a"
        " network that was still being trained.",
    )


@reads("network_on_names")
def _network_on_names(sources: Sources, context: int) -> Ours:
    trained = sources.network_on_names(context)
    return Ours(
        trained.validation,
        f"Our network of the same sizes has {trained.validation:.3f} ({trained.train:.3f} on what it"
        f" learned from), after {trained.config.steps:,} steps of {trained.config.batch} with AdamW:"
        " another training.",
    )


@reads("start_on_names")
def _start_on_names(sources: Sources, name: str) -> Ours:
    trained = sources.start_on_names(name)
    return Ours(
        trained.validation,
        f"One training of ours by the same recipe has {trained.validation:.4f}, and"
        f" {trained.train:.4f} on what it learned from.",
    )


@reads("saturated_units")
def _saturated_units(sources: Sources) -> Ours:
    normal = sources.start_on_names("normal").snapshots[-1].saturation
    scaled = sources.start_on_names("scaled").snapshots[-1].saturation
    return Ours(
        100 * normal.dead,
        f"Here the share is taken over all held-out names: {normal.dead:.0%} of the units are saturated"
        f" for each of them. Of all responses {normal.saturated:.0%} are, started from normal weights,"
        f" and {scaled.saturated:.0%} from scaled ones.",
    )


@reads("right_tags")
def _right_tags(sources: Sources) -> Ours:
    scores = [100 * share for share in sources.right_tags(RECURRENT)]
    return of_seeds(
        scores,
        f"Our bidirectional LSTM has {min(scores):.2f} to {max(scores):.2f} % of the words of 50 texts of"
        f" the Brown corpus right, with twelve tags; counting alone"
        f" {100 * sources.tags_by_counting:.2f} %.",
    )


@reads("xor_sum")
def _xor_sum(sources: Sources) -> Ours:
    total = float(XOR_NETWORK.first.sums(torch.ones(2, dtype=torch.float64)))
    return Ours(total, f"The unit of the page has {total:g} there, so its output is 1.")
